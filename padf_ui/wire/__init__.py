"""Schemas of the messages between Python and the browser, and validation of incoming messages."""
