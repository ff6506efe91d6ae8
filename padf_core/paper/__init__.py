"""The paper: its cases, its published tables, and where it disagrees with itself."""
