"""Settings for all tests."""

from hypothesis import settings

settings.register_profile("padf", deadline=None)
settings.register_profile("quick", deadline=None, max_examples=20)
settings.load_profile("padf")


def pytest_collection_modifyitems(items):
    """Begin with what takes longest, so that no worker is left with it at the end."""
    slow = ("test_stress.py", "test_learn.py", "test_one_more_protocol.py")
    items.sort(key=lambda item: (item.path.name not in slow, "browser" not in item.path.parts))
