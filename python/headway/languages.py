"""Language codes that cannot be meant.

Two letters are ISO 639-1, and all of them are listed here. Three letters are ISO 639-3, which has
a code for every language: each is taken as it is, since a list would go out of date and the
languages that it lacks are those our users work on.
"""

import logging
from difflib import get_close_matches

_log = logging.getLogger(__name__)

_NAMES = """
aa Afar, ab Abkhazian, ae Avestan, af Afrikaans, ak Akan, am Amharic, an Aragonese, ar Arabic,
as Assamese, av Avaric, ay Aymara, az Azerbaijani, ba Bashkir, be Belarusian, bg Bulgarian,
bh Bihari, bi Bislama, bm Bambara, bn Bengali, bo Tibetan, br Breton, bs Bosnian, ca Catalan,
ce Chechen, ch Chamorro, co Corsican, cr Cree, cs Czech, cu Church Slavic, cv Chuvash, cy Welsh,
da Danish, de German, dv Divehi, dz Dzongkha, ee Ewe, el Greek, en English, eo Esperanto,
es Spanish, et Estonian, eu Basque, fa Persian, ff Fulah, fi Finnish, fj Fijian, fo Faroese,
fr French, fy Western Frisian, ga Irish, gd Scottish Gaelic, gl Galician, gn Guarani, gu Gujarati,
gv Manx, ha Hausa, he Hebrew, hi Hindi, ho Hiri Motu, hr Croatian, ht Haitian, hu Hungarian,
hy Armenian, hz Herero, ia Interlingua, id Indonesian, ie Interlingue, ig Igbo, ii Sichuan Yi,
ik Inupiaq, io Ido, is Icelandic, it Italian, iu Inuktitut, ja Japanese, jv Javanese, ka Georgian,
kg Kongo, ki Kikuyu, kj Kuanyama, kk Kazakh, kl Kalaallisut, km Khmer, kn Kannada, ko Korean,
kr Kanuri, ks Kashmiri, ku Kurdish, kv Komi, kw Cornish, ky Kyrgyz, la Latin, lb Luxembourgish,
lg Ganda, li Limburgish, ln Lingala, lo Lao, lt Lithuanian, lu Luba-Katanga, lv Latvian,
mg Malagasy, mh Marshallese, mi Maori, mk Macedonian, ml Malayalam, mn Mongolian, mr Marathi,
ms Malay, mt Maltese, my Burmese, na Nauru, nb Bokmål, nd North Ndebele, ne Nepali, ng Ndonga,
nl Dutch, nn Nynorsk, no Norwegian, nr South Ndebele, nv Navajo, ny Chichewa, oc Occitan,
oj Ojibwa, om Oromo, or Oriya, os Ossetian, pa Punjabi, pi Pali, pl Polish, ps Pashto,
pt Portuguese, qu Quechua, rm Romansh, rn Rundi, ro Romanian, ru Russian, rw Kinyarwanda,
sa Sanskrit, sc Sardinian, sd Sindhi, se Northern Sami, sg Sango, sh Serbo-Croatian, si Sinhala,
sk Slovak, sl Slovenian, sm Samoan, sn Shona, so Somali, sq Albanian, sr Serbian, ss Swati,
st Southern Sotho, su Sundanese, sv Swedish, sw Swahili, ta Tamil, te Telugu, tg Tajik, th Thai,
ti Tigrinya, tk Turkmen, tl Tagalog, tn Tswana, to Tonga, tr Turkish, ts Tsonga, tt Tatar, tw Twi,
ty Tahitian, ug Uyghur, uk Ukrainian, ur Urdu, uz Uzbek, ve Venda, vi Vietnamese, vo Volapük,
wa Walloon, wo Wolof, xh Xhosa, yi Yiddish, yo Yoruba, za Zhuang, zh Chinese, zu Zulu
"""

# Codes of countries, and of languages as they once were, where those of languages are meant.
_MEANT = {
    "al": "sq", "at": "de", "au": "en", "cn": "zh", "cz": "cs", "dk": "da", "ge": "ka", "gb": "en",
    "gr": "el", "il": "he", "in": "id", "ir": "fa", "iw": "he", "ji": "yi", "jp": "ja", "jw": "jv",
    "kh": "km", "kz": "kk", "mo": "ro", "mx": "es", "np": "ne", "rs": "sr", "sp": "es", "tj": "tg",
    "ua": "uk", "us": "en", "vn": "vi",
}  # fmt: skip

# What a code chooses: in the tokeniser and detokeniser, the truecaser, BLEU and METEOR.
_EFFECT = "Without one, abbreviations, quotes, capitals and scores go by neutral rules"

NAMES: dict[str, str] = {
    entry.split()[0]: entry.split(maxsplit=1)[1] for entry in _NAMES.replace("\n", " ").split(", ")
}
"""English names of languages by their code of two letters."""


# What speakers call languages that are often typed in full.
_NATIVE = {
    "deutsch": "de", "français": "fr", "francais": "fr", "español": "es", "espanol": "es",
    "italiano": "it", "português": "pt", "portugues": "pt", "nederlands": "nl", "polski": "pl",
    "čeština": "cs", "svenska": "sv", "türkçe": "tr", "русский": "ru", "日本語": "ja", "中文": "zh",
}  # fmt: skip


def doubt(code: str) -> str | None:
    """Why a code cannot be that of a language, with the one that may be meant; None if it can."""
    primary = code.strip().replace("_", "-").split("-")[0].lower()
    if not primary or primary in NAMES or (len(primary) == 3 and primary.isalpha()):
        return None
    meant = _meant(primary)
    advice = "ISO 639 has codes of two letters, such as de, and of three, such as wol."
    if meant:
        advice = f"did you mean {meant} ({NAMES[meant]})?"
    return f"language {code}: no known code; {advice} {_EFFECT}"


def doubt_languages(*codes: str | None) -> None:
    """Warns of codes that cannot be meant, one line each."""
    for code in dict.fromkeys(codes):
        message = doubt(code) if code else None
        if message:
            _log.warning("%s", message)


def _meant(primary: str) -> str | None:
    if len(primary) <= 3:
        turned = primary[::-1]
        return _MEANT.get(primary) or (turned if turned in NAMES else None)
    codes = {name.lower(): code for code, name in NAMES.items()} | _NATIVE
    close = get_close_matches(primary, codes, n=1, cutoff=0.7)
    return codes[close[0]] if close else None
