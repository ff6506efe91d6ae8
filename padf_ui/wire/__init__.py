"""The messages between Python and the browser: their kinds, and the check of what comes back."""
