"""The steps that all systems share: from raw pairs to aligned, tokenised text and its LM."""

from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from headway import lm
from headway.align import AlignerSampler, Alignment, Bitext
from headway.corpus import (
    CorpusFiles,
    Tokeniser,
    Truecaser,
    clean,
    corpus_files,
    read_lines,
    tokenise_file,
    truecase_file,
    write_alignments,
    write_lines,
)
from headway.errors import FormatError
from headway.extract import extract
from headway.progress import Progress
from headway.run import Outputs
from headway.settings import ExtractSettings
from headway.systems.pipeline import Pipeline, note
from headway.systems.sides import SOURCE, SOURCE_SIDE, TARGET, TARGET_SIDE, Side
from headway.systems.system import Choice, Part, uses
from headway.systems.text import TARGET_CASE

LANGUAGE_MODEL, RULES = "lm.bin", "rules.table"
CLASSES, CLASS_MODEL = "target.classes", "class-lm.bin"

CLEAN = ("clean.source", "clean.target")


def clean_pairs(pipeline: Pipeline) -> None:
    """Drops pairs that nothing can be learnt from."""
    corpus, limits = pipeline.corpus, pipeline.settings.clean
    paths = tuple(path for sides in corpus.sides for path in sides)
    # With several corpora their order matters too; the inputs of a step have none.
    order = {"order": [str(path.resolve()) for path in paths]} if len(corpus.sides) > 1 else {}

    def make(outputs: Outputs, progress: Progress | None) -> None:
        report = clean(
            CorpusFiles(paths, "lines"),
            corpus_files([outputs[name] for name in CLEAN], "lines"),
            limits,
            progress=progress,
        )
        if not report.kept:
            found = "; ".join(f"{d.count:,} {d.reason}" for d in report.dropped if d.count)
            reasons = f" ({found})" if found else ""
            message = f"{corpus.source}: no pair to learn from among {report.read:,}{reasons}"
            raise FormatError(message, corpus.source)
        dropped = {d.reason: d.count for d in report.dropped if d.count}
        note(
            outputs["clean.json"],
            {"pairs_read": report.read, "pairs": report.kept, "dropped": dropped},
        )

    pipeline.step(
        "clean",
        "cleaning pairs",
        make,
        inputs=paths,
        settings={"clean": limits, **order},
        outputs=[*CLEAN, "clean.json"],
    )
    pipeline.learn("clean.json")


def prepare_text(pipeline: Pipeline) -> None:
    """Tokenises and cases both sides; learns how words are cased if that is wanted."""
    for cleaned, side in zip(CLEAN, (SOURCE_SIDE, TARGET_SIDE), strict=True):
        prepare_side(pipeline, side, pipeline.run / cleaned)


def prepare_side(pipeline: Pipeline, side: Side, source: Path) -> None:
    """Makes the file `side.text` from raw text."""
    learn = pipeline.preprocessing.casing == "truecase"
    language, case = side.language(pipeline.languages), side.case if learn else None
    _prepare(pipeline, source, side.text, language, case)
    if learn:
        pipeline.component(side.case, "truecaser", side.case)


def _prepare(pipeline: Pipeline, source: Path, text: str, language: str, case: str | None) -> None:
    def make(outputs: Outputs, progress: Progress | None) -> None:
        words = outputs[text].with_name(f"{outputs[text].name}.words")
        try:
            _tokenise(
                pipeline, source, outputs[text] if case is None else words, language, progress
            )
            if case is not None:
                truecaser = Truecaser.learn(words, language or None)
                truecaser.save(outputs[case])
                truecase_file(words, outputs[text], truecaser, threads=pipeline.threads)
        finally:
            words.unlink(missing_ok=True)

    pipeline.step(
        f"prepare-{text.partition('.')[2]}",
        f"preparing {text}",
        make,
        inputs=[source],
        settings={"language": language, "how": pipeline.preprocessing},
        outputs=[text] if case is None else [text, case],
    )


def _tokenise(
    pipeline: Pipeline, source: Path, output: Path, language: str, progress: Progress | None
) -> None:
    how = pipeline.preprocessing
    if not how.tokenise:
        write_lines(output, (" ".join(line.split()) for line in read_lines(source)))
        return
    tokenise_file(
        source,
        output,
        Tokeniser(language or None, split_hyphens=how.split_hyphens),
        lowercase=how.casing == "lowercase",
        threads=pipeline.threads,
        progress=progress,
    )


def align(pipeline: Pipeline) -> None:
    """Aligns the words of every pair, in both directions, as often as samples are wanted."""
    seed, samples = pipeline.settings.run.seed, _Samples(pipeline)
    for number, name in enumerate(alignments(pipeline)):
        _align(pipeline, samples, seed + number, name)


def alignments(pipeline: Pipeline) -> list[str]:
    """Names of the alignments of the corpus."""
    samples = pipeline.settings.align.samples
    return ["train.align", *(f"train.align.{number}" for number in range(2, samples + 1))]


class _Samples:
    """Alignments of the corpus; what they share is trained when the first of them is made."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._shared: tuple[Bitext, AlignerSampler] | None = None

    def align(self, seed: int, progress: Progress | None) -> list[Alignment]:
        how, threads = self._pipeline.settings.align, self._pipeline.threads
        if self._shared is None:
            run = self._pipeline.run
            bitext = Bitext.read(run / SOURCE, run / TARGET)
            sampler = AlignerSampler(bitext, settings=how, threads=threads, progress=progress)
            self._shared = bitext, sampler
        bitext, sampler = self._shared
        return sampler.aligner(seed=seed, threads=threads, progress=progress).align(
            bitext,
            symmetrisation=how.symmetrisation,
            max_sentence_length=how.max_sentence_length,
            threads=threads,
        )


def _align(pipeline: Pipeline, samples: _Samples, seed: int, name: str) -> None:
    def make(outputs: Outputs, progress: Progress | None) -> None:
        write_alignments(outputs[name], samples.align(seed, progress))

    settings: dict[str, Any] = msgspec.to_builtins(pipeline.settings.align)
    del settings["samples"]  # another number of samples leaves each as it is
    pipeline.step(
        name.replace("train.", ""),
        "aligning words",
        make,
        inputs=[pipeline.run / SOURCE, pipeline.run / TARGET],
        settings={"align": settings, "seed": seed},
        outputs=[name],
    )


def language_model(pipeline: Pipeline) -> None:
    """Estimates n-gram models of the target side and of what other text there is."""
    texts = [pipeline.run / TARGET]
    for number, source in enumerate(pipeline.corpus.monolingual, 1):
        texts.append(_prepare_monolingual(pipeline, source, f"monolingual.{number}"))
    _estimate(pipeline, texts, "lm", pipeline.settings.lm.order)
    pipeline.component("lm", "lm", LANGUAGE_MODEL)
    if pipeline.settings.rescore.order:
        _estimate(pipeline, texts, "rescoring", pipeline.settings.rescore.order)
        pipeline.component("rescoring", "rescoring-lm", "rescoring.bin")
    if pipeline.settings.lm.classes.count:
        learn_classes(pipeline, texts, "classes", CLASSES)
        _class_model(pipeline, texts)


def _estimate(pipeline: Pipeline, texts: list[Path], name: str, order: int) -> None:
    how, model = pipeline.settings.lm, f"{name}.bin"

    def make(outputs: Outputs, progress: Progress | None) -> None:
        training = lm.train(
            texts,
            outputs[model],
            order=order,
            memory=how.memory,
            prune=how.prune,
            vocab_limit=how.vocab_limit or None,
            skip_symbols=True,
            threads=pipeline.threads,
            progress=progress,
        )
        facts = {f"{name}_sentences": training.sentences, f"{name}_ngrams": training.kept}
        note(outputs[f"{name}.json"], facts)

    chosen = {"order": order, "prune": how.prune, "vocab_limit": how.vocab_limit}
    pipeline.step(
        name,
        "estimating the language model",
        make,
        inputs=texts,
        settings=chosen,
        outputs=[model, f"{name}.json"],
    )
    pipeline.learn(f"{name}.json")


def learn_classes(pipeline: Pipeline, texts: list[Path], name: str, file: str) -> None:
    """Puts the words of text into classes, as a component of this name."""
    how = pipeline.settings.lm.classes

    def make(outputs: Outputs, progress: Progress | None) -> None:
        found = lm.WordClasses.learn(
            texts,
            count=how.count,
            method=how.method,
            rounds=how.rounds,
            min_count=how.min_count,
            progress=progress,
        )
        found.save(outputs[file])

    pipeline.step(
        name,
        "finding word classes",
        make,
        inputs=texts,
        settings={
            "count": how.count,
            "method": how.method,
            **(
                {"rounds": how.rounds} if how.method == "exchange" else {"min_count": how.min_count}
            ),
        },
        outputs=[file],
    )
    pipeline.component(name, name, file)


def _class_model(pipeline: Pipeline, texts: list[Path]) -> None:
    how = pipeline.settings.lm

    def make(outputs: Outputs, progress: Progress | None) -> None:
        lm.train(
            texts,
            outputs[CLASS_MODEL],
            order=how.classes.order,
            memory=how.memory,
            classes=lm.WordClasses.load(pipeline.run / CLASSES),
            skip_symbols=True,
            threads=pipeline.threads,
            progress=progress,
        )

    pipeline.step(
        "class-lm",
        "estimating the model of word classes",
        make,
        inputs=[*texts, pipeline.run / CLASSES],
        settings={"order": how.classes.order},
        outputs=[CLASS_MODEL],
    )
    pipeline.component("class-lm", "class-lm", CLASS_MODEL)


def _prepare_monolingual(pipeline: Pipeline, source: Path, text: str) -> Path:
    """Cased as the target side is, so that it is the same language."""
    case = pipeline.run / TARGET_CASE if pipeline.preprocessing.casing == "truecase" else None
    language = pipeline.languages.target

    def make(outputs: Outputs, progress: Progress | None) -> None:
        words = outputs[text].with_name(f"{outputs[text].name}.words")
        try:
            _tokenise(pipeline, source, words, language, progress)
            if case is None:
                words.rename(outputs[text])
            else:
                truecase_file(words, outputs[text], Truecaser.load(case), threads=pipeline.threads)
        finally:
            words.unlink(missing_ok=True)

    pipeline.step(
        f"prepare-{text}",
        f"preparing {source.name}",
        make,
        inputs=[source, *([] if case is None else [case])],
        settings={"language": language, "how": pipeline.preprocessing},
        outputs=[text],
    )
    return pipeline.run / text


def extract_rules(
    pipeline: Pipeline,
    kind: str,
    settings: ExtractSettings | None = None,
    trees: Path | None = None,
) -> None:
    """Extracts and scores the rules of a kind, with their reordering features."""
    how = msgspec.structs.replace(settings or pipeline.settings.extract, kind=kind)
    source, target = pipeline.run / SOURCE, pipeline.run / TARGET
    aligned = [pipeline.run / name for name in alignments(pipeline)]

    def make(outputs: Outputs, progress: Progress | None) -> None:
        found = extract(
            source,
            target,
            aligned,
            outputs[RULES],
            target_trees=trees,
            settings=how,
            threads=pipeline.threads,
            progress=progress,
        )
        note(outputs["rules.json"], {"rules": found.rules})

    pipeline.step(
        "extract",
        "extracting rules",
        make,
        inputs=[source, target, *aligned, *([] if trees is None else [trees])],
        settings={"extract": _without_memory(how)},
        outputs=[RULES, "rules.json"],
    )
    pipeline.learn("rules.json")
    pipeline.component("rules", "rules", RULES)


def _without_memory(settings: msgspec.Struct) -> dict[str, Any]:
    """Settings that a result depends on; memory only decides how it is reached."""
    table: dict[str, Any] = msgspec.to_builtins(settings)
    return {key: value for key, value in table.items() if key != "memory"}


def _no_classes(choice: Choice) -> str:
    return "" if choice.settings.lm.classes.count else "lm.classes.count is 0"


def _no_exchange(choice: Choice) -> str:
    other = choice.settings.lm.classes.method != "exchange"
    return _no_classes(choice) or ("lm.classes.method is not exchange" if other else "")


def _no_brown(choice: Choice) -> str:
    other = choice.settings.lm.classes.method != "brown"
    return _no_classes(choice) or ("lm.classes.method is not brown" if other else "")


def _no_second_pass(choice: Choice) -> str:
    if choice.settings.rescore.order:
        return ""
    return "rescore.order is 0, so there is no second pass"


def _no_reordering(choice: Choice) -> str:
    model = choice.settings.extract.reordering.model
    return "extract.reordering.model is none" if model == "none" else ""


CLEANING = Part(clean_pairs, settings=(uses("clean"),))
TEXT = Part(prepare_text, settings=(uses("text.casing", "tokenise"),))
ALIGNMENT = Part(align, settings=(uses("align"),))
LANGUAGE_MODELS = Part(
    language_model,
    settings=(
        uses("lm.order", "lm.memory", "lm.prune", "lm.vocab_limit", "lm.classes.count"),
        uses("lm.classes.order", "lm.classes.method", unless=_no_classes),
        uses("lm.classes.rounds", unless=_no_exchange),
        uses("lm.classes.min_count", unless=_no_brown),
        uses("rescore.order"),
        uses("rescore.n_best", unless=_no_second_pass),
    ),
    components=(
        uses("lm"),
        uses("classes", "class-lm", unless=_no_classes),
        uses("rescoring-lm", unless=_no_second_pass),
    ),
    weights=(uses("lm"), uses("class-lm", unless=_no_classes)),
)

# What the extraction of every kind of rules reads, and the scores that all of them have.
RULE_SETTINGS = uses(
    "extract.memory",
    "extract.smoothing",
    "extract.significance",
    "extract.counts",
    "extract.max_sentence_length",
)
RULE_WEIGHTS = uses("p(f|e)", "lex(f|e)", "p(e|f)", "lex(e|f)")

PHRASES = Part(
    partial(extract_rules, kind="phrase"),
    settings=(RULE_SETTINGS, uses("extract.phrase", "extract.reordering")),
    components=(uses("rules"),),
    weights=(RULE_WEIGHTS, uses("reordering", unless=_no_reordering)),
)
HIERARCHICAL_RULES = Part(
    partial(extract_rules, kind="hiero"),
    settings=(RULE_SETTINGS, uses("extract.hiero")),
    components=(uses("rules"),),
    weights=(RULE_WEIGHTS,),
)
