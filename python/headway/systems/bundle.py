"""Model bundles: a directory that holds a whole system and can be moved anywhere.

`model.toml` says what the system is, how text is prepared for it, how to search, what weighs how
much, and which component files belong to it, with their sizes and checksums. Opening a bundle
checks that all of them are there and compares their checksums.
"""

import os
import shutil
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from headway.checksums import damaged, fast_checksum
from headway.directories import set_aside, whole_directory
from headway.documents import read_toml
from headway.errors import ConfigError, FormatError, ModelError
from headway.files import MANIFEST, reading, sync, write_text, writing
from headway.printing import described
from headway.settings import dump_toml

FORMAT = 2
"""Format 1 differs in its checksums only, which are slower to compare."""

# Programs that write into a mapped file would change or kill a translator at work.
_READ_ONLY = 0o444

_ADVICE = "copy the bundle again or train it anew"


class Languages(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Codes such as `de`; empty where nobody said."""

    source: str = ""
    target: str = ""


class Preprocessing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What happened to the text that the system was trained on, and so happens to its input."""

    tokenise: bool = False
    split_hyphens: bool = False
    casing: str = "none"


class Component(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of the bundle."""

    kind: str
    """`rules`, `lm`, `rescoring-lm`, `dependency`, `source-parser` or `truecaser`; an n-gram
    model's feature has the component's name."""
    file: str
    size: int
    checksum: str


class Rescoring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The second pass: lists of the best translations, scored again with weights of their own."""

    n_best: int
    feature: str
    """The n-gram model whose place the component `rescoring` takes."""
    weights: dict[str, float]


_Share = Annotated[float, msgspec.Meta(ge=0, le=1)]


class Consensus(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a translation is chosen that others agree with, and how sure its words are."""

    use: bool
    """Whether `translate` answers it unless told otherwise."""
    gain: Literal["bleu", "chrf"]
    """What agreement is measured by."""
    scale: Annotated[float, msgspec.Meta(gt=0, le=1e6)]
    """Scores times this count as logarithms of probabilities."""
    n_best: Annotated[int, msgspec.Meta(ge=1, lt=2**20)]
    """Different candidates of each system."""
    confidence: list[tuple[_Share, _Share]] = []
    """Posteriors of words and how often words that had these were right, both rising."""
    unknown: _Share | None = None
    """How often words that no rule translates were right, whatever their posterior."""


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What `model.toml` says."""

    format: int
    system: str
    headway: str
    languages: Languages
    preprocessing: Preprocessing
    search: dict[str, Any]
    weights: dict[str, float]
    components: dict[str, Component]
    facts: dict[str, Any] = {}
    """What the system was made from, for people: never needed to use it."""
    rescoring: Rescoring | None = None
    features: dict[str, str] = {}
    """Features that are Python functions: `module:function`, or nothing where none is known."""
    coarse: dict[str, float] = {}
    """Weights of the search before this one, of systems that parse its lattices."""
    consensus: Consensus | None = None
    members: dict[str, "Manifest"] = {}
    """Of a combination: its systems, whose components are files of this bundle."""

    def __repr__(self) -> str:
        languages = f"{self.languages.source or '?'}-{self.languages.target or '?'}"
        parts = list(self.components)
        return described("Manifest", system=self.system, languages=languages, components=parts)

    def to_toml(self) -> str:
        """As `Bundle.open` reads it."""
        table: dict[str, Any] = msgspec.to_builtins(self)
        # Left out where empty, so that an earlier headway reads bundles without any.
        for name in ("features", "coarse", "members"):
            if not table[name]:
                del table[name]
        return dump_toml(_without_nothing(table))


def _without_nothing(table: dict[str, Any]) -> dict[str, Any]:
    """Without what TOML has no word for; members are tables of the same kind."""
    found = {key: value for key, value in table.items() if value is not None}
    if "consensus" in found:
        how = found["consensus"].items()
        found["consensus"] = {key: value for key, value in how if value is not None}
    if "members" in found:
        members = found["members"].items()
        found["members"] = {name: _without_nothing(member) for name, member in members}
    return found


class Bundle:
    """A bundle on disk whose files are all there, or all that are used."""

    def __init__(self, directory: Path, manifest: Manifest) -> None:
        self.directory = directory
        self.manifest = manifest

    def __repr__(self) -> str:
        languages = self.manifest.languages
        pair = f"{languages.source or '?'} → {languages.target or '?'}"
        return f"<Bundle {self.directory}: {self.manifest.system} {pair}, {self.size:,} bytes>"

    @classmethod
    def open(
        cls, directory: str | Path, *, verify: bool = True, without: Collection[str] = ()
    ) -> "Bundle":
        """Reads `model.toml` and compares the checksums of the files, unless `verify` is False.

        Then only their sizes are compared. `without` names components that nobody is going to
        use, so they need not be there.
        """
        path = Path(directory)
        bundle = cls(path, read_manifest(path))
        bundle.check(without)
        if verify:
            bundle.verify(without)
        return bundle

    def check(self, without: Collection[str] = ()) -> None:
        """Raises unless every component but those is there and has its size."""
        for component in self._but(without):
            self._check(component)

    def verify(self, without: Collection[str] = ()) -> None:
        """Compares every component but those with its checksum."""
        parts = {self.directory / part.file: part.checksum for part in self._but(without)}
        for path in damaged(parts):
            whose = self._whose(path.name)
            raise ModelError(f"{path}: damaged, its checksum differs{whose}; {_ADVICE}", path)

    def path(self, name: str) -> Path:
        """The file of a component."""
        if name not in self.manifest.components:
            message = f"{self.directory / MANIFEST}: no component {name}; {_ADVICE}"
            raise ModelError(message, self.directory / MANIFEST)
        return self.directory / self.manifest.components[name].file

    def names(self, kind: str) -> list[str]:
        """Names of the components of a kind, in the order of `model.toml`."""
        return [n for n, part in self.manifest.components.items() if part.kind == kind]

    @property
    def size(self) -> int:
        """Bytes of all components."""
        return sum(component.size for component in self.manifest.components.values())

    def _but(self, without: Collection[str]) -> list[Component]:
        parts = self.manifest.components.items()
        return [component for name, component in parts if name not in without]

    def _check(self, component: Component) -> None:
        path = self.directory / component.file
        if not path.is_file():
            whose = self._whose(component.file)
            raise ModelError(f"{path}: missing from the bundle{whose}; {_ADVICE}", path)
        with reading(path):
            size = path.stat().st_size
        if size != component.size:
            what = "cut short" if size < component.size else "not the file it was"
            message = f"{path}: {what}, expected {component.size:,} bytes, found {size:,}"
            raise ModelError(f"{message}{self._whose(component.file)}; {_ADVICE}", path)

    def _whose(self, file: str) -> str:
        """The members of a combination that use a file."""
        members = self.manifest.members.items()
        names = [n for n, it in members if file in {part.file for part in it.components.values()}]
        return f" (it belongs to {', '.join(names)})" if names else ""

    def member(self, name: str) -> "Bundle":
        """A system of a combination, over the same files."""
        return Bundle(self.directory, self.manifest.members[name])

    @property
    def systems(self) -> list["Bundle"]:
        """The systems of a combination; of a single system, itself."""
        return [self.member(name) for name in self.manifest.members] or [self]


def is_bundle(directory: Path) -> bool:
    """Whether the directory looks like a bundle, whole or not."""
    return (directory / MANIFEST).is_file()


def describe(kind: str, path: Path) -> Component:
    """A component as `model.toml` lists it."""
    with reading(path):
        return Component(kind, path.name, path.stat().st_size, fast_checksum(path))


def write_bundle(
    directory: Path,
    draft: Bundle,
    *,
    replace: bool = False,
    origins: Mapping[str, Path] | None = None,
) -> Bundle:
    """Puts a bundle together from a draft's files; it gets its name when it is complete.

    `origins` says where files are that are not in the draft's directory under their names.

    Files are linked where the file system can, and copied where it cannot, and are read-only.
    With `replace` a bundle of that name makes way, in one step where the system can.
    """
    check_free(directory, replace=replace)
    if origins is None:
        draft.check()
    with whole_directory(directory) as partial:
        for component in draft.manifest.components.values():
            origin = (origins or {}).get(component.file, draft.directory / component.file)
            _place(origin, partial / component.file)
        write_text(partial / MANIFEST, draft.manifest.to_toml())
    return Bundle.open(directory, verify=False)


def rewrite_manifest(bundle: Bundle, manifest: Manifest) -> Bundle:
    """Another `model.toml` for the same files: other weights, other search settings."""
    write_text(bundle.directory / MANIFEST, manifest.to_toml())
    return Bundle.open(bundle.directory, verify=False)


def check_free(directory: Path, *, replace: bool) -> None:
    """Raises unless a bundle may be written there."""
    if not directory.exists():
        return
    if not directory.is_dir():
        raise ConfigError(f"{directory}: is a file; name a directory for the bundle")
    if is_bundle(directory):
        if not replace:
            raise ConfigError(f"{directory}: is a bundle already; name another one, or use --force")
        return
    with reading(directory):
        occupied = next(directory.iterdir(), None)
    if occupied is not None:
        message = f"{directory}: not empty, it has {occupied.name}; name a new directory"
        raise ConfigError(message)


def _place(source: Path, target: Path) -> None:
    try:
        os.link(source.resolve(), target)
    except OSError:  # another file system, or one without links
        with reading(source), writing(target):
            shutil.copyfile(source, target)
            sync(target)
    # A link has the same mode as the file of the run directory. That does not stop a later run,
    # which replaces files and never writes into them.
    target.chmod(_READ_ONLY)


def read_manifest(directory: Path) -> Manifest:
    """What `model.toml` says, whether or not the files it lists are there."""
    path = directory / MANIFEST
    if not directory.is_dir():
        raise ModelError(f"{directory}: {_absence(directory)}", directory)
    if not path.is_file():
        message = f"{directory}: no bundle, it has no {MANIFEST}; `headway train` writes one"
        raise ModelError(message, directory)
    try:
        table = read_toml(path)
    except FormatError as error:
        message = str(error).removeprefix(f"{path}: ")
        raise ModelError(f"{path}: damaged, {message}; {_ADVICE}", path) from None
    _check_format(path, table.get("format"))
    try:
        manifest = msgspec.convert(table, Manifest)
    except msgspec.ValidationError as error:
        message = str(error).replace("`", "").replace("$.", "")
        raise ModelError(f"{path}: {message[:1].lower()}{message[1:]}; {_ADVICE}", path) from None
    parts = [manifest, *manifest.members.values()]
    for component in (it for part in parts for it in part.components.values()):
        if Path(component.file).name != component.file:
            raise ModelError(f"{path}: component {component.file} lies outside the bundle", path)
    return manifest


def _absence(directory: Path) -> str:
    """Why there is no bundle, and what to do."""
    if directory.exists():
        return "is no directory; a bundle is what `headway train` wrote"
    for old in set_aside(directory):
        return f"no such directory; replacing it was interrupted, so rename {old}, which it was"
    return "no such directory; a bundle is what `headway train` wrote"


def _check_format(path: Path, found: object) -> None:
    if not isinstance(found, int):
        raise ModelError(f"{path}: no format number, so no bundle of headway; {_ADVICE}", path)
    if found > FORMAT:
        message = f"{path}: format {found} is newer than this headway, which reads {FORMAT}"
        raise ModelError(f"{message}; update headway", path)
    if found < 1:
        raise ModelError(f"{path}: format {found}: there is no such one; {_ADVICE}", path)
