// The map through the years: read when a page first has a place for it (see navigation.js). All that is drawn is data in
// the document; what moves is moved here, and the server is not asked. The address has the month that stands still.
{
const SVG = "http://www.w3.org/2000/svg", NARROW = 640, THUMB = 22, PACE = 125, STANDS = 300;
const GONE = 0, WAITING = 1, DRAWN = 2, CHANGE = 7, PER_LANE = 5, PALE = 0.38, TAILS = 0.4;
const SPEEDS = [0.5, 1, 2, 4], HALF_LETTER = 0.27, COLUMN_GAP = 26;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

const made = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};
const put = (parent, tag, attributes = {}, text = "") => {
  const element = parent.appendChild(document.createElementNS(SVG, tag));
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text) element.textContent = text;
  return element;
};
const set = (element, attributes) => {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
};
// A text that changes while the map moves: observers of the document are not woken by it.
const write = (element, text) => {
  if (element.firstChild) element.firstChild.data = text;
  else element.append(text);
};

const shape = (name, r) => {
  const a = r * 1.12;
  if (name === "circle") return `M${r},0A${r},${r} 0 1 1 ${-r},0A${r},${r} 0 1 1 ${r},0Z`;
  if (name === "square") return `M${-r * 0.9},${-r * 0.9}H${r * 0.9}V${r * 0.9}H${-r * 0.9}Z`;
  if (name === "diamond") return `M${r * 1.25},0L0,${r * 1.25}L${-r * 1.25},0L0,${-r * 1.25}Z`;
  const up = name === "triangle-up" ? 1 : -1;
  return `M${-a},${up * a * 0.65}H${a}L0,${-up * a * 1.2}Z`;
};

// The state of each mark in each month, made of its changes: a list of [kind, stage, height, size, age, at least].
const unfolded = (changes, months) => {
  const states = new Array(months);
  let state = [GONE];
  for (let month = 0, next = 0; month < months; month++) {
    if (changes[next] === month) {
      state = changes.slice(next + 1, next + CHANGE);
      next += CHANGE;
    }
    states[month] = state;
  }
  return states;
};

const marksOf = (data) => data.marks.map(([id, label, name, x, rank, changes]) => {
  const states = unfolded(changes, data.names.length);
  return { id, label, name, x, rank, states, first: states.findIndex(([kind]) => kind === DRAWN) };
});

// Where the tail of a mark begins: what was left a year before, or when it came onto the map.
const before = (mark, month, tail) => {
  const from = mark.states[Math.max(month - tail, mark.first)];
  return from && from[0] === DRAWN ? from[2] : mark.states[month][2];
};

const painted = (data, [, stage, , , age]) => {
  const [, , colour] = data.stages[stage], { paper, grey } = data.colours;
  if (stage === 0 || age === 2) return { fill: paper, "fill-opacity": 1, stroke: grey };
  return age ? { fill: colour, "fill-opacity": PALE, stroke: colour } : { fill: colour, "fill-opacity": 1, stroke: paper };
};

// One map: the ground once, the marks as often as the month changes. `small` is one of six.
class Panel {
  constructor(data, marks, parent, small) {
    Object.assign(this, { data, marks, small });
    this.svg = put(parent, "svg", { class: "main-svg", role: "img" });
  }

  draw(width, month, head) {
    const { data, small, svg } = this, { colours } = data, narrow = width < NARROW;
    Object.assign(this, { width, narrow, month: -1 });
    this.left = 40;
    this.right = width - (small ? 6 : 10);
    this.top = small ? 30 : 24;
    this.floor = small ? 150 : narrow ? 320 : 384;
    this.lane = this.floor + (small ? 0 : 12);
    const height = small ? 170 : this.floor + 64;
    svg.replaceChildren();
    set(svg, { width, height, viewBox: `0 0 ${width} ${height}` });
    const text = { "font-family": data.faces[0], "font-size": 12, fill: colours.ink3 };
    const large = { "font-family": data.faces[1], "font-weight": 600, fill: colours.year, "text-anchor": "end" };
    if (small) {
      const line = put(svg, "text", { ...text, x: this.left - 34, y: 15, fill: colours.ink2 });
      put(line, "tspan", { "font-family": data.faces[1], "font-weight": 600, "font-size": 17, fill: colours.ink }, head[0]);
      put(line, "tspan", { dx: 8 }, head[1]);
    } else {
      const size = narrow ? 120 : 236;
      this.year = put(svg, "text", { ...large, x: this.right - 8, y: this.top + size * 0.92, "font-size": size });
      this.monthName = put(svg, "text", { ...large, x: this.right - 14, y: this.top + size * 0.2, "font-size": size / 8 });
      const said = put(svg, "text", { ...text, x: 0, y: 12, fill: colours.ink2 });
      put(said, "tspan", { "font-weight": 600 }, "Headroom");
      put(said, "tspan", {}, narrow ? " on that day" : " on that day: share of the scale that nobody had reached.");
      put(said, "tspan", { "font-weight": 600 }, "  Across");
      put(said, "tspan", {}, ": year of release");
    }
    const [little, littleSaid] = data.little;
    put(svg, "rect", { x: this.left, y: this.y(little), width: this.right - this.left, height: this.floor - this.y(little),
      fill: colours.fill, "fill-opacity": 0.75 });
    for (const [at, name] of data.ticks) {
      if (small && !["0%", "10%", "50%", "100%"].includes(name)) continue;
      put(svg, "line", { x1: this.left, x2: this.right, y1: this.y(at), y2: this.y(at), stroke: colours.grid });
      put(svg, "text", { ...text, x: this.left - 6, y: this.y(at) + 4, "text-anchor": "end" }, name);
    }
    for (const [index, [at, name]] of data.years.entries()) {
      if ((small || narrow) && index % 3 !== 1) continue;
      put(svg, "text", { ...text, x: this.x(at), y: height - (small ? 4 : 6), "text-anchor": "middle" }, name);
    }
    if (!small) {
      put(svg, "text", { ...text, x: this.x(0.13), y: this.floor - 5, fill: colours.red }, littleSaid);
      this.waiting = put(svg, "text", { ...text, y: this.lane + 14, fill: colours.ink2 });
    }
    this.day = put(svg, "line", { y1: this.top, y2: this.floor, stroke: colours.accent, "stroke-dasharray": "2 3" });
    this.tails = put(svg, "g");
    this.layer = put(svg, "g");
    this.names = put(svg, "g");
    this.drawn = this.marks.map(() => null);
    this.show(month);
  }

  x(share) { return this.left + share * (this.right - this.left); }

  y(root) { return this.floor - 8 - root * (this.floor - 8 - this.top); }

  show(month) {
    if (month === this.month) return;
    this.month = month;
    const { data } = this, at = this.x(data.days[month]);
    set(this.day, { x1: at, x2: at });
    if (!this.small) {
      const [name, year] = data.names[month].split(" ");
      write(this.year, year);
      write(this.monthName, name);
    }
    let waits = 0;
    this.marks.forEach((mark, index) => { waits += this.move(mark, index, month, waits); });
    if (this.small) return;
    const text = waits ? `${waits} ${data.lane[this.narrow ? 1 : 0]}` : " ";
    write(this.waiting, text);
    set(this.waiting, { x: this.freeInLane(at + 8, text.length * 5.3) });
  }

  // Where a text of this width finds place in the lane: right of the day, else at the first gap.
  freeInLane(wanted, width) {
    const taken = this.drawn.filter((seen) => seen?.waiting).map(({ x }) => x);
    const starts = [wanted, ...Array.from({ length: 200 }, (_, place) => this.left + place * 5)];
    return starts.find((from) => from + width < this.right && taken.every((x) => x < from - 6 || x > from + width + 6))
      ?? Math.min(wanted, this.right - width);
  }

  // Draw one mark as it is in a month; whether it waits.
  move(mark, index, month, waits) {
    const state = mark.states[month], [kind, stage, height, size] = state, was = this.drawn[index];
    if (kind === GONE || (kind === WAITING && this.small)) {
      if (was) {
        was.g.remove();
        was.tail.remove();
        this.drawn[index] = null;
      }
      return 0;
    }
    const seen = was || (this.drawn[index] = {
      g: put(this.layer, "g", { class: "years-mark" }), tail: put(this.tails, "path", { fill: "none" }), state: [] });
    const waiting = kind === WAITING, r = waiting ? 3 : size / 2 * (this.small ? 0.62 : this.narrow ? 0.8 : 1);
    const y = waiting ? this.lane + (waits % PER_LANE) * 7.5 : this.y(height / 1000), x = this.x(mark.x);
    if (seen.state !== state || seen.y !== y) {
      seen.path ||= put(seen.g, "path", { "stroke-width": this.small ? 1 : 1.3 });
      set(seen.g, { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` });
      const paint = waiting ? { fill: "none", "fill-opacity": 1, stroke: this.data.colours.grey } : painted(this.data, state);
      set(seen.path, { d: shape(waiting ? "circle" : this.data.stages[stage][1], r), ...paint });
    }
    const top = waiting ? y : this.y(before(mark, month, this.data.tail) / 1000);
    const tail = !waiting && y - top > 1.5 ? `M${x},${y.toFixed(1)}V${top.toFixed(1)}${this.small ? "" : "m-4,0h8"}` : "";
    if (tail !== seen.tailed || seen.state !== state) set(seen.tail, { d: tail, stroke: this.data.stages[stage || 0][2], "stroke-opacity": TAILS });
    Object.assign(seen, { state, x, y, r, waiting, tailed: tail });
    return waiting ? 1 : 0;
  }

  // Names beside the best known, none over another or over a mark: when the map stands still.
  label() {
    this.names.replaceChildren();
    const marks = this.drawn.flatMap((seen, index) => (seen && !seen.waiting ? [{ ...seen, mark: this.marks[index] }] : []));
    const taken = marks.map(({ x, y, r }) => [x - r, y - r, x + r, y + r]);
    let left = this.narrow ? 6 : 26;
    for (const { x, y, r, mark, state } of marks.sort((one, other) => one.mark.rank - other.mark.rank)) {
      if (!left) break;
      const half = mark.label.length * 12 * HALF_LETTER;
      const places = [[r + 5 + half, 0], [-r - 5 - half, 0], [0, -r - 9], [0, r + 9]];
      const boxes = places.map(([dx, dy]) => [x + dx - half, y + dy - 7, x + dx + half, y + dy + 7]);
      const free = boxes.findIndex((box) => box[0] > this.left && box[2] < this.right && box[1] > this.top
        && box[3] < this.floor && taken.every((other) => box[2] < other[0] || other[2] < box[0] || box[3] < other[1]
          || other[3] < box[1]));
      if (free < 0) continue;
      const [x0, y0, x1, y1] = boxes[free];
      taken.push(boxes[free]);
      const [anchor, from] = [["start", x0], ["end", x1], ["middle", x], ["middle", x]][free];
      put(this.names, "text", { x: from, y: (y0 + y1) / 2 + 4, "text-anchor": anchor, "font-size": 12,
        "font-family": this.data.faces[0], "font-weight": state[4] ? 400 : 600,
        fill: state[4] ? this.data.colours.ink3 : this.data.colours.ink }, mark.label);
      left -= 1;
    }
  }

  // The mark nearest to a point, if one is near.
  near(x, y, reach) {
    let best = null, least = reach;
    this.drawn.forEach((seen, index) => {
      const away = seen ? Math.hypot(seen.x - x, seen.y - y) : Infinity;
      if (away < least) [best, least] = [{ ...seen, mark: this.marks[index] }, away];
    });
    return best;
  }
}

const areas = (data, svg, width, height) => {
  const months = data.names.length, most = Math.max(1, ...data.names.map((_, m) => data.stock.reduce((n, row) => n + row[m], 0)));
  const across = (month) => THUMB / 2 + (month / Math.max(1, months - 1)) * (width - THUMB);
  svg.replaceChildren();
  set(svg, { width, height, viewBox: `0 0 ${width} ${height}` });
  const under = new Array(months).fill(0);
  data.stock.forEach((row, index) => {
    const low = under.map((n, m) => `${across(m).toFixed(1)},${(height - n / most * height).toFixed(1)}`).reverse();
    row.forEach((n, m) => { under[m] += n; });
    const high = under.map((n, m) => `${across(m).toFixed(1)},${(height - n / most * height).toFixed(1)}`);
    put(svg, "path", { d: `M${high.join("L")}L${low.join("L")}Z`, fill: data.stages[data.order[index]][2], "fill-opacity": 0.45 });
  });
  const ahead = put(svg, "rect", { y: 0, height, fill: data.colours.paper, "fill-opacity": 0.55 });
  return (month) => set(ahead, { x: across(month), width: Math.max(0, width - across(month)) });
};

const style = (data) => {
  const { card, line, ink, accent, paper } = data.colours;
  return `
.years h1 { font: 600 30px/36px ${data.faces[1]}; margin: 0; padding: 4px 0; color: inherit; }
.years p { margin: 0 0 6px; font-size: 14px; line-height: 20px; color: inherit; }
.years .years-top { display: flex; gap: 18px; justify-content: space-between; align-items: baseline; }
.years .years-top a { flex: none; } .years a { color: inherit; }
.years-plot { position: relative; } .years-plot svg { display: block; overflow: visible; }
.years-plot.points { cursor: pointer; }
.years-mark { transition: transform ${PACE - 15}ms linear; } .years-jumps .years-mark { transition: none; }
.years-tip { position: absolute; pointer-events: none; padding: 5px 8px; font-size: 12px; line-height: 16px; color: ${ink};
  background: ${card}; border: 1px solid ${line}; border-radius: 6px; white-space: pre; z-index: 2; }
.years-controls { display: flex; gap: 8px; align-items: flex-end; margin: 10px 0 8px; }
.years-controls button, .years-controls select { height: 44px; min-width: 44px; font: inherit; font-size: 17px; color: ${ink};
  background: ${card}; border: 1px solid ${line}; border-radius: 8px; cursor: pointer; }
.years-controls select { font-size: 14px; }
.years-controls .years-play { border: 0; border-radius: 50%; width: 46px; height: 46px; color: ${paper}; background: ${accent}; }
.years-controls .years-play svg { display: block; margin: auto; fill: currentColor; }
.years-track { position: relative; flex: 1; min-width: 0; height: 112px; }
.years-track svg { position: absolute; left: 0; bottom: 56px; }
.years-track input { position: absolute; left: 0; bottom: 34px; width: 100%; height: 44px; margin: 0; background: none;
  appearance: none; cursor: pointer; touch-action: pan-y; }
.years-track input { --gone: linear-gradient(to right, ${accent} var(--part), ${line} var(--part)); }
.years-track input::-webkit-slider-runnable-track { height: 4px; border-radius: 2px; background: var(--gone); }
.years-track input::-moz-range-track { height: 4px; border-radius: 2px; background: var(--gone); }
.years-track input::-webkit-slider-thumb { appearance: none; width: ${THUMB}px; height: ${THUMB}px; margin-top: -9px;
  border-radius: 50%; background: ${card}; border: 3px solid ${accent}; }
.years-track input::-moz-range-thumb { width: 16px; height: 16px; border-radius: 50%; background: ${card}; border: 3px solid ${accent}; }
.years-track output { position: absolute; bottom: 8px; transform: translateX(-50%); padding: 2px 9px; font-size: 13px;
  font-weight: 600; line-height: 20px; white-space: nowrap; color: ${paper}; background: ${accent}; border-radius: 6px; }
.years-track small { position: absolute; bottom: 12px; transform: translateX(-50%); font-size: 12px; color: inherit; }
.years-track .years-how { top: -2px; bottom: auto; left: 0; transform: none; }
.years-live { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.years-strip { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 18px ${COLUMN_GAP}px; }
.years-strip svg { display: block; }
@media (max-width: ${NARROW}px) {
  .years h1 { font-size: 26px; line-height: 31px; } .years .years-top { display: block; }
  .years-controls { flex-wrap: wrap; } .years-track { flex: 1 1 100%; order: -1; }
  .years-strip { grid-template-columns: minmax(0, 1fr); }
}
@media print {
  .years-controls, .years-tip, .years-top a { display: none !important; }
  .years-plot svg, .years-strip svg { max-width: 100%; height: auto; break-inside: avoid; }
}`;
};

const icon = (playing) => {
  const svg = document.createElementNS(SVG, "svg");
  set(svg, { width: 18, height: 18, viewBox: "0 0 18 18", "aria-hidden": "true" });
  put(svg, "path", { d: playing ? "M3,2h4v14h-4zM11,2h4v14h-4z" : "M4,1L16,9L4,17Z" });
  return svg;
};

const draw = (host) => {
  host.dataset.drawn = "yes";
  const data = JSON.parse(host.querySelector(".years-payload").textContent), marks = marksOf(data);
  const last = data.names.length - 1, [firstYear, firstMonth] = data.first.split("-").map(Number);
  const block = host.closest('[class*="st-key-chart_"]');
  const addressOf = (month) => {
    const whole = firstYear * 12 + firstMonth - 1 + month;
    return `${Math.floor(whole / 12)}-${String(whole % 12 + 1).padStart(2, "0")}`;
  };
  const asked = () => {
    const [year, of] = (new URL(location).searchParams.get("at") || "").split("-").map(Number);
    const place = (year - firstYear) * 12 + of - firstMonth;
    return place >= 0 && place <= last ? place : month; // where the address is another view's, it stays
  };

  const title = made("h1"), rest = made("p"), basis = made("p"), live = made("p", { class: "years-live", role: "status" });
  const back = made("a", { href: "./" }, "Back to the map");
  const early = made("a", { href: `?at=${addressOf(data.earliest ?? last)}` }, data.earliest_said);
  const plot = made("div", { class: "years-plot drawn" }), tip = made("div", { class: "years-tip", hidden: "" });
  const play = made("button", { type: "button", class: "years-play", "aria-label": "Play" });
  const step = (by, sign, label) => {
    const button = made("button", { type: "button", "aria-label": label }, sign);
    button.onclick = () => go(month + by, true);
    return button;
  };
  const speed = made("select", { "aria-label": "Speed" },
    ...SPEEDS.map((times) => made("option", { value: times, ...(times === 1 && { selected: "" }) }, `${times}×`)));
  const stock = document.createElementNS(SVG, "svg"), slider = made("input", { type: "range", min: 0, max: last, step: 1,
    "aria-label": "Month" });
  stock.setAttribute("aria-hidden", "true");
  const bubble = made("output", { "aria-hidden": "true" });
  const how = made("small", { class: "years-how", "aria-hidden": "true" }, "How many in each stage, month by month");
  const track = made("div", { class: "years-track" }, how, stock, slider, bubble);
  const controls = made("div", { class: "years-controls" }, play, step(-1, "‹", "One month back"),
    step(1, "›", "One month on"), speed, track);
  plot.append(tip);
  host.append(made("style", {}, style(data)), made("div", { class: "years-top" }, title, back), rest, plot, controls, basis,
    live);
  const panel = new Panel(data, marks, plot, false);
  let month = -1, timer = 0, rests = 0, pale = () => {}, ticks = [];

  const placeOf = (at) => THUMB / 2 + (at / Math.max(1, last)) * (track.clientWidth - THUMB);
  const show = (next) => {
    month = next;
    host.dataset.month = addressOf(month);
    slider.value = month;
    slider.setAttribute("aria-valuetext", data.names[month]);
    write(title, data.titles[month]);
    write(rest, data.rests[month]);
    write(basis, data.bases[month]);
    write(bubble, month === last ? data.now : data.names[month]);
    const half = bubble.offsetWidth / 2;
    const middle = Math.min(Math.max(placeOf(month), half), track.clientWidth - half);
    bubble.style.left = `${middle}px`;
    slider.style.setProperty("--part", `${(placeOf(month) / track.clientWidth * 100).toFixed(2)}%`);
    for (const year of ticks) year.hidden = Math.abs(parseFloat(year.style.left) - middle) < half + 14;
    pale(month);
    panel.show(month);
  };
  // When it stands still: the names, what is read out, the address, and the links below.
  const stand = () => {
    if (!host.isConnected) return;
    panel.label();
    panel.svg.setAttribute("aria-label", `${data.titles[month]}. ${data.rests[month]}`);
    if (live.textContent !== data.titles[month]) live.textContent = data.titles[month];
    early.remove();
    if (data.earliest !== null && month < data.earliest) rest.append(" ", early);
    const at = addressOf(month), here = new URL(location);
    if (here.searchParams.has("at") && here.searchParams.get("at") !== at) {
      here.searchParams.set("at", at);
      history.replaceState(history.state, "", here);
    }
    for (const link of block?.querySelectorAll("a[href]") ?? []) { // the page may have been left
      const to = link.getAttribute("href");
      if (link !== early && /at=\d{4}-\d\d/.test(to)) link.setAttribute("href", to.replace(/at=\d{4}-\d\d/, `at=${at}`));
    }
  };
  const go = (next, still) => {
    const to = Math.min(last, Math.max(0, next));
    if (still) pause();
    host.classList.toggle("years-jumps", calm.matches || Math.abs(to - month) > 1);
    panel.names.replaceChildren();
    early.remove();
    hideTip();
    show(to);
    clearTimeout(rests);
    if (!timer) rests = setTimeout(stand, STANDS);
  };
  const pause = () => {
    if (!timer) return;
    clearInterval(timer);
    timer = 0;
    play.replaceChildren(icon(false));
    play.setAttribute("aria-label", "Play");
    rests = setTimeout(stand, STANDS);
  };
  const run = () => {
    if (calm.matches) return;
    if (month === last) go(0, true);
    clearTimeout(rests);
    play.replaceChildren(icon(true));
    play.setAttribute("aria-label", "Pause");
    timer = setInterval(() => {
      if (!host.isConnected) return clearInterval(timer);
      if (month >= last) pause();
      else go(month + 1, false);
    }, PACE / Number(speed.value));
  };
  const hideTip = () => { tip.hidden = true; plot.classList.remove("points"); };
  const point = (event) => {
    const box = plot.getBoundingClientRect();
    return panel.near(event.clientX - box.left, event.clientY - box.top, event.pointerType === "mouse" ? 14 : 24);
  };
  const tell = (event) => {
    const seen = timer ? null : point(event);
    if (!seen) return hideTip();
    const [, stage, height, , age, least] = seen.state, share = (height / 1000) ** 2 * 100;
    const lines = seen.waiting ? [data.lane[0]] : [data.stages[stage][0],
      `${least ? "at least " : ""}${share.toFixed(share < 1 ? 1 : 0)}% left`, data.ages[age]];
    tip.textContent = [seen.mark.name, ...lines.filter(Boolean)].join("\n");
    tip.hidden = false;
    const left = seen.x + 14 + tip.offsetWidth > panel.width ? seen.x - 14 - tip.offsetWidth : seen.x + 14;
    set(tip, { style: `left:${Math.max(0, left)}px;top:${Math.max(0, seen.y - 20)}px` });
    plot.classList.toggle("points", !seen.waiting);
    return seen;
  };
  let touched = null;
  plot.onpointermove = tell;
  plot.onpointerleave = hideTip;
  plot.onclick = (event) => {
    const seen = point(event), isTouch = event.pointerType === "touch";
    if (isTouch && touched !== seen?.mark.id) {
      touched = seen?.mark.id;
      tell(event);
    } else if (seen) visit(new URL(`benchmark?${new URLSearchParams({ benchmark: seen.mark.id })}`, base));
  };

  play.append(icon(false));
  play.onclick = () => (timer ? pause() : run());
  speed.onchange = () => { if (timer) { pause(); run(); } };
  slider.oninput = () => go(Number(slider.value), true);
  slider.onkeydown = (event) => {
    const by = { PageUp: 12, PageDown: -12, ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, Home: -last, End: last };
    if (event.key === " ") play.click();
    else if (event.key in by && !event.altKey && !event.ctrlKey && !event.metaKey) go(month + by[event.key], true);
    else return;
    event.preventDefault();
  };
  const calmed = () => { play.hidden = speed.hidden = calm.matches; if (calm.matches) pause(); };
  calm.addEventListener("change", calmed);
  calmed();

  let width = 0;
  const lay = () => {
    if (!host.clientWidth || host.clientWidth === width) return;
    width = host.clientWidth;
    host.classList.add("years-jumps");
    const to = month < 0 ? asked() : month;
    panel.draw(width, to < 0 ? last : to);
    pale = areas(data, stock, track.clientWidth, 46);
    ticks.forEach((one) => one.remove());
    const every = track.clientWidth < 400 ? 4 : 2, many = Math.floor(last / 12 / every) + 1;
    ticks = Array.from({ length: many }, (_, place) => made("small", { "aria-hidden": "true",
      style: `left:${placeOf(place * every * 12)}px` }, String(firstYear + place * every)));
    bubble.before(...ticks);
    go(to < 0 ? last : to, true);
    clearTimeout(rests);
    stand();
  };
  new ResizeObserver(lay).observe(host);
  addEventListener("popstate", () => { if (host.isConnected && asked() !== month) go(asked(), true); });
  document.fonts?.ready.then(() => { if (host.isConnected && month >= 0) panel.label(); });
  return [data, marks];
};

// The six small maps, once their place is there.
const drawSmall = (strip, [data, marks]) => {
  strip.dataset.drawn = "yes";
  strip.classList.add("drawn");
  const panels = data.strip.map(() => new Panel(data, marks, strip, true));
  let width = 0;
  new ResizeObserver(() => {
    if (!strip.clientWidth || strip.clientWidth === width) return;
    width = strip.clientWidth;
    const each = width < NARROW ? width : Math.floor((width - 2 * COLUMN_GAP) / 3);
    data.strip.forEach(([place, ...head], index) => {
      panels[index].draw(each, place, head);
      panels[index].svg.setAttribute("aria-label", head.join(": "));
    });
  }).observe(strip);
};

let shown = null;
const mount = () => {
  for (const host of document.querySelectorAll(".years:not([data-drawn])")) {
    if (host.querySelector(".years-payload")) shown = draw(host);
  }
  const strip = shown && document.querySelector(".years-strip:not([data-drawn])");
  if (strip) drawSmall(strip, shown);
};
new MutationObserver(mount).observe(document.body, { childList: true, subtree: true });
mount();
}
