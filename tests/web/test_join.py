"""The browser code as Streamlit gets it: one module per component, and the payload's types."""

import base64
import hashlib
import html
import json
import re

import pytest

from padf_ui import web
from padf_ui.wire.declarations import declarations

MOUNTED = (
    *("board.js", "timeline.js", "cases.js", "probabilities.js", "front.js", "guess.js"),
    *("patterns.js", "page.js", "post.js"),
)
ENTRIES = (*MOUNTED, "standalone.js")


@pytest.mark.parametrize("entry", ENTRIES)
def test_an_entry_and_all_that_it_imports_become_one_module(entry):
    text = web.join(entry)
    assert re.findall(r"^export .*", text, re.MULTILINE) == re.findall(
        r"^export default .*", text, re.MULTILINE
    )
    assert text.count("export default") == 1
    assert not re.search(r"^import\b", text, re.MULTILINE)


def write(folder, **modules):
    for name, text in modules.items():
        (folder / f"{name}.js").write_text(text)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(web, "HERE", tmp_path)
    web.join.cache_clear()
    yield tmp_path
    web.join.cache_clear()


def test_every_module_stands_behind_those_that_it_imports_and_keeps_its_names(folder):
    (folder / "deep").mkdir()
    write(
        folder,
        a='import { b as c } from "./deep/b.js";\nconst own = 1;\nexport default c + own;\n',
        c="const own = 3;\nexport const c = own;\nexport function d() {}\n",
    )
    write(
        folder / "deep",
        b='import { c } from "../c.js";\nconst own = 2;\nexport const b = c + own;\n',
    )
    assert web.join("a.js") == (
        "const $c = (() => {\nconst own = 3;\nconst c = own;\nfunction d() {}\n"
        "return { c, d };\n})();\n\n"
        "const $b = (() => {\nconst { c } = $c;\nconst own = 2;\nconst b = c + own;\n"
        "return { b };\n})();\n\n"
        "const { b: c } = $b;\nconst own = 1;\nexport default c + own;\n"
    )


@pytest.mark.parametrize(
    ("other", "told"),
    [
        ('import { a } from "./a.js";\n', "modules import each other: a.js -> b.js -> a.js"),
        ("export { c };\n", "cannot be joined"),
        ('import c from "c";\n', "cannot be joined"),
        ("const c = 1;\nexport default c;\n", "must not have a default export"),
    ],
)
def test_what_cannot_be_joined_is_refused(folder, other, told):
    write(folder, a='import { b } from "./b.js";\nconst a = 1;\n', b=other)
    with pytest.raises(ValueError, match=told):
        web.join("a.js")


def test_no_two_modules_have_the_same_name():
    names = [path.name for path in web.HERE.rglob("*.js")]
    assert len(set(names)) == len(names)


def test_the_declarations_on_disk_are_those_of_the_payload():
    written = (web.HERE / "payload.d.ts").read_text(encoding="utf-8")
    assert written == declarations(), "run: python -m padf_ui.wire"


LESSON = {
    "title": 'Late & "early" </title>',
    "name": "PAdf Explorer",
    "steps": [{"title": "</script><script>alert(1)", "text": "<!-- a < b & c", "board": {}}],
}


def scripts_of(page):
    return re.findall(r"<script([^>]*)>(.*?)</script>", page, re.DOTALL)


def test_a_page_without_a_server_carries_its_payload_whatever_is_in_it():
    page = web.standalone(LESSON)
    (_, carried), (_, _) = scripts_of(page)
    assert json.loads(carried) == LESSON
    assert "<" not in carried
    (title,) = re.findall(r"<title>(.*?)</title>", page)
    assert html.unescape(title) == LESSON["title"]


def test_a_page_without_a_server_allows_its_own_script_and_no_network():
    page = web.standalone(LESSON)
    _, (kind, script) = scripts_of(page)
    assert kind == ' type="module"'
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    (policy,) = re.findall(r'Content-Security-Policy" content="(.*?)"', page)
    assert policy.startswith(f"default-src 'none'; script-src 'sha256-{digest}'; ")
    assert "connect-src" not in policy
    without = page.replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?://|<link|src=|@import", without)


def test_browser_code_that_would_end_its_place_in_a_page_is_refused(folder):
    write(folder, standalone='export default function start() { return "</script>"; }\n')
    with pytest.raises(ValueError, match="would end its place"):
        web.standalone(LESSON)
