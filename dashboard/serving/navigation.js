// Read before Streamlit's own scripts, as part of the document of every page.

// Where the server is: Streamlit would look for it below the page's address first, at the cost of two failed requests.
const base = new URL("./", document.currentScript.src);
window.__streamlit = { BACKEND_BASE_URL: base.href };

const { pages, first } = JSON.parse(document.currentScript.dataset.dashboard);
const { pushState, replaceState } = history;
// Where a link leads: the first page is at the root, also by its own address.
const destination = (href) => {
  const to = new URL(href, location);
  if (to.origin + to.pathname === base.href + first) to.pathname = base.pathname;
  return to;
};
const isPage = (url) => pages.some((path) => url.origin + url.pathname === base.href + path);
// A topic of Methods, a chart of Field is drawn when the address asks for it: what stands after # never reaches the server.
const NAMED = { methods: "topic", field: "chart" };
const topical = (url) => {
  const name = NAMED[(url.origin + url.pathname).replace(base.href, "")];
  if (name && url.hash && !url.searchParams.has(name)) url.searchParams.set(name, decodeURIComponent(url.hash.slice(1)));
  return url;
};
const asked = topical(new URL(location));
if (asked.href !== location.href) replaceState.call(history, history.state, "", asked);
const wantsTab = (event) => event?.ctrlKey || event?.metaKey || event?.shiftKey || event?.altKey;

// Open another view within the session: Streamlit follows the browser's history and takes the filters from the address.
const visit = (to) => {
  to = topical(to);
  if (to.pathname === location.pathname && to.search === location.search) {
    location.hash = to.hash;
    return;
  }
  pushState.call(history, {}, "", to);
  dispatchEvent(new PopStateEvent("popstate", { state: {} }));
  if (to.hash) show(to.hash.slice(1));
};

// The part of the new view that a link names: it is there once the page has been drawn.
const show = (id, tries = 40) => {
  const part = document.getElementById(id);
  if (part && tries < 38) part.scrollIntoView({ behavior: "smooth" });
  else if (tries) setTimeout(show, 100, id, tries - 1);
};

// On a phone some parts of a page wait folded: an address that names something in one unfolds it.
const unfold = () => {
  const named = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const folded = named && named.closest('[class*="st-key-later_"]:not([data-unfolded])');
  if (!folded) return;
  const waits = !folded.checkVisibility();
  folded.dataset.unfolded = "yes";
  if (waits) setTimeout(() => named.scrollIntoView(), 100); // once its charts have their width
};
addEventListener("hashchange", unfold);
new MutationObserver(unfold).observe(document, { childList: true, subtree: true });

// A dark page is printed light: its style for paper turns its colours round.
addEventListener("beforeprint", () => {
  const { colorScheme } = getComputedStyle(document.querySelector('[data-testid="stApp"]') ?? document.documentElement);
  document.documentElement.toggleAttribute("data-dark", colorScheme === "dark");
});

// On paper a frame is cut wherever a sheet ends: while it prints, the report in one stands in its place.
addEventListener("beforeprint", () => {
  const frame = document.querySelector(".st-key-report_frame iframe");
  const report = frame?.contentDocument;
  if (!report?.body) return;
  const host = document.createElement("div");
  const shown = [...report.querySelectorAll("head style"), report.body].map((part) => part.cloneNode(true));
  host.attachShadow({ mode: "open" }).append(...shown);
  frame.after(host);
  frame.style.display = "none";
  addEventListener("afterprint", () => (host.remove(), (frame.style.display = "")), { once: true });
});

// What answers a form is read out when it changes.
new MutationObserver(() => {
  for (const region of document.querySelectorAll('[class*="st-key-live_"]:not([aria-live])'))
    region.setAttribute("aria-live", "polite");
}).observe(document, { childList: true, subtree: true });
// The map through the years, the list of a life, the stories and the report have scripts of their own, read when a page first has
// a place for them.
const later = { ".years": "years.js", ".st-key-life_list": "life.js", ".st-key-story_dots": "stories.js",
  ".st-key-report_frame": "whole.js" };
const places = new MutationObserver(() => {
  for (const [place, name] of Object.entries(later)) {
    if (!document.querySelector(place)) continue;
    delete later[place];
    const script = document.createElement("script");
    script.src = new URL(name, base);
    document.head.append(script);
  }
  if (!Object.keys(later).length) places.disconnect();
});
places.observe(document, { childList: true, subtree: true });

// Links in text: Streamlit gives each a tab of its own. Those of its menu it follows itself.
addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  if (!link || event.defaultPrevented || event.button !== 0 || wantsTab(event)) return;
  const to = destination(link.href);
  if (window.useChartTool(link, to)) {
    event.preventDefault();
  } else if (isPage(to)) {
    event.preventDefault();
    visit(to);
  } else if (/^(csv|chart|data)\//.test(to.href.slice(base.href.length)) && to.href.startsWith(base.href)) {
    link.download = ""; // a file needs no tab
  }
});

// The menu of a narrow window: Streamlit puts a heading and the pages of a section among the items of a list. It is read
// as a group of links, which is what it is.
new MutationObserver(() => {
  for (const list of document.querySelectorAll('[data-testid="stSidebarNavItems"]')) {
    list.setAttribute("role", "group");
    list.querySelectorAll("li:not([role])").forEach((item) => item.setAttribute("role", "none"));
  }
}).observe(document, { childList: true, subtree: true });

// Points of charts that stand for something with a page of its own.
addEventListener("pointerover", (event) => {
  const plot = event.target.closest?.(".js-plotly-plot");
  if (!plot?.on || plot.dataset.opens) return;
  plot.dataset.opens = "yes";
  plot.on("plotly_click", ({ points: [point] }) => {
    const opens = point?.data.meta, value = point?.customdata?.[0];
    if (opens?.page && value) visit(new URL(`${opens.page}?${new URLSearchParams({ [opens.parameter]: value })}`, base));
  });
  const lift = (place) => plot.querySelectorAll(".scatterlayer .trace").forEach((line, at) => {
    line.style.opacity = place === undefined || place === at ? 1 : 0.25;
  });
  plot.on("plotly_hover", ({ points: [point] }) => { if (point?.data.meta?.lifts) lift(point.curveNumber); });
  plot.on("plotly_unhover", () => lift());
});

// Links in tables: they are painted, and Streamlit opens them by script. What follows # is the text of the cell.
const { open } = window;
window.open = (url, ...more) => {
  const to = url === undefined ? null : destination(url);
  if (!to || !isPage(to) || wantsTab(window.event)) return open.call(window, url, ...more);
  to.hash = "";
  visit(to);
  return null;
};

// Before Streamlit leaves a page it takes the page's filters off the address, as a step of its own, at which Back would
// stop. The new page takes the place of that step.
const isPart = (some, all) =>
  some.size < all.size && [...some].every(([name, value]) => all.getAll(name).includes(value));
let stripped = false;
addEventListener("click", () => { stripped = false; }, true); // the reader took a filter off: a step to go back to
history.pushState = (state, title, url) => {
  const next = new URL(url ?? location, location), leaves = next.pathname !== location.pathname;
  const strips = !leaves && isPart(next.searchParams, new URLSearchParams(location.search));
  (leaves && stripped ? replaceState : pushState).call(history, state, title, url);
  stripped = strips;
};
