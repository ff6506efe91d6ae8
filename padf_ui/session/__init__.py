"""What a visit holds: board, study and settings as plain types, and the adapter to Streamlit."""
