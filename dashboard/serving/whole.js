// The report on its page: the frame is as high as the first part of the report, so that none of it is cut.
(() => {
  const fit = (frame) => {
    const [first, second] = frame.contentDocument?.querySelectorAll("article") ?? [];
    if (!first) return; // a notice, or nothing yet
    const end = second ? first.getBoundingClientRect().bottom + frame.contentWindow.scrollY
      : frame.contentDocument.documentElement.scrollHeight;
    for (const part of [frame, frame.parentElement]) part.style.height = `${Math.ceil(end)}px`; // Streamlit sets both
  };
  const every = () => document.querySelectorAll(".st-key-report_frame iframe");
  document.addEventListener("load", ({ target }) => {
    if (target.matches?.(".st-key-report_frame iframe")) fit(target);
  }, true);
  addEventListener("resize", () => every().forEach(fit));
  every().forEach(fit);
})();
