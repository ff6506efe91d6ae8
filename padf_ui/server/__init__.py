"""Serving the app: what stands before it, memory, temporary folders, caches."""
