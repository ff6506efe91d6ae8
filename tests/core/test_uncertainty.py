"""Ranges of F1: what they are made of, by brute force, and what they must never say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import padf_core as padf
from benchmarks.coverage import WORLDS, Whole, long_series, measure
from padf_core import Settings, find_segments
from padf_core.analysis import jackknife
from padf_core.analysis.blocks import blocks_of
from padf_core.analysis.held_out import cross_fitted
from padf_core.analysis.jackknife import t_quantile
from padf_core.analysis.uncertainty import FEWEST, uncertainty
from padf_core.io.series import make_series
from padf_core.metrics.protocols import PROTOCOLS
from tests import naive
from tests.strategies import label_lists

LABELS = [0, 0, 1, 1, 1, 0, 0, 0, 1, 0, 1, 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 1, 0, 1, 1, 0]


def series_of(labels, values):
    columns = {name: np.array(column, dtype=float) for name, column in values.items()}
    return make_series("x", labels, columns)


def noisy(seed=5):
    scores = np.random.default_rng(seed).random(len(LABELS)) + 0.4 * np.array(LABELS)
    return np.round(scores, 1)


@given(label_lists(), st.integers(1, 5))
def test_blocks_hold_whole_segments_and_all_points(labels, most):
    segments = find_segments(labels)
    starts = blocks_of(segments).tolist()
    assert starts[0] == 0
    assert starts == sorted(set(starts))
    assert len(starts) == max(1, len(segments))
    for start, stop in segments:
        assert not any(start < cut < stop for cut in starts)
    assert len(blocks_of(segments, most)) <= most


def naive_counts(series, threshold, protocol):
    """The amounts of each block; a run counts where it begins."""
    alarms = series.detectors[0].scores >= threshold
    false = alarms & ~series.labels
    begins = false & ~np.concatenate(([False], false[:-1]))
    made = []
    for block in np.split(np.arange(series.size), blocks_of(series.segments)[1:]):
        truth, flags = series.labels[block].astype(int), alarms[block].astype(int)
        wrong = naive.counts(truth.tolist(), flags.tolist(), protocol)[1]
        added = list(naive.amounts(truth.tolist(), flags.tolist(), protocol))
        if protocol.false_alarms == "runs":
            added[1] += int(begins[block].sum()) - wrong
        made.append([float(each) for each in added])
    return np.array(made)[:, : 6 if protocol.corrects else 4]


def naive_f1(counts):
    earned, claimed, wanted, found, *quiet = counts
    precision = earned / claimed if claimed > 1e-12 else 0.0
    if quiet:
        precision *= quiet[0] / quiet[1]
    recall = found / wanted if wanted > 1e-12 else 0.0
    return 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0


CORRECTED = padf.EventWise("corrected")
EVERY = [*Settings(k=30).all(), CORRECTED]


@pytest.mark.parametrize("protocol", EVERY, ids=lambda protocol: protocol.label)
def test_blocks_at_a_kept_threshold_agree_with_brute_force(protocol):
    series = series_of(LABELS, {"a": noisy(), "flag": noisy() > 0.7})
    (made,) = uncertainty(series, [protocol], thresholds=[0.8, 0.5])
    wanted = naive_counts(series, 0.8, protocol)
    assert made.detectors[0].blocks == pytest.approx(wanted)
    assert made.detectors[0].choice == 0
    assert made.f1(0) == pytest.approx(naive_f1(wanted.sum(axis=0)))
    flags = (noisy() > 0.7).astype(int).tolist()
    assert made.f1(1) == pytest.approx(float(naive.scores(LABELS, flags, protocol)[2]))
    assert not made.is_chosen
    # A mean block in which all is found is what a detector earns that flags just the labels.
    perfect = naive.amounts(LABELS, LABELS, protocol)[: made.whole.size]
    assert made.whole == pytest.approx([float(amount) / made.blocks for amount in perfect])


@pytest.mark.parametrize("protocol", EVERY, ids=lambda protocol: protocol.label)
def test_each_block_is_counted_at_the_threshold_that_is_best_on_the_others(protocol):
    series = series_of(LABELS, {"a": noisy()})
    (made,) = uncertainty(series, [protocol])
    assert made.is_chosen
    tables = {level: naive_counts(series, level, protocol) for level in sorted(set(noisy()))}
    for block, counted in enumerate(made.detectors[0].blocks):
        scores = {
            level: naive_f1(np.delete(table, block, axis=0).sum(axis=0))
            for level, table in tables.items()
        }
        best = max(level for level in scores if scores[level] > max(scores.values()) - 1e-12)
        assert counted == pytest.approx(tables[best][block])
    whole = {level: naive_f1(table.sum(axis=0)) for level, table in tables.items()}
    best = max(level for level in whole if whole[level] > max(whole.values()) - 1e-12)
    assert made.detectors[0].seen == pytest.approx(tables[best])


def odds(share):
    return np.log(share / (1 - share))


def padded(made, blocks, first):
    """The blocks, and two halves of a mean one: the first is found or missed, the second not."""
    found, missed = made.whole / 2, made.whole / 2 * [0, 0, 1, 0, 1, 1][: made.whole.size]
    return np.array([*blocks, *([found, missed] if first else [missed, found])])


def left_out(blocks):
    return np.array(
        [naive_f1(np.delete(blocks, i, axis=0).sum(axis=0)) for i in range(len(blocks))]
    )


@pytest.mark.parametrize("protocol", EVERY, ids=lambda protocol: protocol.label)
def test_intervals_by_hand(protocol):
    """Leave out one block after the other, t on the logit; pairs the same with their gap."""
    series = series_of(LABELS, {"a": noisy(), "b": noisy(7)})
    (made,) = uncertainty(series, [protocol], thresholds=[0.7, 0.8])
    wanted = made.detectors[0].blocks[:, 2]
    equal = wanted.sum() ** 2 / (wanted**2).sum()
    assert made.equal_blocks == pytest.approx(equal)
    reach = t_quantile(0.95, equal - 1)
    sides = []
    for row, first in ((0, True), (1, False)):
        blocks = padded(made, made.detectors[row].blocks, first)
        f1 = naive_f1(blocks.sum(axis=0))
        sides.append((odds(f1), (left_out(blocks) - f1) / (f1 * (1 - f1))))
    count = made.blocks + 2

    def spread(moves):
        return np.sqrt((count - 1) * np.var(moves))

    centre, moves = sides[0]
    ends = centre - reach * spread(moves), centre + reach * spread(moves)
    assert made.interval(0, 0.9) == pytest.approx([1 / (1 + np.exp(-end)) for end in ends])
    gap, middle = sides[0][0] - sides[1][0], (sides[0][0] + sides[1][0]) / 2
    error = reach * spread(sides[0][1] - sides[1][1])
    ends = [
        1 / (1 + np.exp(-middle - g / 2)) - 1 / (1 + np.exp(-middle + g / 2))
        for g in (gap - error, gap + error)
    ]
    low, high = made.difference(0, 1, 0.9)
    assert (low, high) == pytest.approx(ends)
    assert made.difference(1, 0, 0.9) == pytest.approx((-high, -low))


@pytest.mark.parametrize("memory", [0.0, 0.9])
def test_neighbours_that_are_alike_widen_the_interval(memory):
    """Thirty blocks of one point each; where neighbours are alike, runs of them count.

    By hand: for runs of 2 to 6 blocks (a fifth of thirty, in at least four runs) the mean square of
    their summed moves, times 30 / length + 1, and the squares of the two halves that were added.
    """
    rng = np.random.default_rng(3)
    noise, value = [], 0.0
    for step in rng.standard_normal(30):
        value = memory * value + step
        noise.append(value)
    found = (np.array(noise) > 0).astype(float)
    blocks = np.column_stack([found, found, np.ones(30), found])
    whole = np.ones(4)
    padded_blocks = np.array([*blocks, whole / 2, whole / 2 * [0, 0, 1, 0]])
    f1 = naive_f1(padded_blocks.sum(axis=0))
    moves = (left_out(padded_blocks) - f1) / (f1 * (1 - f1))
    apart = moves - moves.mean()
    variances = [31 / 32 * (apart**2).sum()]
    for length in range(2, 7):
        sums = [apart[start : start + length].sum() for start in range(30 - length + 1)]
        variances.append(np.mean(np.square(sums)) * (30 / length + 1) + (apart[30:] ** 2).sum())
    reach = t_quantile(0.975, 29) * np.sqrt(max(variances))
    ends = [1 / (1 + np.exp(-odds(f1) - side * reach)) for side in (-1, 1)]
    assert jackknife.interval(blocks, whole, 0.95) == pytest.approx(tuple(ends))
    assert (max(variances) > 1.5 * variances[0]) == (memory > 0)


def test_leaving_out_little_moves_f1_like_its_derivative():
    rng = np.random.default_rng(0)
    blocks = rng.random((6, 4)) + np.array([0, 1, 1, 0])
    _, moves = jackknife._moves(np.concatenate([blocks, 1e-6 * blocks[:1]]))
    step = 1e-6
    total = blocks.sum(axis=0)
    slope = (odds(naive_f1(total + step * blocks[0])) - odds(naive_f1(total))) / step
    assert moves[-1] == pytest.approx(-slope * 1e-6, rel=1e-3)


@pytest.mark.parametrize(
    ("share", "freedom", "value"),
    [(0.975, 1, 12.706), (0.975, 2, 4.303), (0.995, 5, 4.032), (0.95, 30, 1.697), (0.9, 3, 1.638),
     (0.975, 399, 1.966), (0.5, 4, 0)],
)  # fmt: skip
def test_quantiles_of_t_are_those_of_the_tables(share, freedom, value):
    assert t_quantile(share, freedom) == pytest.approx(value, abs=6e-4)


def test_intervals_and_what_is_told_apart():
    labels = ([0] * 20 + [1] * 5) * 40
    rng = np.random.default_rng(0)
    noise = rng.random(len(labels))
    series = series_of(labels, {"good": labels, "noise": noise, "twin": noise + 1e-9})
    told = []
    made = uncertainty(series, Settings().protocols(), progress=told.append)
    assert told == pytest.approx([1 / 3, 2 / 3, 1.0])
    for result in made:
        assert result.blocks == 40
        assert result.equal_blocks == pytest.approx(40)
        # All of 40 segments found: none missed is no proof that none will be.
        low, high = result.interval(0)
        assert 0.9 < low < 0.99
        assert high == 1
        low, high = result.interval(1)
        assert low < result.f1(1) < high < 1
        assert result.told_apart(0, 1)
        assert result.difference(0, 1)[0] > 0
        assert not result.told_apart(1, 2)
        assert result.interval(1, 0.5)[0] > low


@pytest.mark.parametrize("count", range(1, 9))
def test_fewer_segments_mean_wider_ranges(count):
    """The same kind of segment, found and missed in turn: each more makes ranges narrower."""

    def widths(segments):
        labels = [0, 0, 1, 1, 0] * (2 * segments)
        found = [0, 0, 1, 1, 0, 0, 0, 0, 0, 0]
        series = series_of(labels, {"a": found * segments, "b": ([0] * 5 + found[:5]) * segments})
        made = uncertainty(series, Settings().all())
        ends = [each.interval(0) for each in made] + [each.difference(0, 1) for each in made]
        return np.array([high - low for low, high in ends])

    assert (widths(count + 1) < widths(count)).all()


@pytest.mark.parametrize("labels", [[0, 0, 0], [0, 1, 1, 0], [1, 1, 1]])
def test_of_a_single_block_nothing_is_known(labels):
    scores = np.linspace(0, 1, len(labels))
    series = series_of(labels, {"a": scores, "b": 1 - scores})
    for made in uncertainty(series, Settings().all()):
        assert made.interval(0) == (0, 1)
        assert made.difference(0, 1) == (-1, 1)
        assert not made.told_apart(0, 1)
        assert not made.is_enough


@pytest.mark.parametrize("key", PROTOCOLS)
def test_below_the_fewest_blocks_even_opposites_stay_together(key):
    """A detector that finds all and one that finds nothing: too few segments to tell."""
    count = FEWEST - 1
    labels = [0, 0, 1, 1, 0] * count
    series = series_of(labels, {"all": labels, "none": [0] * len(labels)})
    (made,) = uncertainty(series, [Settings().protocol(key)])
    assert not made.is_enough
    assert not made.told_apart(0, 1)
    again = series_of(labels * 10, {"all": labels * 10, "none": [0] * len(labels) * 10})
    (made,) = uncertainty(again, [Settings().protocol(key)])
    assert made.is_enough
    assert made.told_apart(0, 1)


@pytest.mark.slow
def test_ranges_of_a_small_simulation_hold_the_truth():
    """What the benchmark measures at length; with 40 pieces only gross errors show."""
    found = measure(Whole(long_series(WORLDS[0], 20 * 41, 0)), 20, 40)
    for name in ("kept", "chosen", "gap"):
        assert min(found[name]) >= 0.87
    for name in ("twins", "unlike", "twins chosen"):
        assert max(found[name]) <= 0.13
    assert min(found["others"]) >= 0.2


MORE = {"weak": 0.2, "strong": 0.7}


def test_blocks_that_are_judged_as_the_others_choose_are_those_without_hindsight():
    # Five segments are five parts: leaving out one or the other is the same, at every threshold.
    rng = np.random.default_rng(11)
    labels = (np.arange(1000) % 200 >= 180).astype(int)
    scores = {name: np.round(rng.random(1000) + more * labels, 3) for name, more in MORE.items()}
    series = make_series("x", labels, scores)
    protocols = Settings().protocols()
    elsewhere = cross_fitted(series, protocols)
    for place, made in enumerate(uncertainty(series, protocols)):
        assert made.blocks == 5
        for index in range(len(MORE)):
            assert made.f1(index) == pytest.approx(elsewhere[index][place].f1, rel=1e-12)
