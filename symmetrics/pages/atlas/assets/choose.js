/* The guided choice: answers ask for properties, and what has them remains.  Questions and verdicts come from data. */
"use strict";
(function () {
  const DEPENDING = "ync";
  const HOLDING = "Yyp";
  const SHOWN = 24;
  const form = document.getElementById("questions");
  const problem = document.getElementById("problem");
  let told = null;

  window.receiveChoice = function (given) { told = given; };

  // -- choosing -------------------------------------------------------------------------------------------------------

  function answers() {
    return Object.fromEntries(told.questions.map((question) => [question.key, form.elements[question.key].value]));
  }

  function needsOf(given) {
    const found = new Map();
    told.questions.forEach(function (question) {
      question.options[given[question.key]].needs.forEach(function (need) {
        const key = JSON.stringify(need.any);
        if (!found.has(key)) found.set(key, need);
      });
    });
    return Array.from(found.values());
  }

  function mark(metric, key) { return metric.marks[told.columns.indexOf(key)]; }

  /** The properties by which a metric has what is needed. */
  function meeting(metric, need) {
    return need.any.filter(([key, wanted]) => (wanted === "depends" ? DEPENDING : HOLDING).includes(mark(metric, key)))
      .map(([key]) => key);
  }

  /** What follows from answers: needs, and metrics kept and dropped, each with properties. */
  function chosen(given) {
    const needs = needsOf(given);
    const kept = [];
    const dropped = [];
    told.metrics.forEach(function (metric) {
      const met = needs.map((need) => meeting(metric, need));
      if (met.every((keys) => keys.length)) kept.push({ metric: metric, keys: met.flat() });
      else if (metric.familiar) {
        const failed = needs.filter((need, place) => !met[place].length);
        dropped.push({ metric: metric, keys: failed.flatMap((need) => need.any.map(([key]) => key)) });
      }
    });
    return { needs: needs, kept: kept, dropped: dropped };
  }

  window.chosenByAtlas = chosen;

  // -- showing --------------------------------------------------------------------------------------------------------

  function element(name, text, attributes) {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    Object.entries(attributes || {}).forEach(([key, value]) => made.setAttribute(key, value));
    return made;
  }

  const page = (metric) => "metrics/" + metric.name + ".html";
  const verdict = (metric, key) =>
    element("a", told.headings[key], { href: page(metric) + "#property-" + key });

  function needLine(need) {
    const item = element("li");
    need.any.forEach(function ([key, wanted], place) {
      if (place) item.append(" or ");
      item.append(element("a", told.headings[key], { href: "properties/" + key + ".html" }));
      item.append(wanted === "depends" ? " depends on a parameter" : "");
    });
    item.append(": " + need.because);
    return item;
  }

  function nameOf(metric) {
    return [element("a", metric.title, { href: page(metric), class: "name" }), metric.also ? " (" + metric.also + ")" : ""];
  }

  function keptLine(found) {
    const item = element("li");
    item.append(...nameOf(found.metric));
    if (found.metric.loss) item.append(" (smaller is better)");
    found.keys.forEach(function (key, place) {
      item.append(place ? ", " : ": ", verdict(found.metric, key));
      const condition = found.metric.conditions[key];
      if (condition) item.append(" ", element("span", "if and only if " + condition, { class: "mark conditional" }));
    });
    return item;
  }

  function droppedLine(found) {
    const item = element("li");
    item.append(...nameOf(found.metric));
    const list = element("ul");
    found.keys.forEach(function (key) {
      const line = element("li", found.metric.told[key] + " ");
      const kind = told.kinds[mark(found.metric, key)];
      line.prepend(element("span", { yes: "yes", no: "no", conditional: "depends", open: "open" }[kind], { class: "mark " + kind }), " ");
      const link = verdict(found.metric, key);
      link.textContent = "verdict: " + link.textContent;
      line.append(link);
      list.append(line);
    });
    item.append(list);
    return item;
  }

  function without(given, needs) {
    const lines = needs.map(function (need) {
      const others = needs.filter((other) => other !== need);
      const number = told.metrics.filter((metric) => others.every((other) => meeting(metric, other).length)).length;
      const line = needLine(need);
      line.prepend(number + " would remain without ");
      return line;
    });
    return lines;
  }

  function show() {
    const given = answers();
    const found = chosen(given);
    document.getElementById("needs").replaceChildren(
      ...(found.needs.length ? found.needs.map(needLine) : [element("li", "Nothing yet: all metrics remain.")]));
    document.getElementById("advice").replaceChildren(...told.questions
      .map((question) => question.options[given[question.key]].advice).filter(Boolean)
      .map((text) => element("p", text, { class: "advice" })));
    const number = found.kept.length;
    document.getElementById("number").textContent = number === 0 ? "No metric of the atlas has all of this at once."
      : number + (number === 1 ? " metric" : " metrics") + " of " + told.metrics.length;
    const lines = found.kept.map(keptLine);
    const more = lines.splice(SHOWN);
    if (more.length) {
      const rest = element("details");
      rest.append(element("summary", more.length + " more"), element("ul", undefined, { class: "plain" }));
      rest.lastChild.append(...more);
      lines.push(element("li"));
      lines[lines.length - 1].append(rest);
    }
    document.getElementById("kept").replaceChildren(...(number ? lines : without(given, found.needs)));
    document.getElementById("dropped").replaceChildren(
      ...(found.dropped.length ? found.dropped.map(droppedLine) : [element("li", "None.")]));
    const asked = told.questions.filter((question) => given[question.key] !== Object.keys(question.options)[0]);
    history.replaceState(null, "", "#" + asked.map((question) => question.key + "=" + given[question.key]).join("&"));
  }

  function set(given) {
    told.questions.forEach(function (question) {
      const key = given[question.key];
      form.elements[question.key].value = key in question.options ? key : Object.keys(question.options)[0];
    });
  }

  function begin() {
    const asked = Object.fromEntries(new URLSearchParams(window.location.hash.slice(1)));
    set(asked);
    show();
  }

  form.addEventListener("change", function (event) {
    if (event.target === problem) {
      const known = told.problems[problem.value];
      document.getElementById("source").textContent = known ? known.source : "";
      set(known ? known.answers : {});
    } else {
      problem.value = "";
      document.getElementById("source").textContent = "";
    }
    show();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", function () { window.setTimeout(function () { document.getElementById("source").textContent = ""; show(); }); });
  window.addEventListener("hashchange", begin);
  document.addEventListener("DOMContentLoaded", begin);
})();
