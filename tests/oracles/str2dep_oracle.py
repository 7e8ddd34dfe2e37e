"""Translation with target trees by brute force: every derivation, every way to join, literally."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

from arpa_oracle import LN10, Arpa
from chart_oracle import SLOTS, lm_score, matches
from chart_oracle import Rule as PlainRule
from decode_oracle import TRANSLATION, Features

OPERATIONS = ("left-adjoin", "right-adjoin", "left-concatenate", "right-concatenate")
NAMES = (
    *TRANSLATION,
    "phrase-penalty",
    "word-penalty",
    "unknown-word",
    "special-rules",
    "lm",
    "dependency-lm",
    "ill-formed",
    "unmatched-labels",
)


@dataclass(frozen=True)
class Rule(PlainRule):
    kind: str = ""
    """`fixed-PLACE`, `left`, `right`; nothing is no structure."""
    heads: tuple[int, ...] = ()
    label: str = "[X]"
    slot_labels: tuple[str, ...] = ()

    def moses(self) -> str:
        if not self.kind:
            return super().moses()
        heads = ",".join(map(str, self.heads))
        labels = " ".join((self.label, *self.slot_labels))
        return f"{super().moses().rstrip()} {{{{Dependency {self.kind} {heads} {labels}}}}}\n"


@dataclass(frozen=True)
class Node:
    place: int
    """Within the words of the whole."""
    word: str
    left: tuple["Node", ...] = ()
    right: tuple["Node", ...] = ()
    """Both in the order of the sentence."""

    def moved(self, by: int) -> "Node":
        return Node(
            self.place + by,
            self.word,
            tuple(child.moved(by) for child in self.left),
            tuple(child.moved(by) for child in self.right),
        )


@dataclass(frozen=True)
class Tree:
    """A structure over some words, with the parts of it that fell out."""

    words: tuple[str, ...]
    kind: str = "null"
    """fixed, left, right or null."""
    nodes: tuple[Node, ...] = ()
    label: str = "[X]"
    lost: tuple[tuple[str, tuple[Node, ...]], ...] = ()
    """Structures that became null, with their kinds."""
    alone: int = 0
    """Words of rules without structure."""

    def closed(self) -> "Tree":
        lost = ((self.kind, self.nodes),) if self.nodes else ()
        return Tree(self.words, lost=self.lost + lost, alone=self.alone)

    def moved(self, by: int) -> "Tree":
        nodes = tuple(node.moved(by) for node in self.nodes)
        lost = tuple((kind, tuple(n.moved(by) for n in group)) for kind, group in self.lost)
        return replace(self, nodes=nodes, lost=lost)


def leaf(word: str, label: str = "[X]") -> Tree:
    return Tree((word,), "fixed", (Node(0, word),), label)


def join(operation: str, first: Tree, second: Tree) -> Tree:
    """Definition 5, and e where it says nothing."""
    second = second.moved(len(first.words))
    whole = Tree(
        first.words + second.words, lost=first.lost + second.lost, alone=first.alone + second.alone
    )
    if first.kind == "null" or second.kind == "null":
        kept = second if first.kind == "null" else first
        return replace(whole, kind=kept.kind, nodes=kept.nodes, label=kept.label)
    side, _, what = operation.partition("-")
    if what == "concatenate" and {first.kind, second.kind} <= {"fixed", side}:
        return replace(whole, kind=side, nodes=first.nodes + second.nodes)
    head, children = (second, first) if side == "left" else (first, second)
    if what == "adjoin" and head.kind == "fixed" and children.kind in ("fixed", side):
        (node,) = head.nodes
        if side == "left":
            node = replace(node, left=children.nodes + node.left)
        else:
            node = replace(node, right=node.right + children.nodes)
        return replace(whole, kind="fixed", nodes=(node,), label=head.label)
    lost = ((first.kind, first.nodes), (second.kind, second.nodes))
    return replace(whole, lost=whole.lost + lost)


def outcomes(first: Tree, second: Tree) -> list[Tree]:
    """What the special rules make of two neighbours, each different thing once."""
    found = [join(operation, first, second) for operation in OPERATIONS]
    if "null" in (first.kind, second.kind):
        return found[:1]
    defined = [tree for tree in found if tree.kind != "null"]
    return defined + [tree for tree in found if tree.kind == "null"][:1]


@dataclass(frozen=True)
class Derived:
    tree: Tree
    rules: tuple[Rule, ...]
    special: int = 0
    unmatched: int = 0


class DependencyArpa:
    """P_T, P_L and P_R, literally."""

    def __init__(self, folder: Path, *, stop: bool = False) -> None:
        self.models = {name: Arpa(folder / f"{name}.arpa") for name in ("roots", "left", "right")}
        self.order, self.stop = self.models["left"].order, stop

    def ln(self, name: str, context: tuple[str, ...], word: str) -> float:
        model = self.models[name]
        words = [w if (w,) in model.entries else "<unk>" for w in (*context, word)]
        return model.score(tuple(words[:-1]), words[-1])[0] * LN10

    def siblings(self, name: str, start: list[str], words: list[str], skip: int = 0) -> float:
        """Of words after what they start from, but for the first `skip`."""
        total = 0.0
        for place, word in enumerate(words):
            if place >= skip:
                total += self.ln(name, tuple((start + words[:place])[1 - self.order :]), word)
        return total

    def subtree(self, node: Node, *, closed: bool) -> float:
        end = ["</s>"] if closed and self.stop else []
        head = [f"<head>{node.word}"]
        total = self.siblings("left", head, [c.word for c in reversed(node.left)] + end)
        total += self.siblings("right", head, [c.word for c in node.right] + end)
        return total + sum(self.subtree(c, closed=True) for c in node.left + node.right)

    def score(self, tree: Tree) -> float:
        total = 0.0
        lost = list(tree.lost)
        if tree.kind == "fixed":
            (root,) = tree.nodes
            total += self.ln("roots", (), root.word) + self.subtree(root, closed=True)
        else:
            lost.append((tree.kind, tree.nodes))
        for kind, nodes in lost:
            # Siblings beyond the nearest ones are told by siblings alone: they are scored.
            total += sum(self.subtree(node, closed=kind != "fixed") for node in nodes)
            nearest = nodes[::-1] if kind == "left" else nodes
            if kind in ("left", "right"):
                words = [node.word for node in nearest]
                total += self.siblings(kind, [], words, skip=self.order - 1)
        return total


class Oracle:
    def __init__(
        self, rules: list[Rule], lm: Arpa, dependency: DependencyArpa, limit: int = 20
    ) -> None:
        self.rules, self.lm, self.dependency, self.limit = rules, lm, dependency, limit

    def derivations(self, source: list[str]) -> list[Derived]:
        spans: dict[tuple[int, int], list[Derived]] = {}
        for length in range(1, min(len(source), self.limit) + 1):
            for start in range(len(source) - length + 1):
                span = (start, start + length)
                spans[span] = [*self._of_span(source, *span, spans), *_joined(*span, spans)]
        # Longer beginnings: a beginning and a span behind it.
        begins: list[list[Derived]] = [[]]
        for end in range(1, len(source) + 1):
            if end <= self.limit:
                begins.append(spans[0, end])
                continue
            begins.append(
                [
                    one
                    for middle in range(end - self.limit, end)
                    for first, second in product(begins[middle], spans[middle, end])
                    for one in _join_all(first, second)
                ]
            )
        return begins[-1]

    def _of_span(
        self, source: list[str], start: int, end: int, spans: dict[tuple[int, int], list[Derived]]
    ) -> Iterator[Derived]:
        own = tuple(source[start:end])
        if end == start + 1 and all(rule.source != own for rule in self.rules):
            yield Derived(leaf(own[0]), (Rule(own, own, ()),))
            return
        for rule in self.rules:
            for slots in matches(rule.source, source, start, end):
                for parts in product(*(spans[slot] for slot in slots)):
                    yield _fill(rule, parts)

    def features(self, derived: Derived) -> Features:
        tree = derived.tree
        lost = sum(len(nodes) for _, nodes in tree.lost)
        open_words = len(tree.nodes) if tree.kind in ("left", "right") else 0
        values = dict.fromkeys(TRANSLATION, 0.0)
        values |= {
            "phrase-penalty": float(len(derived.rules)),
            "word-penalty": -float(len(tree.words)),
            "unknown-word": -100.0 * sum(not rule.scores for rule in derived.rules),
            "special-rules": float(derived.special),
            "lm": lm_score(self.lm, tree.words),
            "dependency-lm": self.dependency.score(tree),
            "ill-formed": float(lost + open_words + tree.alone),
            "unmatched-labels": float(derived.unmatched),
        }
        for rule in derived.rules:
            for name, score in zip(TRANSLATION, rule.scores, strict=False):
                values[name] += math.log(score)
        return values


def heads(tree: Tree) -> list[int | None]:
    """Heads from 1, 0 for the root, None for words in no structure."""
    found: list[int | None] = [None] * len(tree.words)

    def walk(node: Node) -> None:
        for child in node.left + node.right:
            found[child.place] = node.place + 1
            walk(child)

    for _, nodes in [*tree.lost, (tree.kind, tree.nodes)]:
        for node in nodes:
            walk(node)
    if tree.kind == "fixed":
        found[tree.nodes[0].place] = 0
    return found


def _joined(start: int, end: int, spans: dict[tuple[int, int], list[Derived]]) -> Iterator[Derived]:
    for middle in range(start + 1, end):
        for first, second in product(spans[start, middle], spans[middle, end]):
            yield from _join_all(first, second)


def _join_all(first: Derived, second: Derived) -> Iterator[Derived]:
    for tree in outcomes(first.tree, second.tree):
        yield Derived(
            tree,
            first.rules + second.rules,
            first.special + second.special + 1,
            first.unmatched + second.unmatched,
        )


def _fill(rule: Rule, parts: tuple[Derived, ...]) -> Derived:
    trees = [
        parts[SLOTS.index(word)].tree
        if word in SLOTS
        else leaf(word, rule.label if rule.kind == f"fixed-{place}" else "[X]")
        for place, word in enumerate(rule.target)
    ]
    unmatched = sum(
        part.tree.label != label or label == "[X]"
        for part, label in zip(parts, rule.slot_labels, strict=False)
    )
    if not rule.slot_labels:
        unmatched = len(parts)
    return Derived(
        _structure(rule, trees),
        (rule, *(inner for part in parts for inner in part.rules)),
        sum(part.special for part in parts),
        unmatched + sum(part.unmatched for part in parts),
    )


def _structure(rule: Rule, trees: list[Tree]) -> Tree:
    if not rule.kind:
        whole = Tree(())
        for word, tree in zip(rule.target, trees, strict=True):
            alone = Tree((word,), alone=1) if word not in SLOTS else tree.closed()
            whole = join("right-adjoin", whole, alone)
        return whole

    def subtree(place: int) -> Tree:
        whole = trees[place]
        children = [child for child, head in enumerate(rule.heads) if head == place + 1]
        for child in reversed([child for child in children if child < place]):
            whole = join("left-adjoin", subtree(child), whole)
        for child in [child for child in children if child > place]:
            whole = join("right-adjoin", whole, subtree(child))
        return whole

    roots = [place for place, head in enumerate(rule.heads) if head == 0]
    whole = subtree(roots[0])
    for root in roots[1:]:
        whole = join(f"{rule.kind}-concatenate", whole, subtree(root))
    return whole
