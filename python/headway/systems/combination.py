"""Translating with several systems that vote (DeNero et al. 2010)."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from headway import _core, parse
from headway.arguments import named_arguments
from headway.errors import ConfigError, HeadwayError, ModelError
from headway.files import MANIFEST
from headway.progress import Progress
from headway.systems.bundle import Bundle, Languages, Preprocessing
from headway.systems.features import Features
from headway.systems.source import Given, Source
from headway.systems.translation import Candidate, Translation
from headway.systems.translator import Translator, idle_of
from headway.systems.voting import (
    BATCH,
    Juror,
    confidence,
    copied_words,
    hold,
    juror,
    vote_weights,
)
from headway.systems.weights import changed_weights, check_stored

_log = logging.getLogger(__name__)

COMBINATION = "combination"
"""What the manifest of a combination has in place of a system."""

PARSER = "parser"
"""The kind of component that parses the target language."""


@dataclass(frozen=True)
class Heard:
    """A sentence as every member read it and what each found; None is a member without a say."""

    sources: tuple[Source, ...]
    said: tuple[_core.Translation | None, ...]
    late: bool = False
    """Whether time was up for all members."""

    def left_out(self, names: Sequence[str]) -> list[str]:
        """The members without a say."""
        return [name for name, one in zip(names, self.said, strict=True) if one is None]


class Panel:
    """The systems of a combination, and what they say of sentences."""

    def __init__(self, members: Mapping[str, Translator]) -> None:
        self.members = dict(members)
        self.names = list(members)

    def sources(self, lines: Sequence[Given], *, threads: int) -> list[tuple[Source, ...]]:
        """Each line as every member wants it."""
        columns = [one.sources(lines, threads=threads) for one in self.members.values()]
        return list(zip(*columns, strict=True))

    def jurors(self) -> list[Juror]:
        """How each member votes."""
        return [juror(n, it.bundle, it.consensus.scale) for n, it in self.members.items()]

    def hear(
        self,
        sources: Sequence[tuple[Source, ...]],
        *,
        n_best: int,
        threads: int,
        before: int,
        trees: bool = False,
    ) -> list[Heard]:
        """What every member finds.

        A member that fails on a sentence has no say on it, nor has one whose time was up, unless
        that is so of all.
        """
        columns = []
        errors: dict[int, HeadwayError] = {}
        for name, own in zip(self.names, zip(*sources, strict=True), strict=True):
            member = self.members[name]

            def find(
                batch: Sequence[Source], start: int, member: Translator = member
            ) -> list[_core.Translation]:
                return member.search_sources(
                    batch,
                    threads=threads,
                    n_best=n_best,
                    distinct=True,
                    forests=True,
                    trees=trees and member.has_trees,
                    safest=True,
                    before=before + start,
                )

            columns.append(_tried(name, find, own, errors))
        heard = []
        for place, (own, said) in enumerate(zip(sources, zip(*columns, strict=True), strict=True)):
            if all(one is None for one in said):
                raise errors[place]
            late = all(one is None or one.hurried for one in said)
            kept = said if late else tuple(None if it is None or it.hurried else it for it in said)
            heard.append(Heard(own, kept, late))
        return heard


def _tried(
    name: str,
    find: Callable[[Sequence[Source], int], list[_core.Translation]],
    sources: Sequence[Source],
    errors: dict[int, HeadwayError],
) -> list[_core.Translation | None]:
    """What a member finds; sentence by sentence where it fails on some."""
    try:
        return list(find(sources, 0))
    except HeadwayError:
        found: list[_core.Translation | None] = []
        for place, source in enumerate(sources):
            try:
                found += find([source], place)
            except HeadwayError as error:
                _log.warning("%s leaves the vote: %s", name, error)
                errors[place] = error
                found.append(None)
        return found


class Combination(Translator):
    """Several systems that are loaded and vote on every sentence.

    `Translator.load` makes it of a bundle that `headway.combine` wrote.
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
    ) -> None:
        if features:
            raise ConfigError("a combination takes no features; train its members with them")
        self.bundle, self.threads = bundle, threads
        self._options: dict[str, Any] = {
            "weights": weights,
            "search": search,
            "features": {},
            "rescore": rescore,
            "threads": threads,
        }
        shared: dict[str, Any] = {"search": search, "rescore": rescore, "threads": threads}
        shared["warn_idle"] = False  # another member may have a use for it
        members = {name: bundle.member(name) for name in bundle.manifest.members}
        for message in _idle_for_all(list(members.values()), search or {}):
            _log.warning(message)
        self.panel = Panel({name: Translator(one, **shared) for name, one in members.items()})
        names = _core.vote_features(self.panel.names)
        where = bundle.directory / MANIFEST
        if unknown := sorted(bundle.manifest.weights.keys() - set(names)):
            raise ModelError(f"{where}: weight {unknown[0]}: the vote has no such feature", where)
        check_stored(where, bundle.manifest.weights)
        stored = {name: bundle.manifest.weights.get(name, 0.0) for name in names}
        self._weights = changed_weights(stored, weights or {})
        self._jurors = self.panel.jurors()

    @property
    def weights(self) -> Mapping[str, float]:
        """The weight of every feature of the vote."""
        return dict(self._weights)

    @property
    def search_weights(self) -> Mapping[str, float]:
        """The same: members have their own."""
        return self.weights

    @property
    def has_lattices(self) -> bool:
        """Candidates come from several searches."""
        return False

    @property
    def has_trees(self) -> bool:
        """Whether a member makes trees, or has a parser of the target language."""
        members = self.panel.members.values()
        return any(one.has_trees or one.bundle.names(PARSER) for one in members)

    def without_trees(self) -> str:
        """Why there are no trees, and what to do."""
        return "no member makes trees; combine with one that does, or parse the output"

    def counters(self) -> dict[str, int]:
        """What features of members took so far."""
        found: dict[str, int] = {}
        for member in self.panel.members.values():
            for name, count in member.counters().items():
                found[name] = found.get(name, 0) + count
        return found

    @property
    def uses_source_trees(self) -> bool:
        """Whether some member looks at trees of what it translates."""
        return any(one.uses_source_trees for one in self.panel.members.values())

    @property
    def has_source_parser(self) -> bool:
        """Whether every member that looks at such trees can make them."""
        users = [one for one in self.panel.members.values() if one.uses_source_trees]
        return all(one.has_source_parser for one in users)

    @property
    def search(self) -> Mapping[str, Any]:
        """Members have settings of their own."""
        return {}

    @cached_property
    def _first(self) -> Translator:
        return next(iter(self.panel.members.values()))

    @cached_property
    def _parser(self) -> parse.Parser | None:
        """A member's parser of the target language."""
        for member in self.panel.members.values():
            for name in member.bundle.names(PARSER):
                return parse.load(member.bundle.path(name))
        return None

    @named_arguments
    def translate(
        self,
        lines: Sequence[Given],
        *,
        n_best: int = 0,
        distinct: bool = False,  # noqa: ARG002  candidates are all different
        mbr: bool | None = None,
        forests: bool = False,
        trees: bool = False,
        confidence: bool = False,
        threads: int | None = None,
        before: int = 0,
        progress: Progress | None = None,
    ) -> list[Translation]:
        """Translates lines by a vote of all members; see `Translator.translate`.

        Candidates are all different, with the features of the vote; `system` says which member
        said one. A member that fails on a sentence or whose time is up has no say on it, and the
        translation has the flag `without-NAME`.
        """
        if forests:
            raise ConfigError("a combination keeps no forest; translate with one of its members")
        if mbr is False:
            raise ConfigError("a combination always votes; translate with one of its members")
        if trees and not self.has_trees:
            raise ConfigError(self.without_trees())
        if not 0 <= n_best < 2**31:
            raise ConfigError(f"n_best is {n_best}; expected a number of translations, 0 or more")
        threads = self.threads if threads is None else threads
        sources = self.panel.sources(lines, threads=threads)
        done = list[Translation]()
        for start in range(0, len(sources), BATCH):
            heard = self.panel.hear(
                sources[start : start + BATCH],
                n_best=max(n_best, self.consensus.n_best),
                threads=threads,
                before=before + start,
                trees=trees,
            )
            votes = hold(
                self._jurors,
                [one.said for one in heard],
                gain=self.consensus.gain,
                threads=threads,
            )
            for one, vote in zip(heard, votes, strict=True):
                done.append(self._answer(one, vote, n_best, sure=confidence, trees=trees))
            if progress is not None:
                progress(len(done), len(sources))
        return done

    def sources(self, given: Sequence[Given], *, threads: int = 0) -> list[Source]:
        """As the first member wants them: words are the same for all."""
        return self._first.sources(given, threads=threads)

    def words(self, lines: Sequence[str], *, threads: int = 0) -> list[list[str]]:
        """The words of lines as the members cut them."""
        return self._first.words(lines, threads=threads)

    def places(self, lines: Sequence[str], *, threads: int = 0) -> list[list[tuple[int, int]]]:
        """Where the words of each line stand in it."""
        return self._first.places(lines, threads=threads)

    def written(self, words: Sequence[str]) -> tuple[str, list[tuple[int, int]]]:
        """Words of a translation as people write them, and where each of them stands."""
        return self._first.written(words)

    def target_words(self, text: str) -> list[str]:
        """The words of a text in the target language, as translations have them."""
        return self._first.target_words(text)

    def licensed(self, source: Source) -> list[tuple[int, int]] | None:  # noqa: ARG002
        """Members license spans of their own."""
        return None

    def _answer(
        self, heard: Heard, vote: _core.Vote, n_best: int, *, sure: bool, trees: bool
    ) -> Translation:
        ranked = vote.ranked(vote_weights(self.panel.names, self._weights), max(n_best, 1))
        candidates = [
            self._voted(heard, vote, entry, score, sure=sure, trees=trees)
            for entry, score in ranked
        ]
        best = candidates[0]
        whole = self._of_member(heard, vote.places()[ranked[0][0]][0])
        flags = {flag for flag in whole.flags if not flag.startswith("ignored-")}
        flags |= {f"without-{name}" for name in heard.left_out(self.panel.names)}
        flags |= {"hurried"} if heard.late else set()
        flags |= self._ignored(heard)
        fields = {name: getattr(best, name) for name in Candidate.__dataclass_fields__}
        return replace(
            whole,
            **fields,
            text=self.panel.members[best.system]._target.line(best.words),
            flags=frozenset(flags),
            n_best=tuple(candidates[:n_best]),
        )

    def _ignored(self, heard: Heard) -> set[str]:
        """Parts of the source that no member has a use for."""
        each = [set(one.ignored) for one in heard.said if one is not None]
        return {f"ignored-{part}" for part in set.intersection(*each)} if each else set()

    def _of_member(self, heard: Heard, member: int) -> Translation:
        """What a member would have answered on its own: its flags and how it read the source."""
        name, said, source = self.panel.names[member], heard.said[member], heard.sources[member]
        if said is None:
            raise ConfigError(f"{name} has no say")
        translator = self.panel.members[name]
        (read,) = translator._decoder.read([source.words])
        return translator._translation(
            source, read, said, 0, None, mbr=False, sure=False, trees=False, forest=False
        )

    def _voted(
        self, heard: Heard, vote: _core.Vote, entry: int, score: float, *, sure: bool, trees: bool
    ) -> Candidate:
        member, place = vote.places()[entry]
        name, said, source = self.panel.names[member], heard.said[member], heard.sources[member]
        if said is None:
            raise ConfigError(f"{name} has no say")
        translator = self.panel.members[name]
        (read,) = translator._decoder.read([source.words])
        core = said.entry(place)
        own = translator._candidate(core, list(source.words), read, trees=trees, shared=None)
        names = _core.vote_features(self.panel.names)
        found = replace(
            own,
            score=score,
            features=dict(zip(names, vote.values(entry), strict=True)),
            system=name,
        )
        if trees and found.tree is None and found.words:
            found = self._with_tree(found, heard)
        if sure:
            support = zip(self.panel.names, vote.support(core.words, 1), strict=True)
            found = replace(
                found,
                confidence=confidence(vote, core.words, self.consensus, copied_words(heard.said)),
                support={n: tuple(it) for n, it in support if it is not None},
            )
        return found

    def _with_tree(self, found: Candidate, heard: Heard) -> Candidate:
        """With the tree of another member that said the same, or of a parser."""
        for name, said, source in zip(self.panel.names, heard.said, heard.sources, strict=True):
            member = self.panel.members[name]
            if said is None or not member.has_trees:
                continue
            for place in range(said.listed):
                core = said.entry(place)
                if tuple(core.words) == found.words:
                    (read,) = member._decoder.read([source.words])
                    own = member._candidate(core, list(source.words), read, trees=True, shared=None)
                    return replace(found, heads=own.heads, tree=own.tree, tag_column=own.tag_column)
        if self._parser is None:
            return found
        (tree,) = self._parser.parse([list(found.words)], threads=1)
        return replace(found, tree=tree, heads=tuple(tree.heads))


def _idle_for_all(members: Sequence[Bundle], search: Mapping[str, Any]) -> list[str]:
    """Why changes of search settings have no effect on any member, in the words of the first."""
    idle = [idle_of(member, search) for member in members]
    names = [{message.partition(" ")[0] for message in own} for own in idle]
    return [one for one in idle[0] if all(one.partition(" ")[0] in own for own in names)]


def check_members(names: Sequence[str | Path], bundles: Sequence[Bundle]) -> None:
    """Raises unless these bundles can vote together: the same languages and the same words."""
    if len(bundles) < 1:
        raise ConfigError("name at least one bundle to combine")
    first = bundles[0].manifest
    for name, bundle in zip(names, bundles, strict=True):
        manifest = bundle.manifest
        if manifest.members:
            raise ConfigError(f"{name}: is a combination already; name the systems it was made of")
        for what in ("languages", "preprocessing"):
            own, theirs = getattr(manifest, what), getattr(first, what)
            if own != theirs:
                verb = "differs from that" if what == "preprocessing" else "differ from those"
                message = f"{name}: its {what} {verb} of {names[0]}: {_difference(own, theirs)}"
                raise ConfigError(f"{message}; combine systems that read the same text")


def _difference(own: Languages | Preprocessing, theirs: Languages | Preprocessing) -> str:
    """What two members disagree on, for people: `target is en, not fr`."""
    mine, other = msgspec.to_builtins(own), msgspec.to_builtins(theirs)
    return ", ".join(
        f"{name} is {_shown(value)}, not {_shown(other[name])}"
        for name, value in mine.items()
        if value != other[name]
    )


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value) if value not in ("", None) else "unknown"
