"""Ranks over series, their tests and their picture, against hand-known values and scipy."""

from html import unescape
from itertools import product
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from padf_core.corpus.distributions import f_tail, mean_ranks, signed_rank_p
from padf_core.corpus.picture import critical_difference_svg, friedman_text
from padf_core.corpus.ranking import WILCOXON_NULL, Ranking, holm


@pytest.mark.parametrize("freedom", [1, 2, 3, 7, 14, 39])
@pytest.mark.parametrize("below", [1, 2, 5, 39, 798, 40_000])
def test_the_tail_of_f(freedom, below):
    for value in (0.0, 0.01, 0.3, 1.0, 2.0, 11.5, 80.0):
        expected = stats.f.sf(value, freedom, below)
        assert f_tail(value, freedom, below) == pytest.approx(expected, rel=1e-9, abs=1e-290)


@given(st.lists(st.integers(-6, 6), min_size=1, max_size=9))
@settings(max_examples=60)
def test_signed_ranks_try_every_sign(differences):
    moved = [each for each in differences if each]
    found = signed_rank_p(np.array(differences, dtype=float))
    if not moved:
        assert found == 1
        return
    ranks = stats.rankdata(np.abs(moved))
    sums = [
        sum(rank for rank, sign in zip(ranks, signs, strict=True) if sign)
        for signs in product((0, 1), repeat=len(moved))
    ]
    seen = sum(rank for rank, each in zip(ranks, moved, strict=True) if each > 0)
    far = max(seen, ranks.sum() - seen)
    p = min(1, 2 * np.mean([each >= far for each in sums]))
    assert found == pytest.approx(p, rel=1e-12)


def test_signed_ranks_of_many_are_taken_for_normal():
    moved = np.random.default_rng(0).normal(0.15, 1, 300)
    expected = stats.wilcoxon(moved, method="approx", correction=False).pvalue
    assert signed_rank_p(moved) == pytest.approx(expected, rel=1e-9)


def test_one_series_or_one_detector_is_not_tested():
    alone = Ranking(("a", "b"), ("1",), np.array([[0.5, 0.4]]))
    assert np.isnan([alone.friedman.p, alone.pairs[0].p, alone.pairs[0].holm]).all()
    assert (alone.pairs[0].wins, alone.differs) == (1, False)
    assert friedman_text(alone).startswith("not tested")
    assert not Ranking(("a",), ("1", "2"), np.array([[0.5], [0.4]])).is_tested


def test_the_picture_says_what_its_tests_test():
    drawn = critical_difference_svg(
        Ranking(("a", "b"), tuple("12345"), np.array([[0.5, 0.4]] * 5)), "PA"
    )
    assert "Null hypothesis of Friedman" in drawn
    assert WILCOXON_NULL in unescape(drawn)


@given(st.lists(st.lists(st.integers(0, 4), min_size=4, max_size=4), min_size=2, max_size=12))
@settings(max_examples=60)
def test_friedman_with_ties_is_scipy_s(rows):
    table = np.array(rows, dtype=float)
    ranking = Ranking(("a", "b", "c", "d"), tuple(map(str, range(len(rows)))), table)
    assert ranking.ranks.tolist() == stats.rankdata(-table, axis=1).tolist()
    if (table == table[:, :1]).all():
        assert (ranking.friedman.statistic, ranking.friedman.p) == (0, 1)
        return
    statistic = stats.friedmanchisquare(*table.T).statistic
    test, count = ranking.friedman, len(rows)
    assert test.statistic == pytest.approx(statistic, rel=1e-9)
    if test.f < np.inf:
        f = (count - 1) * statistic / (3 * count - statistic)
        assert test.f == pytest.approx(f, rel=1e-9)
        assert test.p == pytest.approx(stats.f.sf(f, 3, 3 * (count - 1)), rel=1e-9)


def test_iman_and_davenport_by_hand():
    """Five series, three detectors: ranks 1 2 3 on four series, 2 1 3 on the fifth.

    Rank sums 6, 9 and 15 around 10: X = 12 / (5 · 3 · 4) · (36 + 81 + 225) - 3 · 5 · 4 = 8.4.
    F = 4 · 8.4 / (10 - 8.4) = 21 with 2 and 8 degrees of freedom: p = (1 + 21 / 4)^-4.
    """
    table = np.array([[0.9, 0.5, 0.1]] * 4 + [[0.5, 0.9, 0.1]])
    test = Ranking(("a", "b", "c"), tuple("12345"), table).friedman
    assert test.statistic == pytest.approx(8.4)
    assert test.f == pytest.approx(21)
    assert test.p == pytest.approx((1 + 21 / 4) ** -4)


def test_where_all_series_agree_p_is_how_likely_that_is():
    """Three series in one order of three detectors: the second and third agree by 1/6 each.

    Where two of the detectors always tie, a series has only three orders.
    """
    agreed = Ranking(("a", "b", "c"), tuple("123"), np.array([[3.0, 2, 1]] * 3)).friedman
    assert (agreed.f, agreed.p) == (np.inf, pytest.approx(1 / 36))
    tied = Ranking(("a", "b", "c"), tuple("123"), np.array([[3.0, 1, 1]] * 3)).friedman
    assert tied.p == pytest.approx(1 / 9)


def test_holm_by_hand():
    # 4 tests: 0.01 * 4, 0.015 * 3 (0.045), 0.02 * 2 = 0.04 does not fall below it, 0.5.
    assert holm([0.01, 0.015, 0.02, 0.5]) == pytest.approx([0.04, 0.045, 0.045, 0.5])


def clear():
    """Ten series: a always first, b and c take turns, d always last."""
    table = np.zeros((10, 4))
    for at in range(10):
        table[at] = [0.9, 0.5 + 0.01 * (at % 2), 0.505, 0.1]
    return Ranking(("d0", "x", "y", "z"), tuple(map(str, range(10))), table)


def test_groups_join_those_next_to_each_other_that_no_pair_tells_apart():
    ranking = clear()
    assert ranking.mean_ranks == {"d0": 1.0, "x": 2.5, "y": 2.5, "z": 4.0}
    assert ranking.groups == [("x", "y")]
    apart = {(pair.first, pair.second) for pair in ranking.pairs if pair.is_told_apart}
    # Ten of ten wins: p = 2 / 2^10; times 6 pairs that is 0.012.
    assert apart == {("d0", "x"), ("d0", "y"), ("d0", "z"), ("x", "z"), ("y", "z")}
    assert ranking.pairs[0].holm == pytest.approx(6 * 2 / 1024)


def test_where_nothing_differs_all_are_one_group():
    table = np.array([[0.1, 0.2], [0.2, 0.1], [0.3, 0.4], [0.4, 0.3]])
    ranking = Ranking(("a", "b"), ("1", "2", "3", "4"), table)
    assert not ranking.differs
    assert ranking.groups == [("a", "b")]


def test_nearly_equal_scores_share_a_rank():
    assert mean_ranks(np.array([[0.5, 0.5 + 1e-12, 0.1]]), 1e-9).tolist() == [[2.5, 2.5, 1.0]]


def test_the_picture_is_svg_with_every_name_as_text():
    ranking = clear()
    hostile = Ranking(("<b>&", *ranking.names[1:]), ranking.series, ranking.f1)
    root = ElementTree.fromstring(critical_difference_svg(hostile, 'a "title" <x>'))
    texts = [each.text for each in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "<b>& 1.00" in texts
    assert 'a "title" <x>' in texts
    assert any("mean rank over 10 series" in text for text in texts)
