"""Build the release, install it into clean environments, and see that it works there.

    python -m tests.release_check [PYTHON ...]

For each Python: the wheel that is built from the source archive, with the lowest versions of the
core's needs and with the newest ones; the core's tests; the command in an empty folder. With the
newest ones the web app, too, started as `padf app` and asked whether it is well.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from tests.browser.server import ROOT, free_port

LOWEST = {"3.13": ("numpy==2.1.*", "pandas==3.1.0")}
LOWEST_ELSEWHERE = ("numpy==2.0.*", "pandas==3.1.0")
"""The lowest versions in range that are there for a Python without being compiled."""
TESTS = ("hypothesis", "pytest", "scikit-learn", "pyarrow")


def run(*command, **options):
    done = subprocess.run([*map(str, command)], text=True, capture_output=True, **options)
    if done.returncode:
        told = " ".join(map(str, command))[:200]
        raise RuntimeError(f"{told}\n{done.stdout[-3000:]}\n{done.stderr[-2000:]}")
    return done.stdout


def build(folder: Path) -> Path:
    """Return a wheel that is made from the source archive alone."""
    copy = folder / "copy"
    names = run("git", "ls-files", cwd=ROOT).splitlines()
    for name in names:
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, copy / name)
    code = "import sys; from setuptools import build_meta; build_meta.build_sdist(sys.argv[1])"
    run(sys.executable, "-c", code, folder, cwd=copy)
    (archive,) = folder.glob("*.tar.gz")
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder, archive)
    (wheel,) = folder.glob("*.whl")
    return wheel


def environment(python: str, folder: Path, *packages: str) -> Path:
    run(python, "-m", "venv", folder)
    pip = (folder / "bin" / "python", "-m", "pip", "install", "-q", "--only-binary=:all:")
    run(*pip, *packages)
    return folder / "bin"


def check_core(bin_folder: Path, folder: Path) -> str:
    """Run the core's tests against what is installed, from a folder that holds nothing else."""
    place, source_tree = folder / "tests_only", folder / "copy"
    shutil.rmtree(place, ignore_errors=True)
    (place / "tests").mkdir(parents=True)
    for name in ("__init__.py", "conftest.py", "naive.py", "strategies.py", "hostile.py", "core"):
        source = source_tree / "tests" / name
        target = place / "tests" / name
        shutil.copytree(source, target) if source.is_dir() else shutil.copy2(source, target)
    for test in (place / "tests" / "core").glob("test_*.py"):
        # Some look at the app, too, which is not installed with the core.
        if any(f"from {name}" in test.read_text() for name in ("padf_ui", "tests.browser")):
            test.unlink()
    shutil.copytree(source_tree / "sample_data", place / "sample_data")
    shutil.copytree(source_tree / "benchmarks", place / "benchmarks")
    env = {**os.environ, "CI": "true", "PYTHONPATH": ""}
    said = run(
        bin_folder / "python", "-m", "pytest", "-q", "tests/core", "-p", "no:cacheprovider",
        cwd=place, env=env,
    )  # fmt: skip
    return said.strip().splitlines()[-1]


def check_command(bin_folder: Path, folder: Path) -> None:
    empty = folder / "empty"
    empty.mkdir(exist_ok=True)
    code = "from padf_core.io.samples import sample_folder; print(sample_folder())"
    samples = run(bin_folder / "python", "-c", code, cwd=empty).strip()
    said = run(bin_folder / "padf", "evaluate", f"{samples}/pump.csv", cwd=empty)
    assert "quick_noisy" in said


def check_app(bin_folder: Path, folder: Path) -> None:
    """Start the app in an empty folder; ask whether it is well, and for a page."""
    port = free_port()
    log = (folder / "app.txt").open("w")
    process = subprocess.Popen(
        [str(bin_folder / "padf"), "app", "--port", str(port)],
        cwd=folder / "empty",
        stdout=log,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        for _ in range(300):
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health") as answer:
                    assert answer.status == 200
                    assert answer.headers["x-content-type-options"] == "nosniff"
                break
            except (urllib.error.URLError, ConnectionError):
                assert process.poll() is None, (folder / "app.txt").read_text()
                time.sleep(0.2)
        else:
            raise RuntimeError((folder / "app.txt").read_text())
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/playground") as answer:
            assert b"<html" in answer.read().lower()
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(timeout=20)


def main(pythons):
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        wheel = build(folder)
        print(f"{wheel.name}: {wheel.stat().st_size / 1024:,.0f} kB, built from the source archive")
        for python in pythons:
            version = run(python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])").strip()
            lowest = LOWEST.get(version, LOWEST_ELSEWHERE)
            for kind, packages in (("lowest", lowest), ("newest", ())):
                place = folder / f"{version}-{kind}"
                try:
                    bin_folder = environment(python, place, wheel, *packages, *TESTS)
                except RuntimeError as error:
                    print(f"Python {version}, {kind}: cannot be installed: {str(error)[-300:]}")
                    continue
                print(f"Python {version}, {kind}: {check_core(bin_folder, folder)}", flush=True)
                check_command(bin_folder, folder)
            run(bin_folder / "python", "-m", "pip", "install", "-q", f"{wheel}[app]")
            check_app(bin_folder, folder)
            print(f"Python {version}: `padf app` serves the pages from an empty folder", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:] or [sys.executable])
