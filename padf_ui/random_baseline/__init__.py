"""What random detectors reach."""
