"""Text with markup: tags and placeholders come back in the translation.

translator = headway.Translator.load("model")
(found,) = translate_marked(translator, ["<p>Der <b>alte</b> Mann.</p>"], format="html")
print(found.text)
"""

from headway.markup.marked import FORMATS, Format, Marked
from headway.markup.translate import translate_marked

__all__ = ["FORMATS", "Format", "Marked", "translate_marked"]
