"""The entry script, in a folder of its own: Streamlit would run the files of a folder `pages` beside it by themselves."""
