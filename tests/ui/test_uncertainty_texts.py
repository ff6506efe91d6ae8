"""What the page says about how sure a score is."""

import numpy as np
import pytest

from padf_core import Settings
from padf_core.analysis.uncertainty import uncertainty
from padf_core.io.series import make_series
from padf_ui.session.study import sample_study
from padf_ui.study import study_results, uncertainty_tables


def told(study, settings, at_best):
    made = study_results.comparison_of(study, settings, at_best=at_best, runs=2, seed=0)
    return made, study_results.uncertainties(study, settings, at_best=at_best)


@pytest.mark.parametrize("at_best", [True, False])
def test_texts_agree_with_the_tables(at_best):
    settings = Settings()
    study = sample_study("web_service", settings)
    made, sure = told(study, settings, at_best)
    ranges = uncertainty_tables.interval_table(made, sure, 0.95)
    assert (uncertainty_tables.HELD_OUT in ranges) == at_best
    middle = ranges[uncertainty_tables.HELD_OUT] if at_best else ranges["F1"]
    assert (ranges["from"] <= middle + 1e-12).all()
    assert (middle <= ranges["to"] + 1e-12).all()
    differences = uncertainty_tables.difference_table(made, sure, 0.95)
    apart = (differences["Difference from"] > 0) | (differences["to"] < 0)
    assert (differences["Significant at 5 %"] == np.where(apart, "yes", "no")).all()
    for sentence, result in zip(
        uncertainty_tables.significance_sentences(made, sure, 0.95), sure, strict=True
    ):
        own = differences[differences["Protocol"] == result.protocol.label]
        together = own[own["Significant at 5 %"] == "no"]
        assert sentence.startswith(f"Under {result.protocol.label}, ")
        if 0 < len(together) < len(own):
            assert sentence.count(";") == len(together) - 1
            for first, second in zip(together["First"], together["Second"], strict=True):
                assert f"{first} and {second}" in sentence
        else:
            assert ("any two detectors" in sentence) == (len(together) > 0)
            assert ("all detectors" in sentence) == (len(together) == 0)
    text = uncertainty_tables.how_sure(sure[0], 0.9)
    assert text.startswith("90 % confidence intervals of the F1 ")
    assert f"{sure[0].blocks} blocks" in text
    assert ("hindsight" in text) == at_best
    assert ("at these thresholds" in text) != at_best


@pytest.mark.parametrize("count", [0, 1, 4])
def test_too_few_segments_are_said(count):
    labels = [0, 1, 1, 0] * count or [0, 0]
    series = make_series("x", labels, {"a": np.arange(len(labels), dtype=float)})
    assert not any(made.is_enough for made in uncertainty(series, Settings().protocols()))
    said = uncertainty_tables.too_few(len(series.segments))
    assert said.startswith(f"Too few segments ({count}) for a confidence interval; at least 5 are")
