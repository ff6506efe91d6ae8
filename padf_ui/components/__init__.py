"""Widgets, tables, charts, names and browser messages shared by several pages."""
