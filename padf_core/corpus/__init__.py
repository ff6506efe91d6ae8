"""Many series and many detectors: read one series at a time, count, add up, compare."""
