// Draws the chart of an embedded page. The figure is data in the document: the frame runs no inline script.
const figure = JSON.parse(document.getElementById("figure").textContent);
Plotly.newPlot("chart", figure.data, figure.layout, { displayModeBar: false, responsive: true });
