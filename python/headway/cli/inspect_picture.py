"""What `headway inspect --html` and `--svg` write."""

from dataclasses import dataclass
from pathlib import Path

from headway.cli.pictures import check_suffix
from headway.files import write_text
from headway.show.picture import picture_page, picture_svg
from headway.systems import Explanation, Translation, Translator
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

    def write(
        self, found: Explanation | Translation, sentence: str, translator: Translator
    ) -> None:
        """Writes the files."""
        named = translator.bundle.manifest.languages
        pair = (named.source, named.target)
        weights = translator.weights
        picture = picture_of(found, given=sentence, languages=pair, weights=weights)
        if self.html is not None:
            system = translator.bundle.manifest.system
            title = f"A translation by {system}, {pair[0] or '?'} → {pair[1] or '?'}"
            write_text(self.html, picture_page(picture, title))
        if self.svg is not None:
            write_text(self.svg, picture_svg(picture))
