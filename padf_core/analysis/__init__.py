"""Comparing detectors, choosing a decay, and what a random detector reaches."""
