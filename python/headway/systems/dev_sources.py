"""A dev set as search wants it: prepared once, however often it is translated."""

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from hashlib import blake2b

import msgspec

from headway.corpus import Truecaser
from headway.systems.bundle import Bundle
from headway.systems.decoder import Decoder
from headway.systems.dev import DevSet
from headway.systems.features import RuleFeature
from headway.systems.pipeline import Watch
from headway.systems.source import Source
from headway.systems.source_reader import SourceReader
from headway.systems.text import TARGET_CASE, SourceText, text_of
from headway.trees import DependencyTree


@dataclass(frozen=True)
class DevSources:
    """A dev set as a bundle wants it."""

    sources: list[Source]
    """Words as search sees them, and trees where it uses them."""
    references: list[list[list[str]]]
    """Words of each reference of each sentence, cut and cased as the target side of training."""

    @property
    def fingerprint(self) -> str:
        """Another one if anything of it is another."""
        sources = [[one.words, *map(_tree_key, one.trees)] for one in self.sources]
        encoded = msgspec.json.encode([sources, self.references])
        return blake2b(encoded, digest_size=16).hexdigest()


def dev_sources(
    bundle: Bundle,
    dev: DevSet,
    threads: int,
    *,
    added: Mapping[str, RuleFeature] | None = None,
    watch: Watch = lambda _: nullcontext(),
    option: str = "--source-trees",
) -> DevSources:
    """Both sides of a dev set; its source is parsed here, once, where search uses trees.

    `option` is what to give where there are no trees and no parser.
    """
    source, _ = text_of(bundle)
    how, language = bundle.manifest.preprocessing, bundle.manifest.languages.target
    cased = how.casing == "truecase"
    case = Truecaser.load(bundle.path(TARGET_CASE)) if cased else None
    target = SourceText(how, language, case)
    sides = [target.words(lines, threads=threads) for lines in dev.references]
    references = [list(lines) for lines in zip(*sides, strict=True)]
    reader = SourceReader(bundle, source, Decoder(bundle, {}, {}, added or {}))
    with watch("preparing the dev set") as progress:
        sources = reader.sources(dev.given, threads=threads, progress=progress)
    reader.check_trees(sources, option)
    return DevSources(sources, references)


def _tree_key(weighted: tuple[DependencyTree, float]) -> list[object]:
    tree, weight = weighted
    return [tree.heads, tree.tags, tree.labels, weight]
