"""Rules for people to read."""

from headway.table.rule import Rule, slot_name
from headway.trees import DependencyTree, draw
from headway.trees.drawing.canvas import printable


def draw_structure(rule: Rule, width: int = 80, colour: bool = False) -> str:
    """The tree of a rule's target side; empty if it has none.

    Slots carry their labels, the head of a fixed structure carries the label of the whole.
    """
    structure = rule.structure
    if structure is None or not rule.target:
        return ""
    numbered = len(structure.slot_labels) > 1
    forms = [s if isinstance(s, str) else slot_name(s, numbered) for s in rule.target]
    tags = ["" if isinstance(s, str) else structure.slot_labels[s] for s in rule.target]
    if structure.head is not None and structure.head < len(tags) and not tags[structure.head]:
        tags[structure.head] = structure.label
    tree = DependencyTree(forms, list(structure.heads), tags)
    return draw(tree, width, colour)


def titled_structure(rule: Rule, width: int = 80, colour: bool = False) -> str:
    """The same under a line that says which rule it is."""
    title = f"{rule.source_text} → {rule.target_text}  ({structure_text(rule)})"
    return f"{printable(title)}\n{draw_structure(rule, width, colour)}"


def links_text(rule: Rule) -> str:
    """`0-0 1-2`."""
    return " ".join(f"{source}-{target}" for source, target in rule.links)


def counts_text(rule: Rule) -> str:
    """Counts of target side, source side and both, as Moses orders them."""
    counts = rule.counts
    if counts is None:
        return ""
    return f"{counts.target:g} {counts.source:g} {counts.joint:g}"


def structure_text(rule: Rule) -> str:
    """`fixed house NOUN` and the like."""
    structure = rule.structure
    if structure is None:
        return ""
    words = [structure.kind, structure.label]
    if structure.head is not None and structure.head < len(rule.target):
        head, numbered = rule.target[structure.head], len(structure.slot_labels) > 1
        words.insert(1, head if isinstance(head, str) else slot_name(head, numbered))
    return " ".join(words)
