"""What several tests of the core need."""

import os

import pytest

from padf_core.io import sandbox


@pytest.fixture(scope="module")
def reader():
    """The process in which files of strangers are read."""
    if not hasattr(os, "memfd_create"):
        pytest.skip("this machine has no shared files without a name")
    sandbox.start()
    yield
    sandbox.stop()
