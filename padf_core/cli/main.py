"""The parser of the `padf` command, and the dispatch to its subcommands."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NoReturn

from padf_core import __version__
from padf_core.cli.app import run_app
from padf_core.cli.corpus import add_corpus, run_corpus
from padf_core.cli.evaluate import add_evaluate, run_evaluate


class _Parser(argparse.ArgumentParser):
    """Parser that reports errors in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\n")


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    parser = _Parser(
        prog="padf",
        description="Score time-series anomaly detectors under point-wise F1, PA, PA%K and PAdf.",
    )
    parser.add_argument("--version", action="version", version=f"padf {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, parser_class=_Parser)
    app = commands.add_parser(
        "app", help=("start the web app (by default only reachable from this machine)")
    )
    app.add_argument("--port", type=int, default=8501, metavar="N")
    app.add_argument(
        "--host",
        default="127.0.0.1",
        metavar="ADDRESS",
        help="the address to listen on; 0.0.0.0 accepts connections from other machines",
    )
    add_evaluate(commands)
    add_corpus(commands)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    options = build_parser().parse_args(arguments)
    if options.command == "app":
        return run_app(options.host, options.port)
    return (run_corpus if options.command == "corpus" else run_evaluate)(options)
