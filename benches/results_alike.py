"""Unknown words: translated like a similar known word, or copied.

    make results-alike [HEADWAY_TASKS="multi30k de-en,nt wo-en"]

Trains `phrase` with default weights on each corpus and three seeds, and translates the dev set with
several values of `search.alike`; nothing else differs, and the test set is not used. Prints BLEU
(`-tok none`) and chrF, and how often what was said for an unknown word is in the reference: it is
right if one of its words is, wrong if none is. The most frequent words of the training text, such
as articles, do not count: a word for which only such were said is neither. Copied words are judged
likewise. So are known words that are rare in the training text: the reference lacks many of their
translations too, so look-alikes cannot be expected to do better than these.
"""

import os
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import mean

from headway import Settings, Translation, Translator, train
from headway.corpus import read_lines
from headway.evaluate import evaluate
from results_phrase_defaults import TASKS, Task

WANTED = [name for name in os.environ.get("HEADWAY_TASKS", "").split(",") if name]
DEFAULT = ("multi30k de-en", "multi30k cs-en", "nt wo-en")
SEEDS = (1, 2, 3)
SHARES = (0.0, 1.0, 0.9, 0.85, 0.8, 0.75, 0.6)
# Target words that say too little to be right or wrong, and how often a rare word occurs.
FREQUENT, RARE = 100, 2


class Judge:
    """Looks words up in the references."""

    def __init__(self, task: Task) -> None:
        source, target = task.paths(task.train)
        words = Counter(word for line in read_lines(target) for word in line.split())
        self._frequent = {word for word, _ in words.most_common(FREQUENT)}
        self._times = Counter(word for line in read_lines(source) for word in line.split())
        self.references = list(read_lines(task.paths(task.dev)[1]))

    def unknown(self, found: Iterable[Translation], *kinds: str) -> Counter[str]:
        """How many unknown words of these kinds were right, wrong or neither."""
        return Counter(
            self._verdict(one.said, reference)
            for translation, reference in zip(found, self.references, strict=True)
            for one in translation.unknown
            if one.kind in kinds
        )

    def rare(self, found: Iterable[Translation]) -> Counter[str]:
        """The same for known words that are rare."""
        verdicts = Counter[str]()
        for translation, reference in zip(found, self.references, strict=True):
            unknown = {one.place for one in translation.unknown}
            for place, word in enumerate(translation.source):
                if place not in unknown and 0 < self._times[word] <= RARE:
                    linked = [target for at, target in translation.alignment if at == place]
                    said = [translation.words[target] for target in linked]
                    verdicts[self._verdict(said, reference)] += 1
        return verdicts

    def _verdict(self, said: Sequence[str], reference: str) -> str:
        telling = set(said) - self._frequent
        if not telling:
            return "neither"
        return "right" if telling & set(reference.split()) else "wrong"


class Row:
    """What one setting did, over all seeds."""

    def __init__(self) -> None:
        self.bleus: list[float] = []
        self.chrfs: list[float] = []
        self.alike, self.copied, self.rare = (Counter[str]() for _ in range(3))

    def add(self, judge: Judge, found: Sequence[Translation]) -> None:
        """Adds the translations of one seed."""
        lines = [translation.text for translation in found]
        metrics = ("bleu", "chrf")
        scored = evaluate([lines], [judge.references], tokenise="none", metrics=metrics, samples=0)
        scores = scored.systems[0].scores
        self.bleus.append(scores["bleu"])
        self.chrfs.append(scores["chrf"])
        self.alike += judge.unknown(found, "look-alike")
        self.copied += judge.unknown(found, "copy")
        self.rare += judge.rare(found)

    def __str__(self) -> str:
        spread = max(self.bleus) - min(self.bleus)
        return (
            f"BLEU {mean(self.bleus):.2f} (spread {spread:.2f})  chrF {mean(self.chrfs):.2f}  "
            f"look-alikes: {_shown(self.alike)}  copied: {_shown(self.copied)}"
        )


def _shown(verdicts: Counter[str]) -> str:
    """Counts, and the share of right ones of those that are right or wrong."""
    judged = verdicts["right"] + verdicts["wrong"]
    share = f" {verdicts['right'] / judged:.0%}" if judged else ""
    kinds = ", ".join(f"{verdicts[name]} {name}" for name in ("right", "wrong", "neither"))
    return f"{kinds}{share}"


def run(task: Task, place: Path) -> None:
    judge, rows = Judge(task), {share: Row() for share in SHARES}
    source, target = task.paths(task.train)
    dev = list(read_lines(task.paths(task.dev)[0]))
    for seed in SEEDS:
        overrides = [f"run.seed={seed}", f"search.distortion_limit={task.distortion}"]
        settings = Settings.load(None, overrides)
        model = place / str(seed)
        train("phrase", source, target, model, pretokenised=True, settings=settings)
        for share, row in rows.items():
            row.add(judge, Translator.load(model, search={"alike": share}).translate(dev))
    print(f"{task.name}: {len(dev)} sentences, {len(SEEDS)} seeds, counts are of all of them")
    for share, row in rows.items():
        print(f"  alike {share:<4g}  {row}")
    print(f"  known words, at most {RARE} times in training: {_shown(rows[0.0].rare)}", flush=True)


def main() -> None:
    for task in TASKS:
        if task.name in (WANTED or DEFAULT):
            with tempfile.TemporaryDirectory() as place:
                run(task, Path(place))


if __name__ == "__main__":
    main()
