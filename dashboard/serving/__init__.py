"""The process that serves the dashboard: its routes, the document around a page, and the script Streamlit runs."""
