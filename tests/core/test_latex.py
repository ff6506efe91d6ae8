"""LaTeX tables: names can do no harm in them, and they compile."""

import re
import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from padf_core.io.latex import latex_table, latex_text
from tests.hostile import HOSTILE

NAMES = [*HOSTILE, "[x]", "* star", '"said"', "Zoë ß ł", "µ ± …", "emoji 🙂", "a^b~c|d<e>"]
KNOWN = r"\\(?:text(?:backslash|asciitilde|asciicircum|less|greater|bar)|ldots)\{\}"
KNOWN += r"|\\ensuremath\{\\(?:mu|pm)\}|\\[{}$&#%_]|\{[\[\]*]\}"


@given(st.text())
def test_what_is_left_of_a_name_is_no_command(name):
    rest = re.sub(KNOWN, "", latex_text(name))
    assert not re.search(r"[\\{}$&#%_^~<>|\"\[\]*\n\r\t]", rest)
    assert all(character.isascii() or len(character.encode()) == 2 for character in rest)


def test_a_table_has_its_parts_in_order():
    text = latex_table(["Detector", "PA", "PAdf"], [[["a", "1", "2"]], [["b", "3", "4"]]], "c", "t")
    lines = text.splitlines()
    order = [r"\begin{table}", r"\caption{c}", r"\label{t}", r"\begin{tabular}{lrr}", r"\toprule"]
    order += [r"Detector & PA & PAdf \\", r"\midrule", r"a & 1 & 2 \\", r"\midrule"]
    order += [r"b & 3 & 4 \\", r"\bottomrule", r"\end{tabular}", r"\end{table}"]
    assert [line for line in lines if line in order] == order


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="there is no pdflatex here")
def test_a_table_compiles_with_any_names(tmp_path):
    rows = [[name, "0.123", r"\textbf{0.456}"] for name in NAMES]
    random = [["Random detector", r"$0.1 \pm 0.2$", "0.3"]]
    table = latex_table(
        ["Detector", "PA%K (K = 20)", "PAdf"], [rows, random], "100 % & more", "t:a"
    )
    (tmp_path / "t.tex").write_text(
        rf"\documentclass{{article}}\begin{{document}}{table} See \ref{{t:a}}.\end{{document}}",
        encoding="utf-8",
    )
    call = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "t.tex"]
    done = subprocess.run(call, cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-1500:]
    assert r"\newlabel{t:a}{{1}" in (tmp_path / "t.aux").read_text()
    assert (tmp_path / "t.pdf").stat().st_size > 1000
