"""Random detector: what is computed, shown and drawn there."""
