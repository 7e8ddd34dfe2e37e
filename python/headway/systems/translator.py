"""Translating with a bundle."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from headway import _core
from headway.arguments import named_arguments
from headway.errors import ConfigError, ModelError
from headway.forest import Forest
from headway.progress import Progress
from headway.systems.bundle import Bundle, Consensus, Manifest
from headway.systems.decoder import Decoder, has_trees, system_of
from headway.systems.effects import idle_changes
from headway.systems.features import Features, check_pickles, named_features
from headway.systems.rescoring import BATCH as RESCORED
from headway.systems.rescoring import COMPONENT, Rescorer
from headway.systems.searches import SEARCHES
from headway.systems.source import Given, Source
from headway.systems.source_reader import SourceReader
from headway.systems.text import text_of
from headway.systems.translation import Candidate, Segment, Step, Translation
from headway.systems.unknown import mark_look_alikes, unknown_words
from headway.systems.voting import (
    ALONE,
    BATCH,
    PLAIN,
    Juror,
    confidence,
    copied_words,
    hold,
    juror,
    plain_weights,
    vote_weights,
)
from headway.trees import DependencyTree

_log = logging.getLogger(__name__)

# What stands in for bytes that are no text.
_REPLACEMENT = "\ufffd"

_Part = TypeVar("_Part")

# Of the candidates of one system, the one with the highest expected gain.
_ONE = plain_weights([ALONE])


class Translator:
    """A system that is loaded and ready to translate.

    translator = Translator.load("model")
    for translation in translator.translate(["Ein Haus steht dort."], n_best=5):
        print(translation.text, translation.score)
    """

    def __init__(
        self,
        bundle: Bundle,
        *,
        weights: Mapping[str, float] | None = None,
        search: Mapping[str, Any] | None = None,
        features: Features | None = None,
        rescore: bool = True,
        threads: int = 0,
        warn_idle: bool = True,
    ) -> None:
        self.bundle = bundle
        self.threads = threads
        added = named_features(features)
        self._options: dict[str, Any] = {
            "weights": weights,
            "search": search,
            "features": added,
            "rescore": rescore,
            "threads": threads,
        }
        self._source, self._target = text_of(bundle)
        self._decoder = Decoder(bundle, weights or {}, search or {}, added)
        self._reader = SourceReader(bundle, self._source, self._decoder)
        for message in idle_of(bundle, search or {}) if warn_idle else ():
            _log.warning(message)
        again = rescore and bundle.manifest.rescoring is not None
        self._rescorer = Rescorer(bundle, self._decoder.features, weights or {}) if again else None

    def __repr__(self) -> str:
        languages = self.bundle.manifest.languages
        pair = f"{languages.source or '?'} → {languages.target or '?'}"
        return f"<Translator {self.bundle.directory}: {self.bundle.manifest.system} {pair}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """By path: another process opens the same bundle with the same options."""
        for name, function in self._options["features"].items():
            check_pickles(name, function)
        return _opened_again, (self.bundle.directory.resolve(), self.bundle.manifest, self._options)

    @classmethod
    @named_arguments
    def load(
        cls,
        directory: str | Path,
        *,
        weights: Mapping[str, float] | None = None,
        search: Mapping[str, Any] | None = None,
        features: Features | None = None,
        rescore: bool = True,
        verify: bool = True,
        threads: int = 0,
    ) -> "Translator":
        """Opens a bundle and compares its checksums; its files are mapped.

        `weights` and `search` change single weights and search settings of the bundle; weights
        change in both passes of a bundle that has a second one. `features`
        are functions of a `headway.table.Rule` by feature name, or where they are imported from,
        as `"module:function"`; a list takes their names from the functions. Each is called once
        for every rule that could be used in a batch, and its value counts with the feature's
        weight (the bundle's or that of `weights`, else 0). `rescore` is for bundles with a second
        pass: without it, what the decoder finds is final, and its files need not be there.
        `verify=False` opens a large bundle at once, damaged or not. `threads` is how many
        `translate` uses unless told otherwise; 0 is one per core.

        A translator can be sent to another process (`multiprocessing`): it is pickled as the path
        of its bundle with these options, and the files are mapped there again.

        The bundle may be a combination of several systems, which `headway.combine` makes. Then
        `weights` are of the vote, and `search` counts for all members.
        """
        unused = () if rescore else (COMPONENT,)
        bundle = Bundle.open(directory, verify=verify, without=unused)
        return opened(
            bundle,
            weights=weights,
            search=search,
            features=features,
            rescore=rescore,
            threads=threads,
        )

    @property
    def weights(self) -> Mapping[str, float]:
        """The weight of every feature in the scores of translations: those of the last pass."""
        return self.search_weights if self._rescorer is None else dict(self._rescorer.weights)

    def without_trees(self) -> str:
        """Why there are no trees, and what to do."""
        name, need = self.bundle.manifest.system, system_of(self.bundle).target_trees
        if need.without:  # a configuration without them
            return f"this {name} was trained without trees; {need.without}"
        return f"{name} makes no trees; parse its output: headway parse run"

    def counters(self) -> dict[str, int]:
        """What features with a state took so far, such as arcs that `phrase-deplm` scored."""
        return self._decoder.counters()

    @property
    def search_weights(self) -> Mapping[str, float]:
        """The same in search; other ones only where a second pass comes after it."""
        return dict(self._decoder.weights)

    @property
    def has_lattices(self) -> bool:
        """Whether what search keeps can be seen as a word lattice: neither slots nor trees."""
        return SEARCHES[system_of(self.bundle).decoder].lattices

    @property
    def has_trees(self) -> bool:
        """Whether translations come with dependency trees."""
        return has_trees(self.bundle)

    @property
    def uses_source_trees(self) -> bool:
        """Whether search looks at trees of what it translates."""
        return self._decoder.uses_trees

    @property
    def has_source_parser(self) -> bool:
        """Whether the bundle has a parser that makes these trees where none are given."""
        return self._reader.has_parser

    @property
    def search(self) -> Mapping[str, Any]:
        """The search settings in force."""
        return dict(self._decoder.search)

    @named_arguments
    def translate(
        self,
        lines: Sequence[Given],
        *,
        n_best: int = 0,
        distinct: bool = False,
        mbr: bool | None = None,
        forests: bool = False,
        trees: bool = False,
        confidence: bool = False,
        threads: int | None = None,
        before: int = 0,
        progress: Progress | None = None,
    ) -> list[Translation]:
        """Translates lines, each on its own; an empty line becomes an empty line.

        A line is text, a list of words that are cut already, or a `Source` with trees. A system
        that uses source trees parses what has none; without a parser the translation has the flag
        `no-source-tree`.

        `n_best` candidates come with each, all different with `distinct`. `mbr` answers the
        candidate that is most like all others by expected n-gram counts (minimum Bayes risk), in
        place of the best score; None is what the bundle says. Candidates are then all
        different. `confidence` adds how probably each word is right. `forests` adds all that
        search kept, `trees` the dependency tree of each
        translation and candidate, which `phrase-deplm` and `str2dep` make. Neither threads nor
        neighbours change a result. An error at a line names its number; `before` is how many lines
        were translated before these.
        """
        if trees and not self.has_trees:
            raise ConfigError(self.without_trees())
        if not 0 <= n_best < 2**31:
            raise ConfigError(f"n_best is {n_best}; expected a number of translations, 0 or more")
        threads = self.threads if threads is None else threads
        sources = self.sources(lines, threads=threads)
        mbr = self.consensus.use if mbr is None else mbr
        votes = mbr or confidence
        size = BATCH if votes else RESCORED if self._rescorer else max(1, len(sources))
        done = list[Translation]()
        for start in range(0, len(sources), size):
            batch = sources[start : start + size]
            found = self.search_sources(
                batch,
                threads=threads,
                n_best=max(n_best, self.consensus.n_best if votes else 0),
                distinct=distinct or votes,
                forests=forests or (votes and self._juror.forests),
                trees=trees,
                safest=votes,
                before=before + start,
                progress=progress if size >= len(sources) else None,
            )
            read = self._decoder.read([source.words for source in batch])
            held = self._votes(found, threads) if votes else [None] * len(batch)
            done += [
                self._translation(
                    source,
                    seen,
                    answer,
                    n_best,
                    vote,
                    mbr=mbr,
                    sure=confidence,
                    trees=trees,
                    forest=forests,
                )
                for source, seen, answer, vote in zip(batch, read, found, held, strict=True)
            ]
            if size < len(sources) and progress is not None:
                progress(len(done), len(sources))
        return done

    def search_sources(
        self,
        sources: Sequence[Source],
        *,
        threads: int,
        n_best: int,
        distinct: bool,
        forests: bool,
        trees: bool,
        safest: bool,
        before: int,
        progress: Progress | None = None,
    ) -> list[_core.Translation]:
        """What search and the second pass, if there is one, find for prepared sources.

        With `safest`, lists have the candidate that search's derivations agree with most.
        """
        again = self._rescorer
        found = self._decoder.translate(
            sources,
            threads=threads,
            n_best=max(n_best, again.n_best if again else 0),
            distinct=distinct or again is not None,
            forests=forests,
            trees=trees,
            safest=self._safest if safest else None,
            before=before,
            progress=progress,
        )
        return found if again is None else _rescored(again, sources, found, threads)

    @cached_property
    def consensus(self) -> Consensus:
        """How minimum Bayes risk is decided."""
        return self.bundle.manifest.consensus or PLAIN

    @property
    def has_confidence(self) -> bool:
        """Whether a dev set taught how often words of a posterior are right."""
        return bool(self.consensus.confidence)

    @property
    def _safest(self) -> tuple[str, float] | None:
        return (self.consensus.gain, self._juror.scale) if self._juror.forests else None

    @cached_property
    def _juror(self) -> Juror:
        return juror(ALONE, self.bundle, self.consensus.scale)

    def _votes(self, found: Sequence[_core.Translation], threads: int) -> list[_core.Vote]:
        gain = self.consensus.gain
        return hold([self._juror], [[one] for one in found], gain=gain, threads=threads)

    def words(self, lines: Sequence[str], *, threads: int = 0) -> list[list[str]]:
        """The words of lines as the system cuts them."""
        return self._source.words(lines, threads=threads)

    def places(self, lines: Sequence[str], *, threads: int = 0) -> list[list[tuple[int, int]]]:
        """Where the words of each line stand in it."""
        return self._source.places(lines, threads=threads)

    def written(self, words: Sequence[str]) -> tuple[str, list[tuple[int, int]]]:
        """Words of a translation as people write them, and where each of them stands."""
        return self._target.placed(words)

    def target_words(self, text: str) -> list[str]:
        """The words of a text in the target language, as translations have them."""
        return self._target.cut(text)

    def sources(self, given: Sequence[Given], *, threads: int = 0) -> list[Source]:
        """Lines, lists of words and sources as the system wants them, ready to be translated.

        Where the system uses source trees and a source has none, the bundle's parser makes them.
        """
        return self._reader.sources(given, threads=threads)

    @named_arguments
    def licensed(self, source: Source) -> list[tuple[int, int]] | None:
        """The spans of words that the trees of a source license as phrases.

        A span (2, 4) has the words 2 and 3, counted from 0. Spans are as long as `search.spans` and
        `search.licensed_words` allow. None without a tree, or if search has no use for it.
        """
        return self._decoder.licensed(source.core(source.words))

    def _translation(
        self,
        given: Source,
        read: list[str],
        answer: _core.Translation,
        n_best: int,
        vote: _core.Vote | None,
        *,
        mbr: bool,
        sure: bool,
        trees: bool,
        forest: bool,
    ) -> Translation:
        source = list(given.words)
        shared = _Shared() if answer.split else None
        entries = [answer.entry(place) for place in range(min(n_best, answer.listed))]
        chosen = answer
        # The first of a list may be another one than the best of search: see `restate`.
        if vote is not None and mbr and answer.listed:
            ((entry, _),) = vote.ranked(vote_weights([ALONE], _ONE), 1)
            chosen = answer.entry(vote.places()[entry][1])
        candidates = [
            self._candidate(entry, source, read, trees=trees, shared=shared) for entry in entries
        ]
        best = self._candidate(chosen, source, read, trees=trees, shared=shared)
        if vote is not None and sure:
            copied = copied_words([answer])

            def told(candidate: Candidate, entry: _core.Translation) -> Candidate:
                said = confidence(vote, entry.words, self.consensus, copied)
                return replace(candidate, confidence=said)

            best = told(best, chosen)
            candidates = list(map(told, candidates, entries))
        odd = any(_REPLACEMENT in word for word in source)
        alike = read != source
        flags = {"split": answer.split, "hurried": answer.hurried, "odd": odd, "alike": alike}
        flags |= {f"ignored-{part}": True for part in answer.ignored}
        flags["no-source-tree"] = self.uses_source_trees and bool(source) and not given.has_tree
        return Translation(
            best.words,
            best.score,
            best.features,
            best.segments,
            best.alignment,
            text=self._target.line(best.words),
            source=tuple(source),
            read=tuple(read),
            flags=frozenset(name for name, set_ in flags.items() if set_),
            steps=best.steps,
            unknown=best.unknown,
            heads=best.heads,
            tree=best.tree,
            phrase_heads=best.phrase_heads,
            tag_column=best.tag_column,
            confidence=best.confidence,
            n_best=tuple(candidates),
            forest=Forest(answer.forest) if forest and answer.forest is not None else None,
            source_trees=given.trees if self.uses_source_trees else (),
        )

    def _candidate(
        self,
        answer: _core.Translation,
        source: list[str],
        read: list[str],
        *,
        trees: bool,
        shared: "_Shared | None",
    ) -> Candidate:
        segments_of = zip(answer.segments, answer.rules, answer.places, strict=True)
        made = (Segment(*segment, rule, place) for segment, rule, place in segments_of)
        steps_of = (Step(*step[:3], tuple(step[3])) for step in answer.steps)
        if shared is None:
            words, links = tuple(answer.words), tuple(answer.alignment)
            segments, steps = tuple(made), tuple(steps_of)
        else:
            words, links = shared.parts(answer.words), shared.parts(answer.alignment)
            segments, steps = shared.parts(made), shared.parts(steps_of)
        unknown = unknown_words(source, read, words, segments, links)
        if self._decoder.search["unknown"] == "mark":
            words = mark_look_alikes(words, unknown)
        found = Candidate(
            words,
            answer.score,
            answer.features,
            segments,
            links,
            steps=steps,
            unknown=unknown,
            heads=_heads(answer),
            tree=_tree(answer, words),
            phrase_heads=None if answer.phrase_heads is None else tuple(answer.phrase_heads),
            tag_column=self._decoder.tag_column,
        )
        if trees and found.tree is None and found.heads is not None:
            # Built by rules: it has no tags, and labels tell only what has no head.
            return replace(found, tree=found.sentence().tree(found.tag_column))
        return found


class _Shared:
    """Equal parts of the candidates of a long line, kept once: most of their rules are the same."""

    def __init__(self) -> None:
        self._known: dict[Any, Any] = {}

    def parts(self, parts: Iterable[_Part]) -> tuple[_Part, ...]:
        """The same, with what was seen before in place of what equals it."""
        return tuple(self._known.setdefault(part, part) for part in parts)


def _opened_again(directory: Path, manifest: Manifest, options: Mapping[str, Any]) -> Translator:
    """The translator that was pickled, if its bundle is still the same but for its weights."""
    unused = () if options["rescore"] else (COMPONENT,)
    # Its checksums were compared when it was loaded.
    bundle = Bundle.open(directory, verify=False, without=unused)
    if bundle.manifest.components != manifest.components:
        message = f"{directory}: is another bundle since the translator was pickled"
        raise ModelError(f"{message}; load it again", directory)
    return opened(Bundle(directory, manifest), **options)


def idle_of(bundle: Bundle, search: Mapping[str, Any]) -> list[str]:
    """Why changes of search settings have no effect on a bundle of one system."""
    kinds = {component.kind for component in bundle.manifest.components.values()}
    return list(idle_changes(system_of(bundle), kinds, search))


def opened(bundle: Bundle, **options: Any) -> Translator:
    """The translator of a bundle: of one system, or of several."""
    if bundle.manifest.members:
        from headway.systems.combination import Combination  # noqa: PLC0415  it is a Translator

        return Combination(bundle, **options)
    return Translator(bundle, **options)


def _rescored(
    again: Rescorer,
    sources: Sequence[Source],
    found: Sequence[_core.Translation],
    threads: int,
) -> list[_core.Translation]:
    """By the second pass, but for sentences without words, which have no score."""
    after = again.again(found, threads=threads)
    both = zip(sources, found, after, strict=True)
    return [new if source.words else old for source, old, new in both]


def _tree(answer: _core.Translation, words: Sequence[str]) -> DependencyTree | None:
    """The parser's tree over the words as they are shown: some may be marked."""
    tree = answer.tree
    if tree is None or tree.forms == list(words):
        return tree
    return DependencyTree(list(words), tree.heads, tree.tags, tree.labels)


def _heads(answer: _core.Translation) -> tuple[int | None, ...] | None:
    """Built by rules, or by the parser."""
    if answer.tree is not None:
        return tuple(answer.tree.heads)
    return None if answer.heads is None else tuple(answer.heads)
