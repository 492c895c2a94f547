/* The page that calculates: four numbers are read, and the values of all metrics written. */
"use strict";
(function () {
  const NAMES = ["tp", "fn", "fp", "tn"];
  const inputs = NAMES.map((name) => document.getElementById(name));
  const paste = document.getElementById("paste");
  const level = document.getElementById("level");
  const search = document.getElementById("search");
  const familiar = document.getElementById("familiar");
  const body = document.querySelector("#values tbody");
  const metrics = window.metricsOfAtlas().slice();
  metrics.sort((a, b) => b.familiar - a.familiar);

  // -- numbers --------------------------------------------------------------------------------------------------------

  /** A count as text; an error says what is wrong with it. */
  function count(text, name) {
    const trimmed = text.trim();
    if (!/^\+?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed)) {
      const shown = trimmed === "" ? "nothing" : "“" + trimmed + "”";
      const point = /^\d+,\d+$/.test(trimmed) ? "; decimals have a point, as in " + trimmed.replace(",", ".") : "";
      throw new RangeError(name + " is " + shown + ", and has to be a number that is not negative, such as 12" + point);
    }
    const value = Number(trimmed);
    if (!Number.isFinite(value) || value > 1e15) throw new RangeError(name + " is larger than 1e15; write a smaller count");
    return value;
  }

  function shown(value) {
    if (Number.isNaN(value)) return "undefined";
    if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
    const digits = value !== 0 && (Math.abs(value) < 1e-3 || Math.abs(value) >= 1e6) ? value.toExponential(3) : value.toFixed(4);
    return digits.replace("-", "−").replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
  }

  // -- rows -----------------------------------------------------------------------------------------------------------

  function cell(row, name, text) {
    const made = document.createElement(name);
    made.textContent = text;
    row.append(made);
    return made;
  }

  const SPACE = "http://www.w3.org/2000/svg";

  function bar() {
    const drawn = document.createElementNS(SPACE, "svg");
    drawn.setAttribute("viewBox", "0 0 100 10");
    drawn.setAttribute("preserveAspectRatio", "none");
    drawn.setAttribute("aria-hidden", "true");
    const parts = ["range", "between", "at"].map((name) => {
      const part = document.createElementNS(SPACE, "rect");
      part.setAttribute("class", name);
      part.setAttribute("height", name === "range" ? 2 : 10);
      part.setAttribute("y", name === "range" ? 4 : 0);
      drawn.append(part);
      return part;
    });
    parts[0].setAttribute("width", 100);
    return { drawn: drawn, parts: parts };
  }

  const rows = metrics.map(function (metric) {
    const row = document.createElement("tr");
    const head = cell(row, "th", "");
    head.scope = "row";
    const link = document.createElement("a");
    link.href = "metrics/" + metric.name + ".html";
    link.textContent = metric.title;
    head.append(link);
    if (metric.loss) head.append(" (smaller is better)");
    const made = { metric: metric, row: row, value: cell(row, "td", ""), interval: cell(row, "td", ""), bar: null };
    const last = cell(row, "td", "");
    if (metric.low !== null && metric.high !== null) {
      made.bar = bar();
      last.append(made.bar.drawn);
    }
    body.append(row);
    return made;
  });

  function fill(row, cells) {
    const [low, estimate, high] = window.calculate(row.metric, cells, level.value);
    row.value.textContent = shown(estimate);
    row.interval.textContent = shown(low) + " to " + shown(high);
    if (!row.bar) return;
    const at = (value) => 100 * (value - row.metric.low) / (row.metric.high - row.metric.low);
    const [, between, mark] = row.bar.parts;
    between.setAttribute("x", at(low));
    between.setAttribute("width", Math.max(at(high) - at(low), 0));
    mark.setAttribute("x", Number.isNaN(estimate) ? 0 : Math.max(at(estimate) - 0.6, 0));
    mark.setAttribute("width", Number.isNaN(estimate) ? 0 : 1.2);
  }

  // -- what happens ---------------------------------------------------------------------------------------------------

  function refresh() {
    const problem = document.getElementById("problem");
    problem.textContent = "";
    let cells;
    try {
      cells = inputs.map((input, place) => count(input.value, NAMES[place].toUpperCase()));
    } catch (error) {
      problem.textContent = error.message + ".";
      document.getElementById("summary").textContent = "";
      body.parentElement.classList.add("stale");
      return;
    }
    body.parentElement.classList.remove("stale");
    const total = cells.reduce((sum, each) => sum + each, 0);
    const share = total > 0 ? shown((cells[0] + cells[1]) / total) : "undefined";
    document.getElementById("summary").textContent = shown(total) + " examples, share of positives " + share;
    rows.forEach((row) => fill(row, cells));
    history.replaceState(null, "", "#" + cells.join(","));
  }

  function pasted() {
    const parts = paste.value.replace(/[\[\](),;|]/g, " ").split(/\s+/).filter(Boolean);
    const problem = document.getElementById("problem");
    if (parts.length === 0) return;
    if (parts.length !== 4) {
      problem.textContent = "There are " + parts.length + " numbers in what was pasted, and four are needed: two rows of two.";
      return;
    }
    Array.from(document.getElementById("order").value).forEach((place, index) => { inputs[Number(place)].value = parts[index]; });
    refresh();
  }

  function narrow() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    rows.forEach(function (row) {
      const told = (row.metric.title + " " + row.metric.searched).toLowerCase();
      row.row.hidden = (familiar.checked && !row.metric.familiar) || !words.every((word) => told.includes(word));
    });
  }

  const kept = window.location.hash.slice(1).split(",");
  if (kept.length === 4) inputs.forEach((input, place) => { input.value = kept[place]; });
  inputs.forEach((input) => input.addEventListener("input", refresh));
  level.addEventListener("change", refresh);
  paste.addEventListener("input", pasted);
  document.getElementById("order").addEventListener("change", pasted);
  search.addEventListener("input", narrow);
  familiar.addEventListener("change", narrow);
  document.querySelectorAll("form").forEach((form) => form.addEventListener("submit", (event) => event.preventDefault()));
  refresh();
})();
