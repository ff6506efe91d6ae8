"""The start page: what is computed, shown and drawn there."""
