"""Names of pictures: what their endings promise, and what headway writes."""

from pathlib import Path

from headway.errors import ConfigError

_EXPORT = "write --svg, which every browser opens, and export it there or with Inkscape"
_INSTEAD = {
    ".png": _EXPORT,
    ".jpg": _EXPORT,
    ".jpeg": _EXPORT,
    ".pdf": "write --html and print it as PDF in a browser",
}
_ENDINGS = {".html": "html", ".htm": "html", ".svg": "svg"}


def check_suffix(path: Path, option: str) -> None:
    """Refuses names that end like another kind of file than the option `html` or `svg` writes."""
    suffix = path.suffix.lower()
    if suffix in _INSTEAD:
        raise ConfigError(f"{path}: headway writes no {suffix[1:].upper()}; {_INSTEAD[suffix]}")
    wanted = _ENDINGS.get(suffix, option)
    if wanted != option:
        raise ConfigError(f"{path}: --{option} writes {option.upper()}; use --{wanted}")
