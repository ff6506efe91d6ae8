"""Corpus page: many series, many detectors."""
