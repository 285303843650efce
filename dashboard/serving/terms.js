// Read after search.js, as part of the document of every page: terms of the glossary in what a page says. The first of
// each is underlined with dots, which changes nothing in the document; a click or a pause on it opens its meaning. The key
// ? and a button that Tab comes to, seen while it has the focus, open one after another.
{
const at = new URL("./", document.currentScript.src);
const NAME = "term", PAUSE = 350;
let terms = null, known = new Map(), found = [], waiting = null;

const box = document.createElement("div");
box.className = "term-meaning";
box.setAttribute("role", "note");
box.hidden = true;

const spelt = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const read = async () => {
  const every = await fetch(new URL("glossary.json", at)).then((answer) => answer.json());
  for (const term of every) for (const name of term.marked) known.set(name.toLowerCase(), term);
  const names = [...known.keys()].sort((one, other) => other.length - one.length).map(spelt);
  terms = new RegExp(`(?<![\\w-])(?:${names.join("|")})(?![\\w-])`, "gi");
};

// "Chance Vision 1.5" is a model, not chance.
const beginsName = (word, after) => /^[A-Z]/.test(word) && /^ [A-Z]/.test(after);

// The first place of each term in the text of the page: not in links, buttons, menus or code.
const places = () => {
  const seen = new Set(), ranges = [];
  for (const part of document.querySelectorAll('[data-testid="stMain"] [data-testid="stMarkdownContainer"] p')) {
    if (part.closest("a, button, summary, label, [role=tab]")) continue;
    const walk = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    for (let text = walk.nextNode(); text; text = walk.nextNode()) {
      if (text.parentElement.closest("a, code")) continue;
      for (const match of text.data.matchAll(terms)) {
        const term = known.get(match[0].toLowerCase());
        if (seen.has(term) || beginsName(match[0], text.data.slice(match.index + match[0].length))) continue;
        seen.add(term);
        const range = new StaticRange({ startContainer: text, startOffset: match.index,
          endContainer: text, endOffset: match.index + match[0].length });
        ranges.push({ range, term });
      }
    }
  }
  return ranges;
};

const mark = () => {
  waiting = null;
  if (!terms) return;
  found = places();
  const app = document.querySelector('[data-testid="stApp"]');
  if (app && next.parentNode !== app) app.append(next);
  next.hidden = !found.length;
  CSS.highlights.set(NAME, new Highlight(...found.map(({ range }) => range)));
};

const drawn = ({ startContainer, startOffset, endContainer, endOffset }) => {
  const range = document.createRange();
  range.setStart(startContainer, startOffset);
  range.setEnd(endContainer, endOffset);
  return [...range.getClientRects()];
};
const under = ({ clientX: x, clientY: y }) => found.find(({ range }) => range.startContainer.isConnected &&
  range.endOffset <= range.startContainer.length &&
  drawn(range).some((one) => x >= one.left && x <= one.right && y >= one.top && y <= one.bottom));

const open = ({ range, term }) => {
  const link = document.createElement("a"), name = document.createElement("strong"), first = drawn(range)[0];
  name.textContent = term.name;
  link.textContent = "Glossary";
  link.href = new URL(term.address, at).href;
  box.replaceChildren(name, ` ${term.meaning} `, link);
  if (!box.isConnected) (document.querySelector('[data-testid="stApp"]') || document.body).append(box);
  box.hidden = false;
  box.style.left = `${Math.max(8, Math.min(first.left, innerWidth - box.offsetWidth - 8))}px`;
  const below = first.bottom + 6;
  box.style.top = `${below + box.offsetHeight > innerHeight ? first.top - box.offsetHeight - 6 : below}px`;
};
const close = () => { box.hidden = true; };

let pause = null;
addEventListener("pointermove", (event) => {
  clearTimeout(pause);
  if (event.pointerType !== "mouse" || !found.length) return;
  pause = setTimeout(() => {
    const term = under(event);
    if (term) open(term);
    else if (!box.hidden && !box.contains(event.target)) close();
  }, PAUSE);
}, { passive: true });
addEventListener("click", (event) => {
  if (box.contains(event.target) || event.target === next) return;
  const term = !event.target.closest?.("a, button") && under(event);
  if (term) open(term);
  else close();
});

// By keyboard: the next term of the page comes into view, its meaning opens with the link to the glossary focused, and
// Escape gives the focus back.
const next = document.createElement("button");
next.type = "button";
next.className = "term-next";
next.textContent = "Explain the terms of this page, one by one";
next.setAttribute("aria-keyshortcuts", "?");
let last = null, before = null;
const step = () => {
  const there = found.filter(({ range }) => range.startContainer.isConnected);
  if (!there.length) return;
  const turn = there[(there.findIndex(({ term }) => term === last) + 1) % there.length];
  last = turn.term;
  if (!box.contains(document.activeElement)) before = document.activeElement;
  turn.range.startContainer.parentElement.scrollIntoView({ block: "nearest" });
  // What is scrolled says so in the next frame, and closes the box.
  requestAnimationFrame(() => requestAnimationFrame(() => {
    open(turn);
    box.querySelector("a").focus({ preventScroll: true });
  }));
};
next.addEventListener("click", step);
addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !box.hidden) {
    if (box.contains(document.activeElement)) before?.focus({ preventScroll: true });
    close();
  }
  const typing = event.target.closest?.("input, textarea, select, dialog, [contenteditable]");
  if (event.key === "?" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) step();
});
addEventListener("scroll", close, { passive: true, capture: true });

if (window.CSS?.highlights && window.Highlight) {
  read().then(() => {
    const later = () => { waiting ??= setTimeout(mark, 400); };
    new MutationObserver(later).observe(document.body, { childList: true, subtree: true });
    later();
  }).catch(() => {}); // without the glossary the page reads as ever
}
}
