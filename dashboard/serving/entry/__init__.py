"""The entry script, in a folder of its own: Streamlit would take a folder `pages` next to it for pages of its own."""
