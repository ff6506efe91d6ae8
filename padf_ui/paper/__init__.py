"""The pages on the paper: what is computed, shown and drawn there."""
