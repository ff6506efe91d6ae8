"""Files as they come: what is taken for what, what is left out and why, how files are joined."""

import gzip
import io
import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import padf_core as padf
from padf_core import Settings
from padf_core.io.caveats import caveats_of
from padf_core.io.errors import MissingError, OrderError, TableError
from padf_core.io.guess import guess, guess_options
from padf_core.io.join import join_files, open_files
from padf_core.io.joined_labels import FROM_ONSET
from padf_core.io.open_table import open_table
from padf_core.io.read import series_from
from padf_core.io.series import make_series
from padf_core.io.sources import Source

SIZE = 400


def numbers(seed=0, size=SIZE):
    return np.random.default_rng(seed).random(size)


def labels(size=SIZE):
    truth = np.zeros(size, dtype=int)
    truth[100:120] = truth[250:300] = 1
    return truth


def stamps(size=SIZE):
    return pd.date_range("2014-07-01", periods=size, freq="30min").astype(str)


def table_of(columns, **options):
    text = pd.DataFrame(columns).to_csv(index=False, **options)
    return open_table(text.encode(), "mine.csv")


def file(name, content):
    data = content if isinstance(content, bytes) else content.encode()
    return Source(name, lambda: io.BytesIO(data))


def csv_file(name, columns):
    return file(name, pd.DataFrame(columns).to_csv(index=False))


# ---- one table -----------------------------------------------------------------------------------


def test_nab_s_result_has_one_detector():
    found = guess(
        table_of(
            {
                "timestamp": stamps(),
                "value": 100 * numbers(1),
                "anomaly_score": numbers(2),
                "label": labels(),
                "S(t)_reward_low_FP_rate": labels() * 0.11,
                "S(t)_reward_low_FN_rate": labels() * 0.22,
                "S(t)_standard": labels() * 0.11,
            }
        )
    )
    assert found.options.label == "label"
    assert found.options.detectors == ("anomaly_score",)
    assert (found.options.time, found.options.value) == ("timestamp", "value")
    assert set(found.left_out.values()) == {"derived from the labels by NAB's scorer"}
    assert len(found.left_out) == 3


def test_skab_has_two_truths_and_no_detector():
    sensors = ("Accelerometer1RMS", "Current", "Pressure", "Temperature", "Volume Flow RateRMS")
    columns = {"datetime": stamps()} | {name: numbers(7) for name in sensors}
    columns |= {"anomaly": labels(), "changepoint": np.roll(labels(), 3)}
    found = guess(table_of(columns, sep=";"))
    assert (found.options.label, found.options.time) == ("anomaly", "datetime")
    assert found.options.detectors == ()
    assert found.left_out["changepoint"] == "named like a label: possibly a second truth"
    for name in sensors:
        assert found.left_out[name] == "named like a measured signal"


def test_mgab_s_index_and_rows_that_do_not_count():
    ignored = np.arange(SIZE) < 50
    found = guess(
        table_of(
            {
                "": np.arange(SIZE),
                "value": numbers(1) * 9,
                "is_anomaly": labels(),
                "is_ignored": ignored.astype(int),
                "score": numbers(2),
            }
        )
    )
    assert found.options.label == "is_anomaly"
    assert found.options.ignore == "is_ignored"
    assert found.options.detectors == ("score",)
    assert found.left_out["column 1"] == "increases from row to row: a row number or a count"


def test_rows_that_do_not_count_are_in_neither_precision_nor_recall():
    # Row 0 is a false alarm and row 1 a miss; both are ignored: what is left is perfect.
    text = b"label,score,ignored\n0,0.9,1\n1,0.1,1\n0,0.1,0\n1,0.8,0\n1,0.8,0\n"
    table = open_table(text, "mine.csv")
    series = series_from(table, guess_options(table))
    assert (series.size, series.counted, series.anomalous) == (5, 3, 2)
    assert [point.f1 for point in map(series.detectors[0].best, Settings().protocols())] == [1] * 4
    kept = series_from(table, replace(guess_options(table), ignore=None))
    # Flagging everything: 3 hits and 2 false alarms.
    assert kept.detectors[0].best(Settings().protocol("pointwise")).f1 == pytest.approx(0.75)


def test_tsb_ad_s_training_part_is_in_the_name():
    text = pd.DataFrame({"Data": 9 * numbers(1), "Label": labels(), "score": numbers(2)})
    table = open_table(text.to_csv(index=False).encode(), "001_NAB_id_1_tr_120_1st_250.csv")
    series = series_from(table, guess_options(table))
    assert guess_options(table).value == "Data"
    # The first segment, rows 100 to 119, lies in the training part.
    assert (series.counted, len(series.segments)) == (SIZE - 120, 1)


@pytest.mark.parametrize(
    ("words", "guessed"),
    [(("Normal", "Attack"), "Attack"), (("ok", "odd"), None), ((1, -1), None), ((2, 1), None)],
)
def test_labels_in_words_ask_which_one_is_the_anomaly(words, guessed):
    truth = np.where(labels() == 1, words[1], words[0])
    table = table_of({"flag": 1 - labels(), "Label": truth, "score": numbers(2)})
    found = guess(table)
    assert found.options.label == "Label", "a column named like a label never loses to another"
    assert found.options.anomaly == guessed
    assert sorted(found.words_of("Label")) == sorted(map(str, words))
    if guessed is None:
        with pytest.raises(TableError, match=r"labels must be 0 or 1; got|holds"):
            series_from(table, found.options)
    series = series_from(table, replace(found.options, anomaly=str(words[1])))
    np.testing.assert_array_equal(series.labels, labels() == 1)


LEFT_OUT = {
    "row": (np.arange(SIZE), "increases from row to row"),
    "record_id": (np.random.default_rng(3).permutation(SIZE), "named like an id"),
    "all_zero": (np.zeros(SIZE), "the same number in every row"),
    "attack": (np.roll(labels(), 5), "named like a label: possibly a second truth"),
    "temperature": (20 + numbers(4), "named like a measured signal"),
    "volts_in": (numbers(4), "named like a measured signal"),
    "strange": (50 * numbers(5) - 9, "its name does not suggest a score"),
    "copy": (labels(), "the same as the label in every row"),
    "penalty": (0.11 * labels(), "the same as the label in every row"),
    "P101": (1 + labels(), "the same as the label in every row"),
    "mode": (np.arange(SIZE) // 9 % 3, "only 0 and 1 and 2: a state, not a score"),
    "noise": (0.1 * numbers(5), "named like a measured signal"),
    "turned": (1 - labels(), "the same as the label in every row"),
    "note": (["x"] * SIZE, "text, not numbers"),
}


@pytest.mark.parametrize("name", LEFT_OUT)
def test_what_is_no_score_is_left_out_with_its_reason(name):
    values, reason = LEFT_OUT[name]
    found = guess(table_of({"label": labels(), name: values, "model": numbers(2)}))
    assert found.options.label == "label"
    assert found.options.detectors == ("model",)
    assert reason in found.left_out[name]


def test_tags_of_a_plant_are_sensors():
    tags = {name: numbers(seed) for seed, name in enumerate(("FIT101", "LIT101", "AIT-202"))}
    found = guess(table_of({"label": labels(), **tags, "usad": numbers(9)}))
    assert found.options.detectors == ("usad",)
    assert {found.left_out[name] for name in tags} == {"named like a sensor tag"}
    # One alone may be anything.
    assert guess(table_of({"label": labels(), "AE32": numbers(9)})).options.detectors == ("AE32",)


def test_yahoo_s_parts_of_the_signal_are_no_detectors():
    time = np.arange(SIZE)
    columns = {"timestamps": time, "value": 900 * numbers(1), "anomaly": labels()}
    columns |= {"changepoint": np.roll(labels(), 3), "trend": 0.001 * time, "noise": numbers(2)}
    columns |= {"seasonality1": np.abs(np.sin(time)), "seasonality2": np.abs(np.cos(time))}
    found = guess(table_of(columns))
    assert (found.options.label, found.options.detectors) == ("anomaly", ())


def test_the_surer_of_two_names_is_the_truth():
    flags = (numbers(3) > 0.9).astype(int)
    table = table_of({"anomaly": flags, "is_anomaly": labels(), "anomaly_score": numbers(2)})
    assert guess_options(table).label == "is_anomaly"


def test_three_words_ask_which_one_is_the_anomaly():
    words = np.array(["NORMAL", "BROKEN", "RECOVERING"])[labels() + (np.arange(SIZE) % 7 == 0)]
    found = guess(table_of({"machine_status": words, "score": numbers(2)}))
    assert (found.options.label, found.options.anomaly) == ("machine_status", None)
    assert set(found.words_of("machine_status")) == set(words)


def test_a_column_that_says_what_is_normal_is_turned():
    table = table_of({"is_normal": 1 - labels(), "score": numbers(2)})
    found = guess(table)
    assert (found.options.label, found.options.anomaly) == ("is_normal", "0")
    assert set(found.words_of("is_normal")) == {"0", "1"}
    np.testing.assert_array_equal(series_from(table, found.options).labels, labels() == 1)


def test_every_column_is_taken_or_left_out_with_a_reason():
    columns = {name: values for name, (values, _) in LEFT_OUT.items()}
    columns |= {"time": stamps(), "label": labels(), "value": 9 * numbers(1), "a": numbers(6)}
    table = table_of(columns)
    found = guess(table)
    assert {*found.options.columns, *found.left_out} == set(table.columns)


def test_sixty_detectors_are_all_taken():
    columns = {"label": labels()} | {f"model_{n}": numbers(n) for n in range(60)}
    found = guess(table_of(columns))
    assert len(found.options.detectors) == 60
    assert len(series_from(table_of(columns), found.options).detectors) == 60


def test_many_columns_without_a_name_are_not_taken_for_detectors():
    frame = pd.DataFrame({n: numbers(n) for n in range(38)})
    frame[38] = labels()
    table = open_table(frame.to_csv(index=False, header=False).encode(), "mine.csv")
    found = guess(table)
    assert (found.options.label, found.options.detectors) == ("column 39", ())


def test_quoted_decimal_commas_are_numbers():
    text = 'label,score\n0,"0,25"\n1,"0,75"\n'
    series = series_from(
        open_table(text.encode(), "mine"), guess_options(open_table(text.encode()))
    )
    assert series.detectors[0].scores.tolist() == [0.25, 0.75]


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize("size", [1_000, 10_000, 200_000])
def test_a_column_that_changes_far_down_is_looked_at_there(size, pack):
    # For half of the rows one machine, scores of 0 and 1, a silent model; then all change. Neither
    # the first 200 rows nor the first half show what the columns are.
    is_late = np.arange(size) >= size // 2
    text = pd.DataFrame(
        {
            "machine": np.where(is_late, "b", "a"),
            "attack": np.resize(labels(), size),
            "quick": np.where(is_late, np.resize(numbers(1), size), np.resize(labels(), size)),
            "slow": np.where(is_late, np.resize(numbers(2), size), 0),
            "row": np.arange(size),
        }
    ).to_csv(index=False)
    table = open_table(pack(text.encode()), "mine")
    found = guess(table)
    assert (found.options.series, found.options.label) == ("machine", "attack")
    assert found.options.detectors == ("quick", "slow")
    assert not found.kinds["quick"].is_flag
    # Rows are looked at in their order and none twice, so that a row number is seen to rise.
    assert found.left_out["row"] == "increases from row to row: a row number or a count"
    assert table.estimated_rows == pytest.approx(size, rel=0.2)


# ---- several series ------------------------------------------------------------------------------


@pytest.mark.parametrize("mixed", [False, True])
def test_rows_of_several_series_are_never_one(mixed):
    # a ends in an anomaly and b begins with one: two segments, of which one is found.
    rows = [
        ("a", 0, 0.1), ("a", 1, 0.9), ("a", 1, 0.2),
        ("b", 1, 0.1), ("b", 1, 0.1), ("b", 0, 0.0),
    ]  # fmt: skip
    if mixed:
        rows = [rows[n] for n in (0, 3, 1, 4, 2, 5)]
    table = table_of(pd.DataFrame(rows, columns=["machine", "label", "score"]))
    roles = guess_options(table)
    assert roles.series == "machine"
    series = series_from(table, roles)
    assert (series.parts, len(series.segments)) == (2, 2)
    pa = series.detectors[0].evaluate(0.5, [Settings().protocol("pa")])[0]
    assert pa.recall == 0.5
    one = series_from(table, replace(roles, only="b"))
    assert (one.parts, one.size, one.anomalous) == (1, 3, 2)
    with pytest.raises(TableError, match="has no series 'c'"):
        series_from(table, replace(roles, only="c"))


def test_times_are_in_order_within_each_series():
    # The times of b are those of a, which is well; within b the last two stand the wrong way round.
    rows = [
        ("a", "00:00", 0, 0.1), ("a", "00:01", 1, 0.9), ("a", "00:02", 0, 0.2),
        ("b", "00:00", 0, 0.3), ("b", "00:02", 0, 0.5), ("b", "00:01", 1, 0.4),
    ]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["machine", "time", "label", "score"])
    frame["time"] = "2024-01-01 " + frame["time"]
    table = table_of(frame)
    roles = guess_options(table)
    assert roles.series == "machine"
    with pytest.raises(OrderError, match="row 6: timestamps must increase; 2024-01-01T00:01"):
        series_from(table, roles)
    scores = {
        order: series_from(table, replace(roles, order=order)).detectors[0].scores.tolist()
        for order in ("keep", "sort")
    }
    assert scores["keep"] == [0.1, 0.9, 0.2, 0.3, 0.5, 0.4]
    assert scores["sort"] == [0.1, 0.9, 0.2, 0.3, 0.4, 0.5]
    frame.loc[5, "time"] = "2024-01-01 00:02"
    repeated = replace(roles, order="first")
    kept = series_from(table_of(frame), repeated).detectors[0].scores.tolist()
    assert kept == [0.1, 0.9, 0.2, 0.3, 0.5]
    assert series_from(table_of(frame[:5]), roles).size == 5


@pytest.mark.parametrize("name", ["id", "sensor_id", "Item ID"])
def test_numbers_that_name_series_keep_them_apart(name):
    # Rows 280 to 319 are anomalous, and another series begins at row 300.
    truth = (np.arange(600) // 20 == 14) | (np.arange(600) // 20 == 15)
    table = table_of(
        {name: np.repeat([7, 3], 300), "label": truth.astype(int), "score": numbers(1, 600)}
    )
    roles = guess_options(table)
    assert roles.series == name
    segments = series_from(table, roles).segments
    assert [(s.start, s.stop) for s in segments] == [(280, 300), (300, 320)]


def test_the_first_rows_of_each_series_do_not_count():
    rows = pd.DataFrame({"run": [1] * 10 + [2] * 20, "label": 1, "score": numbers(1, 30)})
    series = series_from(table_of(rows), replace(guess_options(table_of(rows)), skip=0.3))
    counts = np.flatnonzero(~series.rows.counts).tolist()
    assert counts == [0, 1, 2, 10, 11, 12, 13, 14, 15]
    capped = series_from(
        table_of(rows), replace(guess_options(table_of(rows)), probation=0.3, probation_most=4)
    )
    assert np.flatnonzero(~capped.rows.counts).tolist() == [0, 1, 2, 10, 11, 12, 13]


# ---- times and gaps ------------------------------------------------------------------------------

UNSORTED = (
    "time,label,score\n2024-01-01 00:00,0,0.1\n2024-01-01 00:02,1,0.9\n"
    "2024-01-01 00:01,0,0.2\n2024-01-01 00:01,1,0.3\n"
)


def test_times_that_do_not_rise_are_asked_about():
    table = open_table(UNSORTED.encode(), "mine")
    roles = guess_options(table)
    with pytest.raises(OrderError, match="timestamps must increase") as refusal:
        series_from(table, roles)
    assert (refusal.value.backward, refusal.value.repeated) == (1, 1)
    taken = {
        order: series_from(table, replace(roles, order=order))
        for order in ("keep", "sort", "first")
    }
    scores = {order: series.detectors[0].scores.tolist() for order, series in taken.items()}
    assert scores["keep"] == [0.1, 0.9, 0.2, 0.3]
    assert scores["sort"] == [0.1, 0.2, 0.3, 0.9]
    assert scores["first"] == [0.1, 0.2, 0.9]
    assert taken["keep"].clock is None
    # Rows at 0, 1, 1 and 2 minutes: the second of the two at minute 1 is 0 s later.
    assert taken["sort"].clock.seconds_between(1, 2) == 0
    assert taken["sort"].clock.seconds_between(0, 3) == 120
    assert taken["first"].clock.step_seconds == 60


def test_few_repeated_times_keep_their_rows_and_the_clock():
    minutes = [*range(10), 9, *range(10, 20)]
    rows = "".join(f"2024-01-01 00:{m:02},{int(8 <= m < 12)},{m / 20}\n" for m in minutes)
    table = open_table(f"time,label,score\n{rows}".encode(), "mine")
    series = series_from(table, guess_options(table))
    assert series.size == 21
    assert series.clock.seconds_between(8, 11) == 120
    (told,) = caveats_of(series)
    assert "1 row repeats the time of the row before" in told


def test_onsets_that_cannot_move_as_far_are_counted():
    """Incidents of two and of six rows, to begin three rows later: the first one cannot."""
    series = make_series("x", [0, 1, 1, 0, 1, 1, 1, 1, 1, 1], {"a": np.arange(10) / 10})
    (told,) = caveats_of(series.with_onset(padf.Onset(3)))
    assert told.startswith("1 of 2 segments cannot move that far")
    assert caveats_of(series.with_onset(padf.Onset(1))) == []


@pytest.mark.parametrize("series", [None, "plant"])
def test_a_table_that_repeats_most_times_is_asked_about(series):
    # Two machines of one plant, sorted by time: taken as one series, no delay would be right.
    rows = "".join(f"2024-01-01 00:{m // 2:02},a,{int(m > 30)},{m / 40}\n" for m in range(40))
    table = open_table(f"time,plant,label,score\n{rows}".encode(), "mine")
    with pytest.raises(OrderError, match="timestamps must increase") as refusal:
        series_from(table, replace(guess_options(table), detectors=("score",), series=series))
    assert (refusal.value.backward, refusal.value.repeated) == (0, 20)


def test_a_warm_up_without_scores_is_asked_about():
    text = "label,model,sure\n1,,0.3\n0,,0.1\n1,0.9,0.8\n0,0.2,0.1\n"
    table = open_table(text.encode(), "mine")
    roles = guess_options(table)
    with pytest.raises(MissingError, match="'model', row 1: scores must be numbers; got nothing"):
        series_from(table, roles)
    quiet = series_from(table, replace(roles, missing="quiet"))
    assert quiet.detectors[0].scores.tolist() == [-np.inf, -np.inf, 0.9, 0.2]
    assert quiet.counted == 4
    assert series_from(table, replace(roles, missing="ignore")).counted == 2
    assert series_from(table, replace(roles, missing="drop")).names == ["sure"]
    worse = open_table(text.replace("0.9", "abc").encode(), "mine")
    with pytest.raises(TableError, match="scores must be numbers; got 'abc'"):
        series_from(worse, replace(roles, missing="quiet"))


def test_scores_that_work_upside_down_are_noticed():
    truth = labels()
    scores = 0.5 * numbers(1) + 0.5 * truth
    table = table_of({"label": truth, "model": scores, "turned_score": -scores})
    series = series_from(table, guess_options(table))
    assert [detector.is_upside_down for detector in series.detectors] == [False, True]
    mended = series_from(table, replace(guess_options(table), low=("turned_score",)))
    for protocol in Settings().protocols():
        one, other = (detector.best(protocol) for detector in mended.detectors)
        assert one.f1 == other.f1


# ---- several files -------------------------------------------------------------------------------


def nab_file(detector, seed, **changes):
    columns = {
        "timestamp": stamps(),
        "value": 100 * numbers(1),
        "anomaly_score": numbers(seed),
        "label": labels(),
        "S(t)_standard": labels() * 0.1,
    }
    name = f"results/{detector}/realKnownCause/{detector}_nyc_taxi.csv"
    return csv_file(name, columns | changes)


WINDOWS = {
    "realKnownCause/nyc_taxi.csv": [["2014-07-03 02:00:00.000000", "2014-07-03 11:30:00.000000"]],
    "realKnownCause/other.csv": [],
}
MOMENTS = {"realKnownCause/nyc_taxi.csv": ["2014-07-03 07:00:00"], "realKnownCause/other.csv": []}


def test_nab_opens_in_one_drop():
    table = join_files([nab_file("numenta", 2), nab_file("random", 3)])
    found = guess(table)
    assert found.options.detectors == ("numenta", "random")
    series = series_from(table, found.options)
    np.testing.assert_array_equal(series.labels, labels() == 1)
    np.testing.assert_array_equal(series.detector("random").scores, numbers(3))
    assert series.clock.step_seconds == 1800


def test_windows_and_moments_beside_the_results():
    files = [nab_file("numenta", 2), nab_file("random", 3)]
    files += [file("windows.json", json.dumps(WINDOWS)), file("labels.json", json.dumps(MOMENTS))]
    table = join_files(files)
    roles = guess_options(table)
    assert roles.label == "label"
    # Row 100 is two days and two hours after the start, row 119 the last one; 5 hours are 10 rows.
    series = series_from(table, roles)
    assert [(s.start, s.stop) for s in series.segments] == [(100, 120)]
    moved = series_from(table, replace(roles, label=FROM_ONSET))
    assert [(s.start, s.stop) for s in moved.segments] == [(110, 120)]


def test_windows_that_differ_from_the_labels_or_are_of_other_files_are_told():
    one = nab_file("numenta", 2)
    # The window is rows 100 to 119; the labels are 1 there and in rows 250 to 299.
    table = join_files([one, file("windows.json", json.dumps(WINDOWS))])
    left_out = (
        "results/numenta/realKnownCause/numenta_nyc_taxi.csv: left out S(t)_standard (derived "
        "from the labels by NAB's scorer)"
    )
    assert table.notices == (
        "The windows are taken, and the labels of results/numenta/realKnownCause/"
        "numenta_nyc_taxi.csv are not: they differ in 50 rows, the first row 251",
        left_out,
    )
    alone = {"elsewhere.csv": WINDOWS["realKnownCause/nyc_taxi.csv"]}
    told = join_files([one, file("windows.json", json.dumps(alone))]).notices[0]
    assert told.startswith("windows.json has one entry, for elsewhere.csv. It is used for results/")
    others = {"a.csv": [], "b.csv": []}
    told = join_files([one, file("windows.json", json.dumps(others))]).notices
    assert told == ("windows.json has no entry for these files", left_out)


def test_files_that_do_not_fit_are_told_by_row():
    other = labels()
    other[7] = 1
    with pytest.raises(TableError, match=r"random_nyc_taxi.csv: the label of row 8 is 1, where"):
        join_files([nab_file("numenta", 2), nab_file("random", 3, label=other)])
    short = csv_file("b.csv", {"label": labels()[:9], "score": numbers(1)[:9]})
    with pytest.raises(TableError, match=r"b.csv: has 9 rows, but .* has 400"):
        join_files([nab_file("numenta", 2), short])


def some(columns, rows):
    """The same columns with these rows alone, in this order."""
    return {name: np.asarray(values)[rows] for name, values in columns.items()}


def clocked(seed, rows=slice(None), **changes):
    """Columns of a detector's file: times, labels and scores at these rows."""
    return some({"time": stamps(), "label": labels(), "score": numbers(seed)}, rows) | changes


def test_files_with_other_times_are_matched_by_time():
    # a lacks row 6 of b, b lacks row 3 of a: 400 times in all, 398 of them in both.
    rows = np.arange(SIZE)
    one = csv_file("a.csv", clocked(2, np.delete(rows, 5)))
    table = join_files([one, csv_file("b.csv", clocked(3, np.delete(rows, 2)))])
    assert table.notices == (
        "The files were matched by time: 398 of 400 rows are in all of them",
        "a.csv has no row for 2014-07-01 02:30:00 (row 5 of b.csv)",
        "b.csv has no row for 2014-07-01 01:00:00 (row 3 of a.csv)",
    )
    roles = guess_options(table)
    assert (roles.time, roles.label, roles.detectors) == ("time", "label", ("a", "b"))
    with pytest.raises(MissingError, match="'a', row 6: scores must be numbers; got nothing"):
        series_from(table, roles)
    series = series_from(table, replace(roles, missing="ignore"))
    assert (series.size, series.counted, series.clock.step_seconds) == (400, 398, 1800)
    np.testing.assert_array_equal(series.labels, labels() == 1)
    for name, seed in (("a", 2), ("b", 3)):
        kept = series.rows.counts
        np.testing.assert_array_equal(series.detector(name).scores[kept], numbers(seed)[kept])


def test_a_coarser_detector_speaks_where_it_has_a_time():
    fine, coarse = clocked(2), clocked(3, slice(0, SIZE, 10))
    table = join_files([csv_file("fine.csv", fine), csv_file("coarse.csv", coarse)])
    assert table.notices[0].endswith("40 of 400 rows are in all of them")
    assert table.notices[1].endswith("01:30:00 (row 4 of fine.csv) and 357 more")
    series = series_from(table, replace(guess_options(table), missing="quiet"))
    np.testing.assert_array_equal(series.detector("coarse").scores[::10], numbers(3)[::10])
    assert np.isneginf(series.detector("coarse").scores[1])


def test_rows_in_another_order_are_matched_by_time():
    order = np.random.default_rng(8).permutation(SIZE)
    table = join_files([csv_file("a.csv", clocked(2)), csv_file("b.csv", clocked(3, order))])
    assert table.notices == (
        "The files were matched by time: 400 of 400 rows are in all of them",
        "b.csv was not in time order, so its rows were sorted",
    )
    series = series_from(table, guess_options(table))
    np.testing.assert_array_equal(series.detector("b").scores, numbers(3))


def test_times_that_count_are_matched_as_well():
    one = some({"step": np.arange(SIZE), "label": labels(), "score": numbers(2)}, slice(None))
    other = some({"step": np.arange(SIZE), "score": numbers(3)}, slice(10, None))
    other["flag_score"] = numbers(4)[10:]
    table = join_files([csv_file("a.csv", one), csv_file("b.csv", other)])
    assert table.notices[1] == (
        "b.csv has no row for 0 (row 1 of a.csv), 1 (row 2 of a.csv), 2 (row 3 of a.csv) and 7 more"
    )
    series = series_from(table, replace(guess_options(table), missing="ignore"))
    assert (series.counted, series.clock) == (390, None)


def test_the_day_is_read_alike_in_all_files():
    # 400 half hours are nine days: 01/07 to 09/07 alone could be July or January to September.
    month = pd.date_range("2014-07-01", periods=2000, freq="30min").strftime("%d/%m/%Y %H:%M")
    longer = {"time": month, "label": np.resize(labels(), 2000), "score": numbers(2, 2000)}
    short = some(longer, slice(0, SIZE))
    table = join_files([csv_file("a.csv", longer), csv_file("b.csv", short)])
    assert table.notices[0].endswith("400 of 2,000 rows are in all of them")
    few = [csv_file("a.csv", short), csv_file("b.csv", some(short, slice(0, 48)))]
    with pytest.raises(TableError, match="can be read with the day or the month first"):
        join_files(few)


def test_labels_are_told_by_row_and_time_when_files_were_matched():
    rows = np.arange(SIZE)
    other = np.delete(labels(), 0)
    other[7] = 1
    files = [
        csv_file("a.csv", clocked(2)),
        csv_file("b.csv", clocked(3, np.delete(rows, 0), label=other)),
    ]
    # Row 8 of b.csv is row 9 of a.csv, four hours after the start.
    message = r"b.csv: the label of row 8 \(2014-07-01 04:00:00\) is 1, where a.csv has 0; 1 rows"
    with pytest.raises(TableError, match=message):
        join_files(files)


def test_rows_without_a_label_are_left_out_and_told():
    unlabelled = {"time": stamps(), "model_a": numbers(2), "model_b": numbers(3)}
    truth = some({"time": stamps(), "label": labels()}, slice(90, SIZE))
    table = join_files([csv_file("scores.csv", unlabelled), csv_file("truth.csv", truth)])
    assert table.notices[-1] == (
        "90 rows have no label in any file and are left out, the first at 2014-07-01 00:00:00"
    )
    series = series_from(table, guess_options(table))
    np.testing.assert_array_equal(series.labels, labels()[90:] == 1)
    only = some({"time": stamps(), "label": labels()}, labels() == 1)
    with pytest.raises(TableError, match=r"330 rows have no label.*all others have the label 1"):
        join_files([csv_file("scores.csv", unlabelled), csv_file("truth.csv", only)])


def test_windows_of_time_label_every_row_of_files_that_were_matched():
    files = [nab_file("numenta", 2), csv_file("short_nyc_taxi.csv", clocked(3, slice(110, None)))]
    table = join_files([*files, file("windows.json", json.dumps(WINDOWS))])
    series = series_from(table, replace(guess_options(table), missing="quiet"))
    assert [(s.start, s.stop) for s in series.segments] == [(100, 120)]
    with pytest.raises(TableError, match=r"w.json: uses row numbers, but the files have diff"):
        join_files([*files, file("w.json", "[[100, 119]]")])


@pytest.mark.parametrize(
    ("second", "message"),
    [
        (
            clocked(3, time=pd.date_range("2015-07-01", periods=SIZE, freq="30min").astype(str)),
            r"b.csv: 0 of 400 rows have a time that is also in a.csv, which is too few",
        ),
        (
            clocked(3, np.minimum(np.arange(SIZE), 9)),
            r"b.csv: row 11 repeats the time 2014-07-01 04:30:00, and the files have diff",
        ),
        (
            {"step": np.arange(9), "label": labels()[:9], "score": numbers(3)[:9]},
            r"b.csv: column 'step' has numbers, but a.csv has timestamps",
        ),
    ],
)
def test_files_that_cannot_be_matched_say_why(second, message):
    with pytest.raises(TableError, match=message):
        join_files([csv_file("a.csv", clocked(2)), csv_file("b.csv", second)])


def test_files_of_other_series_say_so_before_a_repeated_time_does():
    rows = np.minimum(np.arange(SIZE), SIZE - 2)
    late = pd.date_range("2015-07-01", periods=SIZE, freq="30min").astype(str)
    files = [csv_file("a.csv", clocked(2, rows)), csv_file("b.csv", clocked(3, time=late))]
    with pytest.raises(TableError, match=r"b.csv: 0 of 399 rows have a time that is also in a.csv"):
        join_files(files)


def test_a_file_without_times_cannot_be_matched():
    files = [csv_file("a.csv", clocked(2)), csv_file("b.csv", clocked(3, slice(9, None)))]
    with pytest.raises(TableError, match=r"c.npy: has no timestamps, and those of the other fil"):
        join_files([*files, file("c.npy", npy(numbers(4)))])


def test_two_files_of_one_name_are_two_detectors():
    files = [csv_file("scores.csv", clocked(seed)) for seed in (2, 3)]
    table = join_files(files)
    series = series_from(table, guess_options(table))
    assert series.names == ["scores.csv", "scores.csv (2)"]
    for name, seed in zip(series.names, (2, 3), strict=True):
        np.testing.assert_array_equal(series.detector(name).scores, numbers(seed))


def npy(values):
    out = io.BytesIO()
    np.save(out, values)
    return out.getvalue()


def test_scores_without_a_header_beside_a_file_of_labels():
    scores = file("lstm/anomaly_scores.ts", "\n".join(map(repr, numbers(1).tolist())))
    more = file("usad.npy", npy(numbers(2)))
    truth = file("test_label.csv", "\n".join(map(str, labels())))
    table = join_files([scores, more, truth])
    series = series_from(table, replace(guess_options(table), detectors=("anomaly_scores", "usad")))
    np.testing.assert_array_equal(series.labels, labels() == 1)
    np.testing.assert_array_equal(series.detector("usad").scores, numbers(2))
    with pytest.raises(TableError, match="cannot be read as an array"):
        join_files([file("a.npy", b"no"), truth])


@pytest.mark.parametrize(
    "content",
    [
        ("labels.csv", 'chan_id,anomaly_sequences\nP-1,"[[100, 119], [250, 299]]"\nP-2,[]\n'),
        # SMD names the first row after an interval, and the affected columns.
        ("machine.txt", "100-120:1,9,10\n250-300:1\n"),
        ("machine.txt", "100-119\n250-299\n"),
        ("windows.json", "[[100, 119], [250, 299]]"),
    ],
)
def test_intervals_of_rows_are_labels(content):
    table = join_files([file("P-1.npy", npy(numbers(1))), file(*content)])
    series = series_from(table, guess_options(table))
    np.testing.assert_array_equal(series.labels, labels() == 1)


@pytest.mark.parametrize("name", ["rows.json", "rows.jsonl", "rows.ndjson"])
def test_rows_as_json(name):
    rows = [{"label": 0, "score": 0.2}, {"label": 1, "score": 0.7}]
    is_lines = not name.endswith(".json")
    text = "".join(f"{json.dumps(row)}\n" for row in rows) if is_lines else json.dumps(rows)
    table = open_files([file(name, text)])
    assert series_from(table, guess_options(table)).detectors[0].scores.tolist() == [0.2, 0.7]
    with pytest.raises(TableError, match="is not valid JSON"):
        open_files([file(name, text[:-4])])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "is not valid JSON"),
        ('{"a": 1}', "must have rows, or a list"),
        ("[[1, 2, 3]]", "a window must be"),
        ("[[1.5, 2]]", "windows must be times or row numbers"),
        ("[[5, 4000]]", "is outside rows 0 to 399"),
        ('[["2014-07-01", "2014-07-02"]]', "has times, but the rows have no timestamps"),
    ],
)
def test_labels_that_cannot_be_read(content, message):
    with pytest.raises(TableError, match=message):
        join_files([file("P-1.npy", npy(numbers(1))), file("w.json", content)])


def test_parquet_with_a_long_warm_up_has_its_detector(tmp_path):
    """One group of rows, of which the first 300 have no score."""
    frame = pd.DataFrame({"label": labels(), "usual": numbers(2)})
    frame.loc[:299, "usual"] = np.nan
    frame.to_parquet(tmp_path / "a.parquet")
    assert guess(open_table(tmp_path / "a.parquet")).options.detectors == ("usual",)


def test_levels_of_the_index_are_columns():
    times = pd.date_range("2024-01-01", periods=SIZE // 2, freq="min")
    index = pd.MultiIndex.from_product([["a", "b"], times], names=["machine", "time"])
    frame = pd.DataFrame({"label": labels(), "score": numbers(1)}, index=index)
    series = padf.read_series(frame)
    assert series.parts == 2
    assert series.step_seconds == 60


def test_a_column_that_names_detectors_is_not_the_series():
    frame = pd.DataFrame({"label": labels(), "a": numbers(1), "b": numbers(2)})
    long = frame.melt("label", ["a", "b"], "model", "score")
    series = padf.read_series(long)
    assert (series.names, series.parts, series.size) == (["a", "b"], 1, SIZE)


def test_detectors_of_a_long_table_must_have_the_same_rows():
    frame = pd.DataFrame({"label": labels(), "a": numbers(1), "b": numbers(2)})
    long = frame.melt("label", ["a", "b"], "model", "score")
    with pytest.raises(TableError, match="detector b has 399 rows, and a has 400"):
        padf.read_series(long.iloc[:-1])
    long.loc[SIZE + 3, "label"] = 1
    with pytest.raises(TableError, match="row 4: column 'label' is 1, and for a it is 0"):
        padf.read_series(long)


def test_a_file_of_zeros_and_ones_has_the_labels_whatever_it_is_called():
    scores, truth = file("usad.npy", npy(numbers(1))), file("machine-1-1.npy", npy(labels()))
    table = join_files([scores, truth])
    np.testing.assert_array_equal(series_from(table, guess_options(table)).labels, labels() == 1)
    with pytest.raises(TableError, match=r"machine-1-1\.npy, b\.npy: all have only 0 and 1"):
        join_files([scores, truth, file("b.npy", npy(labels()))])


def test_the_training_rows_of_a_name_hold_for_joined_files_as_well():
    truth = csv_file("X_tr_120_1st.csv", {"Label": labels(), "Data": 9 * numbers(3)})
    table = join_files([truth, file("usad.npy", npy(numbers(1)))])
    series = series_from(table, guess_options(table))
    assert series.counted == SIZE - 120


def test_a_given_option_always_wins():
    frame = pd.DataFrame({"label": labels(), "Wert": numbers(1), "odd": 50 * numbers(2)})
    assert padf.read_series(frame, detectors="odd").names == ["odd"]
    assert padf.read_series(frame, detectors=["Wert", "odd"]).names == ["Wert", "odd"]
    assert padf.read_series(frame.assign(score=numbers(3))).names == ["score"]
    with pytest.raises(TableError, match="has no column 'truth'; its columns are 'label'"):
        padf.read_series(frame, label="truth")
