"""Handle Ctrl-C and SIGTERM: end the command immediately, with no interrupt swallowed by a reader.

An interrupted reader takes the interrupt for an error in its file, and the run continues without
the file. The command's handler therefore raises nothing: it prints a line and ends the process.
Results are written completely or not at all, so the process can end anywhere except inside
`unbroken`.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM)

ENDED_BEFORE_A_STOP: set[Callable[[], None]] = set()
"""Functions that end started processes, called before anything they use is removed."""


class _Held(threading.local):
    """The depth of `unbroken` blocks in this thread, and the stop that waits for their end."""

    depth = 0
    stop: Callable[[], None] | None = None


_held = _Held()


@contextmanager
def unbroken() -> Iterator[None]:
    """Delay a stop until this block is done."""
    _held.depth += 1
    try:
        yield
    finally:
        _held.depth -= 1
        if _held.stop is not None and not _held.depth:
            _held.stop()


def ignore_signals() -> None:
    """Ignore Ctrl-C and SIGTERM from now on."""
    for each in SIGNALS:
        signal.signal(each, signal.SIG_IGN)


def end_on_signals(line: str, scratch: Path | None = None) -> dict[signal.Signals, object]:
    """End the process on a signal; print ``line`` and remove the folder ``scratch``.

    Returns
    -------
    dict
        The handlers that were replaced. An ignored signal remains ignored.
    """

    def stop(number: int) -> None:
        try:
            ignore_signals()
            # Imported only here: before this module is loaded, Ctrl-C prints a traceback.
            import shutil

            for end in list(ENDED_BEFORE_A_STOP):
                end()
            if scratch is not None:
                shutil.rmtree(scratch, ignore_errors=True)
            # On a terminal, the line is printed below the progress bar.
            os.write(2, f"{os.linesep if os.isatty(2) else ''}{line}{os.linesep}".encode())
        finally:
            os._exit(128 + number)

    def handle(number: int, frame: FrameType | None) -> None:
        if _held.depth:
            _held.stop = lambda: stop(number)
        else:
            stop(number)

    heeded = [each for each in SIGNALS if signal.getsignal(each) is not signal.SIG_IGN]
    return {each: signal.signal(each, handle) for each in heeded}


@contextmanager
def ending_on_signals(line: str, scratch: Path | None = None) -> Iterator[None]:
    """End the process on a signal that arrives inside this block, as `end_on_signals` does."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = end_on_signals(line, scratch)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)  # type: ignore[arg-type]


@contextmanager
def interruptible() -> Iterator[None]:
    """Raise KeyboardInterrupt at the end of this block if something inside swallowed it."""
    is_default = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not is_default or threading.current_thread() is not threading.main_thread():
        yield
        return
    is_interrupted = False

    def notice(number: int, frame: FrameType | None) -> None:
        nonlocal is_interrupted
        is_interrupted = True
        signal.default_int_handler(number, frame)

    signal.signal(signal.SIGINT, notice)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if is_interrupted:
            raise KeyboardInterrupt from None
