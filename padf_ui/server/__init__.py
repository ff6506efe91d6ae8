"""Server: middleware, memory limits, temporary folders and caches."""
