"""Compressions: Figure 5 of Hunter & Resnik (2010), and every tree against the definition."""

import json
import random
import xml.etree.ElementTree as ET
from itertools import chain, combinations, product
from pathlib import Path

import pytest
from conftest import Headway
from headway import ConfigError
from headway.table import RuleTable
from headway.trees import (
    Alternatives,
    DependencyTree,
    Sentence,
    compressions,
    draw_compressions,
    draw_compressions_svg,
    licensing,
    write_sentences,
)

EXAMPLE = DependencyTree(
    ["MAN", "THE", "WOMAN", "TALL", "THE", "SAW"],
    [6, 1, 6, 3, 3, 0],
    None,
    ["subj", "det", "obj", "amod", "det", "*"],
)
FIGURE_5 = """\
*
├─[SAW]
│ ├─subj
│ │ ├─[MAN]
│ │ │ ╰─det [THE]
│ │ ╰─[MAN THE]
│ ╰─obj
│   ├─[WOMAN]
│   │ ├─amod [TALL]
│   │ ╰─det [THE]
│   ├─[WOMAN TALL]
│   │ ╰─det [THE]
│   ╰─[WOMAN TALL THE]
╰─[WOMAN TALL THE SAW]
  ╰─subj
    ├─[MAN]
    │ ╰─det [THE]
    ╰─[MAN THE]"""

Cover = frozenset[tuple[int, int]]


def literal(tree: DependencyTree, word: int, longest: int) -> list[Cover]:
    """§3.3 word by word: squash some child subtrees, and compress all others."""
    found = []
    children = tree.children(word)
    for chosen in chain.from_iterable(combinations(children, n) for n in range(len(children) + 1)):
        words = sorted([word, *chosen, *(w for child in chosen for w in tree.descendants(child))])
        if words != list(range(words[0], words[-1] + 1)) or len(words) > longest:
            continue
        rest = [literal(tree, child, longest) for child in children if child not in chosen]
        phrase = frozenset({(words[0], words[-1])})
        found += [phrase.union(*parts) for parts in product(*rest)]
    return found


def covers(found: Alternatives) -> list[Cover]:
    """All compressions that an and–or graph stands for."""
    return [
        frozenset({(phrase.first, phrase.last)}).union(*parts)
        for phrase in found.phrases
        for parts in product(*map(covers, phrase.rest))
    ]


def random_tree(rng: random.Random, words: int) -> DependencyTree:
    order = rng.sample(range(1, words + 1), words)
    heads = [0] * words
    for place, word in enumerate(order[1:], 1):
        near = sorted(order[:place], key=lambda other: abs(other - word))
        heads[word - 1] = rng.choice([*near[:2], *near[:2], rng.choice(order[:place]), 0])
    return DependencyTree([f"w{word}" for word in range(words)], heads)


@pytest.mark.parametrize("seed", range(60))
def test_the_graph_holds_all_compressions_and_no_other(seed: int) -> None:
    rng = random.Random(seed)
    tree = random_tree(rng, rng.randrange(1, 9))
    for longest in (1, 2, 4, 8):
        found = compressions(tree, longest)
        expected = [literal(tree, root, longest) for root in tree.roots]
        assert [set(covers(root)) for root in found.roots] == [set(one) for one in expected]
        assert [root.count for root in found.roots] == [len(one) for one in expected]
        used = {span for covers_of_root in expected for cover in covers_of_root for span in cover}
        assert {(first, last) for first, last, _ in found.spans} == used


def test_figure_5() -> None:
    assert draw_compressions(EXAMPLE) == FIGURE_5
    found = compressions(EXAMPLE)
    phrases = {" ".join(EXAMPLE.forms[first - 1 : last]) for first, last, _ in found.spans}
    assert "THE SAW" not in phrases  # §3.5
    assert found.count == 8
    assert len(draw_compressions(EXAMPLE, longest=6).split("\n")) > len(FIGURE_5.split("\n"))
    assert draw_compressions(EXAMPLE, longest=1) == (
        "* [SAW]\n├─subj [MAN]\n│ ╰─det [THE]\n╰─obj [WOMAN]\n  ├─amod [TALL]\n  ╰─det [THE]"
    )


def test_figure_5_as_a_picture() -> None:
    root = ET.fromstring(draw_compressions_svg(EXAMPLE))  # noqa: S314
    texts = [element.text for element in root.iter() if element.tag.endswith("text")]
    for phrase in ("SAW", "MAN THE", "WOMAN TALL THE", "WOMAN TALL THE SAW"):
        assert phrase in texts
    assert (texts.count("subj"), texts.count("obj"), texts.count("MAN")) == (2, 1, 2)


def test_large_drawings_refer_to_what_they_have() -> None:
    # Each verb has a subject before it and the next clause after it: two phrases for every verb,
    # and below both of them the same clause.
    words = [word for n in range(20) for word in (f"s{n}", f"v{n}")]
    heads = [head for n in range(20) for head in (2 * n + 2, 2 * n)]
    tree = DependencyTree(words, heads)
    assert compressions(tree).count == 2**19 * 3  # the last two clauses may be one phrase
    drawing = draw_compressions(tree)
    assert len(drawing.split("\n")) < 6 * 20
    assert drawing.count("[v3]") == drawing.count("[s3 v3]") == drawing.count("v3 ↑") == 1
    root = ET.fromstring(draw_compressions_svg(tree))  # noqa: S314
    texts = [element.text for element in root.iter() if element.tag.endswith("text")]
    assert (texts.count("s3 v3"), texts.count("v3 ↑")) == (1, 1)


def test_odd_trees() -> None:
    assert draw_compressions(DependencyTree([], [])) == ""
    assert compressions(DependencyTree([], [])).count == 1
    two = DependencyTree(["[", "b"], [0, 0])
    assert draw_compressions(two) == "* [[]\n* [b]"
    with pytest.raises(ConfigError, match="run in a cycle"):
        compressions(DependencyTree(["a", "b"], [2, 1]))
    with pytest.raises(ConfigError, match="longest 0"):
        compressions(EXAMPLE, 0)
    assert repr(compressions(EXAMPLE)) == "<Compressions of 6 words, 10 licensed spans>"


def test_licensing_counts_what_remains(model: Path) -> None:
    table = RuleTable.open(model / "rules.table")
    sentence = ["der", "Hund", "sieht", "den", "Mann", "."]
    tree = DependencyTree(sentence, [3, 3, 0, 5, 3, 3])  # `der` hangs from the verb
    cyclic = DependencyTree(["a", "b"], [2, 1])
    found = licensing([tree, cyclic, DependencyTree([], [])], table=table)
    assert (found.sentences, found.without_tree, found.words) == (3, 2, 6)
    spans = {(i, j) for i, j, _ in tree.licensed_spans(4) or []}
    assert (found.licensed, found.spans, found.wide_spans) == (len(spans), 6 + 5 + 4 + 3, 21)
    expected = [
        (i, j, len(table.options(" ".join(sentence[i - 1 : j]))))
        for i in range(1, 7)
        for j in range(i, 7)
    ]
    expected = [one for one in expected if one[2]]
    kept = [one for one in expected if one[:2] in spans]
    assert (found.phrases, found.rules) == (len(expected), sum(rules for *_, rules in expected))
    assert found.licensed_phrases == len(kept) < len(expected)
    assert found.licensed_rules == sum(rules for *_, rules in kept)
    assert sum(found.unlicensed.values()) == len(expected) - len(kept)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    cyclic = DependencyTree(["a", "b"], [2, 1])
    write_sentences(tmp_path / "f.conllu", map(Sentence.from_tree, (EXAMPLE, cyclic)))
    return tmp_path / "f.conllu"


def test_the_command_draws_and_counts(headway: Headway, file: Path) -> None:
    done = headway("trees", "compressions", file)
    assert done.returncode == 0
    assert FIGURE_5 in done.stdout
    assert "8 compressions, 10 licensed spans" in done.stdout
    assert "# sentence 2: a b\nno compressions: the heads run in a cycle" in done.stdout
    assert "sentences               2   1 without a tree" in done.stdout
    assert "55.6 %   of all spans of up to 4 words" in done.stdout
    done = headway("trees", "compressions", file, "--summary", "--longest", 7)
    assert "SAW" not in done.stdout
    assert done.stdout.count("%") == 1
    out = file.parent / "tree.svg"
    done = headway("trees", "compressions", file, "--index", 1, "--svg", out)
    assert (done.returncode, done.stdout) == (0, "")
    assert ET.parse(out).getroot().tag.endswith("svg")  # noqa: S314


def test_the_command_answers_in_json(headway: Headway, file: Path, model: Path) -> None:
    for table in (model, model / "rules.table"):
        done = headway("trees", "compressions", file, "--json", "--table", table)
        first, second, last = map(json.loads, done.stdout.splitlines())
        assert (first["compressions"], first["licensed"][1]) == (8, [1, 2, 1])
        assert second["compressions"] is None
        assert (last["summary"]["licensed"], last["summary"]["phrases"]) == (10, 0)


def test_what_cannot_be_compressed_is_named(headway: Headway, file: Path, model: Path) -> None:
    for words, message in (
        (["none.conllu"], "none.conllu: no such file"),
        ([file, "--index", 3], "no sentence 3 among its 2"),
        ([file, "--longest", 0], "'--longest'"),
        ([file, "--index", 2, "--svg", "x.svg"], "run in a cycle"),
        ([file, "--table", file], "not a headway"),
        ([file, "--table", model / "lm.bin"], "a headway lm file where"),
        ([file, "--table", file.parent], "model.toml"),
    ):
        done = headway("trees", "compressions", *words, cwd=file.parent)
        assert done.returncode == 2
        assert message in done.stderr
        assert "Traceback" not in done.stderr
