"""Brackets of the WSJ sample: the parser of kind pcfg, and a plain CKY parser in Python.

    make bench-pcfg

Trains on the first nine tenths of the sample and parses the last tenth on one thread. Brackets are
counted as EVALB counts them. The peer has the rules of the same trees with their frequencies, no
split symbols, and fills its whole chart; it parses the sentences of up to 15 words only.
"""

import math
import os
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

from headway import Settings, parse
from headway.trees import ConstituentTree, read_penn, write_penn
from measure import cpu_seconds, report

DATA = Path(os.environ.get("HEADWAY_DATA", Path(__file__).parents[2] / "shared" / "data"))
SAMPLE = DATA / "ptb" / "wsj-sample.mrg.gz"
SHORT = 15

# A label and its parts: a word, or one or two smaller trees.
Found = tuple[str, list["Found"] | str]


class NaiveCky:
    """A grammar of the treebank as it is, binarised, and the best tree under it."""

    def __init__(self, trees: list[ConstituentTree]) -> None:
        self.words: dict[str, Counter[str]] = defaultdict(Counter)
        rules: Counter[tuple[str, ...]] = Counter()
        for tree in trees:
            self._count(tree, rules)
        of: Counter[str] = Counter()
        for tags in self.words.values():
            of.update(tags)
        of_rules: Counter[str] = Counter()
        for (parent, *_), count in rules.items():
            of_rules[parent] += count
        self.binary: dict[str, list[tuple[str, str, float]]] = defaultdict(list)
        self.unary: dict[str, list[tuple[str, float]]] = defaultdict(list)
        for (parent, *children), count in rules.items():
            log = math.log(count / of_rules[parent])
            if len(children) == 2:
                self.binary[children[0]].append((children[1], parent, log))
            else:
                self.unary[children[0]].append((parent, log))
        self.tags = of
        self.once = Counter(
            tag for tags in self.words.values() if tags.total() == 1 for tag in tags
        )

    def _count(self, tree: ConstituentTree, rules: Counter[tuple[str, ...]]) -> None:
        children = tree.children
        if not children:
            self.words[tree.words[0]][tree.label] += 1
            return
        labels = [child.label for child in children]
        left = tree.label
        while len(labels) > 2:
            rules[left, labels.pop(0), f"@{tree.label}"] += 1
            left = f"@{tree.label}"
        if labels != [left]:
            rules[left, *labels] += 1
        for child in children:
            self._count(child, rules)

    def parse(self, words: list[str]) -> ConstituentTree:
        """The most probable tree."""
        chart: dict[tuple[int, int], dict[str, tuple[float, Found]]] = {}
        for at, word in enumerate(words):
            tags = self.words.get(word) or self.once
            cell: dict[str, tuple[float, Found]] = {
                tag: (math.log(count / self.tags[tag]), (tag, word)) for tag, count in tags.items()
            }
            chart[at, at + 1] = self._closed(cell)
        for width in range(2, len(words) + 1):
            for start in range(len(words) - width + 1):
                chart[start, start + width] = self._closed(
                    self._joined(chart, start, start + width)
                )
        whole = chart[0, len(words)]
        best = max(whole.values(), default=(0.0, ("X", [])), key=lambda one: one[0])
        return ConstituentTree(f"( {self._text(best[1])})" if best[1][1] else flat(words))

    def _joined(
        self, chart: dict[tuple[int, int], dict[str, tuple[float, Found]]], start: int, end: int
    ) -> dict[str, tuple[float, Found]]:
        cell: dict[str, tuple[float, Found]] = {}
        for middle in range(start + 1, end):
            rights = chart[middle, end]
            for left, (left_log, left_tree) in chart[start, middle].items():
                for right, parent, log in self.binary.get(left, ()):
                    if right not in rights:
                        continue
                    right_log, right_tree = rights[right]
                    score = left_log + right_log + log
                    if parent not in cell or score > cell[parent][0]:
                        cell[parent] = (score, (parent, [left_tree, right_tree]))
        return cell

    def _closed(self, cell: dict[str, tuple[float, Found]]) -> dict[str, tuple[float, Found]]:
        """A cell with unary rules applied for as long as they make anything better."""
        agenda = list(cell)
        while agenda:
            child = agenda.pop()
            below, tree = cell[child]
            for parent, log in self.unary.get(child, ()):
                if parent not in cell or below + log > cell[parent][0]:
                    cell[parent] = (below + log, (parent, [tree]))
                    agenda.append(parent)
        return cell

    def _text(self, tree: Found) -> str:
        label, parts = tree
        if isinstance(parts, str):
            return f"({label} {escaped(parts)})"
        inside = " ".join(map(self._text, parts))
        return inside if label.startswith("@") else f"({label} {inside})"


def escaped(word: str) -> str:
    return word.replace("(", "-LRB-").replace(")", "-RRB-")


def flat(words: list[str]) -> str:
    return f"( {' '.join(f'(X {escaped(word)})' for word in words)})"


def figures(name: str, found: list[ConstituentTree], gold: list[ConstituentTree]) -> None:
    result = parse.evaluate_brackets(found, gold)
    for what, counts in (("all", result.all), ("up to 40 words", result.short)):
        print(
            f"{name}, {what}: F1 {counts.f1:.2f}, precision {counts.precision:.2f}, recall "
            f"{counts.recall:.2f}, exact {counts.exact_match:.1f}, tags {counts.tagging:.2f}, "
            f"{counts.sentences} sentences",
            flush=True,
        )


def main() -> None:
    trees = list(read_penn(SAMPLE))
    held_out = len(trees) * 9 // 10
    gold = trees[held_out:]
    settings = Settings.load(None, ["parse.kind=pcfg"]).parse
    with tempfile.TemporaryDirectory() as place:
        bank = Path(place) / "train.mrg"
        write_penn(bank, trees[:held_out])
        used, trained = cpu_seconds(lambda: parse.train([bank], place, settings=settings), 1)
    print(f"training: {used:.0f} CPU s for {trained.sentences:,} sentences", flush=True)
    parser = trained.parser
    words = [tree.strip().words for tree in gold]
    used, found = cpu_seconds(lambda: parser.brackets(words, threads=1), 1)
    print(f"parsing: {len(gold) / used:.1f} sentences/s on one thread", flush=True)
    figures("pcfg", found, gold)

    naive = NaiveCky([tree.strip() for tree in trees[:held_out]])
    short = [at for at, sentence in enumerate(words) if len(sentence) <= SHORT]
    some = [words[at] for at in short]
    ours, found = cpu_seconds(lambda: parser.brackets(some, threads=1), 1)
    peers, plain = cpu_seconds(lambda: [naive.parse(sentence) for sentence in some], 1)
    expected = [gold[at] for at in short]
    figures(f"pcfg, up to {SHORT} words", found, expected)
    figures(f"plain CKY, up to {SHORT} words", plain, expected)
    better = [parse.evaluate_brackets(one, expected).all.f1 for one in (found, plain)]
    assert better[0] > better[1], better
    report("pcfg", len(some) / ours, len(some) / peers, "sentences/s", "higher")


if __name__ == "__main__":
    main()
