// Draws the chart of an embedded page. The figure is data in the document: the frame runs no inline script.
const figure = JSON.parse(document.getElementById("figure").textContent);
// Plotly measures its texts: their face has to be there first.
document.fonts.load('12px "Source Sans"').finally(() =>
  Plotly.newPlot("chart", figure.data, figure.layout, { displayModeBar: false, responsive: true }));
