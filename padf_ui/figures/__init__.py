"""Plotly figures: a result in, a figure out."""
