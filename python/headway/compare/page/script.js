"use strict";

// Sorting. A cell's `data-value` is what counts; cells without a value come last.
const table = document.getElementById("table");

function sortBy(column, numeric, descending) {
  const body = table.tBodies[0];
  const value = (row) => row.cells[column].dataset.value;
  const order = (a, b) => (numeric ? Number(a) - Number(b) : a.localeCompare(b));
  const rows = [...body.rows].sort((one, other) => {
    const [a, b] = [value(one), value(other)];
    if (!a || !b) return Boolean(b) - Boolean(a);
    return descending ? order(b, a) : order(a, b);
  });
  body.append(...rows);
}

for (const button of table.querySelectorAll("th button")) {
  button.addEventListener("click", () => {
    const head = button.parentElement;
    const numeric = button.dataset.sort === "number";
    const before = head.ariaSort;
    const descending = before === "none" ? numeric : before === "ascending";
    for (const other of head.parentElement.cells) if (other.ariaSort) other.ariaSort = "none";
    head.ariaSort = descending ? "descending" : "ascending";
    sortBy(head.cellIndex, numeric, descending);
  });
}

// Sentences. Texts are never read as HTML; drawings are XML that headway wrote.
const data = JSON.parse(document.getElementById("data").textContent);
const one = document.getElementById("one");
const other = document.getElementById("other");
const search = document.getElementById("search");
const list = document.getElementById("sentences");
const more = document.getElementById("more");
const PORTION = 5;
let found = [];

function element(name, content, kind) {
  const made = document.createElement(name);
  if (content !== undefined) made.textContent = content;
  if (kind) made.className = kind;
  return made;
}

function drawing(source, line, words) {
  const svg = new DOMParser().parseFromString(data.drawings[source][line], "image/svg+xml");
  const root = document.importNode(svg.documentElement, true);
  for (const arc of root.querySelectorAll("g[data-word]")) {
    if (words.has(Number(arc.dataset.word))) arc.classList.add("differs");
  }
  const figure = element("figure");
  const frame = element("div", undefined, "drawing");
  const name = data.sources[source];
  frame.tabIndex = 0;
  frame.setAttribute("role", "region");
  frame.setAttribute("aria-label", `Tree by ${name}`);
  frame.append(root);
  figure.append(element("figcaption", name), frame);
  return figure;
}

function sentence([line, differing]) {
  const item = element("li");
  const words = new Set(differing);
  const forms = data.sentences[line];
  const text = element("p", undefined, "text");
  forms.forEach((form, place) => {
    text.append(words.has(place + 1) ? element("mark", form) : form, " ");
  });
  const heads = `line ${line + 1} · ${differing.length} of ${forms.length} heads differ`;
  item.append(element("h3", heads), text);
  for (const source of chosen()) item.append(drawing(source, line, words));
  return item;
}

function chosen() {
  return [Number(one.value), Number(other.value)];
}

function showMore() {
  const first = list.children.length;
  const items = found.slice(first, first + PORTION).map(sentence);
  list.append(...items);
  more.hidden = list.children.length >= found.length;
  return items[0];
}

function update() {
  const [first, second] = chosen();
  const names = `${data.sources[first]} and ${data.sources[second]}`;
  const pair = data.pairs[`${Math.min(first, second)}-${Math.max(first, second)}`] ?? [];
  const wanted = search.value.trim().toLowerCase();
  found = pair.filter(([line]) => data.sentences[line].join(" ").toLowerCase().includes(wanted));
  list.replaceChildren();
  showMore();
  let text = `${found.length} of the ${pair.length} sentences in which ${names} differ most`;
  if (first === second) text = "Choose two different sources.";
  else if (!pair.length) text = `There is no sentence to show in which ${names} differ.`;
  document.getElementById("status").textContent = text;
  for (const cell of document.querySelectorAll(".cell")) {
    const same = [Number(cell.dataset.one), Number(cell.dataset.other)].sort().join() === [first, second].sort().join();
    cell.setAttribute("aria-pressed", String(same));
  }
}

if (list) {
  for (const select of [one, other]) {
    data.sources.forEach((name, place) => select.add(new Option(name, String(place))));
    select.addEventListener("change", update);
  }
  other.value = "1";
  search.addEventListener("input", update);
  document.getElementById("choice").addEventListener("submit", (event) => event.preventDefault());
  more.addEventListener("click", () => showMore()?.querySelector(".drawing").focus({ preventScroll: true }));
  for (const cell of document.querySelectorAll(".cell")) {
    cell.addEventListener("click", () => {
      one.value = cell.dataset.one;
      other.value = cell.dataset.other;
      update();
      document.getElementById("where").scrollIntoView();
      one.focus({ preventScroll: true });
    });
  }
  update();
}
