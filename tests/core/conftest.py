"""What several tests of the core need."""

import os

import pytest

from padf_core.data import guarded


@pytest.fixture(scope="module")
def reader():
    """The process in which files of strangers are read."""
    if not hasattr(os, "memfd_create"):
        pytest.skip("this machine has no shared files without a name")
    guarded.start()
    yield
    guarded.stop()
