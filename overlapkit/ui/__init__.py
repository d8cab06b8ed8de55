"""The dashboard: the only part, with app.py, tune.py and pages/, that imports streamlit."""
