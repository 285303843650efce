"""A bare page of Streamlit, to compare with: one row of pills and one chart of two hundred points."""

import plotly.graph_objects as go
import streamlit as st

POINTS = 200

st.set_page_config(layout="wide")
chosen = st.pills("Stage", ["one", "two", "three", "four"], selection_mode="multi", key="stage_box")
figure = go.Figure(go.Scatter(x=list(range(POINTS)), y=[x * (len(chosen) + 1) % 17 for x in range(POINTS)]))
st.plotly_chart(figure)
