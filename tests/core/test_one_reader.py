"""The same file gives the same numbers through every door.

The doors are `padf evaluate`, `padf corpus`, what the app calls, and `padf.read_series`.
"""

import json
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
import pandas as pd
import pytest

import padf_core as padf
from padf_core.__main__ import main
from padf_core.io import sandbox
from padf_core.io.guess import decide
from padf_core.io.sources import Source

ROWS = 300
CLOCK = {"measure": "clock", "shape": "half_life", "decay": 1200.0}
ON_CLOCK = ("--measure", "clock", "--shape", "half_life", "--decay", "1200")
"""A decay on the clock: half of the credit is gone after 20 minutes."""


def labels():
    truth = np.zeros(ROWS, dtype=int)
    truth[60:80] = truth[150:156] = truth[220:260] = 1
    return truth


def scores(seed, late=0):
    rng = np.random.default_rng(seed)
    return np.round(rng.random(ROWS) + 0.8 * np.roll(labels(), late), 3)


def stamps(minutes=5):
    return pd.date_range("2024-03-01", periods=ROWS, freq=f"{minutes}min").astype(str)


def plain():
    return pd.DataFrame(
        {"time": stamps(), "label": labels(), "model_a": scores(1, 3), "model_b": scores(2)}
    )


def repeated():
    frame = plain()
    frame.loc[[70, 230], "time"] = frame.loc[[69, 229], "time"].to_numpy()
    return frame


def unsorted():
    frame = plain()
    order = np.arange(ROWS)
    order[[10, 11, 70, 71, 229, 230]] = order[[11, 10, 71, 70, 230, 229]]
    return frame.iloc[order].reset_index(drop=True)


def missing():
    frame = plain()
    frame.loc[:29, "model_a"] = np.nan
    frame.loc[225:227, "model_b"] = np.nan
    return frame


def inverted():
    return plain().assign(model_a=lambda frame: 5 - frame["model_a"])


def ignored():
    return plain().assign(ignored=(np.arange(ROWS) % 7 == 0).astype(int))


def uneven():
    frame = plain()
    gaps = np.where(np.arange(ROWS) % 11 == 0, 40, 5)
    times = pd.Timestamp("2024-03-01") + pd.to_timedelta(np.cumsum(gaps), unit="min")
    return frame.assign(time=times.astype(str))


@dataclass(frozen=True)
class Case:
    """A file, how it is read, and the same as options of the commands."""

    frame: object
    options: dict = field(default_factory=dict)
    said: tuple = ()
    name: str = "series.csv"


CASES = {
    "plain": Case(plain),
    "repeated timestamps": Case(repeated),
    "repeated timestamps, sorted": Case(repeated, {"order": "sort"}, ("--order", "sort")),
    "repeated timestamps, first": Case(repeated, {"order": "first"}, ("--order", "first")),
    "unsorted, sorted": Case(unsorted, {"order": "sort"}, ("--order", "sort")),
    "unsorted, kept": Case(unsorted, {"order": "keep"}, ("--order", "keep")),
    "rising, kept": Case(plain, {"order": "keep"}, ("--order", "keep")),
    "missing, quiet": Case(missing, {"missing": "quiet"}, ("--missing", "quiet")),
    "missing, ignored": Case(missing, {"missing": "ignore"}, ("--missing", "ignore")),
    "inverted": Case(inverted, {"low": ("model_a",)}, ("--low", "model_a")),
    "ignored rows": Case(ignored),
    "probation": Case(plain, {"probation": 0.3}, ("--probation", "0.3")),
    "skipped rows": Case(plain, {"skip": 65}, ("--skip", "65")),
    "training rows by name": Case(plain, name="X_tr_100_1st_150.csv"),
    "an onset moved": Case(plain, {"onset": padf.Onset(shift=2)}, ("--shift", "2")),
    "uneven": Case(uneven),
}


def row_of(threshold, precision, recall, f1):
    return threshold, precision, recall, f1


def by_evaluate(capsys, files, case, settings):
    call = ["evaluate", *map(str, files), "--json", *case.said, *settings]
    assert main(call) == 0, capsys.readouterr().err
    made = json.loads(capsys.readouterr().out)["results"]
    return {
        (r["detector"], r["protocol"]): row_of(r["threshold"], r["precision"], r["recall"], r["f1"])
        for r in made
    }


def by_corpus(capsys, tmp_path, files, case, settings, rule="best", whole=()):
    out = tmp_path / "out.csv"
    call = ["corpus", *map(str, files), "--threshold", rule, "--backend", "1", "--chance", "0"]
    assert main([*call, "--out", str(out), *case.said, *settings]) == 0, capsys.readouterr().err
    capsys.readouterr()
    made = pd.read_csv(out)
    made = made[made["series"].isin(whole) if whole else ~made["series"].isin(["pooled", "mean"])]
    return {
        (r.detector, r.protocol): row_of(r.threshold, r.precision, r.recall, r.f1)
        for r in made.itertuples()
    }


def of_series(series, settings):
    made = {}
    for detector in series.detectors:
        for protocol in settings.protocols():
            point = detector.best(protocol)
            at = detector.in_file(point.threshold)
            made[detector.name, protocol.key] = row_of(at, point.precision, point.recall, point.f1)
    return made


def by_app(files, case, settings):
    sources = [Source(path.name, partial(path.open, "rb")) for path in files]
    table = sandbox.look(sources)
    asked = decide(table, padf.ReadOptions(**case.options)).options
    onset, asked = asked.onset, replace(asked, onset=None)
    series = sandbox.read(table, asked)
    return of_series(series if onset is None else series.with_onset(onset), settings)


def by_library(files, case, settings):
    return of_series(padf.read_series(*files, **case.options), settings)


@pytest.mark.parametrize("name", CASES)
def test_one_table(capsys, tmp_path, name):
    case = CASES[name]
    path = tmp_path / case.name
    case.frame().to_csv(path, index=False)
    settings, said = padf.Settings(**CLOCK), ON_CLOCK
    evaluated = by_evaluate(capsys, [path], case, said)
    assert len(evaluated) == 2 * len(settings.protocols())
    assert by_library([path], case, settings) == evaluated
    assert by_app([path], case, settings) == evaluated
    assert by_corpus(capsys, tmp_path, [path], case, said) == evaluated


def several():
    """Two machines, whose rows alternate, with a clock each."""
    first = plain().assign(machine="a")
    second = uneven().assign(machine="b", model_a=scores(5), model_b=scores(6, 4))
    return pd.concat([first, second]).sort_values("time", kind="stable")


def long(frame):
    columns = [name for name in frame.columns if not name.startswith("model")]
    models = [name for name in frame.columns if name.startswith("model")]
    return frame.melt(columns, models, "model", "score")


@pytest.mark.parametrize("is_long", [False, True])
def test_several_series_in_one_table(capsys, tmp_path, is_long):
    path = tmp_path / "series.csv"
    (long(several()) if is_long else several()).to_csv(path, index=False)
    settings, case = padf.Settings(**CLOCK), Case(several)
    evaluated = by_evaluate(capsys, [path], case, ON_CLOCK)
    assert {name for name, _ in evaluated} == {"model_a", "model_b"}
    assert by_library([path], case, settings) == evaluated
    assert by_app([path], case, settings) == evaluated
    # One threshold for all series: the counts of both are added up.
    pooled = by_corpus(capsys, tmp_path, [path], case, ON_CLOCK, "common", ["pooled"])
    assert pooled.keys() == evaluated.keys()
    for key, row in pooled.items():
        assert row == pytest.approx(evaluated[key], rel=1e-12), key
    # Each series by itself is the same to the bit.
    for name in "ab":
        alone = Case(several, {"only": name}, ("--only", name))
        one = by_evaluate(capsys, [path], alone, ON_CLOCK)
        assert by_library([path], alone, settings) == one
        assert by_app([path], alone, settings) == one
        assert by_corpus(capsys, tmp_path, [path], case, ON_CLOCK, "best", [name]) == one


def test_a_long_table_is_read_as_the_wide_one(capsys, tmp_path):
    case, wide, tall = Case(plain), tmp_path / "wide.csv", tmp_path / "long.csv"
    plain().to_csv(wide, index=False)
    long(plain()).to_csv(tall, index=False)
    assert by_evaluate(capsys, [tall], case, ON_CLOCK) == by_evaluate(
        capsys, [wide], case, ON_CLOCK
    )


def test_scores_and_labels_in_files_of_their_own(capsys, tmp_path):
    """SMD's intervals, whose end is the first row after them, and a file of 0 and 1."""
    settings, case = padf.Settings(), Case(plain)
    results, truth, bits = (tmp_path / name for name in ("results", "truth", "bits"))
    for folder in (results / "usad", truth, bits):
        folder.mkdir(parents=True)
    array = results / "usad" / "machine-1-1_tr_90_x.npy"
    np.save(array, scores(1, 3))
    intervals = truth / "machine-1-1_tr_90_x.txt"
    intervals.write_text("60-80:1,9\n150-156:2\n220-260:1\n")
    (bits / intervals.name).write_text("\n".join(map(str, labels())))
    # The first segment lies in the training rows.
    expected = of_series(padf.read_series(plain()[["label", "model_a"]], skip=90), settings)
    expected = {protocol: row for (_, protocol), row in expected.items()}
    for beside in (truth, bits):
        files = [array, beside / intervals.name]
        made = [
            by_evaluate(capsys, files, case, ()),
            by_library(files, case, settings),
            by_app(files, case, settings),
            by_corpus(
                capsys, tmp_path, [results], replace(case, said=("--labels", str(beside))), ()
            ),
        ]
        for each in made:
            assert {protocol: row for (_, protocol), row in each.items()} == expected
