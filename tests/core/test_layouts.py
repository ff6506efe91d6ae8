"""Files as they come: what is taken for what, what is left out and why, how files are joined."""

import gzip
import io
import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from padf_core import Settings
from padf_core.data.bundle import FROM_ONSET, Source, join_files
from padf_core.data.reading import read_series
from padf_core.data.roles import guess, guess_roles
from padf_core.data.tables import GapError, OrderError, TableError, open_table

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
    assert found.roles.label == "label"
    assert found.roles.detectors == ("anomaly_score",)
    assert (found.roles.time, found.roles.value) == ("timestamp", "value")
    assert set(found.left_out.values()) == {"made from the labels by NAB's scorer"}
    assert len(found.left_out) == 3


def test_skab_has_two_truths_and_no_detector():
    sensors = ("Accelerometer1RMS", "Current", "Pressure", "Temperature", "Volume Flow RateRMS")
    columns = {"datetime": stamps()} | {name: numbers(7) for name in sensors}
    columns |= {"anomaly": labels(), "changepoint": np.roll(labels(), 3)}
    found = guess(table_of(columns, sep=";"))
    assert (found.roles.label, found.roles.time) == ("anomaly", "datetime")
    assert found.roles.detectors == ()
    assert found.left_out["changepoint"] == "named like a label: perhaps a second truth"
    for name in sensors:
        assert found.left_out[name] == "named like something that was measured"


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
    assert found.roles.label == "is_anomaly"
    assert found.roles.ignore == "is_ignored"
    assert found.roles.detectors == ("score",)
    assert found.left_out["column 1"] == "rises from row to row: a row number or a count"


def test_rows_that_do_not_count_are_in_neither_precision_nor_recall():
    # Row 0 is a false alarm and row 1 a miss; both are ignored: what is left is perfect.
    text = b"label,score,ignored\n0,0.9,1\n1,0.1,1\n0,0.1,0\n1,0.8,0\n1,0.8,0\n"
    table = open_table(text, "mine.csv")
    series = read_series(table, guess_roles(table))
    assert (series.size, series.counted, series.anomalous) == (5, 3, 2)
    assert [point.f1 for point in map(series.detectors[0].best, Settings().protocols())] == [1] * 4
    kept = read_series(table, replace(guess_roles(table), ignore=None))
    # Flagging everything: 3 hits and 2 false alarms.
    assert kept.detectors[0].best(Settings().protocol("pointwise")).f1 == pytest.approx(0.75)


def test_tsb_ad_s_training_part_is_in_the_name():
    text = pd.DataFrame({"Data": 9 * numbers(1), "Label": labels(), "score": numbers(2)})
    table = open_table(text.to_csv(index=False).encode(), "001_NAB_id_1_tr_120_1st_250.csv")
    series = read_series(table, guess_roles(table))
    assert guess_roles(table).value == "Data"
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
    assert found.roles.label == "Label", "a column named like a label never loses to another"
    assert found.roles.anomaly == guessed
    assert sorted(found.words) == sorted(map(str, words))
    if guessed is None:
        with pytest.raises(TableError, match=r"labels must be 0 or 1; got|holds"):
            read_series(table, found.roles)
    series = read_series(table, replace(found.roles, anomaly=str(words[1])))
    np.testing.assert_array_equal(series.labels, labels() == 1)


LEFT_OUT = {
    "row": (np.arange(SIZE), "rises from row to row"),
    "record_id": (np.random.default_rng(3).permutation(SIZE), "named like an id"),
    "all_zero": (np.zeros(SIZE), "the same number in every row"),
    "attack": (np.roll(labels(), 5), "named like a label: perhaps a second truth"),
    "temperature": (20 + numbers(4), "named like something that was measured"),
    "volts_in": (numbers(4), "named like something that was measured"),
    "strange": (50 * numbers(5) - 9, "its name does not speak of a score"),
    "copy": (labels(), "the same as the label in every row"),
    "turned": (1 - labels(), "the same as the label in every row"),
    "note": (["x"] * SIZE, "text, not numbers"),
}


@pytest.mark.parametrize("name", LEFT_OUT)
def test_what_is_no_score_is_left_out_with_its_reason(name):
    values, reason = LEFT_OUT[name]
    found = guess(table_of({"label": labels(), name: values, "model": numbers(2)}))
    assert found.roles.label == "label"
    assert found.roles.detectors == ("model",)
    assert reason in found.left_out[name]


def test_every_column_is_taken_or_left_out_with_a_reason():
    columns = {name: values for name, (values, _) in LEFT_OUT.items()}
    columns |= {"time": stamps(), "label": labels(), "value": 9 * numbers(1), "a": numbers(6)}
    table = table_of(columns)
    found = guess(table)
    assert {*found.roles.columns, *found.left_out} == set(table.columns)


def test_sixty_detectors_are_all_taken():
    columns = {"label": labels()} | {f"model_{n}": numbers(n) for n in range(60)}
    found = guess(table_of(columns))
    assert len(found.roles.detectors) == 60
    assert len(read_series(table_of(columns), found.roles).detectors) == 60


def test_many_columns_without_a_name_are_not_taken_for_detectors():
    frame = pd.DataFrame({n: numbers(n) for n in range(38)})
    frame[38] = labels()
    table = open_table(frame.to_csv(index=False, header=False).encode(), "mine.csv")
    found = guess(table)
    assert (found.roles.label, found.roles.detectors) == ("column 39", ())


def test_quoted_decimal_commas_are_numbers():
    text = 'label,score\n0,"0,25"\n1,"0,75"\n'
    series = read_series(open_table(text.encode(), "mine"), guess_roles(open_table(text.encode())))
    assert series.detectors[0].scores.tolist() == [0.25, 0.75]


def test_a_column_that_changes_far_down_is_looked_at_there():
    # For 5,000 rows one machine, then another one: the first 200 rows do not show it.
    size = 10_000
    text = pd.DataFrame(
        {
            "machine": np.where(np.arange(size) < size // 2, "a", "b"),
            "label": np.resize(labels(), size),
            "score": np.resize(numbers(1), size),
        }
    ).to_csv(index=False)
    for content in (text.encode(), gzip.compress(text.encode())):
        table = open_table(content, "mine")
        # A packed file is only looked at from its beginning: there one reason is as good as none.
        is_known = guess_roles(table).series == "machine"
        assert is_known or guess(table).left_out["machine"] == "text, not numbers"
    assert guess_roles(open_table(text.encode(), "mine")).series == "machine"


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
    roles = guess_roles(table)
    assert roles.series == "machine"
    series = read_series(table, roles)
    assert (series.parts, len(series.segments)) == (2, 2)
    pa = series.detectors[0].evaluate(0.5, [Settings().protocol("pa")])[0]
    assert pa.recall == 0.5
    one = read_series(table, replace(roles, only="b"))
    assert (one.parts, one.size, one.anomalous) == (1, 3, 2)
    with pytest.raises(TableError, match="names no series 'c'"):
        read_series(table, replace(roles, only="c"))


def test_the_first_rows_of_each_series_do_not_count():
    rows = pd.DataFrame({"run": [1] * 10 + [2] * 20, "label": 1, "score": numbers(1, 30)})
    series = read_series(table_of(rows), replace(guess_roles(table_of(rows)), skip=0.3))
    counts = np.flatnonzero(~series.rows.counts).tolist()
    assert counts == [0, 1, 2, 10, 11, 12, 13, 14, 15]
    capped = read_series(
        table_of(rows), replace(guess_roles(table_of(rows)), skip=0.3, skip_most=4)
    )
    assert np.flatnonzero(~capped.rows.counts).tolist() == [0, 1, 2, 10, 11, 12, 13]


# ---- times and gaps ------------------------------------------------------------------------------

UNSORTED = (
    "time,label,score\n2024-01-01 00:00,0,0.1\n2024-01-01 00:02,1,0.9\n"
    "2024-01-01 00:01,0,0.2\n2024-01-01 00:01,1,0.3\n"
)


def test_times_that_do_not_rise_are_asked_about():
    table = open_table(UNSORTED.encode(), "mine")
    roles = guess_roles(table)
    with pytest.raises(OrderError, match="times must rise") as refusal:
        read_series(table, roles)
    assert (refusal.value.backward, refusal.value.repeated) == (1, 1)
    taken = {
        order: read_series(table, replace(roles, order=order))
        for order in ("keep", "sort", "first")
    }
    scores = {order: series.detectors[0].scores.tolist() for order, series in taken.items()}
    assert scores["keep"] == [0.1, 0.9, 0.2, 0.3]
    assert scores["sort"] == [0.1, 0.2, 0.3, 0.9]
    assert scores["first"] == [0.1, 0.2, 0.9]
    assert taken["keep"].clock is None
    assert taken["sort"].clock is None, "two rows share a time"
    assert taken["first"].clock.step_seconds == 60


def test_a_warm_up_without_scores_is_asked_about():
    text = "label,model,sure\n1,,0.3\n0,,0.1\n1,0.9,0.8\n0,0.2,0.1\n"
    table = open_table(text.encode(), "mine")
    roles = guess_roles(table)
    with pytest.raises(GapError, match="'model', row 1: scores must be numbers; got nothing"):
        read_series(table, roles)
    quiet = read_series(table, replace(roles, gaps="quiet"))
    assert quiet.detectors[0].scores.tolist() == [-np.inf, -np.inf, 0.9, 0.2]
    assert quiet.counted == 4
    assert read_series(table, replace(roles, gaps="ignore")).counted == 2
    assert read_series(table, replace(roles, gaps="drop")).names == ["sure"]
    worse = open_table(text.replace("0.9", "abc").encode(), "mine")
    with pytest.raises(TableError, match="scores must be numbers; got 'abc'"):
        read_series(worse, replace(roles, gaps="quiet"))


def test_scores_that_work_upside_down_are_noticed():
    truth = labels()
    scores = 0.5 * numbers(1) + 0.5 * truth
    table = table_of({"label": truth, "model": scores, "turned_score": -scores})
    series = read_series(table, guess_roles(table))
    assert [detector.is_upside_down for detector in series.detectors] == [False, True]
    mended = read_series(table, replace(guess_roles(table), low=("turned_score",)))
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
    assert found.roles.detectors == ("numenta", "random")
    series = read_series(table, found.roles)
    np.testing.assert_array_equal(series.labels, labels() == 1)
    np.testing.assert_array_equal(series.detector("random").scores, numbers(3))
    assert series.clock.step_seconds == 1800


def test_windows_and_moments_beside_the_results():
    files = [nab_file("numenta", 2), nab_file("random", 3)]
    files += [file("windows.json", json.dumps(WINDOWS)), file("labels.json", json.dumps(MOMENTS))]
    table = join_files(files)
    roles = guess_roles(table)
    assert roles.label == "label"
    # Row 100 is two days and two hours after the start, row 119 the last one; 5 hours are 10 rows.
    series = read_series(table, roles)
    assert [(s.start, s.stop) for s in series.segments] == [(100, 120)]
    moved = read_series(table, replace(roles, label=FROM_ONSET))
    assert [(s.start, s.stop) for s in moved.segments] == [(110, 120)]


def test_files_that_do_not_fit_are_told_by_row():
    other = labels()
    other[7] = 1
    with pytest.raises(TableError, match=r"random_nyc_taxi.csv: the label of row 8 is 1, where"):
        join_files([nab_file("numenta", 2), nab_file("random", 3, label=other)])
    late = stamps().to_numpy(dtype=object)
    late[5] = "2014-07-01 02:31:00"
    with pytest.raises(TableError, match=r"row 6 is of 2014-07-01 02:31:00, where"):
        join_files([nab_file("numenta", 2), nab_file("random", 3, timestamp=late)])
    short = csv_file("b.csv", {"label": labels()[:9], "score": numbers(1)[:9]})
    with pytest.raises(TableError, match=r"b.csv: has 9 rows, where .* has 400"):
        join_files([nab_file("numenta", 2), short])


def npy(values):
    out = io.BytesIO()
    np.save(out, values)
    return out.getvalue()


def test_scores_without_a_header_beside_a_file_of_labels():
    scores = file("lstm/anomaly_scores.ts", "\n".join(map(repr, numbers(1).tolist())))
    more = file("usad.npy", npy(numbers(2)))
    truth = file("test_label.csv", "\n".join(map(str, labels())))
    table = join_files([scores, more, truth])
    series = read_series(table, replace(guess_roles(table), detectors=("anomaly_scores", "usad")))
    np.testing.assert_array_equal(series.labels, labels() == 1)
    np.testing.assert_array_equal(series.detector("usad").scores, numbers(2))
    with pytest.raises(TableError, match="cannot be read as an array"):
        join_files([file("a.npy", b"no"), truth])


@pytest.mark.parametrize(
    "content",
    [
        ("labels.csv", 'chan_id,anomaly_sequences\nP-1,"[[100, 119], [250, 299]]"\nP-2,[]\n'),
        ("machine.txt", "100-119:1,9,10\n250-299:1\n"),
        ("windows.json", "[[100, 119], [250, 299]]"),
    ],
)
def test_intervals_of_rows_are_labels(content):
    table = join_files([file("P-1.npy", npy(numbers(1))), file(*content)])
    series = read_series(table, guess_roles(table))
    np.testing.assert_array_equal(series.labels, labels() == 1)


def test_rows_as_json():
    rows = [{"label": 0, "score": 0.2}, {"label": 1, "score": 0.7}]
    table = join_files([file("rows.json", json.dumps(rows))])
    assert read_series(table, guess_roles(table)).detectors[0].scores.tolist() == [0.2, 0.7]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "is not JSON"),
        ('{"a": 1}', "must hold rows, or for each file a list"),
        ("[[1, 2, 3]]", "a window must be"),
        ("[[1.5, 2]]", "windows must be times, or whole numbers"),
        ("[[5, 4000]]", "does not lie in rows 0 to 399"),
        ('[["2014-07-01", "2014-07-02"]]', "holds times, and the files have no column of times"),
    ],
)
def test_labels_that_cannot_be_read(content, message):
    with pytest.raises(TableError, match=message):
        join_files([file("P-1.npy", npy(numbers(1))), file("w.json", content)])
