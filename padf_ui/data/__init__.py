"""Your data: what is computed, shown and drawn there."""
