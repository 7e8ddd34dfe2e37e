"""From a trained Moses model to a bundle."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from headway import lm
from headway.errors import ConfigError, FormatError
from headway.files import make_directory, reading, writing
from headway.languages import doubt_languages
from headway.partial import partial_directory
from headway.printing import prints_briefly
from headway.settings import Settings
from headway.systems.bundle import (
    FORMAT,
    Bundle,
    Component,
    Languages,
    Manifest,
    Preprocessing,
    check_free,
    describe,
    write_bundle,
)
from headway.systems.decoder import feature_names
from headway.systems.moses.ini import Feature, Ini
from headway.systems.moses.model import Model, read_model
from headway.systems.moses.search import search_settings
from headway.systems.pipeline import Watch
from headway.systems.registry import find_system
from headway.systems.weights import nearest
from headway.table import ImportReport, import_moses
from headway.version import __version__

_log = logging.getLogger(__name__)

RULES = "rules.table"
_MAX_PHRASE = 20  # what Moses takes where a moses.ini does not say
_KENLM = b"mmap lm http://kheafield.com/code"


@prints_briefly
@dataclass(frozen=True)
class Imported:
    """What came of an import."""

    bundle: Bundle
    table: ImportReport
    notes: tuple[str, ...]
    """What is not supported, each with file and line."""


def import_model(
    ini: str | Path,
    out: str | Path,
    *,
    language_models: Sequence[str | Path] = (),
    languages: tuple[str, str] | None = None,
    settings: Settings | None = None,
    watch: Watch = lambda _: nullcontext(),
) -> Imported:
    """Makes a bundle of a phrase-based or hierarchical Moses model.

    Tables, language models, weights and search settings come with it; a glue grammar becomes the
    weight of `glue`.

    `language_models` are ARPA files in place of those in the `moses.ini`, in their order: binaries
    of KenLM are not read. The bundle takes tokenised text, as Moses does.
    """
    chosen = settings or Settings.load()
    directory = Path(out)
    check_free(directory, replace=False)
    doubt_languages(*(languages or ()))
    read = Ini.read(Path(ini))
    model = read_model(read)
    system = find_system("hiero" if model.hierarchical else "phrase")
    defaults = {**system.search_settings(chosen), "max_phrase": _MAX_PHRASE}
    search, notes = search_settings(read, defaults)
    if model.options is not None:
        search["options"] = model.options
    if model.hierarchical_orientation:
        search["orientation"] = "hierarchical"
    models = _language_models(model, language_models)
    with _workplace(directory) as place:
        table = _build_table(model, place, chosen, watch)
        components = {"rules": describe("rules", place / RULES)}
        for name, path in models.items():
            components[name] = _build_language_model(place / f"{name}.bin", path, chosen, watch)
        manifest = Manifest(
            format=FORMAT,
            system=system.name,
            headway=__version__,
            languages=Languages(*(languages or ("", ""))),
            preprocessing=Preprocessing(),
            search=search,
            weights=model.weights,
            components=components,
            facts={"rules": table.rules, "imported": read.path.name},
        )
        draft = Bundle(place, manifest)
        _check_weights(read.path, draft)
        return Imported(write_bundle(directory, draft), table, (*notes, *model.notes))


@contextmanager
def _workplace(directory: Path) -> Iterator[Path]:
    """A directory beside the bundle to be, so that its files can be linked; gone at the end."""
    parent = directory.resolve().parent
    make_directory(parent)
    with ExitStack() as stack:
        with writing(parent):
            place = stack.enter_context(partial_directory(parent, f".{directory.name}-"))
        yield place


def _build_table(model: Model, place: Path, settings: Settings, watch: Watch) -> ImportReport:
    with watch("reading the phrase table") as progress:
        return import_moses(
            [] if model.table is None else [model.table],
            place / RULES,
            reordering=model.reordering,
            reordering_model=model.reordering_type,
            memory=settings.rules.memory,
            threads=settings.run.threads,
            progress=progress,
        )


def _build_language_model(
    output: Path, source: Path, settings: Settings, watch: Watch
) -> Component:
    with watch(f"reading {source.name}") as progress:
        lm.build(source, output, threads=settings.run.threads, progress=progress)
    return describe("lm", output)


def _language_models(model: Model, given: Sequence[str | Path]) -> dict[str, Path]:
    """The ARPA file of each language model: as given, or as the `moses.ini` has it."""
    wanted = model.language_models
    if given and len(given) != len(wanted):
        message = f"--lm: expected {len(wanted)} files, one for each language model"
        raise ConfigError(f"{message} of the moses.ini, found {len(given)}")
    if given:
        return dict(zip(wanted, map(Path, given), strict=True))
    return {name: _arpa(feature, path) for name, (feature, path) in wanted.items()}


def _arpa(feature: Feature, path: Path) -> Path:
    """The file itself if it is text; a binary of KenLM has to be replaced."""
    if not path.is_file():
        raise feature.line.wrong(f"{path}: no such file; give the ARPA file with --lm")
    with reading(path), path.open("rb") as file:
        start = file.read(len(_KENLM))
    if start == _KENLM:
        message = f"{path} is a binary of KenLM; give the ARPA file it was made from with --lm"
        raise feature.line.wrong(message)
    return path


def _check_weights(ini: Path, draft: Bundle) -> None:
    """The tables must have the features that were promised weights, and the other way round."""
    features = feature_names(draft)
    for name in draft.manifest.weights:
        if name not in features:
            message = f"{ini}: has a weight for {name}, but the tables have no such feature"
            raise FormatError(f"{message}{nearest(name, features)}", ini)
    missing = [name for name in features if name not in draft.manifest.weights]
    if missing:
        _log.warning("%s: no weight for %s: they weigh 0", ini, ", ".join(missing))
