"""Without a browser, the set-up of the browser tests fails and says how to get one."""

import pytest

from tests import find_browser


@pytest.fixture
def installs(monkeypatch):
    """A machine without a browser; returns the commands with which one is asked for."""
    asked = []
    monkeypatch.setattr(find_browser, "installed_browser", lambda: None)
    monkeypatch.setattr(find_browser.os, "geteuid", lambda: 0)
    monkeypatch.setattr(find_browser.shutil, "which", lambda name: f"/bin/{name}")

    def fail(command, **_):
        asked.append([word for word in command if not word.startswith("-")])
        return find_browser.subprocess.CompletedProcess(command, 1)

    monkeypatch.setattr(find_browser.subprocess, "run", fail)
    return asked


def test_where_none_can_be_had_it_is_said_how_to_get_one(installs, capsys):
    assert find_browser.main() == 1
    assert [command[-2] for command in installs] == [
        "apt-get",
        "chromium-headless-shell",
        "chromium",
        "install",
    ]
    assert capsys.readouterr().err.startswith("No browser was found for the browser tests.")


def test_without_root_playwright_gets_its_own(installs, monkeypatch):
    monkeypatch.setattr(find_browser.os, "geteuid", lambda: 1000)
    assert find_browser.main() == 1
    assert [command[1:] for command in installs] == [["playwright", "install", "chromium"]]


def test_a_browser_that_does_not_start_is_named(monkeypatch, tmp_path, capsys):
    broken = tmp_path / "chromium"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PADF_BROWSER", str(broken))
    assert find_browser.main() == 1
    told = capsys.readouterr().err
    assert told.startswith(f"{broken} does not start:")
    assert told.endswith(f"{find_browser.HOW}\n")
