"""Imports go one way, and each "only place" rule holds."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LAYERS = ["padf_core", "padf_ui", "pages", "app"]
"""From the bottom up: each may import itself and those before it."""


def files_of(layer):
    return [ROOT / "app.py"] if layer == "app" else sorted((ROOT / layer).rglob("*.py"))


ALL_FILES = [(layer, path) for layer in LAYERS for path in files_of(layer)]
IDS = [str(path.relative_to(ROOT)) for _, path in ALL_FILES]


def imports_of(source):
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield node.module


def tops_of(source):
    return {name.partition(".")[0] for name in imports_of(source)}


def names_in(source):
    """Every identifier and attribute that code mentions, without strings and comments."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Name):
            yield node.id


def problems(layer, path, source):
    """What in this file breaks a rule of the tree."""
    found = []
    tops = tops_of(source)
    names = set(names_in(source))
    above = set(LAYERS[LAYERS.index(layer) + 1 :])
    found += [f"{layer} imports {name}, which is above it" for name in sorted(tops & above)]
    if layer == "padf_core":
        found += [f"the core imports {name}" for name in sorted(tops & {"streamlit", "plotly"})]
        if "pandas" in tops and path.name not in PANDAS_FILES:
            found.append("pandas is only for files that read or write tables")
    if layer == "padf_ui" and "figures" in path.parts and "streamlit" in tops:
        found.append("a figure imports streamlit")
    if layer in ("pages", "app"):
        tree = ast.walk(ast.parse(source))
        definitions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
        if any(isinstance(node, definitions) for node in tree):
            found.append("a page defines a function or class")
        if "unsafe_allow_html" in source or re.search(r"</?[a-z]+[ />]", source):
            found.append("a page writes HTML")
    if (layer, path.name) != ("padf_ui", "state.py"):
        found += [
            f"{name} belongs in state.py"
            for name in sorted(names & {"session_state", "query_params"})
        ]
    if (layer, path.name) != ("padf_ui", "compute.py"):
        found += [
            f"{name} belongs in compute.py"
            for name in sorted(names & {"cache_data", "cache_resource"})
        ]
    return found


PANDAS_FILES = {"audit.py", "incidents.py", "published.py", "roles.py", "tables.py", "times.py"}


@pytest.mark.parametrize(("layer", "path"), ALL_FILES, ids=IDS)
def test_a_file_keeps_the_rules(layer, path):
    assert problems(layer, path, path.read_text()) == []


@pytest.mark.parametrize(
    ("layer", "name", "source", "problem"),
    [
        ("padf_core", "x.py", "import streamlit as st", "the core imports streamlit"),
        ("padf_core", "x.py", "from plotly import graph_objects", "the core imports plotly"),
        ("padf_core", "x.py", "import padf_ui.theme", "padf_core imports padf_ui, which is above"),
        ("padf_core", "x.py", "import pandas as pd", "pandas is only for files that read"),
        ("padf_ui", "x.py", "from pages import a", "padf_ui imports pages, which is above it"),
        ("padf_ui", "figures/x.py", "import streamlit", "a figure imports streamlit"),
        ("padf_ui", "x.py", "st.session_state['a'] = 1", "session_state belongs in state.py"),
        ("padf_ui", "x.py", "st.query_params.clear()", "query_params belongs in state.py"),
        ("padf_ui", "x.py", "@st.cache_data\ndef f(): ...", "cache_data belongs in compute.py"),
        ("pages", "x.py", "def f(): ...", "a page defines a function or class"),
        ("pages", "x.py", "f = lambda: 1", "a page defines a function or class"),
        ("pages", "x.py", "st.markdown('<b>x</b>')", "a page writes HTML"),
        ("pages", "x.py", "st.markdown('a<br>b')", "a page writes HTML"),
        ("pages", "state.py", "st.session_state.x = 1", "session_state belongs in state.py"),
        ("pages", "x.py", "st.html(x, unsafe_allow_html=True)", "a page writes HTML"),
    ],
)
def test_the_guard_sees_what_it_guards_against(layer, name, source, problem):
    assert any(problem in found for found in problems(layer, Path(layer) / name, source))


def test_every_layer_is_there():
    for layer in LAYERS:
        assert files_of(layer), f"no files in {layer}"


def test_the_core_imports_without_pandas():
    """`import padf_core` stays light: pandas only comes with the files that need it."""
    script = "import sys, padf_core; sys.exit('pandas' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=False).returncode == 0
