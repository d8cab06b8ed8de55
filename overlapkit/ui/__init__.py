"""The dashboard: the only part, with app.py and pages/, that imports streamlit."""
