"""Tokenising and detokenising, as users call them."""

import gzip
import random
from pathlib import Path

import pytest
from conftest import Headway
from headway import ConfigError
from headway.corpus import Tokeniser, Tokens, detokenise, lowercase, tokenise
from hypothesis import given
from hypothesis import strategies as st

LANGUAGES = [None, "en", "de", "fr", "it", "cs", "nl", "zh", "ja", "th", "tr"]
PIECES = [
    "don't",
    "U.S.",
    "etc. ",
    "1,000.50",
    "http://a.b/c?d ",
    "me@b.org",
    "l'eau",
    "漢字",
    "かな",
]
PIECES += [
    "ไทย",
    "👨‍👩‍👧",
    "🇩🇪",
    " ",
    "\u00a0",
    "\r\n",
    "\u0301",
    "\0",
    "'",
    '"',
    "-",
    "...",
    "(",
    "$5",
    "&amp;",
]
texts = st.text() | st.lists(st.sampled_from(PIECES)).map("".join)


def read_gzip(path: Path) -> list[str]:
    return gzip.decompress(path.read_bytes()).decode().split("\n")[:-1]


@given(text=texts, language=st.sampled_from(LANGUAGES), split_hyphens=st.booleans())
def test_detokenising_tokens_gives_the_text_back(
    text: str, language: str | None, split_hyphens: bool
) -> None:
    tokens = Tokeniser(language, split_hyphens=split_hyphens).tokenise(text)
    assert detokenise(tokens) == text
    assert len(tokens.gaps) == len(tokens.words) + 1
    pieces = [
        piece for pair in zip(tokens.gaps, [*tokens.words, ""], strict=True) for piece in pair
    ]
    assert "".join(pieces) == text
    assert all(word and not any(map(str.isspace, word)) for word in tokens)


@given(lines=st.lists(texts, max_size=20))
def test_many_texts_give_what_each_gives_alone_on_any_number_of_threads(lines: list[str]) -> None:
    tokeniser = Tokeniser("en")
    alone = [tokeniser.tokenise(line) for line in lines]
    for threads in (1, 3):
        assert tokeniser.tokenise_all(lines, threads=threads) == alone
        assert tokeniser.words(lines, threads=threads) == [tokens.words for tokens in alone]


@given(words=st.lists(st.text(min_size=1)), language=st.sampled_from(LANGUAGES))
def test_rules_change_nothing_but_spaces(words: list[str], language: str | None) -> None:
    words = [word for word in words if not word.startswith("@")]  # Moses' joints lose their marks
    text = detokenise(words, language)
    assert text.replace(" ", "").replace("\u00a0", "") == (
        "".join(words).replace(" ", "").replace("\u00a0", "")
    )


def test_tokens_behave_like_a_sequence_that_remembers_its_text() -> None:
    tokens = tokenise("I don't  know.", "en")
    assert tokens.words == ["I", "do", "n't", "know", "."] == list(tokens)
    assert tokens.gaps == ["", " ", "", "  ", "", ""]
    assert (len(tokens), tokens[0], tokens[-1]) == (5, "I", ".")
    with pytest.raises(IndexError, match="no token 5 among 5"):
        tokens[5]
    shouted = tokens.with_words([word.upper() for word in tokens])
    assert shouted.text == "I DON'T  KNOW."
    assert tokens == Tokens(tokens.words, tokens.gaps)
    with pytest.raises(ConfigError, match="2 tokens need 3 gaps"):
        Tokens(["a", "b"], [""])
    with pytest.raises(ConfigError):
        tokens.with_words(["one"])


def test_words_alone_are_put_together_by_rules() -> None:
    assert detokenise(["„", "Ja", "“", ",", "sagte", "er", "."], "de") == "„Ja“, sagte er."
    assert detokenise(["it", "'s", "(", "not", ")", "so"], "en") == "it's (not) so"


def test_lower_case_knows_turkish() -> None:
    assert lowercase("IŞIK", "tr") == "ışık"
    assert lowercase("ISLAND ÖL") == "island öl"


def test_a_bad_language_is_refused() -> None:
    with pytest.raises(ConfigError, match="is no language code"):
        Tokeniser("Deutsch bitte")


def test_captions_agree_with_their_published_tokens(data: Path) -> None:
    """Moses' tokens, but for its escapes, its quotation marks and its English apostrophes."""
    for language in ("de", "en"):
        raw = read_gzip(data / f"multi30k/val.raw.{language}.gz")
        published = read_gzip(data / f"multi30k/val.tok.{language}.gz")
        tokens = Tokeniser(language).words([line.lower() for line in raw])
        same = sum(
            " ".join(ours) == theirs.replace("&apos;", "'").replace("&quot;", '"')
            for ours, theirs in zip(tokens, published, strict=True)
        )
        assert same / len(raw) > 0.98


def test_chinese_agrees_with_text_cut_by_jieba(data: Path) -> None:
    lines = read_gzip(data / "zhen/dev.zh.gz")
    tokens = Tokeniser("zh").words([line.replace(" ", "") for line in lines])
    same = sum(ours == theirs.split(" ") for ours, theirs in zip(tokens, lines, strict=True))
    assert same / len(lines) > 0.99


def test_english_agrees_with_the_treebank(data: Path) -> None:
    """Nine in ten sentences of EWT are cut exactly as their annotators did."""
    tokeniser = Tokeniser("en", split_hyphens=True)
    same = total = 0
    text, words = "", list[str]()
    for line in read_gzip(data / "ud/en_ewt-dev.conllu.gz"):
        if line.startswith("# text = "):
            text, words = line[9:], []
        elif line and line.partition("\t")[0].isdigit():
            words.append(line.split("\t")[1])
        elif not line:
            total += 1
            same += tokeniser.tokenise(text).words == words
    assert total == 2001
    assert same / total > 0.9


def test_rules_restore_most_captions(data: Path) -> None:
    for language in ("de", "en"):
        lines = [
            " ".join(line.split()) for line in read_gzip(data / f"multi30k/val.raw.{language}.gz")
        ]
        tokeniser = Tokeniser(language)
        restored = map(tokeniser.detokenise, tokeniser.words(lines))
        assert sum(map(str.__eq__, restored, lines)) / len(lines) > 0.99


def test_the_command_line_goes_there_and_back(headway: Headway, tmp_path: Path) -> None:
    lines = ["Ein\u00a0Hund,  z.B. ", "", "   ", "l'eau\tvive \x01", "漢字 かな"] * 500
    random.Random(1).shuffle(lines)
    text = "\n".join(lines) + "\n"
    done = headway("tokenise", "-l", "de", "--spacing", tmp_path / "s.gz", stdin=text)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("\n") == len(lines)
    back = headway("detokenise", "--spacing", tmp_path / "s.gz", stdin=done.stdout)
    assert (back.returncode, back.stdout) == (0, text)
    alone = headway("tokenise", "-l", "de", "--threads", 1, stdin=text)
    assert alone.stdout == done.stdout


def test_the_command_line_lower_cases_and_detokenises_by_rules(headway: Headway) -> None:
    done = headway("tokenise", "--language", "en", "--lowercase", stdin="I DON'T know.\n")
    assert done.stdout == "i do n't know .\n"
    assert headway("detokenise", "-l", "en", stdin=done.stdout).stdout == "i don't know.\n"


def test_hyphens_are_a_setting(headway: Headway) -> None:
    done = headway("tokenise", "--set", "tokenise.split_hyphens=true", stdin="well-known\n")
    assert done.stdout == "well - known\n"


def test_spacing_of_another_text_is_refused(headway: Headway, tmp_path: Path) -> None:
    spacing = tmp_path / "s"
    for content, message in [
        ("+_+\n", "s:1: 1 tokens need 2 gaps"),
        ("a b\n", 's:1: expected spacing such as "+_+", found "a b"'),
        ("++\n++\n", "s:2: the spacing file has more lines"),
        ("", "standard input:1: the spacing file has fewer lines"),
    ]:
        spacing.write_text(content)
        done = headway("detokenise", "--spacing", spacing, stdin="word\n")
        assert done.returncode == 2
        assert message in done.stderr
        assert done.stderr.count("\n") == 1
