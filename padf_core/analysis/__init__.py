"""Compare detectors, choose a decay and compute random baselines."""
