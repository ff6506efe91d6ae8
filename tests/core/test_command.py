"""The `padf` command: tables, JSON, and one clear line with exit code 2 on bad input."""

import gzip
import io
import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import padf_core
import padf_core as padf
from padf_core import Settings
from padf_core.__main__ import main
from padf_core.analysis.held_out import cross_fitted
from padf_core.io.guess import guess_options
from padf_core.io.open_table import open_table
from padf_core.io.read import series_from
from padf_ui.session.study import sample_study
from tests.strategies import FOUR

ROOT = Path(padf_core.__file__).parents[1]

ROWS = """time,label,quick,sure,flag
0,0,0.9,0.1,1
1,1,0.2,0.2,0
2,1,0.8,0.3,1
3,1,0.1,0.7,0
4,1,0.1,0.6,0
5,0,0.3,0.1,0
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text(ROWS)
    return str(path)


def columns(out):
    """The words of each row of a printed table, by the first."""
    return {line.split()[0]: line.split()[1:] for line in out.splitlines()}


def run(capsys, *arguments):
    try:
        code = main([str(argument) for argument in arguments])
    except SystemExit as stop:
        code = stop.code
    printed = capsys.readouterr()
    return code, printed.out, printed.err


def test_detections_by_hand(capsys, file):
    # flag: a segment of 4 hit at delay 1, one false alarm: 2/6, 8/9, 8/9 (25 % > 20 %), 7.2/8.6.
    code, out, err = run(capsys, "evaluate", file, "--label", "label", "--detector", "flag")
    assert (code, err) == (0, "padf: times: time\n")
    assert " ".join(out.splitlines()[0].split()).startswith(
        "F1 Point-wise PA PA%K (K = 20) PAdf (d = 0.9)"
    )
    assert columns(out)["flag"][:4] == ["0.333", "0.889", "0.889", "0.837"]
    note = "Detections as given. PAdf precision as in the paper's tables."
    assert out.splitlines()[-1] == note


def test_threshold_and_parameters_as_json(capsys, file):
    # quick >= 0.8 gives the same detections as flag. K = 25: not exceeded. equations: 7.2/(4+4+1).
    code, out, _ = run(
        capsys, "evaluate", file, "--label", "label", "--detector", "quick", "flag",
        "--threshold", "0.8", "--k", "25", "--precision", "equations", "--json",
    )  # fmt: skip
    assert code == 0
    answer = json.loads(out)
    assert (answer["k"], answer["decay"], answer["precision"]) == (25, 0.9, "equations")
    f1 = {(r["detector"], r["protocol"]): r["f1"] for r in answer["results"]}
    by_hand = {"pointwise": 2 / 6, "pa": 8 / 9, "pa_k": 2 / 6, "padf": 0.8}
    for name in ("quick", "flag"):
        assert {key: f1[name, key] for key in FOUR} == pytest.approx(by_hand)
    assert {r["threshold"] for r in answer["results"]} == {0.8}


def test_best_thresholds(capsys, file):
    # sure: 0.7 finds the segment with no false alarm (PA 1.0); 0.2 finds all of it with none,
    # at once (point-wise, PAdf 1.0).
    code, out, _ = run(capsys, "evaluate", file, "--label", "label", "--detector", "sure")
    assert code == 0
    assert columns(out)["sure"][:4] == ["1.000"] * 4
    assert columns(out)["at"][1:5] == ["0.2", "0.7", "0.7", "0.2"]


def test_gzip_parquet_and_other_separators_read_the_same(capsys, file, tmp_path):
    arguments = ("--label", "label", "--detector", "flag")
    expected = run(capsys, "evaluate", file, *arguments)[:2]
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(ROWS.encode()))
    (tmp_path / "b.csv").write_text(ROWS.replace(",", ";"))
    (tmp_path / "c.tsv").write_text("\ufeff" + ROWS.replace(",", "\t"), encoding="utf-8")
    pd.read_csv(file).to_parquet(tmp_path / "d.parquet")
    (tmp_path / "e.csv").write_text(ROWS.replace("time", "Störung"), encoding="latin-1")
    for name in ("a.csv.gz", "b.csv", "c.tsv", "d.parquet", "e.csv"):
        code, out, err = run(capsys, "evaluate", tmp_path / name, *arguments)
        assert (code, out) == expected
        # A column with another name is no longer known to hold the times.
        assert err == ("" if name == "e.csv" else "padf: times: time\n")


BAD_CALLS = [
    (["--label", "truth", "--detector", "flag"], "has no column 'truth'; its columns are 'time', "),
    (["--label", "label", "--detector", "nope"], "has no column 'nope'; its columns are 'time', "),
    (["--label", "time", "--detector", "flag"], "'time', row 3: labels must be 0 or 1; got 2"),
    (["--label", "label", "--detector", "flag", "--k", "0.2"], "got 0.2, which looks like a"),
    (["--label", "label", "--detector", "flag", "--decay", "2"], "decay must be above 0"),
    (["--label", "label", "--detector", "flag", "--k", "x"], "argument --k: invalid float value"),
    (["--label", "label", "--detector", "quick", "--threshold", "nan"], "got 'nan'"),
    (
        ["--label", "label", "--detector", "flag", "--low", "quick"],
        "'quick', which is not a detector",
    ),
    (["--label", "label", "--detector", "flag", "--precision", "exact"], "invalid choice"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD_CALLS, ids=[m for _, m in BAD_CALLS])
def test_a_bad_call_is_one_line_and_exit_code_2(capsys, file, arguments, message):
    code, out, err = run(capsys, "evaluate", file, *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def f1_of(capsys, *arguments):
    code, out, err = run(capsys, *arguments, "--json")
    assert code == 0
    assert [line for line in err.splitlines() if not line.startswith("padf: times: ")] == []
    return {(r["detector"], r["protocol"]): r["f1"] for r in json.loads(out)["results"]}


def test_every_parameter_reaches_the_protocols(capsys, file):
    flag = ("evaluate", file, "--label", "label", "--detector", "flag")
    assert f1_of(capsys, *flag, "--decay", "0.5")["flag", "padf"] == pytest.approx(4 / 7)
    assert f1_of(capsys, *flag, "--k", "25")["flag", "pa_k"] == pytest.approx(1 / 3)
    # twice the same detector is one row
    once = f1_of(capsys, *flag, "--detector", "flag")
    assert f1_of(capsys, *flag, "--detector", "flag", "flag") == once


def test_a_printed_best_threshold_gives_the_printed_score(capsys, tmp_path):
    # 1.3699064 rounds up to 1.36991: with six digits the best point itself would be missed.
    path = tmp_path / "s.csv"
    path.write_text("label,s\n1,1.3699064\n0,0.5\n")
    base = ("evaluate", path, "--label", "label", "--detector", "s")
    _, out, _ = run(capsys, *base)
    threshold = columns(out)["at"][2]
    assert f1_of(capsys, *base, f"--threshold={threshold}")["s", "pa"] == 1.0


def test_scores_equal_to_the_threshold_are_detections_and_lower_ones_are_not(capsys, tmp_path):
    path = tmp_path / "s.csv"
    path.write_text("label,s\n1,-0.001\n0,-0.00100000001\n")
    base = ("evaluate", path, "--label", "label", "--detector", "s")
    assert f1_of(capsys, *base, "--threshold=-1e-3")["s", "pointwise"] == 1.0


def test_infinite_thresholds_are_valid_json(capsys, tmp_path):
    path = tmp_path / "s.csv"
    path.write_text("label,s\n1,inf\n0,1\n")
    arguments = ("evaluate", path, "--label", "label", "--detector", "s", "--json")
    _, out, _ = run(capsys, *arguments)
    answer = json.loads(out, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
    assert {r["threshold"] for r in answer["results"]} == {"inf"}


def test_headers_as_people_write_them(capsys, tmp_path):
    path = tmp_path / "h.csv"
    path.write_text('"a,b,c"; label ; flag ;flag two\n1;0;1;0\n2; 1;0;1\n\n\n')
    # one false alarm and no hit; one hit and no false alarm; blank lines at the end do no harm
    f1 = f1_of(capsys, "evaluate", path, "--label", "label", "--detector", "flag", "flag two")
    assert (f1["flag", "pa"], f1["flag two", "pa"]) == (0.0, 1.0)


def test_whole_numbers_beyond_float_precision_are_refused_as_in_the_app(capsys, tmp_path):
    path = tmp_path / "n.csv"
    path.write_text(f"label,s\n0,{2**60}\n1,{2**60 + 1}\n")
    code, _, err = run(capsys, "evaluate", path, "--label", "label", "--detector", "s")
    assert code == 2
    assert "whole-number scores must be below 9,007,199,254,740,992 to be distinguishable" in err


def test_parquet_with_times_and_missing_values(capsys, tmp_path):
    path = tmp_path / "t.parquet"
    frame = pd.DataFrame(
        {
            "label": pd.array([0, 1], dtype="Int8"),
            "gap": pd.array([1, None], dtype="Int64"),
            "at": pd.to_datetime(["2024-01-01", "2024-01-02"]),
            "flag": [False, True],
        }
    )
    frame.to_parquet(path)
    base = ("evaluate", path, "--label", "label", "--detector")
    assert f1_of(capsys, *base, "flag")["flag", "pointwise"] == 1.0
    assert "has times, not numbers" in run(capsys, *base, "at")[2]
    assert "row 2: scores must be numbers; got nothing" in run(capsys, *base, "gap")[2]


BAD_FILES = [
    ("", "is empty or does not start with a header"),
    ("label,flag\n", "has no rows"),
    ("label,flag\n0,1\n1,\n", "'flag', row 2: scores must be numbers; got nothing"),
    ("label,flag\n0,1\n1,high\n", "'flag', row 2: scores must be numbers; got 'high'"),
    ("label,flag\n0,1\n,1\n", "'label', row 2: labels must be 0 or 1; got nothing"),
    ("label,flag\n0,1\n0.5,1\n", "'label', row 2: labels must be 0 or 1; got 0.5"),
    ("label,flag,flag\n0,1,1\n", "column 'flag' appears more than once"),
    ("label,flag\n0,1\n1,0,3,4\n", "more fields than its header or first row: line 3 has 4"),
    ("label,flag\n9,0,1\n9,1,0\n", "has rows with more fields than its header"),
    ("label,flag\n0,1\n\n1,0\n", "'label', row 2: labels must be 0 or 1; got nothing"),
    ("label,flag, flag\n0,1,1\n", "column 'flag' appears more than once"),
    (f"label,flag\n0,1{'0' * 400}\n", "scores must be numbers"),
    (b"\x80\x03\xff\xfe\x00label", "looks like a pickle, which can run code when it is opened"),
    (b"PK\x03\x04\x14\x00", "is an Excel workbook or a zip archive; save the table as CSV"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1", "is an Excel workbook; save the table as CSV"),
    (b"label,flag\n0,\x00\n", "is not a text file"),
]


@pytest.mark.parametrize(("content", "message"), BAD_FILES, ids=[m for _, m in BAD_FILES])
def test_a_bad_file_is_one_line_and_exit_code_2(capsys, tmp_path, content, message):
    path = tmp_path / "bad.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    code, out, err = run(capsys, "evaluate", path, "--label", "label", "--detector", "flag")
    assert (code, out) == (2, "")
    assert message in err
    assert str(path) in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("missing.csv", "cannot be opened as a file"),
        (".", "cannot be opened as a file"),
        ("fake.parquet", "cannot be read as a table"),
    ],
)
def test_a_file_that_is_not_there_or_not_what_it_says(capsys, tmp_path, name, message):
    (tmp_path / "fake.parquet").write_text("label,flag\n0,1\n")
    code, _, err = run(capsys, "evaluate", tmp_path / name, "--label", "l", "--detector", "d")
    assert code == 2
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.slow
def test_the_installed_package_brings_the_command_and_the_tables(tmp_path):
    """`pip install .` into an empty folder, then import and run from elsewhere."""
    root, source = Path(__file__).resolve().parents[2], tmp_path / "source"
    for folder in ("padf", "padf_core", "padf_ui", "pages", "sample_data", ".streamlit"):
        shutil.copytree(root / folder, source / folder)
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE", "app.py"):
        shutil.copy(root / name, source / name)
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation",
         "--no-index", "--target", str(tmp_path / "site"), str(source)],
        check=True,
    )  # fmt: skip
    script = (
        "from padf_core.paper.published import published_table;"
        "import padf; print(len(published_table('table6')), padf.__file__, padf.PointAdjust())"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path, env={"PYTHONPATH": str(tmp_path / "site")}, check=True, capture_output=True,
        text=True,
    )  # fmt: skip
    rows, where, protocol = done.stdout.split()
    assert protocol == "PointAdjust()"
    assert rows == "35"
    assert where.startswith(str(tmp_path))
    command = subprocess.run(
        [tmp_path / "site" / "bin" / "padf", "--version"],
        cwd=tmp_path, env={"PYTHONPATH": str(tmp_path / "site")}, check=True, capture_output=True,
        text=True,
    )  # fmt: skip
    assert command.stdout == f"padf {padf_core.__version__}\n"


# ---- files as they come --------------------------------------------------------------------------


def nab_like(path, size=300):
    rng = np.random.default_rng(0)
    labels = (np.arange(size) % 60 >= 40).astype(int)
    pd.DataFrame(
        {
            "timestamp": pd.date_range("2024-01-01", periods=size, freq="5min"),
            "value": 50 * rng.random(size),
            "anomaly_score": np.round(rng.random(size) + 0.3 * labels, 6),
            "label": labels,
            "S(t)_standard": 0.1 * labels,
        }
    ).to_csv(path, index=False)
    return path


def test_roles_are_guessed_as_in_the_app_and_told_on_the_side(capsys, tmp_path):
    path = nab_like(tmp_path / "nab.csv")
    code, out, err = run(capsys, "evaluate", path, "--json")
    assert code == 0
    assert {r["detector"] for r in json.loads(out)["results"]} == {"anomaly_score"}
    assert err.splitlines() == [
        "padf: label: label",
        "padf: detectors: anomaly_score",
        "padf: left out: S(t)_standard (derived from the labels by NAB's scorer)",
        "padf: times: timestamp",
        "padf: signal: value",
    ]


def test_zeros_and_ones_are_detections_under_every_rule(capsys, file):
    flag = ("evaluate", file, "--label", "label", "--detector", "flag")
    assert f1_of(capsys, *flag, "--threshold", "best") == f1_of(capsys, *flag)
    assert f1_of(capsys, *flag, "--threshold", "1") == f1_of(capsys, *flag)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (["--best"], ["--threshold", "best"], "--best is now --threshold best"),
        (["--held-out"], ["--threshold", "segments"], "--held-out is now --threshold segments"),
        (["--held-out", "first"], ["--threshold", "first"], "--held-out is now --threshold"),
        (["--budget", "5"], ["--threshold", "budget:5"], "--budget is now --threshold budget:N"),
        (["--gaps", "quiet"], ["--missing", "quiet"], "--gaps is now --missing"),
        (["--score", "steady"], ["--detector", "steady"], "--score is now --detector"),
        (["--most", "3"], ["--probation-most", "3"], "--most is now --probation-most"),
    ],
)
def test_options_under_their_old_names_work_and_say_the_new_ones(capsys, old, new, said):
    sample = ROOT / "sample_data" / "pump.csv"
    code, out, err = run(capsys, "evaluate", sample, *old)
    assert (code, err.count(said)) == (0, 1)
    assert run(capsys, "evaluate", sample, *new)[1] == out


def test_the_standard_input_is_read(capsys, tmp_path, monkeypatch):
    content = nab_like(tmp_path / "nab.csv").read_bytes()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
    code, out, _ = run(capsys, "evaluate", "-", "--json")
    from_pipe = json.loads(out)
    _, out, _ = run(capsys, "evaluate", tmp_path / "nab.csv", "--json")
    assert (code, from_pipe["file"]) == (0, "standard input")
    assert from_pipe["results"] == json.loads(out)["results"]


def test_a_closed_pipe_is_no_error(tmp_path):
    path = nab_like(tmp_path / "nab.csv")
    line = f"'{sys.executable}' -m padf_core evaluate '{path}' --best --format csv 2>errors | true"
    done = subprocess.run(["sh", "-c", line], cwd=tmp_path, env={"PYTHONPATH": str(ROOT)})
    assert done.returncode == 0
    assert "Traceback" not in (tmp_path / "errors").read_text()
    assert "Broken pipe" not in (tmp_path / "errors").read_text()


def test_csv_and_latex(capsys, tmp_path):
    path = nab_like(tmp_path / "nab.csv")
    base = ("evaluate", path, "--detector", "anomaly_score")
    _, out, _ = run(capsys, *base, "--json")
    wanted = json.loads(out)["results"]
    _, out, _ = run(capsys, *base, "--format", "csv")
    rows = pd.read_csv(io.StringIO(out)).to_dict("records")
    oracle = "best thresholds, tuned on these labels (oracle)"
    assert [row.pop("conditions") for row in rows] == [oracle] * len(rows)
    assert rows == wanted
    _, out, _ = run(capsys, *base, "--format", "latex")
    assert oracle.capitalize() in out
    assert r"anomaly\_score & " in out
    assert " & ".join(f"{row['f1']:.3f}" for row in wanted) in out
    assert out.count(r"\begin{tabular}{lrrrr}") == out.count(r"\end{tabular}") == 1


@pytest.mark.parametrize(
    ("options", "conditions"),
    [
        ([], "best thresholds, tuned on these labels (oracle)"),
        (["--skip", "10"], "best thresholds, tuned on these labels (oracle); 10 rows"),
        (["--threshold", "segments"], "thresholds chosen on other segments (held out)"),
        (["--threshold", "first"], "thresholds chosen on the first half, scores of the second"),
        (["--threshold", "0.9"], "a given threshold"),
        (["--threshold", "0.9", "--wait", "2"], "a given threshold, alert rule with wait 2 and"),
        (["--threshold", "budget:5"], "thresholds for at most 5 false alarms per day"),
    ],
)
def test_every_result_says_under_which_conditions_it_holds(capsys, tmp_path, options, conditions):
    path = nab_like(tmp_path / "nab.csv")
    base = ("evaluate", path, "--detector", "anomaly_score", *options)
    _, out, _ = run(capsys, *base, "--json")
    assert json.loads(out)["conditions"].startswith(conditions)
    _, out, _ = run(capsys, *base)
    assert out.splitlines()[-1].lower().startswith(conditions)


def test_a_best_threshold_that_flags_everything_is_told(capsys, tmp_path):
    """Four of five points are anomalous and have the lower scores: flagging all is best, 8/9."""
    path = tmp_path / "x.csv"
    rows = ["label,a"] + [f"{int(t % 5 > 0)},{0.3 if t % 5 else 0.9}" for t in range(50)]
    path.write_text("\n".join(rows))
    _, out, err = run(capsys, "evaluate", path, "--detector", "a", "--json")
    best = json.loads(out)["results"][0]
    assert (best["flagged"], best["f1"]) == (1, pytest.approx(8 / 9))
    assert "padf: Under Point-wise, this best threshold flags everything: a." in err


def test_several_files_are_joined(capsys, tmp_path):
    names = []
    for name, seed in (("quick", 1), ("slow", 2)):
        path = tmp_path / f"{name}_pump.csv"
        scores = np.random.default_rng(seed).random(50)
        labels = (np.arange(50) > 40).astype(int)
        pd.DataFrame({"label": labels, "score": scores}).to_csv(path, index=False)
        names.append(path)
    code, out, err = run(capsys, "evaluate", *names, "--json")
    assert code == 0
    assert {r["detector"] for r in json.loads(out)["results"]} == {"quick", "slow"}
    assert "padf: detectors: quick, slow" in err


def test_files_with_other_times_are_matched_and_told(capsys, tmp_path):
    # quick speaks at minutes 0 to 4, slow at 1 to 5; minutes 2 and 3 are anomalous.
    rows = {"quick": (0, "0 1 1 0 1"), "slow": (1, "0 1 1 0 1")}
    labels = dict(enumerate((0, 0, 1, 1, 0, 0)))
    paths = []
    for name, (first, flags) in rows.items():
        path = tmp_path / f"{name}.csv"
        lines = [
            f"2024-06-10 00:0{first + n},{labels[first + n]},{flag}"
            for n, flag in enumerate(flags.split())
        ]
        path.write_text("\n".join(["time,label,alarm", *lines]))
        paths.append(path)
    code, _, err = run(capsys, "evaluate", *paths)
    assert code == 2
    assert "matched by time: 4 of 6 rows are in all of them" in err
    assert f"quick.csv has no row for 2024-06-10 00:05:00 (row 5 of {paths[1]})" in err
    assert "got nothing; use --missing quiet, ignore or drop" in err
    # At minutes 1 to 4 quick flags 1, 2 and 4: one hit, one miss, two false alarms: F1 2/5.
    # slow flags 2 and 3, which is all there is.
    _, out, _ = run(capsys, "evaluate", *paths, "--missing", "ignore", "--json")
    f1 = [r["f1"] for r in json.loads(out)["results"] if r["protocol"] == "pointwise"]
    assert f1 == [pytest.approx(0.4), 1]


def test_rows_of_several_series_and_rows_that_do_not_count(capsys, tmp_path):
    path = tmp_path / "s.csv"
    path.write_text(
        "machine,label,flag,skipped\na,0,1,1\na,1,1,0\na,1,0,0\nb,1,0,0\nb,1,0,0\nb,0,0,0\n"
    )
    base = ("evaluate", path, "--label", "label", "--detector", "flag")
    # Two segments of two, one found, no false alarm that counts: P 1, R 1/2.
    f1 = f1_of(capsys, *base, "--series-column", "machine", "--ignore", "skipped")
    assert f1["flag", "pa"] == pytest.approx(2 / 3)
    # By itself: a, whose only segment is found, with one false alarm.
    one = f1_of(capsys, *base, "--series-column", "machine", "--only", "a")
    assert one["flag", "pa"] == pytest.approx(0.8)


def test_an_upside_down_score_is_told_and_can_be_turned(capsys, tmp_path):
    path = nab_like(tmp_path / "nab.csv", 3000)
    frame = pd.read_csv(path)
    frame["anomaly_score"] = 1 - frame["anomaly_score"]
    frame.to_csv(path, index=False)
    code, _, err = run(capsys, "evaluate", path)
    assert code == 0
    assert "anomaly_score ranks normal points above anomalous ones" in err
    code, _, err = run(capsys, "evaluate", path, "--low", "anomaly_score")
    assert "ranks normal points" not in err


@pytest.mark.parametrize("key", ["pump", "nab_taxi"])
def test_the_app_and_the_command_give_the_same_numbers(capsys, key):
    study = sample_study(key, Settings())
    roles = study.origin.roles
    _, out, _ = run(capsys, "evaluate", ROOT / "sample_data" / f"{key}.csv", "--json")
    found = {(r["detector"], r["protocol"]): r for r in json.loads(out)["results"]}
    assert len(found) == 4 * len(roles.detectors)
    for detector in study.series.detectors:
        for protocol in Settings().protocols():
            best = detector.best(protocol)
            row = found[detector.name, protocol.key]
            assert (row["threshold"], row["f1"]) == (best.threshold, best.f1)


def test_what_should_be_known_is_said_as_in_the_app(capsys, tmp_path):
    path = tmp_path / "s.csv"
    # One row a minute inside the incident, else every five minutes.
    minutes = [0, 5, 10, 15, 16, 17, 18, 23, 28, 33]
    rows = [f"2024-06-10 00:{m:02d},{int(15 <= m <= 18)},0.{m:02d}" for m in minutes]
    path.write_text("\n".join(["time,label,score", *rows]))
    _, _, err = run(capsys, "evaluate", path)
    assert "inside segments the median step is 1 min, outside 5 min" in err
    path.write_text("label,score\n" + "1,0.9\n" * 36 + "0,0.1\n" * 24)
    _, _, err = run(capsys, "evaluate", path)
    assert "60 % of all points are labelled 1. Does 1 mean normal here?" in err
    path.write_text("label,score\n" + "0,0.9\n0,0.1\n")
    _, _, err = run(capsys, "evaluate", path)
    assert "there is nothing to detect" in err


@pytest.mark.parametrize(
    ("content", "hint"),
    [
        (
            "label,score\n-1,0.9\n1,0.1\n1,0.2\n",
            "use --anomaly to say which one means an anomaly",
        ),
        ("time,label,score\n2024-01-02,1,0.9\n2024-01-01,0,0.1\n", "; use --order keep, sort"),
        ("label,score\n1,\n0,0.1\n1,0.3\n", "; use --missing quiet, ignore or drop"),
    ],
)
def test_what_the_app_would_ask_names_its_option(capsys, tmp_path, content, hint):
    path = tmp_path / "s.csv"
    path.write_text(content)
    code, _, err = run(capsys, "evaluate", path)
    assert code == 2
    assert hint in err


def test_thresholds_without_hindsight_and_from_a_budget(capsys):
    sample = str(ROOT / "sample_data" / "pump.csv")
    series = series_from(open_table(sample), guess_options(open_table(sample)))
    assert main(["evaluate", sample, "--threshold", "segments", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)["results"]
    wanted = [each for row in cross_fitted(series, Settings().protocols()) for each in row]
    assert [(r["f1"], r["precision"]) for r in printed] == [(e.f1, e.precision) for e in wanted]
    assert main(["evaluate", sample, "--threshold", "budget:0.5", "--json"]) == 0
    for row in json.loads(capsys.readouterr().out)["results"]:
        calls = series.detector(row["detector"]).pattern(float(row["threshold"])).false_runs
        assert calls <= 0.5 * series.days


MOMENTS = {
    "nab.json": json.dumps({"group/rows.csv": ["2024-01-01 00:30:00"], "group/x.csv": ["2020"]}),
    "times.json": '["2024-01-01 00:30"]',
    "between.txt": "2024-01-01 00:25:01\n",
    "rows.txt": "3\n",
    "rows.json": "[3]",
}


@pytest.mark.parametrize("name", MOMENTS)
def test_onsets_come_from_a_file_of_moments(capsys, tmp_path, name):
    # The window lasts from row 1 to 4, ten minutes a row; the moment is row 3, half an hour in.
    rows = tmp_path / "rows.csv"
    times = [f"2024-01-01 00:{10 * at:02}:00" for at in range(6)]
    labels, scores = [0, 1, 1, 1, 1, 0], [0.1, 0.2, 0.1, 0.9, 0.3, 0.1]
    frame = pd.DataFrame({"timestamp": times, "score": scores, "label": labels})
    frame.to_csv(rows, index=False)
    (tmp_path / name).write_text(MOMENTS[name])
    call = ("evaluate", rows, "--threshold", "0.5", "--json")
    code, out, err = run(capsys, *call, "--onsets", tmp_path / name)
    assert code == 0, err
    printed = json.loads(out)["results"]
    protocols = Settings().protocols()
    wanted = padf.evaluate_all(labels, [s >= 0.5 for s in scores], protocols, onset=AT_THREE)
    assert [row["f1"] for row in printed] == [each.f1 for each in wanted]
    assert printed != json.loads(run(capsys, *call)[1])["results"]


AT_THREE = padf.Onset(moments=(3,))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"other.csv": ["2024-01-01"], "third.csv": []}', "has no entry for rows.csv"),
        ('[["2024-01-01", "2024-01-02"]]', "must have moments"),
        ('["2031-01-01"]', "2031-01-01 is after the last row"),
        ("[77]", "is outside rows 0 to 2"),
        ('["soon"]', "a time must be written as"),
        ("{", "is not valid JSON"),
    ],
)
def test_moments_that_cannot_be_taken_are_told(capsys, tmp_path, content, said):
    rows, moments = tmp_path / "rows.csv", tmp_path / "moments.json"
    rows.write_text("timestamp,score,label\n2024-01-01,1,0\n2024-01-02,3,1\n2024-01-03,2,1\n")
    moments.write_text(content)
    code, _, err = run(capsys, "evaluate", rows, "--onsets", moments)
    assert code == 2
    assert said in err
    moments.write_text("[0]")
    call = ("evaluate", rows, "--onsets", moments)
    assert "--onsets and --shift both set" in run(capsys, *call, "--shift", "1")[2]
    assert "1 of 1 moments are outside all segments, the first at row 0" in run(capsys, *call)[2]
    assert "cannot be opened as a file" in run(capsys, *call[:-1], tmp_path / "none.json")[2]


def test_a_k_below_one_percent(capsys):
    sample = ROOT / "sample_data" / "pump.csv"
    call = ("evaluate", sample, "--json", "--k", "0.5")
    code, _, err = run(capsys, *call)
    assert code == 2
    assert "unless below_one is set" in err
    code, out, _ = run(capsys, *call, "--below-one")
    frame = pd.read_csv(sample)
    for row in json.loads(out)["results"]:
        if row["protocol"] == "pa_k":
            protocol = padf.PointAdjustK(0.5, fractional_percent=True)
            (best,) = padf.best_f1(frame["label"], frame[row["detector"]], [protocol])
            assert row["f1"] == best.f1


def test_thresholds_chosen_on_other_series(capsys, tmp_path):
    # Two series: at the threshold 5 of b nothing of a is found (its segment scores 3), and at 3 of
    # a all of b's segment but one false alarm (4): eTP 1, FP 1, FN 1, F1 = 2/4.
    path = tmp_path / "two.csv"
    path.write_text(
        "machine,label,score\na,0,1\na,1,3\na,0,2\nb,0,4\nb,1,5\nb,0,0\n", encoding="utf-8"
    )
    call = (
        "evaluate",
        path,
        "--label",
        "label",
        "--detector",
        "score",
        "--series-column",
        "machine",
    )
    code, out, _ = run(capsys, *call, "--threshold", "others", "--json")
    assert code == 0
    assert {row["f1"] for row in json.loads(out)["results"] if row["protocol"] == "pointwise"} == {
        0.5
    }
    sample = ROOT / "sample_data" / "pump.csv"
    code, _, err = run(capsys, "evaluate", sample, "--threshold", "others")
    assert code == 2
    assert "there is only one series" in err


def test_onsets_and_needs_on_the_clock(capsys):
    sample = str(ROOT / "sample_data" / "pump.csv")
    call = ["evaluate", sample, "--json"]
    frame = pd.read_csv(sample)
    need = ["--measure", "clock", "--shape", "half_life", "--decay", "3600", "--grace", "1200"]
    onset = ["--shift=-2", "--early", "1200s", "--early-alarms", "nothing"]
    assert main([*call, *need, *onset]) == 0
    printed = json.loads(capsys.readouterr().out)["results"]
    # Ten minutes a row: 1200 s are two rows, an hour is six.
    protocol = padf.PointAdjustDecay(padf.HalfLifeDecay(6), grace=2)
    moved = padf.Onset(-2, early=2, early_alarms="nothing")
    for row in printed:
        if row["protocol"] == "padf":
            scores = frame[row["detector"]]
            (best,) = padf.best_f1(frame["label"], scores, [protocol], onset=moved)
            assert row["f1"] == pytest.approx(best.f1, rel=1e-12)
    with pytest.raises(SystemExit) as ended:
        main([*call, "--shift", "soon"])
    assert ended.value.code == 2
    assert "must be a number of rows, 600s or 50%" in capsys.readouterr().err


def test_an_alert_rule_waits_and_keeps_quiet(capsys, file):
    # sure is at least 0.2 at 1 to 4: two points in a row ring first at 2, one step late, and with
    # a cool-down of five no more. One hit of four and no false alarm: 2/5, 1, 1 (25 % > 20 %) and
    # credit 0.9, so 1.8/1.9.
    rule = ("--threshold", 0.2, "--wait", 2, "--cooldown", 5)
    code, out, _ = run(capsys, "evaluate", file, "--detector", "sure", *rule)
    assert code == 0
    assert columns(out)["sure"] == ["0.400", "1.000", "1.000", "0.947"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--wait", 2), "--wait and --cooldown need a number as --threshold, or detections"),
        (("--threshold", "segments", "--cooldown", 2), "--wait and --cooldown need a number"),
        (("--threshold", 0.5, "--wait", 0), "wait must be a whole number of points from 1"),
    ],
)
def test_an_alert_rule_that_cannot_be_is_one_line(capsys, file, arguments, message):
    code, out, err = run(capsys, "evaluate", file, "--detector", "sure", *arguments)
    assert (code, out) == (2, "")
    assert message in err
