"""Training and parsing UD English-EWT: headway's O(n²) parser against UDPipe, on the same data.

Both learn tags and trees from en_ewt-train and parse en_ewt-test, cut into words already, with tags
of their own. CPU seconds, one thread in parsing. UDPipe's trainer stands still for most of an hour
with its own settings, so it gets few rounds here (UDPIPE), which leaves it less accurate than its
published models; its speed of parsing does not depend on them. Also the exponent of growth of
parsing time from 10 to 400 words, the time of 50-best lists, and whether peak memory and times of
training keep their bars.
"""

import gzip
import math
import os
import random
import time
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from headway import parse
from headway.trees import DependencyTree, read_trees
from measure import cpu_seconds, report, usage
from ufal.udpipe import InputFormat, Model, Pipeline, ProcessingError, Sentence, Sentences, Trainer

ROOT = Path(__file__).parent.parent
DATA = Path(os.environ.get("HEADWAY_DATA", ROOT.parent / "shared" / "data")) / "ud"
TRAIN, TEST = DATA / "en_ewt-train.conllu.gz", DATA / "en_ewt-test.conllu.gz"

UDPIPE = {
    "tagger": "iterations=1;models=1;templates_1=tagger;guesser_suffix_rules_1=6;use_lemma_1=0",
    "parser": "iterations=1;embedding_upostag=20;embedding_feats=20;embedding_xpostag=0;"
    "embedding_form=50;embedding_lemma=0;embedding_deprel=20;learning_rate=0.01;l2=0.5;"
    "hidden_layer=200;batch_size=10;transition_system=projective;transition_oracle=dynamic;"
    "structured_interval=8",
}


def udpipe_sentences(path: Path) -> Sentences:
    reader = InputFormat.newConlluInputFormat()
    reader.setText(gzip.decompress(path.read_bytes()).decode())
    error, found = ProcessingError(), Sentences()
    sentence = Sentence()
    while reader.nextSentence(sentence, error):
        found.push_back(sentence)
        sentence = Sentence()
    assert not error.occurred(), error.message
    return found


def train_udpipe(directory: Path) -> Path:
    error = ProcessingError()
    settings = ("none", UDPIPE["tagger"], UDPIPE["parser"])
    model = Trainer.train(
        "morphodita_parsito", udpipe_sentences(TRAIN), Sentences(), *settings, error
    )
    assert not error.occurred(), error.message
    path = directory / "udpipe.model"
    path.write_bytes(model if isinstance(model, bytes) else model.encode("latin-1"))
    return path


def udpipe_trees(
    model: Path, words: list[list[str]], out: Path
) -> tuple[float, list[DependencyTree]]:
    pipeline = Pipeline(
        Model.load(str(model)), "horizontal", Pipeline.DEFAULT, Pipeline.DEFAULT, "conllu"
    )
    text = "\n".join(" ".join(word.replace(" ", "\u00a0") for word in line) for line in words)
    seconds, output = cpu_seconds(lambda: pipeline.process(text + "\n"), repeat=3)
    out.write_text(output)
    return seconds, list(read_trees(out, tags="xpos"))


def exponent(parser: parse.Parser, words: list[str]) -> float:
    """The slope of log time over log length, 10 to 400 words."""
    rng = random.Random(1)
    points = []
    for length in (10, 20, 40, 80, 160, 400):
        count = max(4, 40_000 // length**2)
        sentences = [[rng.choice(words) for _ in range(length)] for _ in range(count)]
        seconds, _ = cpu_seconds(partial(parser.parse, sentences, threads=1), repeat=5)
        points.append((math.log(length), math.log(seconds / count)))
        print(f"{length:>4} words: {1e3 * seconds / count:8.3f} ms")
    mean_x, mean_y = (sum(column) / len(points) for column in zip(*points, strict=True))
    over = sum((x - mean_x) * (y - mean_y) for x, y in points)
    return float(over / sum((x - mean_x) ** 2 for x, _ in points))


def fifty_best(parser: parse.Parser, words: list[str]) -> None:
    """The time of lists of the 50 best spanning trees."""
    rng = random.Random(2)
    for length in (20, 40, 80, 160):
        sentence = [rng.choice(words) for _ in range(length)]
        seconds, _ = cpu_seconds(partial(parser.kbest, sentence, 50), repeat=3)
        print(f"{length:>4} words, 50 best trees: {1e3 * seconds:8.1f} ms")


def bar(name: str, value: float, bound: float, *, lower: bool = False) -> None:
    met = value <= bound if lower else value >= bound
    print(f"{name}: {value:.2f}, bar {bound}: {'met' if met else 'MISSED'}")


def main() -> None:
    gold = list(read_trees(TEST, tags="xpos"))
    words = [tree.forms for tree in gold]
    with TemporaryDirectory() as name:
        directory = Path(name)
        used = usage(
            "parse", "train", "--treebank", TRAIN, "--out", directory, "--search", "mst", "-q"
        )
        print(f"training: {used.cpu:.0f} CPU s, {used.wall:.0f} s, peak {used.peak_mib:,} MiB")
        bar("training, s", used.wall, 180, lower=True)
        bar("peak, MiB", used.peak_mib, 2048, lower=True)
        parser = parse.load(directory)
        seconds, trees = cpu_seconds(lambda: parser.parse(words, threads=1), repeat=5)
        ours = parse.evaluate(trees, gold)
        print(f"ours: UAS {ours.uas:.2f}, LAS {ours.las:.2f}, tags {ours.tags:.2f}")
        vocabulary = [word for line in words for word in line]
        fifty_best(parser, vocabulary)
        power = exponent(parser, vocabulary)
        print(f"parsing time grows with length to the power of {power:.2f}")
        start = time.process_time()
        model = train_udpipe(directory)
        trained = time.process_time() - start
        peer_seconds, peer_trees = udpipe_trees(model, words, directory / "peer.conllu")
        peer = parse.evaluate(peer_trees, gold)
        print(f"UDPipe: UAS {peer.uas:.2f}, LAS {peer.las:.2f}, tags {peer.tags:.2f}")
        print(f"UDPipe's training: {trained:.0f} CPU s")
    bar("UAS", ours.uas, 83.5)
    bar("tags", ours.tags, 94.0)
    bar("sentences/s", len(gold) / seconds, 2000)
    report("parse", len(gold) / seconds, len(gold) / peer_seconds, "sentences/s", "higher")


if __name__ == "__main__":
    main()
