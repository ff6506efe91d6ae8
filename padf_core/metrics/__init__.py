"""Evaluate labels, detections and scores under protocols; depends on numpy only."""
