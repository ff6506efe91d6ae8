"""Settings for all tests."""

from hypothesis import settings

settings.register_profile("padf", deadline=None)
settings.load_profile("padf")
