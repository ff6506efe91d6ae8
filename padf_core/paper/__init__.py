"""The paper: its cases, its published tables, and its inconsistencies."""
