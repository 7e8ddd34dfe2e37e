"""What a text with markup became."""

from dataclasses import dataclass
from typing import Literal, get_args

from headway.printing import described
from headway.systems import Translation

Format = Literal["text", "html", "xml"]
"""How a text is marked up."""
FORMATS: tuple[str, ...] = get_args(Format)


@dataclass(frozen=True)
class Marked:
    """The translation of a text, with its markup put back."""

    text: str
    """The translation, marked up as the text was."""
    alternatives: tuple[str, ...] = ()
    """Further translations, the next best first, marked up too."""
    translations: tuple[Translation, ...] = ()
    """One for each sentence that was translated, in the order of the text."""

    def __repr__(self) -> str:
        more = {"alternatives": len(self.alternatives)} if self.alternatives else {}
        return described("Marked", text=self.text, sentences=len(self.translations), **more)
