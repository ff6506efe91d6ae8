"""The `padf` command: Ctrl-C ends it with one line, from its first moment on."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from padf_core.io.stopping import end_on_signals, ending_on_signals, ignore_signals


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    # What the commands import takes most of the start-up.
    with ending_on_signals("padf: stopped."):
        from padf_core.cli.main import main as run_command

        return run_command(arguments)


def run() -> None:
    """Run the command as a program, and end it."""
    end_on_signals("padf: stopped.")
    code = main()
    # Everything is done: a signal must not change the exit code any more.
    ignore_signals()
    sys.exit(code)


if __name__ == "__main__":
    run()
