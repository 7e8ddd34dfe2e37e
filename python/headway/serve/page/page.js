// The page: choices and text in, translations and pictures out. The address has the same choices,
// so that it can be kept and sent.

import * as api from "./api.js";
import { connect } from "./picture.js";
import * as show from "./show.js";

const find = (id) => document.getElementById(id);
const [text, source, target, model, other] = ["text", "source", "target", "model", "other"].map(find);
const AUTO = "auto";
const WAIT = 250; // milliseconds after a key
const LISTED = 5; // alternatives
const LINKED = 4000; // characters of a text that an address can hold

let models = [];
let names = new Map();
let limit = -1;
let running = null;
let timer = 0;
let answered = [];
let shown = [0, 0];

const sources = () => [...new Set(models.map((one) => one.source))];
const pairs = (from, to) => models.filter((one) => (from === AUTO || one.source === from) && one.target === to);
const nameOf = (code) => names.get(code) ?? code;

function fillTargets(chosen) {
  const from = source.value;
  const found = models.filter((one) => from === AUTO || one.source === from).map((one) => one.target);
  show.options(target, [...new Set(found)].map((code) => [code, nameOf(code)]), chosen ?? target.value);
}

function fillModels(chosen, compared) {
  const found = pairs(source.value, target.value);
  const entries = found.map((one) => [one.name, label(one)]);
  show.options(model, entries, chosen ?? model.value);
  const others = entries.filter(([name]) => name !== model.value);
  show.options(other, [["", "none"], ...others], compared ?? other.value);
  find("model-choice").hidden = source.value === AUTO && sources().length > 1;
  find("other-choice").hidden = find("model-choice").hidden || others.length === 0;
}

const label = (one) => (one.name === one.system ? one.name : `${one.name} (${one.system})`);

function swapped() {
  const from = source.value === AUTO ? answered[0]?.[1].source : source.value;
  return models.find((one) => one.source === target.value && one.target === from);
}

function remember() {
  const kept = new URLSearchParams({ source: source.value, target: target.value });
  if (model.selectedIndex > 0) kept.set("model", model.value);
  if (compares()) kept.set("with", other.value);
  if (linkable()) kept.set("q", text.value);
  history.replaceState(null, "", `?${kept}`);
}

const linkable = () => text.value.trim() !== "" && text.value.length <= LINKED;

const compares = () => !find("other-choice").hidden && other.value !== "";

function asked() {
  const chosen = find("model-choice").hidden ? [undefined] : [model.value];
  return compares() ? [...chosen, other.value] : chosen;
}

async function translate() {
  running?.abort();
  clearTimeout(timer);
  remember();
  update();
  if (!text.value.trim()) {
    answered = [];
    show.nothing();
    show.error("");
    show.busy(false);
    update();
    return;
  }
  const own = new AbortController();
  running = own;
  show.busy(true);
  const began = performance.now();
  try {
    const common = { q: text.value, source: source.value, target: target.value, alternatives: LISTED };
    if (find("key").value) common.api_key = find("key").value;
    const found = await Promise.all(
      asked().map((name, number) =>
        api.picture({ ...common, shown: shown[number], ...(name ? { model: name } : {}) }, own.signal),
      ),
    );
    if (running !== own) return;
    answered = found.map((one) => [one.texts[0].model ?? "unchanged", one.texts[0]]);
    show.answers(answered, (number) => (place) => choose(number, place));
    show.error("");
    const took = Math.round(performance.now() - began);
    find("told").textContent = `${answered.map(([name]) => name).join(" and ")}, ${took} ms`;
  } catch (error) {
    if (running !== own || error.name === "AbortError") return;
    if (!(error instanceof api.Refused)) throw error;
    show.error(error.message);
  } finally {
    if (running === own) {
      running = null;
      show.busy(false);
      update();
    }
  }
}

function choose(number, place) {
  shown[number] = place;
  translate();
}

// Anything but another alternative starts from the best one.
function anew() {
  shown = [0, 0];
  translate();
}

function later() {
  clearTimeout(timer);
  timer = setTimeout(anew, WAIT);
  update();
}

function update() {
  const ready = answered.length > 0;
  find("copy").disabled = !ready;
  find("link").disabled = !linkable();
  find("clear").hidden = !text.value;
  find("swap").disabled = !swapped();
  find("count").textContent = limit >= 0 ? `${[...text.value].length} of ${limit} characters` : "";
  const found = source.value === AUTO ? answered[0]?.[1].detectedLanguage : null;
  find("detected").textContent = found ? `${nameOf(found.language)}, ${Math.round(found.confidence)} % sure` : "";
}

async function copy(button, value) {
  const before = button.dataset.name ?? button.textContent;
  button.dataset.name = before;
  let done = true;
  try {
    await navigator.clipboard.writeText(value);
  } catch {
    done = copySelected(value);
  }
  button.textContent = done ? "Copied" : "Not allowed";
  setTimeout(() => (button.textContent = before), 1500);
}

// Pages without HTTPS have no clipboard, unless they are of this machine.
function copySelected(value) {
  const field = document.createElement("textarea");
  field.value = value;
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  return done;
}

function swap() {
  const there = swapped();
  if (!there) return;
  const before = answered[0]?.[1].translatedText ?? text.value;
  source.value = there.source;
  fillTargets(there.target);
  fillModels();
  text.value = before;
  anew();
}

function listen() {
  text.addEventListener("input", later);
  text.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) anew();
  });
  source.addEventListener("change", () => (fillTargets(), fillModels(), anew()));
  target.addEventListener("change", () => (fillModels(), anew()));
  model.addEventListener("change", () => (fillModels(), anew()));
  other.addEventListener("change", anew);
  find("key").addEventListener("change", anew);
  for (const id of ["form", "key-form"]) {
    find(id).addEventListener("submit", (event) => event.preventDefault());
  }
  find("swap").addEventListener("click", swap);
  find("copy").addEventListener("click", () => copy(find("copy"), answered[0][1].translatedText));
  find("link").addEventListener("click", () => copy(find("link"), location.href));
  find("clear").addEventListener("click", () => ((text.value = ""), text.focus(), anew()));
  const about = (event) => {
    const word = event.target.closest?.("#output .word");
    if (word) find("about").textContent = `${word.textContent}: ${word.dataset.about || "no link"}`;
  };
  for (const kind of ["pointerover", "focusin"]) document.addEventListener(kind, about);
  connect(document.querySelector("main"));
}

async function begin() {
  try {
    const [known, spoken, settings] = await Promise.all([api.models(), api.languages(), api.settings()]);
    models = known;
    names = new Map(spoken.map((one) => [one.code, one.name]));
    limit = settings.charLimit;
    find("key-form").hidden = !settings.keyRequired;
  } catch (error) {
    show.error(error.message);
    return;
  }
  const given = new URLSearchParams(location.search);
  const entries = sources().map((code) => [code, nameOf(code)]);
  if (entries.length > 1) entries.unshift([AUTO, "Detect language"]);
  show.options(source, entries, given.get("source") ?? models[0].source);
  fillTargets(given.get("target") ?? undefined);
  fillModels(given.get("model") ?? undefined, given.get("with") ?? undefined);
  text.value = given.get("q") ?? "";
  listen();
  translate();
}

begin();
