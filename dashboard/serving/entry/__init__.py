"""The entry script, in a folder of its own: a folder `pages` beside it Streamlit would take for pages of its own."""
