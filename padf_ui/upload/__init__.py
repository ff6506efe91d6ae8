"""Bringing data: files, pasted text, incidents."""
