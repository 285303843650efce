// The tab Life: a row of the list lifts its hairline and its number in the curve, and a number in the curve its row.
(() => {
  const plots = () => [...document.querySelectorAll(".js-plotly-plot")];
  const named = (items, name) => (items ?? []).flatMap((item, at) => (item.name === name ? [at] : []));
  const rows = () => [...document.querySelectorAll(".st-key-life_list li")];

  const lift = (place, on) => {
    const name = `event-${place}`;
    for (const plot of plots()) {
      for (const at of named(plot.layout?.shapes, name))
        for (const line of plot.querySelectorAll(`.shapelayer path[data-index="${at}"]`)) {
          line.style.opacity = on ? 1 : "";
          line.style.strokeWidth = on ? "2px" : "1px";
        }
      for (const at of named(plot.layout?.annotations, name))
        for (const note of plot.querySelectorAll(`.annotation[data-index="${at}"] text`))
          note.style.fontWeight = on ? "700" : "";
    }
    const row = rows()[place - 1];
    if (row) row.toggleAttribute("data-lifted", on);
  };

  const placeOf = (target) => {
    const row = target.closest?.(".st-key-life_list li");
    if (row) return rows().indexOf(row) + 1;
    const note = target.closest?.(".annotation");
    const plot = note?.closest(".js-plotly-plot");
    const name = plot?.layout?.annotations?.[note.dataset.index]?.name ?? "";
    return name.startsWith("event-") ? Number(name.slice(6)) : 0;
  };

  for (const [begins, ends] of [["pointerover", "pointerout"], ["focusin", "focusout"]])
    for (const [kind, on] of [[begins, true], [ends, false]])
      document.addEventListener(kind, ({ target }) => {
        const place = placeOf(target);
        if (place) lift(place, on);
      });
})();
