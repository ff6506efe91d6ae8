"""Documentation, and the script that converts it to HTML."""
