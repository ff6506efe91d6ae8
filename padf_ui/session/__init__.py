"""State of a visit: board, study and settings as plain types, and access to Streamlit's session."""
