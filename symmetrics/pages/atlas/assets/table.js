/* The table: search, filters, sorting, and the keys by which one goes through it. */
"use strict";
(function () {
  const KINDS = {
    yes: "Yyp", no: "Nnq", conditional: "ync", open: "opq",
  };
  const ORDER = "YypcoqnN";
  const table = document.getElementById("atlas");
  const rows = Array.from(table.tBodies[0].rows);
  const columns = Array.from(table.tHead.rows[1].cells);
  const place = new Map(columns.map((cell, index) => [cell.dataset.key, index - 1]));
  const wanted = new Map();
  const search = document.getElementById("search");
  const theme = document.getElementById("theme");

  // -- which rows are shown ---------------------------------------------------------------------------------------

  function isShown(row) {
    const words = search.value.toLowerCase().replace(/_/g, " ").split(/\s+/).filter(Boolean);
    if (!words.every((word) => row.dataset.search.includes(word))) return false;
    if (theme.value && row.dataset.theme !== theme.value) return false;
    return Array.from(wanted).every(([key, answer]) => KINDS[answer].includes(row.dataset.marks[place.get(key)]));
  }

  function refresh() {
    let shown = 0;
    rows.forEach((row) => { row.hidden = !isShown(row); shown += !row.hidden; });
    document.getElementById("count").textContent =
      shown === rows.length ? "All " + shown + " metrics" : shown + " of " + rows.length + " metrics";
    document.getElementById("nothing").hidden = shown > 0;
    document.getElementById("chosen").replaceChildren(...Array.from(wanted, ([key, answer]) => chip(key, answer)));
    remember();
    keepOneStop();
  }

  function chip(key, answer) {
    const item = document.createElement("li");
    const button = document.createElement("button");
    const name = columns[place.get(key) + 1].textContent.trim();
    button.type = "button";
    button.textContent = name + ": " + answer + " ✕";
    button.setAttribute("aria-label", "Remove the filter " + name + ": " + answer);
    button.addEventListener("click", function () { wanted.delete(key); refresh(); document.getElementById("property").focus(); });
    item.append(button);
    return item;
  }

  // -- the address says what is shown, so that it can be kept and sent ----------------------------------------------

  function remember() {
    const told = new URLSearchParams();
    if (search.value) told.set("search", search.value);
    if (theme.value) told.set("theme", theme.value);
    wanted.forEach((answer, key) => told.append("is", key + ":" + answer));
    history.replaceState(null, "", told.size ? "#" + told : window.location.pathname + window.location.search);
  }

  function recall() {
    const told = new URLSearchParams(window.location.hash.slice(1));
    search.value = told.get("search") || "";
    theme.value = told.get("theme") || "";
    wanted.clear();
    told.getAll("is").map((each) => each.split(":")).forEach(([key, answer]) => {
      if (place.has(key) && Object.hasOwn(KINDS, answer)) wanted.set(key, answer);
    });
  }

  // -- sorting ------------------------------------------------------------------------------------------------------

  function sort(cell, column) {
    const isDown = cell.getAttribute("aria-sort") === "ascending";
    columns.forEach((each) => each.setAttribute("aria-sort", "none"));
    cell.setAttribute("aria-sort", isDown ? "descending" : "ascending");
    const names = new Intl.Collator("en");
    const key = (row) => row.cells[0].textContent;
    const by = column === 0
      ? (a, b) => names.compare(key(a), key(b))
      : (a, b) => ORDER.indexOf(a.dataset.marks[column - 1]) - ORDER.indexOf(b.dataset.marks[column - 1]);
    const sign = isDown ? -1 : 1;
    rows.sort((a, b) => sign * by(a, b) || names.compare(key(a), key(b)));
    table.tBodies[0].append(...rows);
    keepOneStop();
  }

  // -- one stop of the tabulator in the whole table, and arrows within it ---------------------------------------------

  let stop = null;

  function focusable(cell) { return cell && cell.querySelector("a"); }

  function makeStop(link) {
    if (stop) stop.tabIndex = -1;
    stop = link;
    if (stop) stop.tabIndex = 0;
  }

  function keepOneStop() {
    if (stop && !stop.closest("tr").hidden && !stop.parentElement.hidden) return;
    const first = rows.find((row) => !row.hidden);
    makeStop(first ? focusable(first.cells[0]) : null);
  }

  function neighbour(cell, rowsOn, cellsOn) {
    const shown = rows.filter((row) => !row.hidden);
    const cells = (row) => Array.from(row.cells).filter((each) => !each.hidden);
    const row = shown[shown.indexOf(cell.parentElement) + rowsOn];
    const at = cells(cell.parentElement).indexOf(cell) + cellsOn;
    return row && at >= 0 ? cells(row)[Math.min(at, cells(row).length - 1)] : null;
  }

  const STEPS = {
    ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
    Home: [0, -Infinity], End: [0, Infinity], PageUp: [-10, 0], PageDown: [10, 0],
  };

  table.addEventListener("keydown", function (event) {
    const cell = event.target.closest("tbody th, tbody td");
    const step = STEPS[event.key];
    if (!cell || !step || event.altKey || event.ctrlKey || event.metaKey) return;
    const cellsOn = step[1] === -Infinity ? -Array.from(cell.parentElement.cells).filter((each) => !each.hidden).indexOf(cell) : step[1];
    const link = focusable(neighbour(cell, step[0], cellsOn));
    event.preventDefault();
    if (link) { makeStop(link); link.focus(); }
  });

  table.addEventListener("click", function (event) {
    const button = event.target.closest("button.sort");
    if (button) return sort(button.closest("th"), Number(button.dataset.column));
    const link = event.target.closest("td a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    makeStop(link);
    const cell = link.parentElement;
    const key = columns[Array.from(cell.parentElement.cells).indexOf(cell)].dataset.key;
    window.showEvidence(cell.parentElement.dataset.name, key, link.getAttribute("href"));
  });

  // -- columns ------------------------------------------------------------------------------------------------------

  function showColumns() {
    const shown = new Set(Array.from(document.querySelectorAll("[name=columns]:checked"), (box) => box.value));
    table.querySelectorAll("thead th[data-theme]").forEach((cell) => { cell.hidden = !shown.has(cell.dataset.theme); });
    const hidden = columns.map((cell) => cell.hidden);
    rows.forEach((row) => Array.from(row.cells).forEach((cell, index) => { cell.hidden = hidden[index]; }));
    keepOneStop();
  }

  // -- the beginning ------------------------------------------------------------------------------------------------

  table.querySelectorAll("tbody a").forEach((link) => { link.tabIndex = -1; });
  search.addEventListener("input", refresh);
  theme.addEventListener("change", refresh);
  document.querySelectorAll("[name=columns]").forEach((box) => box.addEventListener("change", showColumns));
  document.getElementById("filters").addEventListener("submit", function (event) {
    event.preventDefault();
    const key = document.getElementById("property").value;
    if (key) wanted.set(key, document.getElementById("answer").value);
    refresh();
  });
  document.getElementById("clear").addEventListener("click", function () {
    wanted.clear();
    search.value = theme.value = "";
    refresh();
  });
  window.addEventListener("hashchange", function () { recall(); refresh(); });
  document.getElementById("more").open = window.matchMedia("(min-width: 36rem)").matches;
  recall();
  refresh();
})();
