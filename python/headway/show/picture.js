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
function point(view, side, place) {
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
  tell(view, word ? `${word.textContent}: ${word.dataset.about || "no link"}` : "");
}

// A step of the derivation: all its words.
function pointSpan(view, span) {
  clear(view);
  span.classList.add("pointed");
  mark(view, `.word[data-span="${span.dataset.span}"]`, "linked");
  tell(view, span.querySelector("title")?.textContent ?? "");
}

function tell(view, text) {
  for (const line of all(view, ".about")) line.textContent = text;
}

function answer(target, root) {
  if (!(target instanceof Element)) return;
  const word = target.closest("[data-source], [data-target]");
  const span = target.closest(".span[data-span]");
  const view = viewOf(target, root);
  if (word && !word.classList.contains("link")) {
    const side = "source" in word.dataset ? "source" : "target";
    point(view, side, word.dataset[side]);
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
