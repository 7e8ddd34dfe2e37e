// Words of a picture answer to the pointer and to keys: what they came from stands out.
// Elements with the same `data-view` go together; without any, all of `root` does.

const SIDES = { source: "target", target: "source" };

function viewOf(node, root) {
  const key = node.closest("[data-view]")?.dataset.view;
  return key === undefined ? [root] : [...root.querySelectorAll(`[data-view="${CSS.escape(key)}"]`)];
}

function all(view, selector) {
  return view.flatMap((one) => [...one.querySelectorAll(selector)]);
}

function clear(view) {
  for (const one of all(view, ".pointed, .linked, .near, .pointing")) {
    one.classList.remove("pointed", "linked", "near", "pointing");
  }
}

function mark(view, selector, kind) {
  for (const one of all(view, selector)) one.classList.add(kind);
}

// A word of either side, in a text or in a drawing: the words linked to it and its step.
function point(view, side, place, from) {
  clear(view);
  const own = `[data-${side}="${place}"]`;
  const [word] = all(view, `.word${own}`);
  const span = word?.dataset.span;
  if (span) mark(view, `.word[data-span="${span}"]`, "near");
  for (const link of all(view, `.link${own}`)) {
    link.classList.add("pointed");
    link.closest(".drawing")?.classList.add("pointing");
    const there = `[data-${SIDES[side]}="${link.dataset[SIDES[side]]}"]`;
    mark(view, `.word${there}, .form${there}`, "linked");
  }
  mark(view, `.word${own}, .form${own}`, "pointed");
  if (span) mark(view, `.span[data-span="${span}"]`, "pointed");
  tell(view, from, word ? `${word.textContent}: ${word.dataset.about || "no link"}` : "");
  if (from.classList.contains("word")) for (const one of all(view, ".drawing")) reveal(one);
}

// A drawing that is wider than its frame moves to the words that stand out.
function reveal(frame) {
  const form = frame.querySelector(".form.pointed") ?? frame.querySelector(".form.linked");
  if (!form || frame.scrollWidth <= frame.clientWidth) return;
  const [outer, inner] = [frame.getBoundingClientRect(), form.getBoundingClientRect()];
  if (inner.left >= outer.left && inner.right <= outer.right) return;
  const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
  frame.scrollBy({ left: inner.left - outer.left - outer.width / 2, behavior });
}

// A step of the derivation: all its words.
function pointSpan(view, span) {
  clear(view);
  span.classList.add("pointed");
  mark(view, `.word[data-span="${span.dataset.span}"]`, "linked");
  tell(view, span, span.querySelector("title")?.textContent ?? "");
}

// The line below the picture that the pointer is in.
function tell(view, from, text) {
  for (const line of all(view, ".picture > .about")) {
    line.textContent = line.parentElement.contains(from) ? text : "";
  }
}

function answer(target, root) {
  if (!(target instanceof Element)) return;
  const word = target.closest("[data-source], [data-target]");
  const span = target.closest(".span[data-span]");
  const view = viewOf(target, root);
  if (word && !word.classList.contains("link")) {
    const side = "source" in word.dataset ? "source" : "target";
    point(view, side, word.dataset[side], word);
  } else if (span) {
    pointSpan(view, span);
  }
}

// One stop for the tab key in each text; arrows go from word to word.
function move(event) {
  const word = event.target.closest?.(".word");
  if (!word) return;
  const words = [...word.parentElement.querySelectorAll(".word")];
  const back = getComputedStyle(word).direction === "rtl" ? "ArrowRight" : "ArrowLeft";
  const on = back === "ArrowLeft" ? "ArrowRight" : "ArrowLeft";
  const at = words.indexOf(word);
  const next = { [back]: at - 1, [on]: at + 1, Home: 0, End: words.length - 1 }[event.key];
  if (next === undefined || !words[next]) return;
  event.preventDefault();
  word.tabIndex = -1;
  words[next].tabIndex = 0;
  words[next].focus();
}

export function connect(root) {
  root.addEventListener("pointerover", (event) => answer(event.target, root));
  root.addEventListener("focusin", (event) => answer(event.target, root));
  root.addEventListener("keydown", move);
}
