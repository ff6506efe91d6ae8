"""Every command and every program in README and docs runs, as it is written there."""

import re
import shlex

import numpy as np
import pandas as pd
import pytest

from docs import build
from padf_core.__main__ import main
from padf_core.cli.main import build_parser
from padf_core.io.samples import sample_folder
from tests.browser.server import ROOT
from tests.core.corpus_files import write_nab

NO_COMMANDS = ("benchmarks/RESULTS.md", "docs/api.md")
"""Their blocks hold what the benchmarks printed, and signatures."""
TEXTS = {place: text for place, text in build.texts().items() if place not in NO_COMMANDS}
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINES = [
    (place, line)
    for place, text in TEXTS.items()
    for language, block in BLOCK.findall(text)
    if not language
    for line in block.splitlines()
]
COMMANDS = {
    (place, line.partition("padf ")[2].removesuffix(" &"))
    for place, line in LINES
    if re.match(r"(\w+=\S+ )*padf ", line)
}
PROGRAMS = [
    (place, block)
    for place, text in TEXTS.items()
    for language, block in BLOCK.findall(text)
    if language == "python" and ">>>" not in block
]
ELSEWHERE = {"pip", "docker", "nginx", "make", "padf", "streamlit"}
"""Programs that documented lines may begin with; `release_check` tries pip."""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the files that the commands name."""
    write_nab(tmp_path)
    (tmp_path / "sample_data").symlink_to(sample_folder())
    labels = [0] * 8 + [1] * 4 + [0] * 8
    rng = np.random.default_rng(0)
    times = pd.date_range("2014-07-01", periods=len(labels), freq="30min").astype(str)
    for name in ("numenta", "random"):
        frame = pd.DataFrame({"timestamp": times, "anomaly_score": rng.random(len(labels))})
        frame.to_csv(tmp_path / f"{name}_nyc_taxi.csv", index=False)
    windows = f'{{"realKnownCause/nyc_taxi.csv": [["{times[8]}", "{times[11]}"]]}}'
    (tmp_path / "combined_windows.json").write_text(windows)
    alarms = rng.integers(0, 2, len(labels))
    pd.DataFrame({"label": labels, "alarm": alarms}).to_parquet(tmp_path / "scores.parquet")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(("place", "command"), sorted(COMMANDS))
def test_a_documented_command_runs(folder, capsys, place, command):
    arguments = shlex.split(command)
    if arguments[0] == "app":  # `test_release` serves it.
        assert build_parser().parse_args(arguments).command == "app"
        return
    assert main(arguments) == 0, (place, capsys.readouterr().err)
    assert capsys.readouterr().out.strip()


@pytest.mark.slow
@pytest.mark.parametrize(("place", "program"), PROGRAMS, ids=[place for place, _ in PROGRAMS])
def test_a_documented_program_runs(folder, place, program):
    exec(compile(program, place, "exec"), {"__name__": "documented"})


def test_every_sample_is_evaluated_by_the_command(capsys):
    for path in sorted(sample_folder().glob("*.csv")):
        assert main(["evaluate", str(path)]) == 0, (path, capsys.readouterr().err)


def test_every_documented_target_and_program_is_known():
    assert {line.split()[0] for _, line in LINES if re.match(r"[a-z]\w* \S", line)} <= ELSEWHERE
    targets = set(re.findall(r"^([a-z][\w-]*):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    told = {
        target for text in TEXTS.values() for target in re.findall(r"`make ([a-z][\w-]*)", text)
    } | {line.split()[1] for _, line in LINES if line.startswith("make ")}
    assert told <= targets
    assert {"run", "test", "quick"} <= told
