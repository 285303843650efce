// The stories: read when a page first has the dots of one (see navigation.js). Arrows step from frame to frame, a dot shows
// where one is, and the address has the frame, so that it can be passed on. Nothing moves where less motion is asked for.
{
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const HEAD = 64, LINE = 0.35;
const frames = () => [...document.querySelectorAll('[class*="st-key-frame_"]')];
const dots = () => [...document.querySelectorAll(".st-key-story_dots a")];

// The last frame that begins above a line in the upper part of the window; the first where none does.
const place = () => {
  const begun = frames().filter((frame) => frame.getBoundingClientRect().top < innerHeight * LINE);
  return Math.max(0, begun.length - 1);
};

const mark = (now) => dots().forEach((dot, at) => {
  if (at === now) dot.setAttribute("aria-current", "step");
  else dot.removeAttribute("aria-current");
  dot.setAttribute("aria-label", `Picture ${at + 1}`);
});

// Frames have numbers of their own: where one is left out the others keep theirs.
const number = (frame) => /st-key-frame_(\d+)/.exec(frame.className)[1];
const noted = (now) => {
  const to = new URL(location);
  to.searchParams.set("frame", number(frames()[now]));
  if (to.href !== location.href) history.replaceState(history.state, "", to);
};

const go = (to, smooth = true) => {
  const frame = frames()[to], heading = frame?.querySelector("h2");
  if (!heading) return false;
  const main = document.querySelector('[data-testid="stMain"]');
  const top = main.scrollTop + frame.getBoundingClientRect().top - HEAD;
  main.scrollTo({ top, behavior: smooth && !calm.matches ? "smooth" : "auto" });
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  mark(to);
  noted(to);
  return true;
};

addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const typing = event.target.closest?.('input, textarea, select, [contenteditable], [role="tablist"], dialog');
  if (!step || typing || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || !dots().length) return;
  const now = frames().findIndex((frame) => frame.contains(document.activeElement));
  if (go((now < 0 ? place() : now) + step)) event.preventDefault();
});

addEventListener("click", (event) => {
  const at = dots().indexOf(event.target.closest?.("a"));
  if (at < 0 || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  go(at);
}, true);

let waits = 0;
addEventListener("scroll", () => {
  if (waits || !dots().length) return;
  waits = requestAnimationFrame(() => { waits = 0; mark(place()); });
}, true);

// A story opens at the frame of its address, once all frames are drawn; whoever scrolls before is not taken away.
let opened = "", touched = false;
for (const kind of ["wheel", "touchmove", "keydown"]) addEventListener(kind, () => { touched = true; }, true);
const open = () => {
  const asked = new URLSearchParams(location.search), story = asked.get("story") || "";
  if (!dots().length || opened === story || frames().length < dots().length) return;
  opened = story;
  touched = false;
  mark(0);
  const at = frames().findIndex((frame) => number(frame) === asked.get("frame"));
  if (!(at > 0)) return;
  for (const wait of [0, 300, 900]) setTimeout(() => { if (!touched && opened === story) go(at, false); }, wait);
};
new MutationObserver(open).observe(document, { childList: true, subtree: true });
open();
}
