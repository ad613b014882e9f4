// Holds back presses that nobody can have meant for the question before them: in the browser, where alone it is known
// since when a question has been painted. The server counts as well, from the moment it begins to send the question,
// so what passes here passes there. A press is judged by when the hand made it, however late a busy machine comes to it.
(() => {
  if (window.daybookSitting) return;
  window.daybookSitting = true;

  const EXPOSURE_MS = 400;
  const ACTS = ["approve", "decline", "reason", "again"]
    .map((act) => `[class*="st-key-review-${act}-"] button`)
    .join(", ");
  const KEYS = new Set("ady123456");
  const FIELDS = "input, textarea, select, [contenteditable=true]";

  let shown = null; // the question on the page with its version, null on any other page
  let paintedAt = Infinity;

  const look = () => {
    const mark = document.querySelector("[data-shown]");
    const now = mark && mark.dataset.shown;
    if (now === shown) return;
    shown = now;
    paintedAt = Infinity;
    document.body.dataset.sitting = now ? "early" : "";
    if (now) requestAnimationFrame(() => requestAnimationFrame((at) => arm(now, at)));
  };

  const arm = (question, at) => {
    if (question !== shown) return;
    paintedAt = at;
    setTimeout(() => question === shown && (document.body.dataset.sitting = "armed"), EXPOSURE_MS);
  };

  const hold = (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };

  const holdEarly = (event) => {
    if (event.timeStamp - paintedAt >= EXPOSURE_MS) return;
    hold(event);
    document.querySelector("[data-shown]").textContent = "Too quick to count: this question had only just come up.";
  };

  window.addEventListener(
    "keydown",
    (event) => {
      if (event.key === "Enter" && event.target.closest?.(ACTS)) return hold(event); // Enter never decides
      if (!shown || event.ctrlKey || event.metaKey || event.altKey) return;
      if (!KEYS.has(event.key.toLowerCase()) || event.target.closest?.(FIELDS)) return;
      if (event.repeat) return hold(event); // a key that is held down is one press
      holdEarly(event);
    },
    true,
  );
  window.addEventListener("click", (event) => shown && event.target.closest?.(ACTS) && holdEarly(event), true);
  new MutationObserver(look).observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ["data-shown"],
  });
  look();
})();
