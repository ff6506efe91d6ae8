"""The same file gives the same numbers through every door.

The doors are `padf evaluate`, `padf corpus`, what the app calls, and `padf.read_series`.
"""

import io
import json
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
import pandas as pd
import pytest

import padf_core as padf
from padf_core.__main__ import main
from padf_core.io import sandbox
from padf_core.io.errors import TableError
from padf_core.io.guess import decide
from padf_core.io.join import open_files
from padf_core.io.open_table import open_table
from padf_core.io.sources import Source

ROWS = 300
CLOCK = {"measure": "clock", "shape": "half_life", "decay": 1200.0}
ON_CLOCK = ("--measure", "clock", "--shape", "half_life", "--decay", "1200")
"""A decay on the clock: half of the credit is gone after 20 minutes."""
KEPT = ("--order", "keep")


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
    rule = () if "--threshold" in (*case.said, *settings) else ("--threshold", "common")
    call = ["evaluate", *map(str, files), "--json", *rule, *case.said, *settings]
    assert main(call) == 0, capsys.readouterr().err
    made = json.loads(capsys.readouterr().out)["results"]
    return {
        (r["detector"], r["protocol"]): row_of(r["threshold"], r["precision"], r["recall"], r["f1"])
        for r in made
    }


def by_corpus(capsys, tmp_path, files, case, settings, rule="best", whole=()):
    out = tmp_path / "out.csv"
    call = ["corpus", *map(str, files), "--threshold", rule, "--backend", "1", "--random", "0"]
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


RULES = ("best", "common", "others", "segments", "first", "train", "budget:20", "1.2")


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("is_several", [False, True])
def test_every_rule_for_thresholds_gives_the_same(capsys, tmp_path, rule, is_several):
    frame = several() if is_several else plain()
    if rule == "segments":
        # At least four segments in each series.
        frame["label"] = (np.arange(len(frame)) % 60 < 12).astype(int)
    if rule == "others" and not is_several:
        return
    path = csv(tmp_path, "series.csv", frame)
    lanes = ("--lanes", "event_wise", "composite", "--train", "0.4", "--threshold", rule)
    evaluated = by_evaluate(capsys, [path], Case(several, said=lanes), ON_CLOCK)
    said = Case(several, said=lanes[:-2])
    whole = ["pooled"] if is_several else ()
    pooled = by_corpus(capsys, tmp_path, [path], said, ON_CLOCK, rule, whole)
    assert pooled.keys() == evaluated.keys()
    for key, (_, *scores) in pooled.items():
        assert scores == pytest.approx(evaluated[key][1:], rel=1e-12), key


@pytest.mark.parametrize("rule", ["common", "best"])
def test_a_detector_without_a_score_is_left_out_of_every_series(capsys, tmp_path, rule):
    frame = several()
    frame.loc[(frame["machine"] == "a") & (frame["time"] < "2024-03-01 02:00"), "model_a"] = np.nan
    path = csv(tmp_path, "series.csv", frame)
    dropped = ("--missing", "drop", "--threshold", rule)
    evaluated = by_evaluate(capsys, [path], Case(several, said=dropped), ON_CLOCK)
    case = Case(several, said=dropped[:2])
    pooled = by_corpus(capsys, tmp_path, [path], case, ON_CLOCK, rule, ["pooled"])
    assert {name for name, _ in evaluated} == {"model_b"}
    assert pooled.keys() == evaluated.keys()
    for key, (_, *scores) in pooled.items():
        assert scores == pytest.approx(evaluated[key][1:], rel=1e-12), key


def test_both_commands_choose_thresholds_alike_by_default(capsys, tmp_path):
    for frame in (plain(), several()):
        path = csv(tmp_path, "series.csv", frame)
        assert main(["evaluate", str(path), "--json"]) == 0
        made = json.loads(capsys.readouterr().out)["results"]
        evaluated = {(r["detector"], r["protocol"]): r["f1"] for r in made}
        assert main(["corpus", str(path), "--format", "json", "--random", "0"]) == 0
        summary = json.loads(capsys.readouterr().out)["summary"]
        pooled = {(r["detector"], r["protocol"]): r["pooled_f1"] for r in summary}
        assert pooled == pytest.approx(evaluated, rel=1e-12)


def test_one_series_of_a_corpus_can_be_named(capsys, tmp_path):
    for name in ("a", "b"):
        csv(tmp_path, f"files/{name}.csv", plain().assign(model_a=scores(ord(name))))
    table = csv(tmp_path, "long.csv", long(several()))
    for source in (tmp_path / "files", table):
        call = ["corpus", str(source), "--format", "csv", "--random", "0", "--only"]
        assert main([*call, "b"]) == 0
        assert "1 series" in capsys.readouterr().err
        assert main([*call, "c"]) == 2
        assert "there is no series 'c'; the first ones are a, b" in capsys.readouterr().err


def three_clocks():
    """Three machines: the times of one go back, those of another stand still."""
    back = plain().assign(machine="c", time=stamps(7))
    back.loc[[40, 230], "time"] = back.loc[[41, 229], "time"].to_numpy()[::-1]
    still = plain().assign(machine="d", time="2024-03-01 00:00:00")
    return pd.concat([several(), back, still])


def test_each_series_has_its_own_clock_or_none(capsys, tmp_path):
    path = tmp_path / "series.csv"
    three_clocks().to_csv(path, index=False)
    settings, case = padf.Settings(**CLOCK), Case(three_clocks, {"order": "keep"}, KEPT)
    evaluated = by_evaluate(capsys, [path], case, ON_CLOCK)
    assert by_library([path], case, settings) == evaluated
    assert by_app([path], case, settings) == evaluated
    pooled = by_corpus(capsys, tmp_path, [path], case, ON_CLOCK, "common", ["pooled"])
    for key, row in pooled.items():
        assert row == pytest.approx(evaluated[key], rel=1e-12), key
    for name in "abcd":
        said = (*KEPT, "--only", name)
        alone = Case(three_clocks, {"order": "keep", "only": name}, said)
        one = by_evaluate(capsys, [path], alone, ON_CLOCK)
        assert by_library([path], alone, settings) == one
        assert by_corpus(capsys, tmp_path, [path], case, ON_CLOCK, "best", [name]) == one
    clock = padf.read_series(path, order="keep").clock
    # Rows of c and d are a minute apart, as far as anybody knows.
    assert [clock.seconds_between(at, at + 1) for at in (0, 2 * ROWS, 3 * ROWS)] == [300, 60, 60]
    assert main(["evaluate", str(path), *KEPT]) == 0
    assert "No clock in 2 of 4 series" in capsys.readouterr().err
    assert main(["evaluate", str(path), *KEPT, "--threshold", "budget:1"]) == 2
    assert "a budget of false alarms per day needs timestamps" in capsys.readouterr().err
    with pytest.raises(TableError, match="ignoring rows before a time needs timestamps"):
        padf.read_series(path, order="keep", since=0)


def test_days_of_several_series_end_with_the_step_of_each(tmp_path):
    frame = pd.DataFrame(
        {
            "machine": list("aaabbb"),
            "time": [0, 60, 120, 0, 600, 1200],
            "label": [0, 1, 0, 0, 1, 0],
            "model": [0.1, 0.9, 0.2, 0.3, 0.8, 0.1],
        }
    ).assign(time=lambda f: pd.to_datetime(f["time"] + 1_700_000_000, unit="s"))
    series = padf.read_series(frame)
    # 3 rows of a minute and 3 of ten minutes.
    assert series.days * 1440 == pytest.approx(33)
    alone = [padf.read_series(frame, only=name).days for name in "ab"]
    assert series.days == pytest.approx(sum(alone))


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


def same_series(one, other):
    """Say whether two series have the same labels, ignored rows and scores, in the same order."""
    counts = [None if s.rows.counts is None else s.rows.counts.tolist() for s in (one, other)]
    return (
        counts[0] == counts[1]
        and (one.rows.begins is None) == (other.rows.begins is None)
        and np.array_equal(one.labels, other.labels)
        and len(one.detectors) == len(other.detectors)
        and all(
            np.array_equal(a.scores, b.scores)
            for a, b in zip(one.detectors, other.detectors, strict=True)
        )
    )


def csv(folder, name, frame):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    frame.to_csv(path, index=False)
    return path


def test_joined_labels_of_which_1_is_normal(tmp_path):
    frame = plain()[["time", "model_a"]]
    alone = csv(tmp_path, "alg_x.csv", frame)
    normal = pd.DataFrame({"time": stamps(), "is_normal": 1 - labels()})
    beside = csv(tmp_path, "labels_x.csv", normal)
    whole = padf.read_series(plain()[["time", "label", "model_a"]])
    assert same_series(padf.read_series(alone, labels=beside), whole)
    assert same_series(padf.read_series(alone, beside), whole)
    # An explicit anomaly wins over the name of the column.
    turned = padf.read_series(alone, labels=beside, anomaly="1")
    assert np.array_equal(turned.labels, ~whole.labels)


def test_joined_files_keep_their_ignored_rows(capsys, tmp_path):
    frame = ignored()
    alone = csv(tmp_path, "sc/x.csv", frame[["time", "model_a", "model_b"]])
    beside = csv(tmp_path, "lab/x.csv", frame[["time", "label", "ignored"]])
    whole = padf.read_series(frame)
    assert same_series(padf.read_series(alone, labels=beside), whole)
    named = padf.read_series(alone, labels=beside, ignore="ignored")
    assert same_series(named, whole)
    # The ignore column may also be in the file with the scores.
    alone = csv(tmp_path, "y.csv", frame[["time", "model_a", "model_b", "ignored"]])
    beside = csv(tmp_path, "labels_y.csv", frame[["time", "label"]])
    assert same_series(padf.read_series(alone, labels=beside), whole)


def test_joined_files_keep_their_series(tmp_path):
    frame = several()
    one = csv(tmp_path, "one.csv", frame[["machine", "time", "label", "model_a"]])
    two = csv(tmp_path, "two.csv", frame[["machine", "time", "model_b"]])
    made, whole = padf.read_series(one, two), padf.read_series(frame)
    assert same_series(made, whole)
    assert np.array_equal(made.clock.all(), whole.clock.all())
    # Rows of several series cannot be matched by time.
    other = csv(tmp_path, "other.csv", frame[["machine", "time", "model_b"]].iloc[1:])
    with pytest.raises(TableError, match="column 'machine' has several series"):
        padf.read_series(one, other)
    windows = tmp_path / "windows.json"
    windows.write_text(json.dumps([["2024-03-01 05:00", "2024-03-01 06:00"]]))
    with pytest.raises(TableError, match="has times, but the rows belong to several series"):
        padf.read_series(csv(tmp_path, "s.csv", frame.drop(columns="label")), labels=windows)


def test_a_long_table_beside_its_labels(tmp_path):
    np.save(tmp_path / "labels.npy", labels())
    tall = csv(tmp_path, "tall.csv", long(plain()).drop(columns="label"))
    made = padf.read_series(tall, tmp_path / "labels.npy")
    assert same_series(made, padf.read_series(plain()))


def test_files_that_are_given_are_detectors_whatever_they_are_called(capsys, tmp_path):
    np.save(tmp_path / "truth.npy", labels())
    for name in ("kmeans", "cpu_latency", "data"):
        np.save(tmp_path / f"{name}.npy", 100 * scores(1, 3))
    files = [tmp_path / f"{name}.npy" for name in ("kmeans", "cpu_latency", "data", "truth")]
    assert padf.read_series(*files).names == ["kmeans", "cpu_latency", "data"]
    made = by_evaluate(capsys, files, Case(plain), ())
    assert {name for name, _ in made} == {"kmeans", "cpu_latency", "data"}


def test_the_file_that_is_given_as_labels_has_them(capsys, tmp_path):
    np.save(tmp_path / "s.npy", scores(1, 3))
    np.save(tmp_path / "det.npy", (scores(2) > 0.9).astype(int))
    np.save(tmp_path / "y.npy", labels())
    made = padf.read_series(tmp_path / "s.npy", tmp_path / "det.npy", labels=tmp_path / "y.npy")
    assert made.names == ["s", "det"]
    assert np.array_equal(made.labels, labels() == 1)
    call = ["evaluate", str(tmp_path / "det.npy"), "--labels", str(tmp_path / "y.npy")]
    assert main(call) == 0
    capsys.readouterr()
    # A folder that speaks of labels says nothing of the files in it.
    for name, values in {"score": scores(1, 3), "det": scores(2) > 0.9, "truth": labels()}.items():
        path = tmp_path / "my-labels" / f"{name}.txt"
        path.parent.mkdir(exist_ok=True)
        np.savetxt(path, values.astype(float), fmt="%g")
    files = [tmp_path / "my-labels" / f"{name}.txt" for name in ("score", "det", "truth")]
    with pytest.raises(TableError, match="not clear which one has the labels"):
        padf.read_series(*files)
    assert padf.read_series(*files[:2], labels=files[2]).names == ["score", "det"]


def test_columns_of_joined_files_can_be_named_as_there(tmp_path):
    first = plain()[["time", "model_a"]].assign(temperature=scores(2))
    one = csv(tmp_path, "one.csv", first)
    truth = pd.DataFrame({"time": stamps(), "label": 0, "second": labels()})
    two = csv(tmp_path, "two.csv", truth)
    made = padf.read_series(one, labels=two, label="second", detectors=["temperature"])
    whole = plain()[["time", "label", "model_b"]]
    assert same_series(made, padf.read_series(whole))
    low = padf.read_series(one, labels=two, label="second", low="model_a")
    assert low.detectors[0].is_inverted


def test_labels_that_are_not_used_are_told(capsys, tmp_path):
    other = plain().assign(label=lambda f: np.roll(f["label"], 10))
    files = csv(tmp_path, "a.csv", other), csv(tmp_path, "truth.csv", plain()[["time", "label"]])
    assert main(["evaluate", str(files[0]), "--labels", str(files[1])]) == 0
    said = capsys.readouterr().err
    # Three segments, each moved by 10: 10 + 6 + 10 rows at either end, twice.
    assert "truth.csv are taken, and the labels of" in said
    assert "they differ in 52 rows, the first row 61" in said


def pooled_by_corpus(capsys, tmp_path, files, *said):
    """Return the pooled F1 of model_a under PAdf, and what was said."""
    out = tmp_path / "out.csv"
    call = ["corpus", *map(str, files), "--backend", "1", "--random", "0", *ON_CLOCK]
    code = main([*call, "--out", str(out), *map(str, said)])
    said = capsys.readouterr().err
    assert code == 0, said
    made = pd.read_csv(out).query("series == 'pooled' and protocol == 'padf'")
    return made.set_index("detector")["f1"], said


def f1_by_evaluate(capsys, files, *said):
    made = by_evaluate(capsys, files, Case(plain, said=tuple(map(str, said))), ON_CLOCK)
    return {name: row[3] for (name, protocol), row in made.items() if protocol == "padf"}


def test_labels_in_another_order_are_matched_by_time(capsys, tmp_path):
    scored = csv(tmp_path, "sc/x.csv", plain()[["time", "model_a"]])
    beside = csv(tmp_path, "lab/x.csv", plain()[["time", "label"]].iloc[::-1])
    made, said = pooled_by_corpus(
        capsys, tmp_path, [scored.parent], "--labels", beside.parent, "--threshold", "best"
    )
    (evaluated,) = f1_by_evaluate(capsys, [scored], "--labels", beside).values()
    assert made["model_a"] == evaluated
    assert "matched by time: 300 of 300 rows" in said
    # Other moments than those of the scores: too few are the same.
    later = plain()[["time", "label"]].assign(time=stamps(7))
    csv(tmp_path, "lab/x.csv", later)
    assert main(["corpus", str(scored.parent), "--labels", str(beside.parent)]) == 2
    assert "which is too few" in capsys.readouterr().err


SECONDS = 1709251200 + 300 * np.arange(ROWS)
"""The same moments as `plain` has, as seconds since 1970."""


@pytest.mark.parametrize("own", [SECONDS * 1000, np.arange(ROWS)])
@pytest.mark.parametrize("is_first", [False, True])
def test_each_file_of_a_corpus_has_times_of_its_own_kind(capsys, tmp_path, own, is_first):
    kinds = {"a": own, "b": SECONDS} if is_first else {"a": SECONDS, "b": own}
    for name, times in kinds.items():
        csv(tmp_path, f"files/{name}.csv", plain().assign(time=times))
    out = tmp_path / "out.csv"
    call = ["corpus", str(tmp_path / "files"), "--threshold", "best", "--backend", "1"]
    assert main([*call, "--random", "0", "--out", str(out), *ON_CLOCK]) == 0
    capsys.readouterr()
    made = pd.read_csv(out).query("protocol == 'padf' and detector == 'model_a'")
    for name in kinds:
        alone = f1_by_evaluate(capsys, [tmp_path / "files" / f"{name}.csv"])
        assert made.set_index("series")["f1"][name] == alone["model_a"], name


def test_long_tables_take_windows_and_onsets(capsys, tmp_path):
    tall = csv(tmp_path, "tall.csv", long(plain()))
    onsets = tmp_path / "onsets.json"
    onsets.write_text(json.dumps({"tall": ["2024-03-01 05:30"]}))
    made, _ = pooled_by_corpus(capsys, tmp_path, [tall], "--onsets", onsets)
    assert dict(made) == f1_by_evaluate(capsys, [tall], "--onsets", onsets)
    # The same moment, one a line.
    lines = tmp_path / "onsets.txt"
    lines.write_text("2024-03-01 05:30\n")
    assert dict(pooled_by_corpus(capsys, tmp_path, [tall], "--onsets", lines)[0]) == dict(made)
    # Windows for each series of a wide table, which replace its labels.
    frame = several()
    windows = {
        name: [
            [str(own["time"].iloc[first]), str(own["time"].iloc[last])]
            for first, last in ((60, 79), (150, 155), (220, 259))
        ]
        for name, own in frame.groupby("machine")
    }
    said = tmp_path / "windows.json"
    said.write_text(json.dumps(windows))
    bare = csv(tmp_path, "bare.csv", frame.drop(columns="label"))
    full = csv(tmp_path, "full.csv", frame)
    expected, _ = pooled_by_corpus(capsys, tmp_path, [full], "--threshold", "common")
    made, _ = pooled_by_corpus(capsys, tmp_path, [bare], "--labels", said, "--threshold", "common")
    assert dict(made) == dict(expected)
    assert main(["corpus", str(bare), "--labels", str(tmp_path)]) == 2
    assert "labels for tables with several series must be windows" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--label", "--time", "--ignore", "--detector", "--low"])
def test_a_column_that_is_nowhere_is_refused(capsys, tmp_path, option):
    wide = csv(tmp_path, "wide.csv", plain())
    tall = csv(tmp_path, "tall.csv", long(plain()))
    for path in (wide, tall):
        for command in ("evaluate", "corpus"):
            assert main([command, str(path), option, "typo"]) == 2, (path, command)
            assert "'typo'" in capsys.readouterr().err


def test_training_rows_of_several_series(capsys, tmp_path):
    path = csv(tmp_path, "X_tr_100_1st_150.csv", several())
    made, said = pooled_by_corpus(capsys, tmp_path, [path], "--threshold", "common")
    evaluated = f1_by_evaluate(capsys, [path])
    assert dict(made) == {name: pytest.approx(f1, rel=1e-12) for name, f1 in evaluated.items()}
    assert "the first 100 are ignored" in said
    without = f1_by_evaluate(capsys, [path], "--skip", "0")
    assert without["model_a"] != evaluated["model_a"]


def test_training_rows_are_ignored_unless_thresholds_are_chosen_on_them(capsys, tmp_path):
    path = csv(tmp_path, "X_tr_100_1st_150.csv", plain())
    assert f1_by_evaluate(capsys, [path], "--train", "0.3") == f1_by_evaluate(capsys, [path])


@pytest.mark.parametrize("folder", ["labels", "truth"])
def test_scores_and_labels_in_files_of_one_column(capsys, tmp_path, folder):
    scored = tmp_path / "res" / "alg" / "p" / "col" / "a" / "1" / "anomaly_scores.ts"
    scored.parent.mkdir(parents=True)
    np.savetxt(scored, scores(1, 3))
    for write in (lambda path: np.savetxt(f"{path}.txt", labels(), fmt="%d"), None):
        beside = tmp_path / folder / "a"
        beside.parent.mkdir(exist_ok=True)
        if write:
            write(beside)
        else:
            beside.with_suffix(".txt").unlink()
            np.save(f"{beside}.npy", labels())
        made, _ = pooled_by_corpus(
            capsys, tmp_path, [tmp_path / "res"], "--labels", tmp_path / folder
        )
        file = next(beside.parent.iterdir())
        (evaluated,) = f1_by_evaluate(capsys, [scored], "--labels", file).values()
        assert made["alg"] == evaluated


def test_most_rows_may_repeat_a_time_and_the_clock_stays():
    # Three rows a minute, written to the minute: 300 rows last 100 minutes.
    frame = plain().assign(
        time=pd.Timestamp("2024-03-01") + pd.to_timedelta(np.arange(ROWS) // 3, "min")
    )
    series = padf.read_series(frame, order="keep")
    assert series.clock.step_seconds == pytest.approx(99 * 60 / 299)
    # 99 minutes from the first row to the last, which lasts as long as a usual step.
    assert series.days * 86400 == pytest.approx(99 * 60 + 99 * 60 / 299)


def test_a_clock_that_cannot_be_kept_is_said(capsys, tmp_path):
    frame = several().reset_index(drop=True)
    first, second = frame.index[frame["machine"] == "a"][[10, 11]]
    frame.loc[[first, second], "time"] = frame.loc[[second, first], "time"].to_numpy()
    path = csv(tmp_path, "s.csv", frame)
    assert main(["evaluate", str(path), "--order", "keep", *ON_CLOCK]) == 0
    assert "No clock in 1 of 2 series, because timestamps go back" in capsys.readouterr().err
    # A series that has a clock keeps it when it is read by itself.
    alone = padf.read_series(path, only="b", order="keep")
    assert alone.clock is not None


def test_each_file_of_a_corpus_has_words_of_its_own(capsys, tmp_path):
    csv(tmp_path, "files/a.csv", plain())
    words = plain().assign(label=np.where(labels() == 1, "yes", "no"))
    csv(tmp_path, "files/c.csv", words)
    made, _ = pooled_by_corpus(capsys, tmp_path, [tmp_path / "files"], "--threshold", "best")
    # Both files say the same, so what holds for one holds for both.
    (expected, _) = pooled_by_corpus(
        capsys, tmp_path, [tmp_path / "files" / "a.csv"], "--threshold", "best"
    )
    assert dict(made) == pytest.approx(dict(expected))


def test_detectors_of_a_long_table_may_stand_in_another_order(capsys, tmp_path):
    tall = long(plain())
    turned = tall[::-1].sort_values("model", kind="stable")
    path = csv(tmp_path, "tall.csv", turned)
    sort = ("--order", "sort")
    assert f1_by_evaluate(capsys, [path], *sort) == f1_by_evaluate(
        capsys, [csv(tmp_path, "wide.csv", plain())]
    )
    # A series in which a detector has no row is named.
    frame = long(several())
    some = frame[(frame["machine"] == "a") | (frame["model"] == "model_a")]
    path = csv(tmp_path, "some.csv", some)
    assert main(["evaluate", str(path)]) == 2
    assert "series b has no row of detector model_b" in capsys.readouterr().err


def test_a_corpus_says_what_it_guessed(capsys, tmp_path):
    csv(tmp_path, "files/x_tr_30_1.csv", ignored())
    csv(tmp_path, "files/y.csv", ignored())
    _, said = pooled_by_corpus(capsys, tmp_path, [tmp_path / "files"], "--threshold", "best")
    for line in (
        "label: label",
        "scores: model_a, model_b",
        "times: time",
        "ignored rows: ignored",
        "training rows (from the files' names): the first rows of 1 series are ignored",
    ):
        assert f"padf: {line}\n" in said
    # One entry under another name says nothing of two series.
    windows = tmp_path / "windows.json"
    windows.write_text(json.dumps({"y.csv": [["2024-03-01 05:00", "2024-03-01 06:00"]]}))
    call = ["corpus", str(tmp_path / "files"), "--labels", str(windows), "--threshold", "best"]
    assert main([*call, "--backend", "1"]) == 1
    assert "windows.json has no entry for it" in capsys.readouterr().err
    # It is used for a series that is alone, and both commands say so.
    alone = str(csv(tmp_path, "z.csv", plain().drop(columns="label")))
    for name in ("corpus", "evaluate"):
        assert main([name, alone, "--labels", str(windows)]) == 0
        assert "has one entry, for y.csv. It is used for" in capsys.readouterr().err


def windows_file(folder, name, frame, spans=((60, 79), (150, 155), (220, 259)), key=None):
    """Write windows of time, by default those of the labels."""
    times = frame["time"].tolist()
    path = folder / name
    path.write_text(json.dumps({key or "a.csv": [[times[i], times[j]] for i, j in spans]}))
    return path


def test_given_labels_win_over_windows_beside_them(capsys, tmp_path):
    frame = plain()
    scored = csv(tmp_path, "a.csv", frame[["time", "model_a"]])
    truth = csv(tmp_path, "l.csv", frame[["time", "label"]])
    wrong = windows_file(tmp_path, "w1.json", frame, ((10, 19),))
    right = windows_file(tmp_path, "w2.json", frame)
    whole = padf.read_series(frame[["time", "label", "model_a"]])
    for given in (truth, right):
        assert same_series(padf.read_series(scored, wrong, labels=given), whole)
        assert main(["evaluate", str(scored), str(wrong), "--labels", str(given)]) == 0
        assert "w1.json is not used" in capsys.readouterr().err
    with pytest.raises(TableError, match="both say where anomalies are; use only one of them"):
        padf.read_series(scored, wrong, right)
    moments = tmp_path / "moments.json"
    moments.write_text(json.dumps({"a.csv": [frame["time"][70]]}))
    assert same_series(padf.read_series(scored, moments, labels=truth), whole)


@pytest.mark.parametrize("anomaly", [None, "0", "False"])
def test_labels_as_true_and_false_beside_scores(capsys, tmp_path, anomaly):
    frame = plain()
    scored = csv(tmp_path, "sc/a.csv", frame[["time", "model_a"]])
    normal = pd.DataFrame({"time": stamps(), "is_normal": labels() == 0})
    # The label file lacks three rows, so its column has missing entries when rows are matched.
    beside = csv(tmp_path, "lab/a.csv", normal.iloc[3:])
    said = {} if anomaly is None else {"anomaly": anomaly}
    made = padf.read_series(scored, labels=beside, **said)
    assert same_series(made, padf.read_series(frame[["time", "label", "model_a"]].iloc[3:]))
    by_all, _ = pooled_by_corpus(
        capsys,
        tmp_path,
        [scored.parent],
        "--labels",
        beside.parent,
        *([] if anomaly is None else ["--anomaly", anomaly]),
    )
    assert by_all["model_a"] == made.detectors[0].best(padf.Settings(**CLOCK).protocols()[-1]).f1


def test_a_corpus_that_is_matched_by_time_keeps_its_options(capsys, tmp_path):
    odd = (np.arange(ROWS) % 7 == 0).astype(int)
    frame = plain()[["time", "model_a"]].assign(odd=odd).rename(columns={"time": "moment"})
    frame.insert(0, "recorded", pd.date_range("2023-01-01", periods=ROWS).astype(str))
    scored = csv(tmp_path, "sc/x.csv", frame)
    truth = plain()[["time", "label"]].rename(columns={"time": "moment"})
    beside = csv(tmp_path, "lab/x.csv", truth.iloc[::-1].iloc[:-1])
    said = ("--ignore", "odd", "--time", "moment")
    made, _ = pooled_by_corpus(capsys, tmp_path, [scored.parent], "--labels", beside.parent, *said)
    assert (
        made["model_a"]
        == f1_by_evaluate(capsys, [scored], "--labels", beside, *said, "--detector", "model_a")["x"]
    )


def test_the_word_for_an_anomaly_belongs_to_the_labels_that_have_it(tmp_path):
    frame = plain()
    whole = padf.read_series(frame[["time", "label", "model_a"]])
    words = np.where(labels() == 1, "Attack", "Normal")
    one = csv(tmp_path, "a.csv", frame[["time", "model_a"]].assign(label=words))
    windows = windows_file(tmp_path, "w.json", frame)
    assert same_series(padf.read_series(one, labels=windows, anomaly="Attack"), whole)
    turned = csv(tmp_path, "b.csv", frame[["time", "model_a"]].assign(is_normal=1 - labels()))
    windows = windows_file(tmp_path, "v.json", frame, key="b.csv")
    assert same_series(padf.read_series(turned, labels=windows, anomaly="0"), whole)
    with pytest.raises(TableError, match="no file has a label with the value 'Attack'"):
        padf.read_series(turned, labels=windows, anomaly="Attack")
    # 0 and 1 in one file, words in another: they say the same.
    bits = csv(tmp_path, "n.csv", frame[["time", "label"]])
    assert same_series(padf.read_series(one, bits, anomaly="Attack"), whole)
    with pytest.raises(TableError, match="holds Normal, Attack, none of which is 'nowhere'"):
        padf.read_series(csv(tmp_path, "short.csv", pd.read_csv(one).head(90)), anomaly="nowhere")


def test_an_anomaly_may_be_too_rare_to_be_looked_at(tmp_path):
    # One anomalous row among 60,000, where no row is looked at.
    rows, at = 60_000, 42_777
    words = np.full(rows, "Normal", dtype=object)
    words[at] = "Attack"
    rng = np.random.default_rng(1)
    one = csv(tmp_path, "a.csv", pd.DataFrame({"score": rng.random(rows).round(3)}))
    two = csv(tmp_path, "l.csv", pd.DataFrame({"label": words, "other": "x"}))
    assert "Attack" not in set(open_table(two).sample["label"])
    made = padf.read_series(one, labels=two, anomaly="Attack")
    assert np.flatnonzero(made.labels).tolist() == [at]


def test_training_rows_are_those_of_a_files_own_name(tmp_path):
    path = csv(tmp_path, "exp_tr_200_x/a.csv", plain())
    assert padf.read_series(path).counted == ROWS


def test_windows_of_one_series_are_not_those_of_another(capsys, tmp_path):
    for name in ("m-1", "m-1-1"):
        csv(tmp_path, f"files/{name}.csv", plain().drop(columns="label"))
    windows = windows_file(tmp_path, "w.json", plain(), key="m-1")
    call = ["corpus", str(tmp_path / "files"), "--labels", str(windows), "--backend", "1"]
    assert main([*call, "--threshold", "best", "--random", "0"]) == 1
    said = capsys.readouterr().err
    assert "skipped: " in said
    assert "m-1-1.csv: " in said
    assert "w.json has no entry for it" in said


def test_columns_that_are_left_out_of_a_join_are_told(tmp_path):
    frame = plain().assign(temperature=20.0 + np.arange(ROWS) % 5)
    scored = csv(tmp_path, "a.csv", frame.drop(columns="label"))
    beside = csv(tmp_path, "l.csv", plain()[["label", "model_b"]].rename(columns={"model_b": "x"}))
    made = open_files([Source.at(scored), Source.at(beside, holds_labels=True)])
    assert "temperature (named like a measured signal)" in " ".join(made.notices)
    assert any("l.csv has no timestamps: its rows are read in the order" in n for n in made.notices)


def test_nested_columns_are_no_scores(tmp_path):
    frame = plain().assign(embedding=[[1, 2]] * ROWS)
    frame.to_parquet(tmp_path / "nested.parquet")
    assert padf.read_series(tmp_path / "nested.parquet").names == ["model_a", "model_b"]
    rows = [{"a": [1, 2], "label": {"x": 1}}, {"a": 3}]
    (tmp_path / "nested.json").write_text(json.dumps(rows))
    with pytest.raises(TableError):
        padf.read_series(tmp_path / "nested.json")


def test_names_that_stand_in_several_files(tmp_path):
    frame = plain()
    whole = padf.read_series(frame[["time", "label", "model_a"]])
    # A score that is called like the label of another file.
    scored = csv(
        tmp_path, "sc.csv", frame[["time", "model_a"]].set_axis(["time", "target"], axis=1)
    )
    truth = csv(tmp_path, "l.csv", frame[["time", "label"]].set_axis(["time", "target"], axis=1))
    made = padf.read_series(scored, labels=truth, label="target", detectors="target")
    assert same_series(made, whole)
    # One name for a file and for a column of another file: both are meant.
    first = csv(
        tmp_path, "lof_x.csv", frame[["time", "model_a"]].set_axis(["time", "score"], axis=1)
    )
    second = csv(tmp_path, "b_x.csv", frame[["time", "model_b"]].set_axis(["time", "lof"], axis=1))
    made = padf.read_series(first, second, labels=truth, label="target", detectors="lof")
    assert made.names == ["lof", "b"]


def test_long_tables_beside_labels_are_named_by_their_own_columns(tmp_path):
    tall = long(plain()).drop(columns="label")
    truth = csv(tmp_path, "l.csv", plain()[["time", "label"]])
    whole = padf.read_series(plain())
    path = csv(tmp_path, "tall.csv", tall)
    assert same_series(padf.read_series(path, labels=truth, detectors="score"), whole)
    seeds = pd.concat([tall.assign(seed=seed, score=tall["score"] + seed) for seed in (0, 1)])
    path = csv(tmp_path, "seeds.csv", seeds.assign(label=np.tile(labels(), 4)))
    made = padf.read_series(path, low="model_a")
    assert {d.name for d in made.detectors if d.is_inverted} == {"model_a 0", "model_a 1"}


def test_series_may_be_numbers_in_one_file_and_texts_in_another(tmp_path):
    frame = several().assign(machine=lambda f: np.where(f["machine"] == "a", 1, 2))
    one = csv(tmp_path, "one.csv", frame[["machine", "time", "label", "model_a"]])
    texts = frame[["machine", "time", "model_b"]].astype({"machine": str})
    texts.to_parquet(tmp_path / "two.parquet", index=False)
    assert same_series(padf.read_series(one, tmp_path / "two.parquet"), padf.read_series(frame))


def test_a_frame_and_the_standard_input_take_labels_too(capsys, monkeypatch, tmp_path):
    truth = csv(tmp_path, "l.csv", plain()[["time", "label"]])
    frame = plain()[["time", "model_a"]]
    whole = padf.read_series(plain()[["time", "label", "model_a"]])
    assert same_series(padf.read_series(frame, labels=truth), whole)
    stdin = io.BytesIO(frame.to_csv(index=False).encode())
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(stdin))
    assert main(["evaluate", "-", "--labels", str(truth), "--json"]) == 0
    made = json.loads(capsys.readouterr().out)["results"]
    assert made[-1]["f1"] == whole.detectors[0].best(padf.PointAdjustDecay()).f1


def test_an_ignore_column_has_no_empty_entry(tmp_path):
    frame = ignored().astype({"ignored": float})
    frame.loc[5, "ignored"] = np.nan
    scored = csv(tmp_path, "a.csv", frame[["time", "model_a", "ignored"]])
    truth = csv(tmp_path, "l.csv", frame[["time", "label"]])
    with pytest.raises(TableError, match="row 6: labels must be 0 or 1; got nothing"):
        padf.read_series(scored, labels=truth, ignore="ignored")
