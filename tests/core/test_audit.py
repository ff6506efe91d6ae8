"""The audit's numbers come from the published tables, and are those that can be counted there."""

import numpy as np
import pytest

from padf_core.paper.audit import above_pa, below_pointwise, correlations, findings, ratio_table
from padf_core.paper.published import published_table


def test_rows_with_pa_below_pointwise():
    # SWaT: USAD 0.548 < 0.739 and GDN 0.552 < 0.681, and no other row of Table 2.
    rows = below_pointwise("table2")
    assert rows[["dataset", "model"]].to_numpy().tolist() == [["SWaT", "USAD"], ["SWaT", "GDN"]]
    assert len(published_table("table2")) == 12
    assert (len(below_pointwise("table6")), len(published_table("table6"))) == (12, 35)
    assert (len(below_pointwise("table7_8")), len(published_table("table7_8"))) == (1, 60)


def test_correlations_by_their_definition():
    rows = published_table("table7_8")
    padf = rows["padf_0.9"].to_numpy()
    for name, wanted in {"pointwise": 0.778, "pa": 0.679, "pa_k20": 0.818}.items():
        values = rows[name].to_numpy()
        centred = values - values.mean(), padf - padf.mean()
        by_hand = (centred[0] @ centred[1]) / np.sqrt(
            (centred[0] @ centred[0]) * (centred[1] @ centred[1])
        )
        assert correlations()[name] == pytest.approx(by_hand)
        assert round(by_hand, 3) == wanted


def test_table_3_follows_from_table_2():
    table = ratio_table()
    assert len(table) == 9
    assert set(table["agrees"]) == {"✓"}
    # AnomalyTrans on MSL: 0.173 / 0.377 = 45.9 %.
    row = table[(table["model"] == "AnomalyTrans") & (table["dataset"] == "MSL")].iloc[0]
    assert row["computed, %"] == pytest.approx(100 * 0.173 / 0.377)


def test_padf_above_pa_happens_once():
    rows = above_pa("table7_8")
    assert rows[["dataset", "model", "pa", "padf_0.9"]].to_numpy().tolist() == [
        ["MITDB", "POLY", 0.19, 0.205]
    ]
    assert above_pa("table2").empty


def test_every_finding_says_everything():
    found = {finding.key: finding for finding in findings()}
    assert len(found) == 12
    for finding in found.values():
        for part in ("where", "title", "printed", "computed", "rule", "changes", "keeps"):
            assert getattr(finding, part), (finding.key, part)
    assert "2 of 12 rows of Table 2" in found["best_thresholds"].computed
    assert "12 of 35 rows of Table 6" in found["best_thresholds"].computed
    assert "1 of 60 rows of Tables 7 and 8" in found["best_thresholds"].computed
    assert len(found["best_thresholds"].rows) == 15
    assert "25 of 25" in found["two_precisions"].computed
    # 2 * 0.9 / 1.9 and 0.9.
    assert "0.947 by the tables, 0.900 by the equations" in found["two_precisions"].rule
    assert "7 of 60" in found["pa_above_half"].computed
    assert "0.222 and 0.933" in found["intro_scores"].computed
    assert "0.250 and 1.000" in found["intro_scores"].computed
    # 0.9 ** 7 = 0.4783, 0.9 ** 6 = 0.5314.
    assert "0.4783" in found["last_point"].printed
    assert "0.5314" in found["last_point"].computed
    # 14/16 * 0.81 = 0.70875; tables: eTP 5.67, 2 * 5.67 / (7 + 5.67 + 2) = 0.7730.
    assert "0.7087" in found["false_alarms"].printed
    assert found["false_alarms"].computed == "0.7087 by the equations, 0.7730 by the tables"
