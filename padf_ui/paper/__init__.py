"""Paper cases and Published results."""
