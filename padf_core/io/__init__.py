"""What users bring: tables, roles, clocks, incidents, series."""
