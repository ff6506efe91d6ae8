"""Choose a decay rate: what is computed, shown and drawn there."""
