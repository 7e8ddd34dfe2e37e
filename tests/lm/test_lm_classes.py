"""Word classes and language models over them."""

import random
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


def test_bad_input_is_told(text: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong"
    wrong.write_text("dog\t1\ncat one\n")
    with pytest.raises(FormatError, match="wrong:2: expected a word, a tab, a number"):
        WordClasses.load(wrong)
    with pytest.raises(ConfigError, match="no text"):
        WordClasses.learn([])
    empty = tmp_path / "empty"
    empty.write_text("")
    assert len(WordClasses.learn([empty])) == 0
    assert WordClasses.learn([text], count=1).count == 1
