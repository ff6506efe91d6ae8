"""Start page."""
