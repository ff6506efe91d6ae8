"""Page for operators: a real-time replay and the trade-offs of an alert rule."""
