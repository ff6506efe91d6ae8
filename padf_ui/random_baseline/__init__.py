"""Random detector page: expected scores of random detectors."""
