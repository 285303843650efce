// Read before navigation.js, as part of the document of every page.
{
// The toolbar under a chart. PNG and SVG are made of what the browser has drawn; the others are addresses, which are
// shown with a button that copies them.
const download = (blob, name) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
};

const textAbove = (block) => [...block.querySelectorAll("h2, h3")].map((heading) => heading.textContent.trim())[0] || "";

const drawing = (block) => {
  const plot = block.querySelector(".js-plotly-plot"), { width, height } = plot.getBoundingClientRect();
  const style = getComputedStyle(document.querySelector('[data-testid="stApp"]')), margin = 44;
  const name = "http://www.w3.org/2000/svg", svg = document.createElementNS(name, "svg");
  svg.setAttribute("xmlns", name);
  svg.setAttribute("viewBox", `0 0 ${width} ${height + 2 * margin}`);
  svg.setAttribute("width", width);
  svg.setAttribute("height", height + 2 * margin);
  const paper = svg.appendChild(document.createElementNS(name, "rect"));
  paper.setAttribute("width", "100%");
  paper.setAttribute("height", "100%");
  paper.setAttribute("fill", style.backgroundColor);
  const line = (text, y, size, weight, family) => {
    const put = svg.appendChild(document.createElementNS(name, "text"));
    for (const [key, value] of Object.entries({ x: 8, y, "font-size": size, "font-weight": weight,
      "font-family": family, fill: style.color })) put.setAttribute(key, value);
    put.textContent = text;
  };
  line(textAbove(block), 26, 19, 600, "Source Serif, serif");
  line(block.querySelector("[data-source]")?.textContent || block.innerText.split("\n").findLast((text) =>
    text.includes("known until")) || "benchhealth", height + margin + 28, 12, 400, "Source Sans, sans-serif");
  const drawn = svg.appendChild(document.createElementNS(name, "g"));
  drawn.setAttribute("transform", `translate(0 ${margin})`);
  for (const part of plot.querySelectorAll("svg.main-svg")) {
    const copy = part.cloneNode(true), notes = copy.querySelectorAll(".annotation");
    part.querySelectorAll(".annotation").forEach((note, at) => {
      if (getComputedStyle(note).display === "none") notes[at].remove(); // meant for another width
    });
    drawn.append(...copy.childNodes);
  }
  drawn.querySelectorAll(".hoverlayer, .nsewdrag, .drag").forEach((element) => element.remove());
  return { svg, width, height: height + 2 * margin, canvases: [...plot.querySelectorAll("canvas")], margin };
};

const saved = async (block, form, name) => {
  const { svg, width, height, canvases, margin } = drawing(block);
  const source = new XMLSerializer().serializeToString(svg);
  const vector = new Blob([source], { type: "image/svg+xml" });
  if (form === "svg") return download(vector, `${name}.svg`);
  const picture = new Image(), canvas = document.createElement("canvas");
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`;
  await picture.decode();
  canvas.width = width * 2;
  canvas.height = height * 2;
  const context = canvas.getContext("2d");
  context.scale(2, 2);
  context.drawImage(picture, 0, 0, width, height);
  for (const layer of canvases) context.drawImage(layer, 0, margin, width, height - 2 * margin);
  canvas.toBlob((blob) => download(blob, `${name}.png`));
};

const offered = (heading, text) => {
  const dialog = document.createElement("dialog"), title = document.createElement("h2");
  const area = document.createElement("textarea"), copy = document.createElement("button");
  const close = document.createElement("button");
  dialog.className = "offered";
  title.textContent = heading;
  area.value = text;
  area.readOnly = true;
  area.setAttribute("aria-label", heading);
  copy.textContent = "Copy";
  close.textContent = "Close";
  copy.onclick = async () => {
    area.select();
    await navigator.clipboard?.writeText(text).catch(() => document.execCommand("copy"));
    copy.textContent = "Copied";
  };
  close.onclick = () => dialog.close();
  dialog.onclose = () => dialog.remove();
  dialog.append(title, area, copy, close);
  (document.querySelector('[data-testid="stApp"]') || document.body).append(dialog);
  dialog.showModal();
  area.select();
};

// Whether the link was one of the toolbar's, and was followed here.
window.useChartTool = (link, to) => {
  const block = link.closest('[class*="st-key-chart_"]');
  if (!block) return false;
  const name = [...block.classList].find((one) => one.startsWith("st-key-chart_")).slice("st-key-chart_".length);
  const view = [...block.querySelectorAll("a")].find((one) => one.textContent === "Link")?.href || location.href;
  const save = /^#(png|svg)-/.exec(to.hash)?.[1];
  if (save) saved(block, save, `benchhealth-${name}`);
  else if (link.textContent === "Link") offered("A link to this view", view);
  else if (link.textContent === "Cite" && to.pathname.endsWith(".txt")) {
    fetch(to).then((answer) => answer.text()).then((text) => offered("A citation", `${text.trim()} ${view}`));
  } else if (link.textContent === "Embed") {
    offered("Put this chart into a page", `<iframe src="${to.href}" width="100%" height="520" loading="lazy"></iframe>`);
  } else return false;
  return true;
};
}
