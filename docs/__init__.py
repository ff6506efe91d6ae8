"""The documentation, and what makes pages of it."""
