"""Every example runs as it is, and says what is true."""

import json
import runpy
import sys

import pandas as pd

import padf_core as padf
from padf_core.io.samples import sample_folder
from tests.browser.server import ROOT

EXAMPLES = ROOT / "examples"


def run(name, *arguments, monkeypatch):
    monkeypatch.setattr(sys, "argv", [name, *map(str, arguments)])
    return runpy.run_path(str(EXAMPLES / name), run_name="__main__")


def test_every_example_is_listed_and_run_here():
    files = {path.name for path in EXAMPLES.iterdir() if path.suffix in (".py", ".ipynb")}
    listed = (EXAMPLES / "README.md").read_text()
    here = (ROOT / "tests" / "test_examples.py").read_text()
    assert all(f"`{name}`" in listed and f'"{name}"' in here for name in files)


def test_the_evaluation_of_a_paper(monkeypatch, capsys):
    run("paper_evaluation.py", monkeypatch=monkeypatch)
    out = capsys.readouterr().out
    frame = pd.read_csv(sample_folder() / "pump.csv")
    for name in ("quick_noisy", "slow_sure", "steady", "random"):
        best = padf.sweep(frame["label"], frame[name], padf.PointAdjust()).best.f1
        line = next(each for each in out.splitlines() if each.startswith(f"{name:<16}PA "))
        assert line.split()[-2] == f"{best:.3f}"
        assert float(line.split()[-1]) <= float(line.split()[-2])
    assert r"quick\_noisy & " in out


def test_a_grid_search(monkeypatch, capsys):
    run("grid_search.py", monkeypatch=monkeypatch)
    lines = capsys.readouterr().out.splitlines()
    assert [line[:7] for line in lines] == ["d = 0.9", "d = 0.5"]


def test_a_gate_for_ci(monkeypatch, capsys, tmp_path):
    gate = runpy.run_path(str(EXAMPLES / "regression_gate.py"))["main"]
    frame = pd.read_csv(sample_folder() / "pump.csv")
    good, bad, baseline = (tmp_path / name for name in ("good.csv", "bad.csv", "baseline.json"))
    frame.to_csv(good, index=False)
    frame.assign(quick_noisy=frame["random"]).to_csv(bad, index=False)
    assert gate([str(good), str(baseline), "--write"]) == 0
    was = json.loads(baseline.read_text())
    assert (
        was["slow_sure"]
        == padf.sweep(frame["label"], frame["slow_sure"], padf.PointAdjustDecay()).best.f1
    )
    assert gate([str(good), str(baseline)]) == 0
    assert gate([str(bad), str(baseline), "--most", "0.05"]) == 1
    said = capsys.readouterr().out.splitlines()[-1]
    assert said.startswith(f"quick_noisy fell from {was['quick_noisy']:.3f} to {was['random']:.3f}")
    assert gate([str(tmp_path / "none.csv"), str(baseline)]) == 2
    frame.drop(columns="steady").to_csv(bad, index=False)
    assert gate([str(bad), str(baseline)]) == 1
    assert "steady is gone" in capsys.readouterr().out


def test_choosing_a_decay(monkeypatch, capsys):
    run("choose_decay.py", monkeypatch=monkeypatch)
    lines = capsys.readouterr().out.splitlines()
    # Half after 30 of one-minute steps: d is the thirtieth root of 1/2.
    assert lines[0].endswith(f"d = {0.5 ** (1 / 30):.3f}")
    assert ["quick_noisy" in line for line in lines[1:]] == [True, True, False, False, False]


def test_a_notebook():
    cells = json.loads((EXAMPLES / "first_look.ipynb").read_text())["cells"]
    space: dict = {}
    for cell in cells:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), space)
            assert cell["outputs"] == []
    # The paper's second toy case, Table 1.
    assert list(space["scores"].values()) == [0.222, 0.933, 0.222, 0.881]
    pa, decayed = space["falling"]
    assert set(pa) == {0.933}
    assert decayed == sorted(decayed, reverse=True)
    assert set(space["made"].to_frame()["detector"]) >= set(space["detectors"])
