"""Streamlit app: session state, controls, figures and the live board."""
