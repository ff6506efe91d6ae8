"""The tree is the diagram: imports go one way, and each "only place" rule holds."""

import ast
import re
import subprocess
import sys
from functools import cache, cached_property
from pathlib import Path, PurePosixPath

import pytest
import streamlit as st

ROOT = Path(__file__).resolve().parents[1]
LAYERS = ["padf_core", "padf_ui", "pages", "app"]
"""From the bottom up: each may import itself and those before it."""

CORE_ROOMS = {
    "metrics": {"metrics"},
    "io": {"io", "metrics"},
    "analysis": {"analysis", "io", "metrics"},
    "corpus": {"corpus", "analysis", "io", "metrics"},
    "paper": {"paper", "analysis", "io", "metrics"},
    "teaching": {"teaching", "paper", "analysis", "io", "metrics"},
    "cli": {"cli", "corpus", "analysis", "io", "metrics"},
}
"""What each room of the core may import; the files beside the rooms hold the public names."""

COMMON = {"components", "session", "server", "study", "upload", "web", "wire"}
PAGE_ROOMS = {path.parent.name for path in ROOT.glob("padf_ui/*/__init__.py")} - COMMON
"""One room per kind of page."""
UI_ROOMS = {
    "web": {"web"},
    "wire": {"wire"},
    "session": {"session", "wire"},
    "server": {"server", "web"},
    "components": {"components", "session", "server", "web", "wire"},
    "study": {"study", "components", "session", "server"},
    "upload": {"upload", "study", "components", "session", "server"},
    "registry": {"session"},
    "frame": {"registry", "components", "session", "server", "web"},
    **{room: {room, "registry", *COMMON} for room in PAGE_ROOMS},
}
"""What each room of the interface may import: a page's room never another page's."""

PANDAS_FILES = {
    *("audit.py", "published.py", "incidents.py", "join.py", "matching.py", "columns.py"),
    *("read.py", "read_columns.py", "arrange.py", "long.py", "records.py"),
    *("file_parts.py", "joined_labels.py"),
    *("tables.py", "times.py", "timestamps.py", "csv_text.py", "open_table.py", "column_values.py"),
}
STORE = "padf_ui/session/store.py"
LINKS = "padf_ui/session/links.py"
CACHE = "padf_ui/server/cache.py"
COMPONENTS = "padf_ui/components/mounting.py"
PAYLOAD_AT = {"mounting.mount": 2, "mounting.mount_still": 2, "mounting.send": 1}
"""The calls that send a message to the browser, and which argument it is."""
DOWNLOADS = "padf_ui/components/downloads.py"
STREAMLIT_RUNS = "padf_ui/server/streamlit_runs.py"
WIRE = "padf_ui.wire"
WITHOUT_STREAMLIT_NAMES = (
    *("_charts.py", "_exports.py", "report.py", "_results.py", "_message.py", "_tables.py"),
)
COMPUTING_NAMES = ("_results.py", "scene.py", "comparison.py")
SHOWING_NAMES = ("_message", "_tables", "_page", "_charts", "_words", "descriptions")
WITHOUT_STREAMLIT = {
    "padf_ui/server/cache.py",
    "padf_ui/components/python_code.py",
    "padf_ui/components/lanes.py",
    "padf_ui/components/ledger.py",
    "padf_ui/components/file_names.py",
    "padf_ui/web/palette.py",
    "padf_ui/components/words.py",
    "padf_ui/data/timeline_cells.py",
    "padf_ui/data/timeline_ticks.py",
}
"""What computes, draws or describes, and can be used without a page."""


def files_of(layer):
    alone = ROOT / f"{layer}.py"
    return [alone] if alone.exists() else sorted((ROOT / layer).rglob("*.py"))


ALL_FILES = [str(path.relative_to(ROOT).as_posix()) for x in LAYERS for path in files_of(x)]


# ---- what a file says ----------------------------------------------------------------------------


class Source:
    """A file of the tree, by what its code mentions; strings and comments do not count."""

    def __init__(self, path, text):
        self.path = PurePosixPath(path)
        self.text = text
        self.tree = ast.parse(text)
        self.layer = self.path.parts[0].removesuffix(".py")
        inside = self.path.parts[1:]
        self.room = inside[0].removesuffix(".py") if inside else ""
        self.has_room = len(inside) > 1

    @cached_property
    def every_node(self):
        return list(ast.walk(self.tree))

    def nodes(self, *kinds):
        return (node for node in self.every_node if isinstance(node, kinds))

    @property
    def imports(self):
        """Everything imported, ``from a import b`` as a.b too, since b may be a file."""
        for node in self.nodes(ast.Import, ast.ImportFrom):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            else:
                assert node.level == 0, "imports are absolute"
                yield node.module
                yield from (f"{node.module}.{alias.name}" for alias in node.names)

    @cached_property
    def tops(self):
        return {name.partition(".")[0] for name in self.imports}

    @cached_property
    def names(self):
        return {node.attr for node in self.nodes(ast.Attribute)} | {
            node.id for node in self.nodes(ast.Name)
        }

    @cached_property
    def typed_names(self):
        """Names that are annotated as messages, and functions that return one."""
        known = {
            alias.name
            for node in self.nodes(ast.ImportFrom)
            if (node.module or "").startswith(WIRE)
            for alias in node.names
        }
        names = {
            node.target.id
            for node in self.nodes(ast.AnnAssign)
            if isinstance(node.target, ast.Name) and _name(node.annotation) in known
        }
        return names | {
            node.name
            for node in self.nodes(ast.FunctionDef)
            if node.returns is not None and _name(node.returns) in known
        }

    def rooms_of(self, layer, known):
        """Which rooms of a layer are imported."""
        parts = (name.split(".") for name in self.imports)
        return {part[1] for part in parts if part[0] == layer and len(part) > 1} & known


# ---- the rules -----------------------------------------------------------------------------------


def layers(source):
    above = set(LAYERS[LAYERS.index(source.layer) + 1 :])
    for name in sorted(source.tops & above):
        yield f"{source.layer} imports {name}, which is above it"


def core_rooms(source):
    if source.layer != "padf_core":
        return
    for name in sorted(source.tops & {"streamlit", "plotly"}):
        yield f"the core imports {name}"
    if "pandas" in source.tops and source.path.name not in PANDAS_FILES:
        yield "pandas is only for files that read or write tables"
    if source.has_room:
        allowed = CORE_ROOMS.get(source.room)
        if allowed is None:
            yield f"{source.room} is a room without a rule"
            return
        for room in sorted(source.rooms_of("padf_core", set(CORE_ROOMS)) - allowed):
            yield f"{source.room} imports {room}"
        if "padf_core" in source.imports and source.room != "cli":
            yield "a room of the core imports the public names"
    if source.room == "metrics":
        foreign = source.tops - {"numpy", "padf_core"} - sys.stdlib_module_names
        for name in sorted(foreign):
            yield f"metrics imports {name}"


def ui_rooms(source):
    if source.layer != "padf_ui" or source.room == "__init__":
        return
    allowed = UI_ROOMS.get(source.room)
    if allowed is None:
        yield f"{source.room} is a room without a rule"
        return
    for room in sorted(source.rooms_of("padf_ui", set(UI_ROOMS)) - allowed):
        yield f"{source.room} imports {room}"


def session_types(source):
    if source.layer == "padf_ui" and source.room == "session":
        known = {"plotly", "pandas", *([] if str(source.path) in (STORE, LINKS) else ["streamlit"])}
        for name in sorted(source.tops & known):
            yield f"a module of the session imports {name}"


def session_state(source):
    for name, home in (("session_state", STORE), ("query_params", LINKS)):
        if name in source.names and str(source.path) != home:
            yield f"{name} belongs in {home}"


def caches(source):
    for name in sorted(source.names & {"cache_data", "cache_resource"}):
        yield f"{name}: results are remembered by {CACHE} alone"


def downloads(source):
    if "download_button" in source.names and str(source.path) != DOWNLOADS:
        yield f"files are offered by {DOWNLOADS} alone, under names of their own"


def uploads(source):
    """A full run that starts drops Streamlit's answer to a file that was just chosen.

    Runs of a fragment keep it, and a form starts no run.
    """
    kept = set()
    for node in source.nodes(ast.FunctionDef, ast.With):
        if isinstance(node, ast.FunctionDef):
            is_safe = any(_name(each) == "fragment" for each in node.decorator_list)
        else:
            is_safe = any(_name(each.context_expr) == "form" for each in node.items)
        if is_safe:
            kept |= {id(each) for each in ast.walk(node)}
    for call in source.nodes(ast.Call):
        if _name(call) == "file_uploader" and id(call) not in kept:
            yield f"line {call.lineno}: a file is taken outside of a fragment or a form"


def inside_streamlit(source):
    if str(source.path) == STREAMLIT_RUNS:
        return
    for node in source.nodes(ast.Import, ast.ImportFrom):
        named = [each.name for each in node.names]
        asked = named if isinstance(node, ast.Import) else [node.module or ""]
        if any(name.startswith(("streamlit.runtime", "streamlit.web")) for name in asked):
            yield f"line {node.lineno}: only {STREAMLIT_RUNS} reaches into Streamlit"


def without_streamlit(source):
    is_listed = str(source.path) in WITHOUT_STREAMLIT or source.path.name.endswith(
        WITHOUT_STREAMLIT_NAMES
    )
    if source.layer == "padf_ui" and is_listed and "streamlit" in source.tops:
        yield "this file computes or draws: it imports no streamlit"


def computing(source):
    """What computes may be used by any page: it knows nothing of how a page shows it."""
    if source.layer != "padf_ui" or not source.path.name.endswith(COMPUTING_NAMES):
        return
    for name in sorted(set(source.imports)):
        parts = name.split(".")
        if parts[:2] == ["padf_ui", "components"] or parts[0] in ("streamlit", "plotly"):
            yield f"what computes imports {name}"
        elif parts[0] == "padf_ui" and any(part.endswith(SHOWING_NAMES) for part in parts):
            yield f"what computes imports {name}, which shows"


def short_pages(source):
    if source.layer not in ("pages", "app"):
        return
    definitions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
    if any(source.nodes(*definitions)):
        yield "a page defines a function or class"
    if "unsafe_allow_html" in source.text or re.search(r"</?[a-z]+[ />]", source.text):
        yield "a page writes HTML"
    if "html" in source.names:
        yield "a page writes HTML"


LISTS = re.compile(r"(protocols|results|evaluations)$|^(evaluate_all|evaluate_pattern|best_f1)$")


def by_key(source):
    """No list of protocols, or of their results, is asked by place.

    What all of them share has a name of its own (`pattern_of`); and a list of one that is written
    out in the call has only that place.
    """
    for node in source.nodes(ast.Subscript):
        asked = node.value
        if _number(node.slice) is None or not LISTS.search(_name(asked)):
            continue
        is_call = isinstance(asked, ast.Call)
        if is_call and any(
            isinstance(each, ast.List) and len(each.elts) == 1 for each in asked.args
        ):
            continue
        yield f"line {node.lineno}: {ast.unparse(node)} asks a list of protocols by place"


def _number(node):
    try:
        value = ast.literal_eval(node)
    except ValueError:
        return None
    return value if type(value) is int else None


def _name(node):
    if isinstance(node, ast.Call):
        return _name(node.func)
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def typed_payloads(source):
    if source.room == "wire" and source.path.name not in ("check.py", "declarations.py"):
        if "Any" in source.names:
            yield "a message holds Any"
        if "streamlit" in source.tops:
            yield "it imports no streamlit"
    if str(source.path) != COMPONENTS and "components" in {
        node.attr for node in source.nodes(ast.Attribute) if _name(node.value) == "st"
    }:
        yield f"components are mounted by {COMPONENTS}"
    if any(name.startswith("padf_ui.components.mounting.") for name in source.imports):
        yield "mounting is imported whole, so that its calls are found"
    typed = source.typed_names | {
        name
        for node in source.nodes(ast.ImportFrom)
        if (path := ROOT / f"{(node.module or '').replace('.', '/')}.py").exists()
        for name in {alias.name for alias in node.names} & returning_messages(path)
    }
    for call in source.nodes(ast.Call):
        place = PAYLOAD_AT.get(ast.unparse(call.func))
        if place is not None:
            data = call.args[place]
            made = data.func if isinstance(data, ast.Call) else data
            if not (isinstance(made, ast.Name) and made.id in typed):
                yield f"line {call.lineno}: what is mounted has no type of {WIRE}"


@cache
def returning_messages(path):
    """Return the functions of a file that say that they return a message."""
    source = Source(path.relative_to(ROOT).as_posix(), path.read_text())
    return source.typed_names & {node.name for node in source.nodes(ast.FunctionDef)}


RULES = [
    layers,
    core_rooms,
    ui_rooms,
    session_types,
    session_state,
    caches,
    downloads,
    uploads,
    inside_streamlit,
    without_streamlit,
    computing,
    short_pages,
    by_key,
    typed_payloads,
]


def problems(path, text):
    """What in this file breaks a rule of the tree."""
    source = Source(path, text)
    return [problem for rule in RULES for problem in rule(source)]


def test_every_file_keeps_the_rules():
    found = {path: problems(path, (ROOT / path).read_text()) for path in ALL_FILES}
    assert {path: told for path, told in found.items() if told} == {}


MOUNTED = """
from padf_ui.wire.board import BoardData
data: {kind} = {{}}
mounting.mount("board", KEY, {what}, take)
"""

BROKEN = [
    ("padf_core/metrics/x.py", "import streamlit as st", "the core imports streamlit"),
    ("padf_core/io/x.py", "from plotly import graph_objects", "the core imports plotly"),
    ("padf_core/io/x.py", "import padf_ui.frame", "padf_core imports padf_ui, which is above"),
    ("padf_core/io/x.py", "import pandas as pd", "pandas is only for files that read"),
    ("padf_core/metrics/tables.py", "import pandas", "metrics imports pandas"),
    ("padf_core/metrics/x.py", "from scipy import stats", "metrics imports scipy"),
    ("padf_core/metrics/x.py", "from padf_core.io import series", "metrics imports io"),
    ("padf_core/metrics/x.py", "from padf_core import analysis", "metrics imports analysis"),
    ("padf_core/metrics/protocols/x.py", "import padf_core.paper.cases", "metrics imports paper"),
    ("padf_core/metrics/x.py", "from padf_core import evaluate", "imports the public names"),
    ("padf_core/io/x.py", "from padf_core.analysis import compare", "io imports analysis"),
    ("padf_core/io/x.py", "from padf_core.paper import cases", "io imports paper"),
    ("padf_core/analysis/x.py", "from padf_core.paper import cases", "analysis imports paper"),
    ("padf_core/tricks/x.py", "import numpy", "tricks is a room without a rule"),
    ("padf_ui/tricks/x.py", "import numpy", "tricks is a room without a rule"),
    ("padf_ui/playground/x.py", "from pages import a", "padf_ui imports pages, which is above it"),
    ("padf_ui/playground/x.py", "from padf_ui.data import charts", "playground imports data"),
    (
        "padf_ui/decay/x.py",
        "import padf_ui.random_baseline.random_page",
        "decay imports random_baseline",
    ),
    ("padf_ui/paper/x.py", "from padf_ui import playground", "paper imports playground"),
    ("padf_ui/data/x.py", "from padf_ui import frame", "data imports frame"),
    ("padf_ui/components/x.py", "from padf_ui.data.data_page import f", "components imports data"),
    ("padf_ui/components/x.py", "from padf_ui.study import tables", "components imports study"),
    ("padf_ui/study/x.py", "from padf_ui.decay import view", "study imports decay"),
    (
        "padf_ui/upload/x.py",
        "from padf_ui.playground import playground_page",
        "upload imports playground",
    ),
    (
        "padf_ui/frame.py",
        "from padf_ui.playground import playground_page",
        "frame imports playground",
    ),
    ("padf_ui/session/x.py", "from padf_ui.components import words", "session imports components"),
    (
        "padf_ui/session/store.py",
        "from padf_ui.components import words",
        "session imports components",
    ),
    ("padf_ui/session/board.py", "import streamlit", "a module of the session imports streamlit"),
    ("padf_ui/session/stretch.py", "import plotly.io", "a module of the session imports plotly"),
    ("padf_ui/playground/x.py", "st.session_state['a'] = 1", "session_state belongs in"),
    ("padf_ui/shared/state.py", "st.query_params.clear()", "query_params belongs in"),
    ("padf_ui/session/store.py", "st.query_params.clear()", "query_params belongs in"),
    ("pages/state.py", "st.session_state.x = 1", "session_state belongs in"),
    ("padf_ui/server/cache.py", "@st.cache_data\ndef f(): ...", "cache_data: results are"),
    ("padf_ui/data/x.py", "st.cache_resource(f)", "cache_resource: results are"),
    ("padf_ui/data/x.py", "st.download_button('a', 'b')", "files are offered by"),
    ("padf_ui/data/x.py", "def f():\n    st.file_uploader('a')", "outside of a fragment"),
    ("padf_ui/data/x.py", "from streamlit.runtime import x", "reaches into Streamlit"),
    ("padf_ui/frame.py", "import streamlit.web.cli", "reaches into Streamlit"),
    ("padf_ui/decay/decay_charts.py", "import streamlit as st", "it imports no streamlit"),
    (
        "padf_ui/data/timeline_message.py",
        "from streamlit import fragment",
        "it imports no streamlit",
    ),
    ("padf_ui/wire/board.py", "import streamlit", "it imports no streamlit"),
    ("pages/x.py", "def f(): ...", "a page defines a function or class"),
    ("pages/x.py", "f = lambda: 1", "a page defines a function or class"),
    ("pages/x.py", "st.markdown('<b>x</b>')", "a page writes HTML"),
    ("pages/x.py", "st.markdown('a<br>b')", "a page writes HTML"),
    ("pages/x.py", "st.markdown(x, unsafe_allow_html=True)", "a page writes HTML"),
    ("app.py", "st.html(text)", "a page writes HTML"),
    ("padf_ui/playground/x.py", "results[3].f1", "asks a list of protocols by place"),
    ("padf_ui/playground/x.py", "results[0].pattern", "asks a list of protocols by place"),
    ("padf_ui/playground/x.py", "results[0].f1", "asks a list of protocols by place"),
    ("padf_ui/data/x.py", "settings.protocols()[-1]", "asks a list of protocols by place"),
    ("padf_ui/data/x.py", "made.protocols[0].key", "asks a list of protocols by place"),
    ("padf_core/io/x.py", "evaluate_all(a, b, many)[2]", "asks a list of protocols by place"),
    ("padf_ui/data/x.py", "best_f1(a, b, protocols)[0]", "asks a list of protocols by place"),
    ("padf_ui/wire/board.py", "x: dict[str, Any]", "a message holds Any"),
    ("padf_ui/data/x.py", "st.components.v2.component('x')", "components are mounted by"),
    ("padf_ui/data/x.py", MOUNTED.format(kind="dict[str, Any]", what="data"), "has no type"),
    ("padf_ui/data/x.py", MOUNTED.format(kind="BoardData", what="{}"), "has no type"),
    ("padf_ui/data/x_results.py", "from padf_ui.components import names", "what computes imports"),
    ("padf_ui/operators/scene.py", "from padf_ui.operators.a_message import f", "which shows"),
    ("padf_ui/study/comparison.py", "from padf_ui.study import descriptions", "which shows"),
    ("padf_ui/data/x.py", "mounting.mount_still('a', KEY, {})", "has no type"),
    ("padf_ui/data/x.py", "mounting.send(KEY, {}, take)", "has no type"),
    ("padf_ui/data/x.py", "from padf_ui.components.mounting import mount", "imported whole"),
]


@pytest.mark.parametrize(("path", "text", "problem"), BROKEN)
def test_the_guard_sees_what_it_guards_against(path, text, problem):
    assert any(problem in found for found in problems(path, text))


def test_every_rule_has_been_seen_to_catch_something():
    seen = {rule for path, text, _ in BROKEN for rule in RULES if [*rule(Source(path, text))]}
    assert seen == set(RULES)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("padf_ui/playground/x.py", "pattern_of(results).found"),
        ("padf_ui/playground/x.py", "[e.f1 for e in results]"),
        ("padf_ui/playground/x.py", "evaluate_all(a, b, [protocol])[0]"),
        ("padf_ui/playground/x.py", "from padf_ui.components import figures"),
        ("padf_ui/data/x.py", MOUNTED.format(kind="BoardData", what="data")),
        ("padf_ui/session/store.py", "import streamlit as st\nst.session_state"),
        ("padf_core/cli/evaluate.py", "from padf_core.analysis import compare"),
        ("padf_ui/data/x.py", "@st.fragment\ndef f():\n    st.file_uploader('a')"),
        ("padf_ui/data/x.py", "with st.form('a'):\n    st.file_uploader('b')"),
        ("pages/x.py", "import streamlit as st\nif a < b:\n    st.markdown('a < b')"),
    ],
)
def test_the_guard_lets_through_what_is_allowed(path, text):
    assert problems(path, text) == []


def test_every_name_that_a_rule_looks_for_is_in_use():
    """A rule that looks for a name that has changed would see nothing."""
    sources = [Source(path, (ROOT / path).read_text()) for path in ALL_FILES]
    calls = {ast.unparse(call.func) for source in sources for call in source.nodes(ast.Call)}
    streamlit = {"st.file_uploader", "st.form", "st.download_button", "st.html"}
    assert {*PAYLOAD_AT, *streamlit, "st.components.v2.component"} <= calls
    names = {name for source in sources for name in source.names}
    assert {"fragment", "session_state", "query_params"} <= names
    assert {"evaluate_all", "evaluate_pattern", "best_f1", "protocols", "results"} <= names
    for ending in COMPUTING_NAMES + tuple(f"{name}.py" for name in SHOWING_NAMES):
        assert any(path.endswith(ending) for path in ALL_FILES), ending
    assert {"cache_data", "cache_resource"} <= set(dir(st)), "nothing may use them"


def opens_its_frame(text):
    """Say whether the first statement behind the imports calls `frame.open_…`."""
    body = ast.parse(text).body
    first = next(node for node in body if not isinstance(node, (ast.Import, ast.ImportFrom)))
    return re.fullmatch(r"(\w+ = )?frame\.open_\w+\('\w+'\)", ast.unparse(first)) is not None


def test_every_page_opens_its_frame_first():
    """Without it, the first request to a page's own address on a fresh server has no frame."""
    assert [path.name for path in files_of("pages") if not opens_its_frame(path.read_text())] == []
    assert not opens_its_frame("import streamlit as st\nst.title('x')\nframe.open_page('x')")


STREAMLIT_DOM = ("page.css", "presented.css", "core/streamlit_dom.js")
"""The only files of the browser code that know Streamlit's elements."""
STREAMLIT_SELECTORS = (
    'button[kind="primary"]',
    '[data-testid="stMultiSelect"] span[title]',
    ".katex",
)
"""What the style says of elements that have no name of Streamlit's."""


def streamlit_elements(text):
    """Return the names of Streamlit's elements. st-key and what follows is documented, and ours."""
    return set(re.findall(r"\bst[A-Z]\w+|\bdata-test[\w-]*", text))


def test_few_files_know_streamlits_elements():
    ui = ROOT / "padf_ui"
    known = {ui / "web" / name for name in STREAMLIT_DOM}
    assert all(streamlit_elements(path.read_text()) for path in known)
    files = [path for suffix in ("py", "js", "css") for path in ui.rglob(f"*.{suffix}")]
    others = {path.name: streamlit_elements(path.read_text()) for path in {*files} - known}
    assert {name: found for name, found in others.items() if found} == {}


def test_what_the_style_relies_on_is_looked_for_in_a_browser():
    style = "".join((ROOT / "padf_ui/web" / name).read_text() for name in STREAMLIT_DOM[:2])
    selectors = re.sub(r"/\*.*?\*/|\{[^{}]*\}", "", style, flags=re.DOTALL)
    others = re.findall(r"\.(?!st|padf-)[a-z][\w-]*|\[(?!data-testid|class)[^\]]+\]", selectors)
    assert others, "the style says something of other elements"
    assert {each for each in others if not any(each in one for one in STREAMLIT_SELECTORS)} == set()


def test_every_layer_and_every_room_is_there():
    for layer in LAYERS:
        assert files_of(layer), f"no files in {layer}"
    found = {
        layer: {path.parent.name for path in (ROOT / layer).glob("*/__init__.py")}
        for layer in ("padf_core", "padf_ui")
    }
    assert found["padf_core"] <= set(CORE_ROOMS)
    assert found["padf_core"] >= {"metrics", "io", "analysis", "paper"}
    assert found["padf_ui"] <= set(UI_ROOMS)
    assert found["padf_ui"] >= {"playground", "data", "decay", "random_baseline", "paper", *COMMON}
    for path in (*WITHOUT_STREAMLIT, STORE, LINKS, CACHE, COMPONENTS, STREAMLIT_RUNS):
        assert (ROOT / path).exists(), path


def test_the_core_loads_numpy_alone():
    """`import padf_core` stays light: pandas only comes with the files that need it."""
    script = (
        "import sys; import numpy; known = set(sys.modules); import padf_core; "
        "new = {name.partition('.')[0] for name in set(sys.modules) - known}; "
        "print(sorted(new - {'padf_core', 'numpy'} - sys.stdlib_module_names))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, check=True, capture_output=True, text=True
    )
    assert ran.stdout.strip() == "[]"


COLOUR = re.compile(r"#[0-9a-f]{3}(?:[0-9a-f]{3})?\b", re.IGNORECASE)


def test_colours_stand_in_the_palette_alone():
    """White paper behind saved pictures and the opaque part of a mask have no names."""
    ui = ROOT / "padf_ui"
    files = [path for kind in ("py", "js", "css", "j2") for path in ui.rglob(f"*.{kind}")]
    found = {
        path.relative_to(ui).as_posix(): set(COLOUR.findall(path.read_text(encoding="utf-8")))
        for path in files
        if path.name != "palette.py"
    }
    assert {name: colours for name, colours in found.items() if colours} == {
        "web/core/picture.js": {"#ffffff"},
        "web/core/theme.js": {"#ffffff"},
        "web/lanes.css": {"#000"},
    }
