"""What protocols make of labels, detections and scores; numpy alone."""
