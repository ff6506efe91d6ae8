"""Results, tables and texts about uploaded data."""
