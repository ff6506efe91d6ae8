"""From a stated need to a decay; the names that scripts import from here."""

from padf_core.analysis.choosing import Need, agreeing_shapes, decay_for, need_of
from padf_core.analysis.settings_file import settings_from_json, settings_to_json

__all__ = [
    "Need",
    "agreeing_shapes",
    "decay_for",
    "need_of",
    "settings_from_json",
    "settings_to_json",
]
