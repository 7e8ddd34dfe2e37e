"""What a request asks for: its fields, checked."""

from dataclasses import dataclass

from headway.markup import Format
from headway.serve.loaded import AUTO
from headway.serve.reading import Fields
from headway.serve.refusals import invalid, missing
from headway.settings import ServeSettings

# As LibreTranslate has them.
_FORMATS: tuple[Format, ...] = ("text", "html")


@dataclass(frozen=True)
class Asked:
    """Texts to translate, and how."""

    texts: tuple[str, ...]
    batch: bool
    """Whether they came as a list, so that the answer is one."""
    source: str
    target: str
    format: Format
    model: str | None

    @property
    def characters(self) -> int:
        """Of all texts."""
        return sum(map(len, self.texts))

    @property
    def detects(self) -> bool:
        """Whether the language is to be found out."""
        return self.source == AUTO


def asked(fields: Fields, limits: ServeSettings) -> Asked:
    """What to translate from which language to which."""
    texts, batch = texts_of(fields, limits)
    form = text_of(fields, "format", "text") or "text"
    wanted = next((one for one in _FORMATS if one == form), None)
    if wanted is None:
        raise invalid(f"{form[:40]} format is not supported; give {' or '.join(_FORMATS)}")
    return Asked(
        texts,
        batch,
        source=needed(fields, "source"),
        target=needed(fields, "target"),
        format=wanted,
        model=text_of(fields, "model", "") or None,
    )


def texts_of(fields: Fields, limits: ServeSettings) -> tuple[tuple[str, ...], bool]:
    """The texts of `q`, and whether it is a list; refuses more than a request may have."""
    q = fields.get("q")
    if q is None or q in ("", []):
        raise missing("q")
    batch = isinstance(q, list)
    texts = q if batch else [q]
    if not all(isinstance(text, str) for text in texts):
        raise invalid("Invalid request: q is neither a string nor a list of strings")
    _check_limit("texts", len(texts), limits.max_texts)
    _check_limit("characters", sum(map(len, texts)), limits.max_characters)
    return tuple(texts), batch


def _check_limit(what: str, size: int, limit: int) -> None:
    if 0 <= limit < size:
        message = f"Invalid request: request ({size} {what}) exceeds text limit ({limit})"
        raise invalid(message)


def needed(fields: Fields, name: str) -> str:
    """A string that must be there."""
    value = text_of(fields, name, "")
    if not value:
        raise missing(name)
    return value


def text_of(fields: Fields, name: str, default: str) -> str:
    """A string, or the default where there is none."""
    value = fields.get(name)
    if value is None:
        return default
    if not isinstance(value, str):
        raise invalid(f"Invalid request: {name} is not a string")
    return value


def number_of(fields: Fields, name: str, most: int) -> int:
    """A number from 0; forms have digits."""
    value = fields.get(name)
    if value is None or value == "":
        return 0
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise invalid(f"Invalid request: {name} is not a whole number from 0 to {most}")
    return value


_YES_NO = {"true": True, "1": True, "false": False, "0": False, "": False}


def flag_of(fields: Fields, name: str, default: bool = False) -> bool:
    """True or false; forms have these as words, or 1 and 0."""
    value = fields.get(name)
    if value is None:
        return default
    if isinstance(value, str) and value.lower() in _YES_NO:
        return _YES_NO[value.lower()]
    if not isinstance(value, bool):
        raise invalid(f"Invalid request: {name} is neither true nor false")
    return value
