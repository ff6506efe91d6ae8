"""What is built for others holds everything that the app and the library need."""

import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import urllib.request
import zipfile

import pytest

import padf_core
from padf_core.__main__ import main
from padf_core.cli.app import INSTALL, app_folder
from tests.browser.server import ROOT, free_port, wait_until_healthy

pytestmark = pytest.mark.slow

COPIED = (
    *("padf", "padf_core", "padf_ui", "pages", "sample_data", ".streamlit", "app.py"),
    *(
        "pyproject.toml",
        "setup.py",
        "MANIFEST.in",
        "README.md",
        "LICENSE",
        "Makefile",
        "CHANGELOG.md",
    ),
    *("CHANGELOG.md", "requirements.txt", "CITATION.cff", "SECURITY.md", "examples"),
)
BUILD = "import sys; from setuptools import build_meta; build_meta.build_{}(sys.argv[1])"


def files_in(folder):
    return {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and path.suffix not in (".pyc",) and "__pycache__" not in path.parts
    }


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The names in the source archive and in the wheel, built from a copy."""
    copy, made = tmp_path_factory.mktemp("copy"), tmp_path_factory.mktemp("made")
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(
                ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__", ".ipynb*")
            )
        else:
            shutil.copy2(ROOT / name, copy / name)
    for kind in ("sdist", "wheel"):
        command = [sys.executable, "-c", BUILD.format(kind), str(made)]
        done = subprocess.run(command, cwd=copy, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-2000:]
    (sdist,), (wheel,) = made.glob("*.tar.gz"), made.glob("*.whl")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    with zipfile.ZipFile(wheel) as archive:
        return names, set(archive.namelist())


def test_the_wheel_holds_library_app_samples_and_licence(built):
    wheel = built[1]
    wanted = files_in("padf") | files_in("padf_core") | files_in("padf_ui")
    wanted |= {f"padf_app/{name}" for name in files_in("pages") | {"app.py"}}
    wanted |= {"padf_app/.streamlit/config.toml"}
    wanted |= {f"padf_core/{name}" for name in files_in("sample_data")}
    assert wanted - wheel == set()
    assert any(name.endswith("/licenses/LICENSE") for name in wheel)
    assert not any(name.endswith("setup.py") for name in wheel)
    strange = {name.partition("/")[0] for name in wheel} - {
        "padf",
        "padf_core",
        "padf_ui",
        "padf_app",
    }
    assert all(name.endswith(".dist-info") for name in strange)


def test_the_source_archive_holds_all_that_the_wheel_is_made_of(built):
    source = built[0]
    wanted = {"app.py", "pyproject.toml", "LICENSE", "README.md", "CITATION.cff"}
    for folder in ("padf", "padf_core", "padf_ui", "pages", "sample_data", "examples"):
        wanted |= files_in(folder)
    assert wanted - source == set()


def test_versions_agree():
    told = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert told == padf_core.__version__
    assert f"version: {told}" in (ROOT / "CITATION.cff").read_text()


def test_the_command_starts_the_app_of_this_checkout_and_stops_with_it(tmp_path):
    assert app_folder() == ROOT
    port, log = free_port(), tmp_path / "log.txt"
    command = [sys.executable, "-m", "padf_core", "app", "--port", str(port)]
    path = {**os.environ, "PYTHONPATH": str(ROOT)}
    with log.open("w") as file:
        process = subprocess.Popen(command, cwd=tmp_path, env=path, stdout=file, stderr=file)
    address = f"http://127.0.0.1:{port}"
    try:
        wait_until_healthy(address, process, log)
    finally:
        process.terminate()
        process.wait(timeout=20)
    assert f"http://localhost:{port}" in log.read_text()
    with pytest.raises(OSError):
        urllib.request.urlopen(f"{address}/_stcore/health", timeout=2)


def test_without_the_packages_of_the_app_the_command_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert main(["app"]) == 2
    assert capsys.readouterr().err.strip() == INSTALL
