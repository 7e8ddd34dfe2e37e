"""`headway lm build`, `query` and `info` as a person uses them."""

import json
from pathlib import Path

import headway.lm
import pytest
from conftest import Headway
from headway.lm import LanguageModel

TEXT = "the dog walks .\nthe cat walks .\na dog sees the cat .\nthe dog sees a big dog .\n" * 3


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("cli")
    text, model = directory / "text", directory / "m.arpa"
    text.write_text(TEXT)
    headway.lm.train(text, model, order=3)
    return model


def test_query_prints_a_line_per_sentence_and_a_total(
    headway: Headway, model: Path, tmp_path: Path
) -> None:
    text = tmp_path / "in"
    text.write_text("the dog walks .\n\nthe xyzzy dog\n")
    done = headway("lm", "query", model, "-i", text)
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert (done.returncode, done.stderr) == (0, "")
    assert [row[1:] for row in rows[:3]] == [["5", "0"], ["1", "0"], ["4", "1"]]
    expected = LanguageModel.load(model).score("the dog walks .") / 2.302585093
    assert float(rows[0][0]) == pytest.approx(expected, abs=1e-5)
    assert rows[3][0] == "total"
    assert rows[3][2:5] == ["sentences 3", "words 10", "unknown 1"]


def test_query_shows_words_and_speaks_json(headway: Headway, model: Path) -> None:
    done = headway("lm", "query", model, "--words", stdin="the xyzzy\n")
    columns = done.stdout.splitlines()[0].split("\t")
    assert [column.partition(" ")[0] for column in columns[3:]] == ["the=2", "xyzzy=1?", "</s>=1"]
    done = headway("lm", "query", model, "--words", "--json", "--no-end", stdin="the xyzzy\n")
    line, total = map(json.loads, done.stdout.splitlines())
    assert [word["word"] for word in line["detail"]] == ["the", "xyzzy"]
    assert line["detail"][1]["unknown"] is True
    assert line["log10"] == pytest.approx(sum(word["log10"] for word in line["detail"]))
    assert total["words"] == 2
    assert total["perplexity"] > total["perplexity_without_unknown"] > 1
    done = headway("lm", "query", model, "--json", stdin="")
    assert json.loads(done.stdout)["perplexity"] is None


def test_build_writes_binaries_that_score_alike(
    headway: Headway, model: Path, tmp_path: Path
) -> None:
    hashed, trie, again = (tmp_path / name for name in ("h.bin", "t.bin", "a.arpa.gz"))
    assert headway("lm", "build", model, hashed).returncode == 0
    assert headway("lm", "build", model, trie, "--layout", "trie").returncode == 0
    assert headway("lm", "build", hashed, again).returncode == 0
    answers = {
        headway("lm", "query", file, stdin=TEXT).stdout for file in (model, hashed, trie, again)
    }
    assert len(answers) == 1
    done = headway(
        "lm",
        "build",
        "-",
        tmp_path / "q.bin",
        "--layout",
        "trie",
        "--quantise",
        4,
        stdin=model.read_text(),
    )
    assert done.returncode == 0
    assert done.stderr.startswith("largest change of log10 by length")
    assert headway("lm", "build", model, hashed, "--quantise", 4).returncode == 2


def test_info_says_what_a_model_is(headway: Headway, model: Path, tmp_path: Path) -> None:
    trie = tmp_path / "t.bin"
    headway("lm", "build", model, trie, "--layout", "trie")
    facts = json.loads(headway("lm", "info", trie, "--json").stdout)
    assert (facts["format"], facts["order"]) == ("binary, trie", 3)
    assert facts["ngrams"] == LanguageModel.load(model).counts
    assert facts["bytes"] == trie.stat().st_size
    shown = headway("lm", "info", model).stdout
    assert "format\tARPA\n" in shown
    assert "unknown\t<unk> in the model\n" in shown
    trie.write_bytes(trie.read_bytes()[:-70] + bytes(70))
    done = headway("lm", "info", trie)
    assert done.returncode == 2
    assert "damaged" in done.stderr
