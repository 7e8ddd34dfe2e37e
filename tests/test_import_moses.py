"""Models of Moses as bundles."""

import gzip
from pathlib import Path

import pytest
from headway import ConfigError, FormatError, HeadwayError, InputError
from headway.systems.moses.ini import Ini
from headway.systems.moses.model import read_model
from headway.systems.moses.search import search_settings

INI = """\
# a comment
[input-factors]
0

[mapping]
0 T 0

[distortion-limit]
4

[stack]
50

[cube-pruning-pop-limit]
70

[search-algorithm]
1

[ttable-limit]
9

[feature]
UnknownWordPenalty
WordPenalty
PhrasePenalty
PhraseDictionaryMemory name=TranslationModel0 num-features=4 path=phrase-table input-factor=0 output-factor=0
LexicalReordering name=LexicalReordering0 num-features=6 type=wbe-msd-bidirectional-fe-allff path=reordering-table
Distortion
KENLM name=LM0 factor=0 path=lm.arpa order=2

[weight]
UnknownWordPenalty0= 1
WordPenalty0= -0.5
PhrasePenalty0= 0.1
TranslationModel0= 0.1 0.2 0.3 0.4
LexicalReordering0= 1 2 3 4 5 6
Distortion0= 0.25
LM0= 0.75
"""

TABLE = """\
ein ||| a ||| 0.5 0.5 0.5 0.5 ||| 0-0 ||| 1 1 1
ein Haus ||| a house ||| 0.5 0.5 0.5 0.5 ||| 0-0 1-1 ||| 1 1 1
Haus ||| home ||| 0.5 0.5 0.2 0.5 ||| 0-0 ||| 1 1 1
Haus ||| house ||| 0.5 0.5 0.5 0.5 ||| 0-0 ||| 1 1 1
"""

ARPA = """\
\\data\\
ngram 1=6
ngram 2=2

\\1-grams:
-1\t<unk>
-99\t<s>\t-0.3
-1\t</s>
-0.8\ta\t-0.2
-0.9\thouse\t-0.1
-1.1\thome

\\2-grams:
-0.3\t<s> a
-0.2\ta house

\\end\\
"""


def reordering_of(table: str) -> str:
    sides = (line.split(" ||| ")[:2] for line in table.splitlines())
    return "".join(f"{source} ||| {target} ||| .6 .2 .2 .5 .25 .25\n" for source, target in sides)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small model; its table is compressed though the ini does not say so, as Moses allows."""
    place = tmp_path / "moses"
    place.mkdir()
    (place / "moses.ini").write_text(INI)
    (place / "phrase-table.gz").write_bytes(gzip.compress(TABLE.encode()))
    (place / "reordering-table").write_text(reordering_of(TABLE))
    (place / "lm.arpa").write_text(ARPA)
    return place


def change(folder: Path, old: str, new: str) -> Path:
    ini = folder / "moses.ini"
    text = ini.read_text()
    assert old in text
    ini.write_text(text.replace(old, new))
    return ini


def test_weights_go_by_the_names_of_features(folder: Path) -> None:
    model = read_model(Ini.read(folder / "moses.ini"))
    assert model.weights == {
        "unknown": 1, "word-penalty": -0.5, "phrase-penalty": 0.1,
        "p(f|e)": 0.1, "lex(f|e)": 0.2, "p(e|f)": 0.3, "lex(e|f)": 0.4,
        "reordering.backward.monotone": 1, "reordering.backward.swap": 2,
        "reordering.backward.discontinuous": 3, "reordering.forward.monotone": 4,
        "reordering.forward.swap": 5, "reordering.forward.discontinuous": 6,
        "distortion": 0.25, "lm": 0.75,
    }  # fmt: skip
    assert model.table == folder / "phrase-table.gz"
    assert not model.notes


def test_search_settings_are_taken_over(folder: Path) -> None:
    settings, notes = search_settings(Ini.read(folder / "moses.ini"), {"time_limit": 5})
    assert settings == {
        "time_limit": 5, "distortion_limit": 4, "stack_size": 50, "pop_limit": 70,
        "algorithm": "cube", "options": 9,
    }  # fmt: skip
    assert notes == []


def test_what_is_not_supported_is_said_with_its_line(folder: Path) -> None:
    change(folder, "Distortion\n", "Distortion\nOpSequenceModel path=osm num-features=5\n")
    change(folder, "[feature]", "[xml-input]\nexclusive\n\n[feature]")
    ini = Ini.read(folder / "moses.ini")
    assert read_model(ini).notes == [
        f"{folder}/moses.ini:33: OpSequenceModel is not supported and was left out; "
        "scores will differ from Moses'"
    ]
    _, notes = search_settings(ini, {})
    assert notes == [f"{folder}/moses.ini:23: [xml-input] is not supported and was left out"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("LM0= 0.75", "", "30: LM0 has no weight; add it to [weight]"),
        ("TranslationModel0= 0.1 0.2", "TranslationModel0= 0.2", "36: expected 4 weights"),
        ("Distortion0= 0.25", "Distortion0= much", "38: expected `Name= numbers`"),
        ("PhraseDictionaryMemory", "PhraseDictionaryCompact", "27: PhraseDictionaryCompact is a"),
        ("path=phrase-table", "path=nowhere", "nowhere: no such file"),
        ("path=phrase-table", "way=phrase-table", "27: TranslationModel0 has no path"),
        ("wbe-msd-bidirectional", "wbe-leftright-bidirectional", "28: type=wbe-leftright"),
        ("num-features=4", "num-features=four", "27: num-features: expected a whole number"),
        ("[search-algorithm]\n1", "[search-algorithm]\n3", "18: search-algorithm 3 is hierarchi"),
        ("[search-algorithm]\n1", "[search-algorithm]\n7", "18: expected search-algorithm 0"),
        ("[stack]\n50", "[stack]\nmany", "12: expected a whole number, found 'many'"),
        ("[stack]\n50", "[stack]\n-3", "12: expected 0 or more"),
        ("[stack]\n50", "[stack]\n", "11: [stack] has no value"),
        ("[stack]", "[distortion-limit]", "11: [distortion-limit] is here twice"),
        ("[stack]", "[ttable-file]", "11: [ttable-file] is of a moses.ini before 2013"),
        ("# a comment", "hello", "1: expected a heading such as [feature]"),
        ("[feature]", "[features]", "no [feature] section"),
        ("PhraseDictionaryMemory", "Generation", "no phrase table among the features"),
        ("UnknownWordPenalty\n", "UnknownWordPenalty penalty\n", "24: expected key=value"),
    ],
)
def test_what_cannot_be_read_is_said_with_its_line(
    folder: Path, old: str, new: str, message: str
) -> None:
    change(folder, old, new)
    with pytest.raises(HeadwayError) as caught:
        read_all(folder / "moses.ini")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def read_all(path: Path) -> None:
    ini = Ini.read(path)
    search_settings(ini, {})
    read_model(ini)


def test_a_missing_or_empty_ini_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        Ini.read(tmp_path / "moses.ini")
    (tmp_path / "moses.ini").write_text("\n# nothing\n")
    with pytest.raises(FormatError, match="nothing in it"):
        Ini.read(tmp_path / "moses.ini")
