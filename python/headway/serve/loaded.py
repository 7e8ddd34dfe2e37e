"""The bundles of a service: loaded once, found by their languages and names."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headway.errors import ConfigError
from headway.languages import NAMES
from headway.serve.refusals import invalid
from headway.systems import Translator

_log = logging.getLogger(__name__)

AUTO = "auto"
"""The language code for: find out."""


@dataclass(frozen=True)
class LoadedModel:
    """A bundle that is ready to translate."""

    name: str
    source: str
    """The code of the language that it translates from, such as `de`."""
    target: str
    translator: Translator

    @property
    def system(self) -> str:
        """The name of its system, such as `phrase`."""
        return self.translator.bundle.manifest.system

    def table(self) -> dict[str, Any]:
        """What `/api/v1/models` says of it."""
        manifest, translator = self.translator.bundle.manifest, self.translator
        return {
            "name": self.name,
            "system": self.system,
            "source": self.source,
            "target": self.target,
            "has_trees": translator.has_trees,
            "has_phrase_trees": self.system == "phrase-qpdg",
            "has_confidence": translator.has_confidence,
            "uses_source_trees": translator.uses_source_trees,
            "has_source_parser": translator.has_source_parser,
            "second_pass": manifest.rescoring is not None,
            "bytes": translator.bundle.size,
            "weights": dict(translator.weights),
            "facts": manifest.facts,
        }


class LoadedModels:
    """All bundles of a service, in the order in which they were given."""

    def __init__(self, models: Sequence[LoadedModel]) -> None:
        if not models:
            raise ConfigError("a service without a model; give the directory of at least one")
        self._models = {model.name: model for model in models}

    def __iter__(self) -> Iterator[LoadedModel]:
        return iter(self._models.values())

    def __len__(self) -> int:
        return len(self._models)

    @property
    def codes(self) -> list[str]:
        """All languages, those to translate from first."""
        return list(dict.fromkeys([*(it.source for it in self), *(it.target for it in self)]))

    def targets(self, source: str) -> list[str]:
        """The languages that a language is translated to."""
        return list(dict.fromkeys(it.target for it in self if it.source == source))

    def sources_for(self, target: str) -> list[str]:
        """The languages that are translated to a language; refuses one that none is."""
        self._check(target)
        found = list(dict.fromkeys(it.source for it in self if it.target == target))
        if not found:
            raise invalid(
                f"{language_name(target)} ({target}) is not available as a target language"
            )
        return found

    def _check(self, code: str) -> None:
        if code not in self.codes:
            loaded = ", ".join(self.codes)
            raise invalid(f"{code[:40]} is not supported; loaded are {loaded}")

    def languages(self) -> list[dict[str, Any]]:
        """What `/languages` says."""
        return [
            {"code": code, "name": language_name(code), "targets": self.targets(code)}
            for code in self.codes
        ]

    def find(self, source: str, target: str, name: str | None = None) -> LoadedModel:
        """The model of a name, or the first one of these languages."""
        self._check(source)
        self._check(target)
        if name is not None and name not in self._models:
            raise invalid(f"model {name[:40]}: not loaded; loaded are {', '.join(self._models)}")
        found = [it for it in self if (it.source, it.target) == (source, target)]
        found = [it for it in found if name in (None, it.name)]
        if not found and name is not None:
            own = self._models[name]
            pair = f"from {own.source} to {own.target}"
            raise invalid(f"model {name}: translates {pair}, not from {source} to {target}")
        if not found:
            raise invalid(
                f"{language_name(target)} ({target}) is not available as a target language from"
                f" {language_name(source)} ({source})"
            )
        return found[0]


def language_name(code: str) -> str:
    """The English name of a language; its code where we know none."""
    return NAMES.get(code.replace("_", "-").split("-")[0].lower(), code)


def load_models(
    directories: Sequence[Path],
    *,
    search: Mapping[str, Any] | None = None,
    languages: tuple[str, str] | None = None,
    verify: bool = True,
) -> LoadedModels:
    """Loads bundles and translates a word with each, so that the first request finds all open.

    `languages` are those of bundles that do not say theirs.
    """
    models: list[LoadedModel] = []
    places: dict[Path, Path] = {}
    for directory in directories:
        same = places.setdefault(directory.resolve(), directory)
        if same is not directory:
            raise ConfigError(f"{directory}: is given twice; name each model once")
        translator = Translator.load(directory, search=search, verify=verify)
        own = translator.bundle.manifest.languages
        source, target = languages or ("", "")
        source, target = own.source or source, own.target or target
        if not source or not target:
            message = f"{directory}: does not say which languages it translates"
            raise ConfigError(f"{message}; add --languages SOURCE,TARGET, such as de,en")
        if source == target:
            message = f"{directory}: translates from {source} to {target}"
            raise ConfigError(f"{message}; a service finds models by two different languages")
        name = _free_name(directory, [model.name for model in models])
        translator.translate(["a"], threads=1)
        models.append(LoadedModel(name, source, target, translator))
        _log.info("loaded %s: %s, %s to %s", name, directory, source, target)
    return LoadedModels(models)


def _free_name(directory: Path, taken: Sequence[str]) -> str:
    """The directory's name, with a number if another model has it."""
    name = directory.resolve().name
    numbered = (f"{name}-{number}" for number in range(2, len(taken) + 3))
    return next(one for one in (name, *numbered) if one not in taken)
