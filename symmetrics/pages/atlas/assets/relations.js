/* The graph of relations: moved and zoomed by Panzoom, and joined with the list below it. */
"use strict";
(function () {
  const box = document.getElementById("map");
  const graph = document.getElementById("graph");
  const about = document.getElementById("about");
  const panzoom = window.Panzoom(graph, { maxScale: 12, minScale: 1, contain: "outside", cursor: "grab", exclude: [] });
  // Panzoom measures the picture to keep it in its box: in the middle of an animation that would be a wrong size.
  const atOnce = { animate: false };
  const STEP = 60;

  // -- moving and zooming -------------------------------------------------------------------------------------------

  const closer = () => panzoom.zoomIn(atOnce);
  const farther = () => panzoom.zoomOut(atOnce);
  const whole = () => panzoom.reset(atOnce);
  document.getElementById("closer").addEventListener("click", closer);
  document.getElementById("farther").addEventListener("click", farther);
  document.getElementById("whole").addEventListener("click", whole);
  box.addEventListener("wheel", function (event) {
    if (event.ctrlKey || event.metaKey) panzoom.zoomWithWheel(event);
  }, { passive: false });
  const move = (x, y) => () => panzoom.pan(x * STEP / panzoom.getScale(), y * STEP / panzoom.getScale(), { relative: true });
  const KEYS = {
    "+": closer, "=": closer, "-": farther, "0": whole,
    ArrowLeft: move(1, 0), ArrowRight: move(-1, 0), ArrowUp: move(0, 1), ArrowDown: move(0, -1),
  };
  box.addEventListener("keydown", function (event) {
    if (!KEYS[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    KEYS[event.key]();
  });

  /* What has the focus is moved into sight: the picture, and not the box around it. */
  graph.addEventListener("focusin", function (event) {
    box.scrollTo(0, 0);
    const outer = box.getBoundingClientRect();
    const inner = event.target.getBoundingClientRect();
    if (inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom) return;
    const scale = panzoom.getScale();
    panzoom.pan((outer.left + outer.width / 2 - inner.left - inner.width / 2) / scale,
      (outer.top + outer.height / 2 - inner.top - inner.height / 2) / scale, { relative: true });
  });

  // -- what is about one metric ---------------------------------------------------------------------------------------

  const concerns = (each, name) => each.dataset.first === name || each.dataset.second === name;

  function show(name) {
    about.value = name;
    const items = Array.from(document.querySelectorAll("li[data-first]"));
    items.forEach((item) => { item.hidden = name !== "" && !concerns(item, name); });
    document.querySelectorAll(".family").forEach((family) => {
      family.hidden = !family.querySelector("li[data-first]:not([hidden])");
    });
    const near = new Set([name]);
    graph.querySelectorAll(".line").forEach((line) => {
      const is = concerns(line, name);
      line.classList.toggle("chosen", is);
      if (is) near.add(line.dataset.first).add(line.dataset.second);
    });
    graph.querySelectorAll("a").forEach((node) => {
      node.classList.toggle("chosen", node.dataset.name === name);
      node.classList.toggle("near", name !== "" && near.has(node.dataset.name));
    });
    graph.classList.toggle("narrowed", name !== "");
    const page = document.getElementById("page");
    page.hidden = name === "";
    page.href = "metrics/" + name + ".html";
    const shown = items.filter((item) => !item.hidden).length;
    document.getElementById("told").textContent = shown + (shown === 1 ? " relation" : " relations");
  }

  let start = null;
  graph.addEventListener("pointerdown", function (event) { start = [event.clientX, event.clientY]; }, true);
  graph.addEventListener("click", function (event) {
    const node = event.target.closest("a");
    if (!node) return;
    event.preventDefault();
    const moved = start && event.detail ? Math.hypot(event.clientX - start[0], event.clientY - start[1]) : 0;
    if (moved > 5) return;
    show(node.classList.contains("chosen") ? "" : node.dataset.name);
  });
  about.addEventListener("change", function () { show(about.value); });
  const asked = decodeURIComponent(window.location.hash.slice(1));
  show(Array.from(about.options).some((option) => option.value === asked) ? asked : "");
})();
