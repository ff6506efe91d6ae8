"""Uploads: files, pasted text, incidents."""
