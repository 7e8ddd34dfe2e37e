"""Word classes and language models over them."""

import random
from collections import Counter
from pathlib import Path

import pytest
from headway import ConfigError, FormatError
from headway.cli import run
from headway.lm import LanguageModel, WordClasses, train

NOUNS, VERBS = ["dog", "cat", "cow", "hen"], ["runs", "sleeps", "eats"]


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same sentence with other words: nouns and verbs are classes."""
    chance = random.Random(1)
    path = tmp_path_factory.mktemp("classes") / "text"
    lines = (f"the {chance.choice(NOUNS)} {chance.choice(VERBS)} ." for _ in range(200))
    path.write_text("\n".join(lines) + "\n")
    return path


def test_words_of_a_kind_share_a_class(text: Path) -> None:
    classes = WordClasses.learn([text], count=4)
    assert len(classes) == 9
    assert classes.count == 4
    assert len({classes.get(noun) for noun in NOUNS}) == 1
    assert len({classes.get(verb) for verb in VERBS}) == 1
    assert classes.get("horse") is None
    assert "horse" not in classes


def test_asking_about_words_is_asking_about_their_classes(text: Path, tmp_path: Path) -> None:
    classes = WordClasses.learn([text], count=4)
    model = tmp_path / "classes.arpa"
    train(text, model, order=3, classes=classes)
    by_word, by_class = LanguageModel.load(model, classes=classes), LanguageModel.load(model)
    sentence = "the hen eats . the horse"
    numbers = " ".join(str(classes.get(word)) for word in sentence.split())
    assert by_word.score(sentence) == by_class.score(numbers)
    assert by_word.score("the cow runs .") == by_word.score("the dog sleeps .")
    assert by_word.score("the cow runs .") > by_word.score("the runs cow .")


def test_the_commands_make_and_use_classes(
    text: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    classes, model = tmp_path / "words.classes", tmp_path / "lm.bin"
    assert run(["lm", "classes", "-i", str(text), "-o", str(classes), "--count", "4"]) == 0
    assert "9 words in 4 classes" in "".join(capsys.readouterr())
    assert WordClasses.load(classes).get("dog") == WordClasses.load(classes).get("cat")
    assert run(["lm", "train", "-i", str(text), "-o", str(model), "--classes", str(classes)]) == 0
    capsys.readouterr()
    assert run(["lm", "query", str(model), "-i", str(text), "--classes", str(classes)]) == 0
    assert "unknown 0" in capsys.readouterr().out


def test_brown_clusters_have_a_place_in_a_tree(text: Path, tmp_path: Path) -> None:
    classes = WordClasses.learn([text], count=4, method="brown")
    assert (len(classes), classes.count) == (9, 4)
    assert len({classes.get(noun) for noun in NOUNS}) == 1
    assert len({classes.get(verb) for verb in VERBS}) == 1
    paths = [classes.path(number) for number in range(4)]
    assert sum(2.0 ** -len(path) for path in paths if path) == 1
    classes.save(tmp_path / "paths")
    counts = Counter(text.read_text().split())
    rows = [line.split("\t") for line in (tmp_path / "paths").read_text().splitlines()]
    assert {word: int(count) for _, word, count in rows} == counts
    assert rows == sorted(rows, key=lambda row: (row[0], -int(row[2])))
    again = WordClasses.load(tmp_path / "paths")
    assert dict(again.items()) == dict(classes.items())
    assert again.path(3) == paths[3]


def test_rare_words_are_in_no_brown_cluster(text: Path, tmp_path: Path) -> None:
    more = tmp_path / "more"
    more.write_text("the goat runs .\n")
    classes = WordClasses.learn([text, more], count=4, method="brown")
    assert classes.get("goat") is None
    every = WordClasses.learn([text, more], count=4, method="brown", min_count=1)
    assert every.get("goat") == every.get("dog")
    assert WordClasses.learn([text], method="brown").count == 9


def test_paths_of_other_programs_are_classes(tmp_path: Path) -> None:
    paths = tmp_path / "paths"
    paths.write_text("0\tthe\t9\n10\tdog\t3\n10\tcat\t2\n11\truns\t4\n")
    classes = WordClasses.load(paths)
    assert [classes.get(word) for word in ("the", "dog", "cat", "runs")] == [0, 1, 1, 2]
    assert (classes.path(1), classes.path(3)) == ("10", None)
    paths.write_text("0\tthe\t9\n12\tdog\t3\n")
    with pytest.raises(FormatError, match="paths:2: expected bits, a tab, a word"):
        WordClasses.load(paths)


def test_the_command_makes_brown_clusters(
    text: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = tmp_path / "paths"
    arguments = ["lm", "classes", "-i", str(text), "-o", str(paths), "--count", "4"]
    assert run([*arguments, "--method", "brown", "--min-count", "60"]) == 0
    assert "in 4 classes" in "".join(capsys.readouterr())
    assert min(int(line.split("\t")[2]) for line in paths.read_text().splitlines()) >= 60
    paths.unlink()
    assert run([*arguments, "--method", "brown", "--min-count", "100000"]) == 2
    assert "give more text, or --min-count 1" in capsys.readouterr().err
    assert not paths.exists()
    assert run([*arguments, "--method", "green"]) == 2
    assert "expected exchange or brown" in capsys.readouterr().err


def test_bad_input_is_told(text: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong"
    wrong.write_text("dog\t1\ncat one\n")
    with pytest.raises(FormatError, match="wrong:2: expected a word, a tab, a number"):
        WordClasses.load(wrong)
    with pytest.raises(ConfigError, match="no text"):
        WordClasses.learn([])
    empty = tmp_path / "empty"
    empty.write_text(" \n")
    for method in ("exchange", "brown"):
        with pytest.raises(FormatError, match="empty:1: no words to find classes of"):
            WordClasses.learn([empty], method=method)
    assert WordClasses.learn([text], count=1).count == 1
