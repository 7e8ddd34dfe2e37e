"""Models of Moses as bundles."""

import gzip
from math import log
from pathlib import Path

import pytest
from conftest import Headway
from headway import Bundle, ConfigError, FormatError, HeadwayError, InputError, Translator
from headway.corpus import read_lines
from headway.systems.moses import import_model
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
PhraseDictionaryMemory name=TranslationModel0 num-features=4 path=phrase-table
LexicalReordering name=LexicalReordering0 type=wbe-msd-bidirectional-fe-allff path=reordering-table
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
        "unknown-word": 1, "word-penalty": -0.5, "phrase-penalty": 0.1,
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
        "time_limit": 5, "distortion_limit": 4, "stack": 50, "pop_limit": 70,
        "algorithm": "cube", "options": 9, "alike": 0.0,
    }  # fmt: skip
    assert notes == []


def test_what_is_not_supported_is_said_with_its_line(folder: Path) -> None:
    change(folder, "Distortion\n", "Distortion\nOpSequenceModel path=osm num-features=5\n")
    change(folder, "[feature]", "[xml-input]\nexclusive\n\n[feature]")
    ini = Ini.read(folder / "moses.ini")
    (note,) = read_model(ini).notes
    assert note.startswith(f"{folder}/moses.ini:33: OpSequenceModel is not supported")
    assert "scores will differ from Moses'" in note
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
        ("[search-algorithm]\n1", "[search-algorithm]\n5", "18: expected search-algorithm 0"),
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


def test_a_model_becomes_a_bundle(folder: Path, tmp_path: Path) -> None:
    imported = import_model(folder / "moses.ini", tmp_path / "model", languages=("de", "en"))
    bundle = Bundle.open(tmp_path / "model", verify=True)
    assert bundle.manifest == imported.bundle.manifest
    assert bundle.manifest.weights["reordering.forward.swap"] == 5
    assert bundle.manifest.search["distortion_limit"] == 4
    assert bundle.manifest.languages.source == "de"
    assert (imported.table.rules, imported.notes) == (4, ())
    (found,) = Translator(bundle).translate(["ein Haus"])
    assert found.text == "a house"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model", "moses"]


def test_an_arpa_file_stands_in_for_a_binary(folder: Path, tmp_path: Path) -> None:
    (folder / "lm.arpa").rename(folder / "text.arpa")
    (folder / "lm.arpa").write_bytes(b"mmap lm http://kheafield.com/code format version 5\n\0")
    with pytest.raises(FormatError, match=r"moses\.ini:30: .*binary of KenLM.*--lm"):
        import_model(folder / "moses.ini", tmp_path / "model")
    (folder / "lm.arpa").unlink()
    with pytest.raises(FormatError, match=r"moses\.ini:30: .*no such file.*--lm"):
        import_model(folder / "moses.ini", tmp_path / "model")
    with pytest.raises(ConfigError, match="--lm: expected 1 files"):
        import_model(folder / "moses.ini", tmp_path / "model", language_models=["a", "b"])
    assert not (tmp_path / "model").exists()
    arpa = [folder / "text.arpa"]
    imported = import_model(folder / "moses.ini", tmp_path / "model", language_models=arpa)
    assert imported.bundle.names("lm") == ["lm"]
    with pytest.raises(ConfigError, match="is a bundle already"):
        import_model(folder / "moses.ini", tmp_path / "model", language_models=arpa)


def test_hierarchical_orientation_is_taken_over(folder: Path, tmp_path: Path) -> None:
    change(folder, "type=wbe-", "type=hier-")
    bundle = import_model(folder / "moses.ini", tmp_path / "model").bundle
    assert bundle.manifest.search["orientation"] == "hierarchical"
    assert bundle.manifest.search["max_phrase"] == 20
    assert Translator(bundle).translate(["ein Haus"])[0].text == "a house"


def test_a_broken_table_leaves_nothing(folder: Path, tmp_path: Path) -> None:
    (folder / "phrase-table.gz").write_bytes(gzip.compress(b"ein ||| a ||| 0.5 0.5\n"))
    with pytest.raises(HeadwayError):
        import_model(folder / "moses.ini", tmp_path / "model")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["moses"]


def test_two_language_models_get_a_feature_each(folder: Path, tmp_path: Path) -> None:
    change(folder, "order=2\n", "order=2\nKENLM name=LM1 path=lm.arpa\n")
    change(folder, "LM0= 0.75\n", "LM0= 0.75\nLM1= 0.125\n")
    bundle = import_model(folder / "moses.ini", tmp_path / "model").bundle
    assert (bundle.manifest.weights["lm"], bundle.manifest.weights["lm2"]) == (0.75, 0.125)
    (found,) = Translator(bundle).translate(["ein Haus"])
    assert found.features["lm"] == pytest.approx(found.features["lm2"])


def test_the_command_tells_what_was_left_out(
    headway: Headway, folder: Path, tmp_path: Path
) -> None:
    change(folder, "Distortion\n", "Distortion\nOpSequenceModel path=osm num-features=5\n")
    done = headway("import", "moses", "moses/moses.ini", "--out", "model", cwd=tmp_path)
    assert done.returncode == 0
    assert "moses/moses.ini:30: OpSequenceModel is not supported" in done.stderr
    assert "4 rules" in done.stderr
    done = headway("import", "moses", "moses/absent.ini", "--out", "m", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (
        2, "headway: moses/absent.ini: no such file; check the path\n",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("name", "arpa", "best"),
    [
        ("moses-phrase-deen", "multi30k-en.5gram.arpa.gz", "best.cube400.tsv.gz"),
        ("moses-phrase-jaen", "jaen-en.5gram.arpa.gz", "best.cube400.tsv.gz"),
    ],
)
def test_tuned_models_of_moses_translate_as_they_did(
    peers: Path, tmp_path: Path, name: str, arpa: str, best: str
) -> None:
    imported = import_model(
        peers / name / "moses.ini", tmp_path / "model", language_models=[peers / "kenlm" / arpa]
    )
    assert imported.notes == ()
    lines = list(read_lines(next((peers / name).glob("source.*.gz"))))[:60]
    rows = [line.split("\t") for line in read_lines(peers / name / best)][:60]
    # Wide enough that search is hardly a matter of luck: this is about the model.
    wide = Translator(imported.bundle, search={"pop_limit": 3000, "stack": 1000})
    found = wide.translate(lines)
    no_worse = sum(t.score > float(row[1]) - 1e-3 for t, row in zip(found, rows, strict=True))
    assert no_worse >= 0.9 * len(rows)
    ours, theirs = sum(t.score for t in found), sum(float(row[1]) for row in rows)
    assert ours > theirs - 0.1


HIERO = """\
[cube-pruning-pop-limit]
70

[search-algorithm]
3

[max-chart-span]
12
1000

[feature]
UnknownWordPenalty
WordPenalty
PhrasePenalty
PhraseDictionaryMemory name=TranslationModel0 num-features=4 path=rule-table
PhraseDictionaryMemory name=TranslationModel1 num-features=1 path=glue-grammar
KENLM name=LM0 factor=0 path=lm.arpa order=2

[weight]
UnknownWordPenalty0= 1
WordPenalty0= -0.5
PhrasePenalty0= 0.1
TranslationModel0= 0.1 0.2 0.3 0.4
TranslationModel1= 0.5
LM0= 0.75
"""

RULES = """\
ein [X] ||| a [X] ||| 0.5 0.5 0.5 0.5 ||| 0-0 ||| 1 1 1 ||| |||
ein [X][X] [X] ||| a [X][X] [X] ||| 0.5 0.5 0.5 0.5 ||| 0-0 1-1 ||| 1 1 1 ||| |||
Haus [X] ||| house [X] ||| 0.5 0.5 0.5 0.5 ||| 0-0 ||| 1 1 1 ||| |||
"""

GLUE = """\
<s> [X] ||| <s> [S] ||| 1 ||| 0-0 ||| 0 ||| |||
[X][S] </s> [X] ||| [X][S] </s> [S] ||| 1 ||| 0-0 1-1 ||| 0 ||| |||
[X][S] [X][X] [X] ||| [X][S] [X][X] [S] ||| 2 ||| 0-0 1-1 ||| 0 ||| |||
"""


@pytest.fixture
def hiero(tmp_path: Path) -> Path:
    place = tmp_path / "hiero"
    place.mkdir()
    (place / "moses.ini").write_text(HIERO)
    (place / "rule-table").write_text(RULES)
    (place / "glue-grammar").write_text(GLUE)
    (place / "lm.arpa").write_text(ARPA)
    return place


def test_a_hierarchical_model_becomes_a_bundle(hiero: Path, tmp_path: Path) -> None:
    imported = import_model(hiero / "moses.ini", tmp_path / "model")
    manifest = imported.bundle.manifest
    assert imported.notes == ()
    assert manifest.system == "hiero"
    # What its rule scores and, as Moses counts rules of glue as phrases, the phrase penalty.
    assert manifest.weights["glue"] == pytest.approx(0.5 * log(2) + 0.1)
    assert (manifest.search["span_limit"], manifest.search["pop_limit"]) == (12, 70)
    translator = Translator.load(tmp_path / "model")
    (found,) = translator.translate(["ein Haus"], n_best=3)
    assert found.text == "a house"
    assert {"glue", "phrase-penalty", "lm"} <= set(found.features)
    assert found.segments[-1].rule == ("ein [X1]", "a [X1]") or found.features["glue"] == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no rule"),
        ("nothing\n", r"glue-grammar:1: expected a rule with scores"),
        ("[X][S] [X][X] [X] ||| [X][S] [X][X] [S] ||| big |||\n", r":1: expected a score above 0"),
        ("[X][S] [X][X] [X] ||| [X][S] [X][X] [S] ||| 0 |||\n", r":1: expected a score above 0"),
    ],
)
def test_a_bad_glue_grammar_is_named(hiero: Path, tmp_path: Path, text: str, message: str) -> None:
    (hiero / "glue-grammar").write_text(text)
    with pytest.raises(FormatError, match=message):
        import_model(hiero / "moses.ini", tmp_path / "model")


def test_a_third_table_and_a_bad_span_are_refused(hiero: Path, tmp_path: Path) -> None:
    third = "PhraseDictionaryMemory name=TranslationModel2 num-features=1 path=glue-grammar\nKENLM"
    change(hiero, "KENLM", third)
    with pytest.raises(FormatError, match=r"moses\.ini:\d+: TranslationModel2 is a second phrase"):
        import_model(hiero / "moses.ini", tmp_path / "model")
    change(hiero, third, "KENLM")
    change(hiero, "12\n1000", "0")
    with pytest.raises(FormatError, match=r"moses\.ini:\d+: expected 1 or more, found 0"):
        import_model(hiero / "moses.ini", tmp_path / "model")
