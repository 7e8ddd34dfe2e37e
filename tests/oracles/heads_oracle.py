"""Head rules, word for word: brackets in, the head of each word out, without any speed."""

import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

PUNCTUATION: Final = {",", ":", ".", "``", "''", "-LRB-", "-RRB-"}

LEFT, RIGHT = "left", "right"

_FLAT = {
    "ADJP": "NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB",
    "ADVP": "RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN",
    "CONJP": "CC RB IN",
    "LST": "LS :",
    "PP": "IN TO VBG VBN RP FW",
    "WHPP": "IN TO FW",
    "PRT": "RP",
    "QP": "$ IN NNS NN JJ RB DT CD NCD QP JJR JJS",
    "RRC": "VP NP ADVP ADJP PP",
    "SBARQ": "SQ S SINV SBARQ FRAG",
    "SQ": "VBZ VBD VBP VB MD VP SQ",
    "WHADJP": "CC WRB JJ ADJP",
    "WHADVP": "CC WRB",
    "WHNP": "WDT WP WP$ WHADJP WHPP WHNP",
    "FRAG": "",
    "INTJ": "",
    "PRN": "",
    "UCP": "",
}

COLLINS = {
    **_FLAT,
    "NAC": "NN NNS NNP NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW",
    "S": "TO IN VP S SBAR ADJP UCP NP",
    "SBAR": "WHNP WHPP WHADVP WHADJP IN DT S SQ SINV SBAR FRAG",
    "SINV": "VBZ VBD VBP VB MD VP S SINV ADJP NP",
    "VP": "TO VBD VBN MD VBZ VB VBG VBP VP ADJP NN NNS NP",
}
YAMADA = {
    **COLLINS,
    "NAC": "NN|NNS|NNP|NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW",
    "NP": "POS|NN|NNP|NNPS|NNS NX|NML JJR CD JJ JJS RB QP NP",
    "VP": "VBD VBN MD VBZ VB VBG VBP VP ADJP NN NNS NP",
    "WHPP": "IN TO VBG VBN RP FW",
    "X": "",
}
LTH = {
    **_FLAT,
    "FRAG": "NN*|NP W* SBAR PP|IN ADJP|JJ ADVP RB",
    "NAC": "NN* NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW",
    "NP": "NN*|NX|NML JJR CD JJ JJS RB QP =NP NP",
    "S": "VP *-PRD S SBAR ADJP UCP NP",
    "SBAR": "S SQ SINV SBAR FRAG",
    "SINV": "VBZ VBD VBP VB MD VP *-PRD S SINV ADJP NP",
    "SQ": "VBZ VBD VBP VB MD *-PRD VP SQ",
    "VP": "TO VBD VBN MD VBZ VB VBG VBP VP *-PRD ADJP NN NNS NP",
    "WHNP": "NN* WDT WP WP$ WHADJP WHPP WHNP",
    "WHPP": "IN TO VBG VBN RP FW",
}
# Categories whose parts are searched from the right.
_FROM_RIGHT = {
    "collins": " ADVP CONJP FRAG LST PP PRT RRC UCP WHADVP WHPP ",
    "yamada": " ADJP INTJ NAC NP PRN QP S SBAR SBARQ SINV SQ WHADJP WHNP X ",
    "lth": " ADJP INTJ NAC NP QP S SBAR SBARQ SINV SQ WHADJP WHNP ",
}


@dataclass(eq=False)
class Node:
    label: str
    children: list["Node"] = field(default_factory=list)
    leaf: str | None = None
    word: int = 0
    """Its head word; 0 where there are only traces."""

    @property
    def category(self) -> str:
        if self.label.startswith("-"):
            return self.label
        return re.split(r"[-=|]", self.label)[0] or self.label

    @property
    def functions(self) -> list[str]:
        return self.label.split("-")[1:]

    @property
    def leaves(self) -> list["Node"]:
        if self.leaf is not None:
            return [self]
        return [leaf for child in self.children for leaf in child.leaves]

    @property
    def has_words(self) -> bool:
        return any(leaf.label != "-NONE-" for leaf in self.leaves)

    def nodes(self) -> list["Node"]:
        return [self, *(node for child in self.children for node in child.nodes())]


def parse(text: str) -> list[Node]:
    """All trees of a text."""
    tokens = re.findall(r"[()]|[^\s()]+", text)
    trees = []
    while tokens:
        trees.append(_bracket(tokens))
    return trees


def _bracket(tokens: list[str]) -> Node:
    assert tokens.pop(0) == "("
    node = Node(tokens.pop(0) if tokens[0] not in "()" else "")
    while tokens[0] != ")":
        if tokens[0] == "(":
            node.children.append(_bracket(tokens))
        else:
            node.leaf = tokens.pop(0)
    tokens.pop(0)
    return node


def heads(tree: Node, table: str) -> list[int]:
    """The head of each word that is no trace."""
    words = [leaf for leaf in tree.leaves if leaf.label != "-NONE-"]
    for number, leaf in enumerate(words, 1):
        leaf.word = number
    if table == "lth":
        _undo_movement(tree)
        _lift_small_clauses(tree)
    found = [0] * len(words)
    _attach(tree, table, found)
    return found


def _attach(node: Node, table: str, found: list[int]) -> None:
    for child in node.children:
        _attach(child, table, found)
    parts = [child for child in node.children if child.word]
    if not parts:
        return
    if table == "lth" and _is_coordination(parts):
        node.word = _chain(node.category, parts, found)
        return
    head = find(table, node.category, parts)
    if table == "collins":
        head = _before_conjunction(parts, head)
    node.word = head.word
    _hang(parts, head.word, found)


def _hang(parts: list[Node], head: int, found: list[int]) -> None:
    for part in parts:
        if part.word != head:
            found[part.word - 1] = head


def _fits(part: Node, name: str) -> bool:
    if name.startswith("*-"):
        return name[2:] in part.functions
    if name.startswith("="):
        return part.label == name[1:]
    if name.endswith("*"):
        return part.category.startswith(name[:-1])
    return part.category == name


def _search(parts: list[Node], names: str, start: str) -> Node | None:
    for part in parts if start == LEFT else parts[::-1]:
        if any(_fits(part, name) for name in names.split("|")):
            return part
    return None


def find(table: str, category: str, parts: list[Node]) -> Node:
    """The head among the parts of a phrase."""
    category = "NP" if category in ("NX", "NML") else category
    if table == "collins":
        if category == "NP":
            return _collins_noun_phrase(parts)
        start = RIGHT if f" {category} " in _FROM_RIGHT[table] else LEFT
        names = COLLINS.get(category, "").split()
    else:
        start = RIGHT if f" {category} " in _FROM_RIGHT[table] else LEFT
        names = {"yamada": YAMADA, "lth": LTH}[table].get(category, "").split()
        if table == "lth" and category == "SBAR":
            for name in ("IN", "DT"):
                if (part := _search(parts, name, LEFT)) is not None:
                    return part
    for name in names:
        if (part := _search(parts, name, start)) is not None:
            return part
    return _outermost(parts, start)


def _outermost(parts: list[Node], start: str) -> Node:
    ordered = parts if start == LEFT else parts[::-1]
    return next((part for part in ordered if part.category not in PUNCTUATION), ordered[0])


def _collins_noun_phrase(parts: list[Node]) -> Node:
    if parts[-1].category == "POS":
        return parts[-1]
    for names, start in (
        ("NN|NNP|NNPS|NNS|NX|POS|JJR", RIGHT),
        ("NP|NML", LEFT),
        ("$|ADJP|PRN", RIGHT),
        ("CD", RIGHT),
        ("JJ|JJS|RB|QP", RIGHT),
    ):
        if (part := _search(parts, names, start)) is not None:
            return part
    return _outermost(parts, RIGHT)


def _before_conjunction(parts: list[Node], head: Node) -> Node:
    before = [part for part in parts[: parts.index(head)] if part.category not in PUNCTUATION]
    return before[-2] if len(before) >= 2 and before[-1].category == "CC" else head


def _undo_movement(tree: Node) -> None:
    nodes, done = tree.nodes(), []
    spoken = [node for node in nodes if node.has_words]
    for trace in nodes:
        match = re.fullmatch(r"\*(?:T|ICH)\*-(\d+)", trace.leaf or "")
        if trace.label != "-NONE-" or not match:
            continue
        ends = [node for node in nodes[1:] if node.label != "-NONE-"]
        ends = [node for node in ends if node.functions[-1:] == [match[1]]]
        if not ends or ends[0] in done or ends[0] not in spoken or trace in ends[0].nodes():
            continue
        old, new = _parent(tree, ends[0]), _parent(tree, trace)
        old.children.remove(ends[0])
        new.children[new.children.index(trace)] = ends[0]
        done.append(ends[0])


def _parent(tree: Node, child: Node) -> Node:
    return next(node for node in tree.nodes() if child in node.children)


def _lift_small_clauses(tree: Node) -> None:
    for node in tree.nodes():
        for part in node.children if node.category == "VP" else []:
            shown = [child for child in part.children if child.has_words]
            if (
                part.category == "S"
                and any("SBJ" in child.functions for child in shown)
                and any("PRD" in child.functions for child in shown)
                and not any(child.category == "VP" for child in part.children)
            ):
                place = node.children.index(part)
                node.children = node.children[:place] + part.children + node.children[place + 1 :]


def _is_mark(part: Node) -> bool:
    return part.category in PUNCTUATION


def _links(part: Node) -> bool:
    return part.category in ("CC", "CONJP")


def _is_coordination(parts: list[Node]) -> bool:
    return any(_links(part) for part in [part for part in parts if not _is_mark(part)][1:-1])


def _kind(part: Node) -> str:
    kind = {"MD": "V", "ADJP": "J", "ADVP": "R"}.get(part.category, part.category)
    return kind[0] if kind[0] in "NVJRS" else kind


def _from_first_conjunct(parts: list[Node]) -> list[Node]:
    """All parts where there is nothing but conjunctions and marks."""
    rest = list(parts)
    while rest and (_is_mark(rest[0]) or _links(rest[0])):
        rest.pop(0)
    return rest or list(parts)


def _chain(category: str, parts: list[Node], found: list[int]) -> int:
    """Conjuncts and conjunctions hang from one another, all else from the first conjunct."""
    rest = _from_first_conjunct(parts)
    while _is_mark(rest[-1]):
        rest.pop()
    chain: list[list[Node]] = []  # a conjunction alone, or a conjunct
    for part in rest:
        if _links(part) or not chain or _links(chain[-1][0]):
            chain.append([part])
        else:
            chain[-1].append(part)
    chain = _split_list(category, chain[0]) + chain[1:]
    words = []
    for inside in chain:
        while inside and _is_mark(inside[0]):
            inside.pop(0)
        while inside and _is_mark(inside[-1]):
            inside.pop()
        if inside:
            words.append(find("lth", category, inside).word)
            _hang(inside, words[-1], found)
    for before, word in pairwise(words):
        found[word - 1] = before
    for part in parts:
        if not any(part in inside for inside in chain):
            found[part.word - 1] = words[0]
    return words[0]


def _split_list(category: str, parts: list[Node]) -> list[list[Node]]:
    stretches: list[list[Node]] = [[]]
    for part in parts:
        if part.category in (",", ":"):
            stretches.append([])
        else:
            stretches[-1].append(part)
    kept: list[list[Node]] = []
    for inside in reversed(stretches):
        if all(_is_mark(part) for part in inside):
            continue
        if kept:
            one, other = find("lth", category, inside), find("lth", category, kept[0])
            if _kind(one) != _kind(other):
                break
        kept.insert(0, inside)
    return kept
