/* The panel with the evidence of one answer.  What it shows of a metric comes from a script of its own, so that nothing
   is fetched before it is asked for, and nothing but the file system is needed. */
"use strict";
(function () {
  const known = new Map();
  const waiting = new Map();

  let laws = {};

  /** Called by data/laws.js. */
  window.receiveLaws = function (told) { laws = told; };

  /** Called by data/METRIC.js. */
  window.receiveEvidence = function (address, told) {
    known.set(address, told);
    (waiting.get(address) || []).forEach((show) => show(told));
    waiting.delete(address);
  };

  function whenKnown(address, show, fail) {
    if (known.has(address)) return show(known.get(address));
    if (waiting.has(address)) return waiting.get(address).push(show);
    waiting.set(address, [show]);
    const script = document.createElement("script");
    script.src = "data/" + address + ".js";
    script.onerror = function () { waiting.delete(address); fail(); };
    document.head.append(script);
  }

  function element(name, text, attributes) {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    Object.entries(attributes || {}).forEach(([key, value]) => made.setAttribute(key, value));
    return made;
  }

  function tables(rows) {
    const table = element("table");
    rows.forEach(([cells, value]) => {
      const row = table.appendChild(element("tr"));
      row.append(element("td", cells), element("td", value === "" ? "" : "M = " + value));
    });
    return table;
  }

  function body(answer, told, property, href) {
    const parts = [element("p", answer.sentence)];
    const facts = element("dl", undefined, { class: "facts" });
    const fact = (label, content) => { facts.append(element("dt", label)); facts.appendChild(element("dd")).append(content); };
    const mark = element("span", answer.short, { class: "mark " + answer.kind });
    fact("answer", mark);
    fact("law", element("code", laws[property].law));
    if (answer.condition) fact("if and only if", element("code", answer.condition));
    if (answer.value) fact("value", element("code", answer.value));
    if (answer.tables) fact("counterexample", tables(answer.tables));
    fact("evidence", answer.evidence);
    parts.push(facts);
    const links = element("p");
    links.append(element("a", "All of " + told.title, { href: href.split("#")[0] }), " · ",
      element("a", "The property", { href: "properties/" + property + ".html" }), " · ",
      element("a", "This verdict in the datasheet", { href: href }));
    parts.push(links);
    return parts;
  }

  /** Show the evidence for one property of a metric; a link is followed instead if its script cannot be had. */
  window.showEvidence = function (address, property, href) {
    whenKnown(address, function (told) {
      const panel = document.getElementById("panel");
      document.getElementById("panel-title").textContent = told.title + ": " + laws[property].title;
      document.getElementById("panel-body").replaceChildren(...body(told.answers[property], told, property, href));
      if (!panel.open) panel.showModal();
    }, function () { window.location.href = href; });
  };
})();
