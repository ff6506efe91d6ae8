"""The pages run without a browser and show padf_core's numbers."""

import pytest
from streamlit.testing.v1 import AppTest

from padf_core.published import published_table
from padf_ui.frame import PAGES
from tests.browser.server import ROOT


def start():
    return AppTest.from_file(str(ROOT / "app.py"), default_timeout=30).run()


@pytest.mark.parametrize("key", PAGES)
def test_every_page_runs(key):
    app = start().switch_page(PAGES[key].script).run()
    assert not app.exception


def test_toy_table_shows_computed_and_published():
    app = start().switch_page(PAGES["paper_cases"].script).run()
    table = app.dataframe[0].value
    printed = published_table("table1")
    assert len(table) == 5
    # Case 2: 2/9, 14/15, 2/9, 2*4.9/(7+5.9), 2*6.3/(7+7.3)
    assert table.iloc[1, 2:].tolist() == [
        "0.2222  ✓ 0.222",
        "0.9333  ✓ 0.933",
        "0.2222  ✓ 0.222",
        "0.7597  ✓ 0.760",
        "0.8811  ✓ 0.881",
    ]
    shown = table.iloc[:, 2:].apply(lambda column: column.str.split("✓ ").str[1])
    assert (shown.to_numpy() == printed.iloc[:, 1:].to_numpy()).all()
