"""Streamlit pages over one published generation. Pages compute nothing statistical."""
