"""A small language to train parsers on: noun phrases, verbs, and now and then crossing arcs."""

import random

WORDS = {
    "D": ["the", "a", "this"],
    "A": ["old", "small", "red", "new"],
    "N": ["dog", "cat", "house", "man", "tree"],
    "V": ["sees", "likes", "finds"],
    "R": ["that", "which"],
}

Row = tuple[str, str, int, str]


def rows(rng: random.Random, crossing: float = 0.0) -> list[Row]:
    """Words, tags, heads from 1 and labels; a relative clause may stand at the end."""
    found: list[Row] = []

    def noun(label: str, verb: int) -> int:
        adjectives = rng.randrange(3)
        head = len(found) + adjectives + 2
        found.append((rng.choice(WORDS["D"]), "D", head, "det"))
        found.extend((rng.choice(WORDS["A"]), "A", head, "amod") for _ in range(adjectives))
        found.append((rng.choice(WORDS["N"]), "N", verb, label))
        return head

    subject = noun("nsubj", 0)
    verb = len(found) + 1
    found[subject - 1] = (*found[subject - 1][:2], verb, "nsubj")
    found.append((rng.choice(WORDS["V"]), "V", 0, "root"))
    noun("obj", verb)
    if rng.random() < crossing:
        clause = len(found) + 2
        found.append((rng.choice(WORDS["R"]), "R", clause, "mark"))
        found.append((rng.choice(WORDS["V"]), "V", subject, "acl"))
    found.append((".", ".", verb, "punct"))
    return found


def conllu(sentence: list[Row]) -> str:
    """The same as CoNLL-U."""
    lines = [
        f"{n}\t{w}\t_\t{t}\t{t}\t_\t{h}\t{k}\t_\t_" for n, (w, t, h, k) in enumerate(sentence, 1)
    ]
    return "\n".join([*lines, "", ""])


def treebank(seed: int, sentences: int, crossing: float = 0.0) -> str:
    """Many sentences."""
    rng = random.Random(seed)
    return "".join(conllu(rows(rng, crossing)) for _ in range(sentences))


def tagless(trees: list[tuple[list[str], list[int]]]) -> str:
    """Words and heads as CoNLL-U, without tags."""
    return "".join(
        conllu([(w, "_", h, "dep") for w, h in zip(words, heads, strict=True)])
        for words, heads in trees
    )
