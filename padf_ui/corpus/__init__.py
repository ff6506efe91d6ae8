"""The page on corpora: many series, many detectors."""
