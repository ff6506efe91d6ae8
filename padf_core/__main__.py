"""The `padf` command, which ends with one line on Ctrl-C, even during start-up."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from padf_core.io.stopping import end_on_signals, ending_on_signals, ignore_signals


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    # Imports take most of the start-up time, so signals are caught before them.
    with ending_on_signals("padf: stopped."):
        from padf_core.cli.main import main as run_command

        return run_command(arguments)


def run() -> None:
    """Run the command as a program and exit with its code."""
    end_on_signals("padf: stopped.")
    code = main()
    # The work is done: a signal must no longer change the exit code.
    ignore_signals()
    sys.exit(code)


if __name__ == "__main__":
    run()
