"""What is offered as a file can be had by nobody else, and its name says what is in it."""

import io
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from streamlit.runtime.media_file_storage import MediaFileKind
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage

from padf_core import Settings
from padf_core.io.open_table import open_table
from padf_core.io.options import ReadOptions
from padf_core.io.read import series_from
from padf_ui.components.downloads import offer
from padf_ui.components.file_names import stamped
from padf_ui.components.names import cell, plain
from padf_ui.data import data_exports
from padf_ui.session.study import Origin, Study

ROWS = 300_000


def study_with(score_at_a_third):
    """A series that differs from another in one score, which is not where Streamlit looks."""
    scores = np.tile([0.25, 0.75], ROWS // 2)
    scores[ROWS // 3] = score_at_a_third
    text = io.StringIO()
    pd.DataFrame({"label": np.arange(ROWS) % 2, "score": scores}).to_csv(text, index=False)
    table = open_table(text.getvalue().encode(), "mine.csv")
    series = series_from(table, ReadOptions("label", ("score",)))
    return Study.of(series, Origin("file", "mine.csv"), Settings())


@pytest.mark.slow
def test_two_visitors_with_data_that_are_almost_the_same_get_their_own():
    mine, other = study_with(0.15), study_with(0.16)
    files = [data_exports.series_csv(study).encode() for study in (mine, other)]
    assert files[0] != files[1]
    assert len(files[0]) == len(files[1]) > 2**20
    storage = MemoryMediaFileStorage("/media")
    kept = [
        storage.load_and_get_id(
            content, "text/csv", MediaFileKind.DOWNLOADABLE, data_exports.series_file(study)
        )
        for content, study in zip(files, (mine, other), strict=True)
    ]
    assert kept[0] != kept[1]
    # Under one name they would have been the same file.
    alike = {
        storage.load_and_get_id(content, "text/csv", MediaFileKind.DOWNLOADABLE, "a.csv")
        for content in files
    }
    assert len(alike) == 1


def test_a_name_changes_with_everything_that_the_content_depends_on():
    study = study_with(0.15)
    made = [
        (study, Settings()),
        (study, Settings(decay=0.5)),
        (replace(study, choices=(0.5,)), Settings()),
        (replace(study, view=replace(study.view, first=1)), Settings()),
        (study.inverted(0), Settings()),
        pd.DataFrame({"a": [1, 2]}),
        pd.DataFrame({"a": [1, 3]}),
        pd.DataFrame({"b": [1, 2]}),
        "one",
        ("one", ""),
        ("", "one"),
    ]
    names = [stamped("padf-x.csv", of) for of in made]
    assert len(set(names)) == len(made)
    assert names == [stamped("padf-x.csv", of) for of in made]


def test_what_is_made_later_must_say_what_it_is_made_of():
    with pytest.raises(TypeError, match="say what the content is made of"):
        offer("Save", lambda: "", "a.csv", "text/csv")
    with pytest.raises(TypeError, match="no digest of int"):
        stamped("a.csv", 3)


@pytest.mark.parametrize("name", ["|calc", "＝1+1", "\u200b=1", " =1", "\n=1", "＠SUM(A1)", "-1"])
def test_what_a_spreadsheet_would_run_is_quoted(name):
    assert cell(name) == f"'{name}"


@pytest.mark.parametrize(
    "name", ["http://a.example", "HTTPS://a.b", "www.a.example", "me@a.example"]
)
def test_an_address_in_a_name_is_broken_for_markdown(name):
    # What looks for addresses runs behind all escapes, so these are taken away first.
    seen = plain(name).replace("\\", "")
    assert seen.replace("\u2060", "") == name
    assert not any(mark in seen.lower() for mark in ("http:", "https:", "www.", "e@"))
