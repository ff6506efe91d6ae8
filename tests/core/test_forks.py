"""The process that forks: a stop ends every fork, also one that has only just begun."""

import sys
import threading

import pytest

from padf_core.io.forks import CAN_FORK, ForkServer

pytestmark = pytest.mark.skipif(not CAN_FORK, reason="this system cannot fork")

# Loaded by the process that forks. A fork then takes half a second to change a signal's handler.
SLOW_SIGNALS = """
import os, signal, time

PARENT, change = os.getpid(), signal.signal

def slowly(*given):
    if os.getpid() != PARENT:
        time.sleep(0.5)
    return change(*given)

signal.signal = slowly
"""


def wait_for_ever(line, files):
    line.recv()


def test_a_fork_that_has_only_just_begun_ends_with_its_server(tmp_path, monkeypatch):
    (tmp_path / "slow_signals.py").write_text(SLOW_SIGNALS)
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    server = ForkServer(["slow_signals"])
    fork = server.fork(wait_for_ever)
    stopping = threading.Thread(target=server.stop, daemon=True)
    stopping.start()
    stopping.join(20)
    has_stopped = not stopping.is_alive()
    # The fork's line closes only now: an end of the line is not what ended it.
    fork.line.close()
    stopping.join(20)
    assert has_stopped
