"""The browser code as Streamlit gets it: one module per component, and the payload's types."""

import re

import pytest

from padf_ui import web

ENTRIES = ("board.js", "timeline.js", "cases.js", "probabilities.js", "page.js")


@pytest.mark.parametrize("entry", ENTRIES)
def test_an_entry_and_all_that_it_imports_become_one_module(entry):
    text = web.join(entry)
    assert re.findall(r"^export .*", text, re.MULTILINE) == re.findall(
        r"^export default .*", text, re.MULTILINE
    )
    assert text.count("export default") == 1
    assert not re.search(r"^import\b", text, re.MULTILINE)


@pytest.mark.parametrize("entry", ENTRIES)
def test_every_module_stands_behind_those_that_it_imports(entry):
    text = web.join(entry)
    assert text.index("function shape(") < text.index("function mount(")


def write(folder, **modules):
    for name, text in modules.items():
        (folder / f"{name}.js").write_text(text)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(web, "HERE", tmp_path)
    web.join.cache_clear()
    yield tmp_path
    web.join.cache_clear()


def test_joining_keeps_order_and_takes_imports_and_exports_away(folder):
    write(
        folder,
        a='import { b } from "./b.js";\nimport {\n  c,\n} from "./c.js";\nexport default b + c;\n',
        b='import { c } from "./c.js";\nexport const b = c;\n',
        c="export const c = 1;\n",
    )
    assert web.join("a.js") == "const c = 1;\n\nconst b = c;\n\nexport default b + c;\n"


@pytest.mark.parametrize(
    ("other", "told"),
    [
        ("export const a = 1;\n", "a is in b.js and in a.js"),
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


def test_renamed_imports_are_refused(folder):
    write(folder, a='import { b as c } from "./b.js";\n', b="export const b = 1;\n")
    with pytest.raises(ValueError, match="renames what it imports"):
        web.join("a.js")


def test_the_declarations_on_disk_are_those_of_the_payload():
    written = (web.HERE / "payload.d.ts").read_text(encoding="utf-8")
    assert written == web.declarations(), "run: python -m padf_ui.web"
