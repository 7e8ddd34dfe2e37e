"""What `headway inspect --html` and `--svg` write."""

from dataclasses import dataclass
from pathlib import Path

from headway.cli.pictures import check_suffix
from headway.errors import ConfigError
from headway.files import write_text
from headway.show.picture import picture_page, picture_svg
from headway.systems import Explanation, Translator
from headway.systems.picture import picture_of


@dataclass(frozen=True)
class Drawn:
    """Where the picture of a translation goes."""

    html: Path | None = None
    svg: Path | None = None

    def __bool__(self) -> bool:
        return self.html is not None or self.svg is not None

    def check(self) -> None:
        """Refuses names of kinds of files that are not written."""
        for path, option in ((self.html, "html"), (self.svg, "svg")):
            if path is not None:
                check_suffix(path, option)

    def refuse_combination(self) -> None:
        """Refuses pictures of what several systems voted for: each has its own derivation."""
        if self:
            message = "a combination has no derivation of its own to draw"
            raise ConfigError(f"{message}; inspect one of the systems that it was made of")

    def write(self, found: Explanation, sentence: str, translator: Translator) -> None:
        """Writes the files."""
        named = translator.bundle.manifest.languages
        pair = (named.source, named.target)
        picture = picture_of(found, given=sentence, languages=pair)
        if self.html is not None:
            system = translator.bundle.manifest.system
            title = f"A translation by {system}, {pair[0] or '?'} → {pair[1] or '?'}"
            write_text(self.html, picture_page(picture, title))
        if self.svg is not None:
            write_text(self.svg, picture_svg(picture))
