"""PAdf as the scorer of a grid search: late alarms cost, so the search prefers quick settings.

    python examples/grid_search.py

A classifier sees the pump's last few values; the search chooses how many, and how bold it is, by
PAdf on folds in time. Needs scikit-learn.
"""

import numpy as np
from sklearn.metrics import make_scorer
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.tree import DecisionTreeClassifier

import padf

SEARCHED = {
    "functiontransformer__kw_args": [{"points": points} for points in (1, 6, 36)],
    "decisiontreeclassifier__class_weight": [None, "balanced"],
}


def last_values(column, points):
    """Return for each row its value and the mean of the last values."""
    values = np.asarray(column).ravel()
    padded = np.concatenate([np.full(points - 1, values[0]), values])
    mean = np.convolve(padded, np.full(points, 1 / points), "valid")
    return np.column_stack([values, mean])


def search(d):
    pump = padf.load_sample("pump")
    tree = DecisionTreeClassifier(max_depth=3, random_state=0)
    model = make_pipeline(FunctionTransformer(last_values), tree)
    scorer = make_scorer(padf.padf_f1_score, d=d)
    found = GridSearchCV(model, SEARCHED, scoring=scorer, cv=KFold(5))
    return found.fit(pump.value.reshape(-1, 1), pump.labels)


if __name__ == "__main__":
    for d in (0.9, 0.5):
        found = search(d)
        chosen = found.best_params_
        points = chosen["functiontransformer__kw_args"]["points"]
        weight = chosen["decisiontreeclassifier__class_weight"]
        print(f"d = {d}: {points} points, class weight {weight}, PAdf {found.best_score_:.3f}")
