"""The page for operators: a replay on the clock, and what an alert rule trades."""
