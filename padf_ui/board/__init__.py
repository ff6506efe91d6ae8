"""The Playground: what is computed, shown and drawn there."""
