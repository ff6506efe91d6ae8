"""The front door: what is computed, shown and drawn there."""
