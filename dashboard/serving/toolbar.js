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

const SVG = "http://www.w3.org/2000/svg", EDGE = 8;

const follows = (element, other) => other.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING;

// What is written around a chart, as lines that fit its width: the finding, its subtitle, and its source below.
const texts = (block, plot, width) => {
  const pen = document.createElement("canvas").getContext("2d");
  const parts = (element, size, leading, before = "") => {
    if (!element) return [];
    const { fontFamily, fontWeight, color } = getComputedStyle(element), lines = [];
    pen.font = `${fontWeight} ${size}px ${fontFamily}`;
    for (const word of `${before}${element.textContent}`.trim().split(/\s+/)) {
      const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
      if (lines.length && pen.measureText(longer).width <= width - 2 * EDGE) lines[lines.length - 1] = longer;
      else lines.push(word);
    }
    return lines.map((text) => ({ text, size, leading, fontFamily, fontWeight, color }));
  };
  const written = [...block.querySelectorAll("p")].filter((one) => one.textContent.trim());
  const said = written.filter((one) => follows(plot, one)).at(0);
  const source = written.find((one) => follows(one, plot) && !one.querySelector('a[href*="#png-"]'));
  const inner = (one) => one && ([...one.querySelectorAll("span")].at(-1) || one); // the colour is the innermost's
  const below = parts(inner(source), 12, 17, "benchhealth · ");
  return { above: [...parts(block.querySelector("h1, h2, h3"), 19, 25), ...parts(inner(said), 13, 18)], below };
};

// The page's own faces, written into the drawing: a picture has no access to them.
const faces = async (used) => {
  const rules = [...document.styleSheets].flatMap((sheet) => {
    try { return [...sheet.cssRules].map((rule) => [rule, sheet.href]); } catch { return []; }
  }).filter(([rule]) => rule instanceof CSSFontFaceRule);
  const wanted = rules.filter(([{ style }]) => style.fontStyle !== "italic" && used.some((family) =>
    family.includes(style.fontFamily.replace(/["']/g, "")) || style.getPropertyValue("font-family").includes(family)));
  const written = await Promise.all(wanted.map(async ([{ style }, base]) => {
    const from = /url\(["']?([^"')]+)/.exec(style.getPropertyValue("src"))?.[1];
    const body = from && await fetch(new URL(from, base || document.baseURI)).then((answer) => answer.blob()).catch(() => 0);
    if (!body) return "";
    const data = await new Promise((done) => {
      const reader = new FileReader();
      reader.onload = () => done(reader.result);
      reader.readAsDataURL(body);
    });
    return `@font-face{font-family:${style.getPropertyValue("font-family")};` +
      `font-weight:${style.getPropertyValue("font-weight") || "normal"};src:url(${data})}`;
  }));
  return written.join("");
};

const drawing = async (block) => {
  const plot = block.querySelector(".js-plotly-plot, .drawn");
  const { width, height, left, top: high } = plot.getBoundingClientRect();
  const page = getComputedStyle(document.querySelector('[data-testid="stApp"]'));
  const { above, below } = texts(block, plot, width);
  const tall = (lines) => lines.reduce((sum, line) => sum + line.leading, lines.length ? 14 : 8);
  const top = tall(above), whole = top + height + tall(below);
  const svg = document.createElementNS(SVG, "svg");
  const put = (parent, tag, attributes) => {
    const element = parent.appendChild(document.createElementNS(SVG, tag));
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };
  for (const [key, value] of Object.entries({ xmlns: SVG, viewBox: `0 0 ${width} ${whole}`, width, height: whole })) {
    svg.setAttribute(key, value);
  }
  const used = [...new Set([page.fontFamily, ...above, ...below].map((one) => one.fontFamily || one))];
  put(svg, "style", {}).textContent = await faces(used);
  put(svg, "rect", { width: "100%", height: "100%", fill: page.backgroundColor });
  const write = (lines, from) => lines.reduce((y, line) => {
    put(svg, "text", { x: EDGE, y: y + line.leading - 5, "font-size": line.size, "font-weight": line.fontWeight,
      "font-family": line.fontFamily, fill: line.color }).textContent = line.text;
    return y + line.leading;
  }, from);
  write(above, 6);
  write(below, top + height + 4);
  const drawn = put(svg, "g", { transform: `translate(0 ${top})` });
  for (const part of plot.querySelectorAll("svg.main-svg")) {
    const copy = part.cloneNode(true), notes = copy.querySelectorAll(".annotation");
    part.querySelectorAll(".annotation").forEach((note, at) => {
      if (getComputedStyle(note).display === "none") notes[at].remove(); // meant for another width
    });
    const at = part.getBoundingClientRect(); // the drawings of one block may stand beside one another
    const group = put(drawn, "g", { transform: `translate(${at.left - left} ${at.top - high})` });
    group.append(...copy.childNodes);
  }
  drawn.querySelectorAll(".hoverlayer, .nsewdrag, .drag").forEach((element) => element.remove());
  return { svg, width, height: whole, canvases: [...plot.querySelectorAll("canvas")], top, plotHeight: height };
};

const saved = async (block, form, name) => {
  const { svg, width, height, canvases, top, plotHeight } = await drawing(block);
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
  for (const layer of canvases) context.drawImage(layer, 0, top, width, plotHeight);
  canvas.toBlob((blob) => download(blob, `${name}.png`));
};

// A box over the page with a heading and these parts; it opens at its top, and what had the focus has it again.
const made = (tag, text = "") => Object.assign(document.createElement(tag), { textContent: text });
const opened = (heading, ...parts) => {
  const dialog = made("dialog"), close = made("button", "Close");
  dialog.className = "offered";
  close.onclick = () => dialog.close();
  dialog.onclose = () => dialog.remove();
  dialog.append(made("h2", heading), ...parts, close);
  (document.querySelector('[data-testid="stApp"]') || document.body).append(dialog);
  dialog.showModal();
  dialog.scrollTop = 0;
};

// Texts to copy, each under its name.
const offered = (heading, texts) => {
  const wide = Math.min(640, innerWidth * 0.9) / 8.6; // letters of a line
  opened(heading, ...texts.flatMap(([name, text]) => {
    const area = made("textarea"), copy = made("button", "Copy"), line = made("div");
    area.value = text;
    area.readOnly = true;
    area.rows = Math.min(9, text.split("\n").reduce((sum, one) => sum + Math.ceil((one.length + 1) / wide), 0));
    area.setAttribute("aria-label", name);
    copy.setAttribute("aria-label", `Copy ${name}`);
    copy.onclick = async () => {
      area.select();
      await navigator.clipboard?.writeText(text).catch(() => document.execCommand("copy"));
      copy.textContent = "Copied";
    };
    if (texts.length > 1) line.append(made("strong", name));
    line.append(copy);
    return [line, area];
  }));
};

// The ways to cite and to take rows, which the server writes one below another; `# ` begins the name of each.
const cited = async (to, whole, view) => {
  const text = await fetch(to).then((answer) => answer.text());
  const parts = text.trim().split(/^# /m).slice(1).map((part) => part.split(/\n([^]*)/).slice(0, 2));
  offered("Cite and take", parts.map(([name, lines]) => [name, lines.trim().replaceAll(whole, view)]));
};

// The rows of a chart for who has no pointer, or cannot see marks. Cells are text: those of the CSV, quoted or not.
const MOST_ROWS = 500;
const tabled = (heading, csv) => {
  const [heads, ...rows] = csv.replace(/^\ufeff/, "").trim().split(/\r?\n(?=(?:[^"]*"[^"]*")*[^"]*$)/).map((line) =>
    [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
      quoted === undefined ? plain : quoted.replaceAll('""', '"')));
  const table = document.createElement("table"), scrolled = document.createElement("div");
  const cut = document.createElement("p"), head = table.createTHead().insertRow(), body = table.createTBody();
  for (const name of heads) {
    const cell = head.appendChild(document.createElement("th"));
    cell.scope = "col";
    cell.textContent = name.replaceAll("_", " ");
  }
  for (const row of rows.slice(0, MOST_ROWS)) {
    const line = body.insertRow();
    for (const text of row) line.insertCell().textContent = text;
  }
  if (rows.length > MOST_ROWS) cut.textContent = `The first ${MOST_ROWS} of ${rows.length} rows: the CSV has all.`;
  scrolled.className = "offered-table";
  scrolled.tabIndex = 0;
  scrolled.append(table);
  opened(heading, scrolled, cut);
};

// Whether the link was one of the toolbar's, and was followed here.
window.useChartTool = (link, to) => {
  const block = link.closest('[class*="st-key-chart_"]');
  if (link.textContent === "Cite" && /\/cite\/./.test(to.pathname)) return cited(to, "\0", ""), true;
  // The server says how high it is drawn, and what its title is.
  const framed = (what) => fetch(`/oembed?format=json&url=${encodeURIComponent(to.href)}`)
    .then((answer) => answer.json())
    .then(({html}) => offered(`Put this ${what} into a page`, [["HTML", html.replace(/width="\d+"/, 'width="100%"')]]));
  if (link.closest(".st-key-above_card")) {
    if (link.textContent === "Link") return offered("A link to this view", [["Link", link.href]]), true;
    if (link.textContent === "Embed") return framed("card"), true;
  }
  if (!block) return false;
  const name = [...block.classList].find((one) => one.startsWith("st-key-chart_")).slice("st-key-chart_".length);
  const view = [...block.querySelectorAll("a")].find((one) => one.textContent === "Link")?.href || location.href;
  const embed = [...block.querySelectorAll("a")].find((one) => one.textContent === "Embed")?.href || "\0";
  const save = /^#(png|svg)-/.exec(to.hash)?.[1];
  if (save) saved(block, save, `benchhealth-${name}`);
  else if (to.hash === "#table") {
    const heading = block.querySelector("h1, h2, h3")?.textContent || "What is drawn";
    fetch(to).then((answer) => answer.text()).then((csv) => tabled(heading, csv));
  }
  else if (link.textContent === "Link") offered("A link to this view", [["Link", view]]);
  else if (link.textContent === "Cite" && to.pathname.endsWith(".txt")) {
    cited(to, embed, view);
  } else if (link.textContent === "Embed") {
    framed("chart");
  } else return false;
  return true;
};
}
