"""Your data: results, widgets, charts and exports."""
