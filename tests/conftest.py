"""Settings for all tests."""

import fcntl
from importlib.util import cache_from_source, find_spec
from pathlib import Path

import pytest
from hypothesis import settings

# The same commit gives the same verdict each time. `make fuzz` searches with new examples.
settings.register_profile("padf", deadline=None, derandomize=True)
settings.register_profile("quick", deadline=None, derandomize=True, max_examples=20)
settings.register_profile("search", deadline=None, max_examples=1000)
settings.load_profile("padf")


def _is_compiled():
    pandas = find_spec("pandas")
    return pandas is None or Path(cache_from_source(pandas.origin)).exists()


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Where packages are new, let one worker compile them while the others wait."""
    if _is_compiled():
        return (yield)
    with open(__file__) as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if _is_compiled():
            fcntl.flock(lock, fcntl.LOCK_UN)
        return (yield)


def pytest_collection_modifyitems(items):
    """Begin with what takes longest, so that no worker is left with it at the end."""
    slow = ("test_stress.py", "test_learn.py", "test_one_more_protocol.py")
    items.sort(key=lambda item: (item.path.name not in slow, "browser" not in item.path.parts))
