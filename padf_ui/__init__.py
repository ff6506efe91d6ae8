"""Everything that is Streamlit or plotly: state, controls, figures and the live drawing board."""
