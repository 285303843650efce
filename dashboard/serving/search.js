// Read after navigation.js, as part of the document of every page: the search in the menu. The key / opens it.
{
const at = new URL("./", document.currentScript.src);
const made = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};

const button = made("button", { type: "button", class: "search-open", "aria-haspopup": "dialog",
  "aria-label": "Search benchmarks, models, leaderboards and sources", "aria-keyshortcuts": "/" },
  made("span", { class: "search-glass", "aria-hidden": "true" }), made("span", { class: "search-word" }, "Search"),
  made("kbd", { "aria-hidden": "true" }, "/"));
const input = made("input", { type: "search", role: "combobox", "aria-expanded": "true", "aria-autocomplete": "list",
  "aria-controls": "search-found", "aria-label": "Search benchmarks, models, leaderboards and sources",
  placeholder: "Benchmark, model, leaderboard, source or term", autocomplete: "off", autocapitalize: "off",
  spellcheck: "false", enterkeyhint: "go", maxlength: "100" });
const list = made("div", { role: "listbox", id: "search-found", "aria-label": "Found" });
const said = made("p", { class: "search-said", role: "status" });
const close = made("button", { type: "button", class: "search-close" }, "Close");
const dialog = made("dialog", { class: "search", "aria-label": "Search" },
  made("div", { class: "search-line" }, input, close), list, said);

let active = -1, asked = "", waiting = null, running = null, answering = Promise.resolve();
const options = () => [...list.querySelectorAll('[role="option"]')];

const choose = (place) => {
  const all = options();
  active = all.length ? (place + all.length) % all.length : -1;
  all.forEach((option, index) => option.setAttribute("aria-selected", String(index === active)));
  if (active < 0) return input.removeAttribute("aria-activedescendant");
  input.setAttribute("aria-activedescendant", all[active].id);
  all[active].scrollIntoView({ block: "nearest" });
};

const wholePage = () => new URL(`search?${new URLSearchParams({ q: input.value.trim() })}`, at).href;
const option = (name, detail, address, index) => made("a", { role: "option", id: `search-${index}`, tabindex: "-1",
  href: new URL(address, at).href, "aria-selected": "false" },
  made("span", { class: "search-name" }, name), made("span", { class: "search-detail" }, detail));

const meant = (words, index) => {
  const link = option(words, "did you mean?", `search?${new URLSearchParams({ q: words })}`, index);
  link.addEventListener("click", (event) => {
    event.preventDefault();
    event.stopPropagation();
    input.value = words;
    input.focus();
    ask();
  });
  return link;
};

const show = ({ groups, meant: others }) => {
  let index = 0;
  list.replaceChildren(...others.map((words) => meant(words, index++)), ...groups.map(({ kind, title, total, rows }) => {
    const more = total > rows.length ? ` (${rows.length} of ${total.toLocaleString("en")})` : "";
    const heading = made("div", { class: "search-kind", id: `search-kind-${kind}` }, `${title}${more}`);
    return made("div", { role: "group", "aria-labelledby": heading.id }, heading,
      ...rows.map((row) => option(row.name, row.detail, row.address, index++)));
  }));
  if (groups.length) list.append(option("All results as a page", "", wholePage(), index));
  const total = groups.reduce((sum, group) => sum + group.total, 0);
  said.textContent = total ? `${total.toLocaleString("en")} found. Enter opens the one that is marked.`
    : "Nothing has this in its name.";
  choose(0);
};

const ask = () => {
  const query = input.value.trim();
  if (query === asked) return answering;
  asked = query;
  running?.abort();
  if (!query) {
    list.replaceChildren();
    said.textContent = "Type a part of a name. Arrow keys choose, Enter opens, Escape closes.";
    choose(-1);
    return answering = Promise.resolve();
  }
  running = new AbortController();
  return answering = answered(query);
};

const answered = async (query) => {
  try {
    const answer = await fetch(new URL(`search.json?${new URLSearchParams({ q: query })}`, at),
      { signal: running.signal });
    if (!answer.ok) throw new Error(answer.statusText);
    show(await answer.json());
  } catch (error) {
    if (error.name === "AbortError") return;
    list.replaceChildren(option("Search as a page", "", wholePage(), 0));
    said.textContent = "The search does not answer.";
    asked = "";
  }
};

const open = () => {
  if (dialog.open) return;
  input.value = asked = "";
  list.replaceChildren();
  said.textContent = "Type a part of a name. Arrow keys choose, Enter opens, Escape closes.";
  place();
  if (!dialog.isConnected) document.body.append(dialog); // between two drawings of the page
  dialog.showModal();
  input.focus();
  fetch(new URL("search.json", at)).catch(() => {}); // so that the first question need not wait for the index
};

input.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(ask, 120);
});
dialog.addEventListener("keydown", async (event) => {
  event.stopPropagation(); // Streamlit has keys of its own
  if (event.isComposing) return;
  if (event.key === "Escape") {
    event.preventDefault(); // a field for searches would only be emptied
    return dialog.close();
  }
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    choose(active + (event.key === "ArrowDown" ? 1 : -1));
  } else if (event.key === "Enter" && event.target === input) {
    event.preventDefault();
    clearTimeout(waiting);
    await ask();
    if (input.value.trim()) options()[Math.max(active, 0)]?.click();
  }
});
list.addEventListener("click", (event) => { if (event.target.closest("a")) dialog.close(); });
dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
close.addEventListener("click", () => dialog.close());
button.addEventListener("click", open);
addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
  const elsewhere = typing && !dialog.contains(typing); // a dialog just closed keeps the focus until the next frame
  if (event.key !== "/" || elsewhere || event.ctrlKey || event.metaKey || event.altKey || dialog.open) return;
  event.preventDefault();
  event.stopPropagation();
  open();
}, true);

// In Streamlit's own element, whose colours and letters they take; it may be drawn anew at any time.
const place = () => {
  const app = document.querySelector('[data-testid="stApp"]');
  if (!app || button.parentNode === app) return;
  app.append(button, dialog);
  if (dialog.open) { // taken out with what stood there, it is open and shown to nobody
    dialog.close();
    dialog.showModal();
    input.focus();
  }
  document.documentElement.classList.add("has-search");
};
new MutationObserver(place).observe(document, { childList: true, subtree: true });
}
