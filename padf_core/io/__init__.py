"""Read user data: tables, roles of columns, clocks, incidents and series."""
