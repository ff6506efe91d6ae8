"""What several pages show: widgets, tables, charts, names, messages to the browser."""
