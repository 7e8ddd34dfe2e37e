// What the page shows of answers. Words and pictures are HTML that the server made and escaped;
// everything else is text.

import { differing } from "./differences.js";

const find = (id) => document.getElementById(id);

function element(name, text, kind) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

function fragment(html, view) {
  const made = element("div");
  made.innerHTML = html;
  made.dataset.view = view;
  return made;
}

export function options(select, entries, chosen) {
  select.replaceChildren(...entries.map(([value, text]) => new Option(text, value)));
  const wanted = entries.some(([value]) => value === chosen) ? chosen : entries[0]?.[0];
  if (wanted !== undefined) select.value = wanted;
}

// `answers` are one or two of [model's name, text of the answer].
export function answers(found, choose) {
  const output = [];
  const pictures = [];
  for (const [number, [name, text]] of found.entries()) {
    if (found.length > 1) output.push(element("h3", name, "system"));
    output.push(running(text, number));
    for (const [place, sentence] of text.sentences.entries()) {
      if (sentence.picture) {
        const lone = text.sentences.length === 1;
        const title = found.length > 1 ? name : lone ? "How it came about" : sentence.text;
        pictures.push(panel(title, name, sentence, `${number}-${place}`, lone ? choose?.(number) : undefined));
      }
    }
  }
  find("output").replaceChildren(...output);
  find("pictures").replaceChildren(...pictures);
  find("pictures").classList.toggle("two", found.length > 1);
  if (found.length > 1) markDifferences(found);
}

// The whole translation: the words of its sentences, and what stands between them.
function running(text, number) {
  const made = element("div", undefined, "running");
  const whole = text.translatedText;
  const words = text.sentences.map((one, place) => fragment(one.words, `${number}-${place}`));
  const places = located(whole, text.sentences.map((one) => one.text));
  let at = 0;
  for (const [place, one] of words.entries()) {
    const [start, end] = places?.[place] ?? [at, at];
    made.append(places ? whole.slice(at, start) : " ", one);
    at = end;
  }
  if (places) made.append(whole.slice(at));
  return made;
}

// Where each sentence begins and ends in the whole text, whatever the spaces in it: beside a
// placeholder they are as in the source. Null if one is not there.
function located(whole, sentences) {
  const letters = [...whole.matchAll(/\S/g)];
  const plain = letters.map((one) => one[0]).join("");
  const found = [];
  let at = 0;
  for (const sentence of sentences) {
    const wanted = sentence.replace(/\s+/g, "");
    const start = plain.indexOf(wanted, at);
    if (start < 0) return null;
    at = start + wanted.length;
    const empty = wanted === "";
    const first = empty ? (found.at(-1)?.[1] ?? 0) : letters[start].index;
    found.push([first, empty ? first : letters[at - 1].index + 1]);
  }
  return found;
}

function panel(title, name, sentence, view, choose) {
  const made = element("section");
  made.setAttribute("aria-label", `How it was translated by ${name}`);
  made.append(element("h2", title));
  const picture = fragment(sentence.picture, view);
  if (choose) chooseAlternatives(picture, choose);
  made.append(picture);
  return made;
}

// Another translation can be looked at like the best one.
function chooseAlternatives(picture, choose) {
  for (const item of picture.querySelectorAll("[data-alternative]")) {
    const button = element("button");
    button.type = "button";
    button.title = "Show how this one comes about";
    button.append(...item.childNodes);
    button.addEventListener("click", () => choose(Number(item.dataset.alternative)));
    item.append(button);
  }
}

function markDifferences(found) {
  const words = found.map((_, number) => [
    ...find("output").querySelectorAll(`[data-view^="${number}-"] .word`),
  ]);
  const texts = words.map((own) => own.map((word) => word.textContent.toLowerCase()));
  for (const [number, own] of words.entries()) {
    for (const place of differing(texts[number], texts[1 - number])) {
      own[place].classList.add("differs");
    }
  }
}

export function error(text) {
  find("error").textContent = text;
  find("error").hidden = !text;
}

export function busy(is) {
  find("answer").setAttribute("aria-busy", String(is));
}

export function nothing() {
  answers([]);
  find("about").textContent = "";
  find("told").textContent = "";
}
