"""Evaluate many detectors on many series: read one series at a time, count, pool and compare."""
