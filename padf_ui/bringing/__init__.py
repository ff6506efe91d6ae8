"""The ways in which people bring their data."""
