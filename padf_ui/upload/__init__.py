"""Uploads: files, pasted text and incidents."""
