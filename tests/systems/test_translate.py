"""Translating with a bundle, from Python and from the command line."""

import json
import random
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from conftest import PATIENCE, Headway
from headway import ConfigError, ModelError, Translation, Translator, train
from headway.corpus import read_lines
from headway.systems import bleu, explain
from headway.table import Rule

SENTENCE = "Der kleine Hund schläft."


@pytest.fixture(scope="module")
def translator(model: Path) -> Translator:
    return Translator.load(model)


@pytest.fixture(scope="module")
def test_lines(corpus: Path) -> list[str]:
    return list(read_lines(corpus / "test.de"))


def test_held_out_sentences_are_translated_well(
    translator: Translator, corpus: Path, test_lines: list[str]
) -> None:
    found = translator.translate(test_lines)
    references = list(read_lines(corpus / "test.en"))
    score = bleu([translation.text for translation in found], [references])
    copied = bleu(test_lines, [references])
    assert score.score > copied.score + 25
    exact = sum(a.text == b for a, b in zip(found, references, strict=True))
    assert exact > 0  # capitals, punctuation and spaces come out as people write them


def test_a_translation_tells_how_it_came_about(
    translator: Translator, test_lines: list[str]
) -> None:
    for translation in translator.translate(test_lines[:20]):
        covered = sorted(n for s in translation.segments for n in range(*s.source))
        assert covered == list(range(len(translation.source)))
        places = [n for s in translation.segments for n in range(*s.target)]
        assert places == list(range(len(translation.words)))
        total = sum(translator.weights[n] * value for n, value in translation.features.items())
        assert translation.score == pytest.approx(total, rel=1e-4)
        for source, target in translation.alignment:
            segment = next(s for s in translation.segments if source in range(*s.source))
            assert target in range(*segment.target)


def plain(translations: list[Translation]) -> list[object]:
    return [(t.text, t.words, t.score, t.features, t.segments, t.n_best) for t in translations]


def test_threads_and_batches_change_nothing(translator: Translator, test_lines: list[str]) -> None:
    one = plain(translator.translate(test_lines, threads=1, n_best=3))
    assert plain(translator.translate(test_lines, threads=3, n_best=3)) == one
    singly = [translator.translate([line], n_best=3)[0] for line in test_lines]
    assert plain(singly) == one


def test_empty_lines_and_odd_ones_are_answered(translator: Translator) -> None:
    lines = ["", "   ", "\t", "Der Hund", "…", "a" * 5000, "Hund " * 400, "| ||| |", "\u200b"]
    found = translator.translate(lines)
    assert [t.text for t in found[:3]] == ["", "", ""]
    assert all(t.text for t in found[3:8])
    assert translator.translate([]) == []


def test_one_string_is_not_a_list_of_them(translator: Translator) -> None:
    with pytest.raises(TypeError, match="expected a list of strings"):
        translator.translate("Der Hund")


def test_the_n_best_are_sorted_and_distinct_if_wanted(
    translator: Translator, test_lines: list[str]
) -> None:
    for translation in translator.translate(test_lines[:10], n_best=20):
        scores = [candidate.score for candidate in translation.n_best]
        assert scores == sorted(scores, reverse=True)
        assert translation.n_best[0].words == translation.words
    for translation in translator.translate(test_lines[:10], n_best=20, distinct=True):
        words = [candidate.words for candidate in translation.n_best]
        assert len(set(words)) == len(words) > 1


def test_the_least_risk_is_a_candidate(translator: Translator, test_lines: list[str]) -> None:
    plain = translator.translate(test_lines[:20], n_best=200, mbr=False)
    safe = translator.translate(test_lines[:20], n_best=200, mbr=True)
    for usual, one in zip(plain, safe, strict=True):
        assert one.words in [candidate.words for candidate in one.n_best]
        assert one.score <= usual.score + 1e-6
        assert len({candidate.words for candidate in one.n_best}) == len(one.n_best)
    assert translator.translate(test_lines[:1], mbr=True)[0].n_best == ()


def test_a_line_that_is_no_text_is_translated_and_flagged(
    model: Path, tmp_path: Path, headway: Headway
) -> None:
    source, output = tmp_path / "odd.de", tmp_path / "odd.en"
    source.write_bytes(b"Der Mann .\nDer \0 Hund\n\xff\xfe\nDer Hund .\n")
    done = headway("translate", model, "-i", source, "-o", output, "--derivations", tmp_path / "d")
    assert output.read_text().count("\n") == 4
    flags = [json.loads(line)["flags"] for line in (tmp_path / "d").read_text().splitlines()]
    assert flags == [[], ["odd"], ["odd"], []]
    assert f"{source}:2: invalid UTF-8, shown as" in " ".join(done.stderr.split())


def test_what_is_most_alike_is_what_a_plain_search_finds(model: Path) -> None:
    table = Translator.load(model)._decoder.models.table
    rules = list(table)
    own = {rule.source_text for rule in rules if rule.source_text == rule.target_text}
    counts = Counter(rule.source_text for rule in rules if " " not in rule.source_text)
    chance = random.Random(4)
    longer = [word for word in sorted(counts) if len(word) > 4 and word.isalpha()]
    changed = [word[:-1] + chance.choice("xqen") for word in chance.sample(longer, 60)]
    words = sorted({word for rule in rules for word in rule.source_text.split()})
    for word, found in zip(changed, table._core.alike(changed, 0.75), strict=True):
        # Case does not count.
        folded = {known: edits(word.lower(), known.lower()) for known in counts}
        shares = {known: 1 - folded[known] / max(len(word), len(known)) for known in counts}
        first = word[0].lower()
        near = [known for known in counts if known[0].lower() == first and shares[known] >= 0.75]
        best = max(near, key=lambda known: (shares[known], counts[known]), default=None)
        if word in words or best is None or best in own:
            assert found is None
        else:
            assert found is not None
            assert (shares[found], counts[found]) == (shares[best], counts[best])


def edits(one: str, other: str) -> int:
    rows = [list(range(len(other) + 1))]
    for letter in one:
        row = [rows[-1][0] + 1]
        for place, with_ in enumerate(other):
            replaced = rows[-1][place] + (letter != with_)
            row.append(min(replaced, rows[-1][place + 1] + 1, row[-1] + 1))
        rows.append(row)
    return rows[-1][-1]


def test_weights_and_search_can_be_changed(model: Path, test_lines: list[str]) -> None:
    long = Translator.load(model, weights={"word-penalty": -5.0}).translate(test_lines[:20])
    short = Translator.load(model, weights={"word-penalty": 3.0}).translate(test_lines[:20])
    assert sum(len(t.words) for t in long) > sum(len(t.words) for t in short)
    monotone = Translator.load(model, search={"distortion_limit": 0}).translate(test_lines)
    for translation in monotone:
        starts = [segment.source[0] for segment in translation.segments]
        assert starts == sorted(starts)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"weights": {"lmm": 1.0}}, "weight lmm: no such feature; did you mean lm?"),
        ({"weights": {"lm": float("inf")}}, "weight lm: expected a number from -1,000,000"),
        ({"search": {"pop_limt": 5}}, "search.pop_limt: unknown setting; did you mean search.pop_"),
        ({"search": {"pop_limit": "many"}}, 'search.pop_limit is "many"; expected a whole number'),
        ({"search": {"unknown": "translate"}}, "translate"),
        ({"search": {"stack": 0}}, "search.stack"),
        ({"features": {"lm": lambda rule: 0.0}, "weights": {"lm": 1.0}}, "lm"),
    ],
)
def test_wrong_names_and_values_are_one_line(
    model: Path, options: dict[str, dict[str, object]], message: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        Translator.load(model, **options)  # type: ignore[arg-type]
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_feature_may_be_a_python_function(model: Path, test_lines: list[str]) -> None:
    seen: list[Rule] = []

    def long_words(rule: Rule) -> float:
        seen.append(rule)
        return float(sum(len(str(word)) > 4 for word in rule.target))

    plain = Translator.load(model).translate(test_lines[:10])
    idle = Translator.load(model, features={"long": long_words}).translate(test_lines[:10])
    assert [t.text for t in idle] == [t.text for t in plain]
    assert len(seen) == len({(rule.source, rule.target) for rule in seen})
    for translation in idle:
        known = [s for s in translation.segments if not s.unknown]
        words = [word for s in known for word in translation.words[slice(*s.target)]]
        assert translation.features["long"] == sum(len(word) > 4 for word in words)
    keen = Translator.load(model, features={"long": long_words}, weights={"long": 5.0})
    found = keen.translate(test_lines[:10])
    assert sum(t.features["long"] for t in found) > sum(t.features["long"] for t in idle)


def test_a_feature_that_fails_or_answers_nonsense_is_told(model: Path) -> None:
    wrong = Translator.load(model, features={"odd": lambda rule: float("nan")})
    with pytest.raises(ConfigError, match="odd"):
        wrong.translate([SENTENCE])
    broken = Translator.load(model, features={"odd": lambda rule: 1 / 0})
    with pytest.raises(ZeroDivisionError):
        broken.translate([SENTENCE])


def test_an_explanation_adds_up(translator: Translator) -> None:
    found = explain(translator, SENTENCE, top=2)
    total = sum(value * weight for _, value, weight in found.features)
    assert total == pytest.approx(found.translation.score, rel=1e-4)
    assert found.edges >= found.nodes > 1
    assert all(1 <= len(option.rules) <= 2 for option in found.options)
    assert json.loads(json.dumps(found.table()))["forest"]["edges"] == found.edges


def test_tokenised_systems_leave_text_alone(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("das HAUS\nein haus , da\n" * 3)
    (tmp_path / "b").write_text("the HOUSE\na house , there\n" * 3)
    train("phrase", tmp_path / "a", tmp_path / "b", tmp_path / "m", pretokenised=True)
    (found,) = Translator.load(tmp_path / "m").translate(["ein haus , da"])
    assert found.text == "a house , there"


# The command line.


def test_line_in_line_out(headway: Headway, model: Path, translator: Translator) -> None:
    lines = [SENTENCE, "", "Die Katze sieht den Hund."]
    done = headway("translate", model, stdin="\n".join(lines) + "\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [t.text for t in translator.translate(lines)]
    assert headway("translate", model, stdin="").stdout == ""


def test_files_are_written_beside(
    headway: Headway, model: Path, corpus: Path, tmp_path: Path
) -> None:
    options = ["--n-best", 5, "nbest.gz", "--derivations", "d.jsonl", "--forests", "f.jsonl"]
    more = ["--lattice", "l.plf", "-i", corpus / "test.de", "-o", "out.en"]
    done = headway("translate", model, *options, *more, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    lines = list(read_lines(tmp_path / "out.en"))
    nbest = [line.split(" ||| ") for line in read_lines(tmp_path / "nbest.gz")]
    assert {int(fields[0]) for fields in nbest} == set(range(60))
    for _, _, features, score, segments, links, *unknown in nbest:
        assert re.fullmatch(r"(\S+= \S+ ?)+", features)
        float(score)
        assert re.fullmatch(r"(\d+(-\d+)?=(\d+(-\d+)?)? ?)+", segments)
        assert re.fullmatch(r"(\d+-\d+ ?)*", links)
        assert all(re.fullmatch(r"(\d+=\S+ ?)+", field) for field in unknown)
    tables = [json.loads(line) for line in read_lines(tmp_path / "d.jsonl")]
    assert [table["text"] for table in tables] == lines
    forests = [json.loads(line) for line in read_lines(tmp_path / "f.jsonl")]
    assert len(forests) == len(list(read_lines(tmp_path / "l.plf"))) == 60


def test_threads_change_no_byte(
    headway: Headway, model: Path, corpus: Path, tmp_path: Path
) -> None:
    for threads in (1, 2):
        place = tmp_path / str(threads)
        place.mkdir()
        options = ["--n-best", 10, "n", "--distinct", "-i", corpus / "test.de", "-o", "o"]
        done = headway("translate", model, *options, "--threads", threads, cwd=place)
        assert done.returncode == 0, done.stderr
    for name in ("n", "o"):
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes()


def test_each_line_is_answered_as_it_comes(model: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "headway", "translate", str(model)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    for _ in range(3):
        process.stdin.write(SENTENCE + "\n")
        process.stdin.flush()
        assert process.stdout.readline().strip()
    process.stdin.close()
    assert process.wait(PATIENCE) == 0
    process.stdout.close()


def test_an_interrupt_ends_the_wait_for_lines(model: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "headway", "translate", str(model)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"Hund\n")
    process.stdin.flush()
    assert process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, complaint = process.communicate(timeout=PATIENCE)
    assert (process.returncode, complaint) == (130, b"headway: interrupted\n")


@pytest.mark.parametrize(
    "outputs", [["-o", "text"], ["--n-best", "3", "text"], ["--derivations", "text"]]
)
def test_the_input_is_never_written_over(
    headway: Headway, model: Path, tmp_path: Path, outputs: list[str]
) -> None:
    (tmp_path / "text").write_text("Der Hund .\n", encoding="utf-8")
    done = headway("translate", model, "-i", "text", *outputs, cwd=tmp_path)
    assert done.returncode == 2
    assert "text: is read and would be written over" in done.stderr
    assert (tmp_path / "text").read_text(encoding="utf-8") == "Der Hund .\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--set", "search.pop_limt=3"], "did you mean search.pop_limit?"),
        (["--weight", "lmm=3"], "weight lmm: no such feature; did you mean lm?"),
        (["--weight", "lm"], "--weight lm: expected NAME=VALUE"),
        (["--unknown", "what"], "what"),
        (["--n-best", "0", "x"], "--n-best 0: expected at least 1"),
        (["--n-best", "3", "x", "--derivations", "x"], "x: two outputs have this name"),
        (["-i", "absent"], "absent: no such file"),
        (["-o", "absent/x"], "absent/x: cannot write"),
    ],
)
def test_bad_usage_is_one_line(
    headway: Headway, model: Path, tmp_path: Path, arguments: list[str], message: str
) -> None:
    done = headway("translate", model, *arguments, stdin="x\n", cwd=tmp_path)
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert done.returncode in (1, 2)
    assert not list(tmp_path.iterdir())


def test_a_broken_bundle_is_one_line(headway: Headway, model: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(model, broken)
    table = broken / "rules.table"
    table.write_bytes(table.read_bytes()[:-1])
    done = headway("translate", broken, stdin="x\n")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "rules.table: cut short" in done.stderr
    with pytest.raises(ModelError, match="no bundle"):
        Translator.load(tmp_path)


def test_damage_inside_is_found_by_verify(headway: Headway, model: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(model, broken)
    content = bytearray((broken / "lm.bin").read_bytes())
    content[len(content) // 2] ^= 255
    (broken / "lm.bin").write_bytes(content)
    for command in (["translate", broken, "--verify"], ["inspect", broken, "--verify"]):
        done = headway(*command, stdin="x\n")
        assert done.returncode == 2
        assert "lm.bin: damaged" in done.stderr


def test_inspect_shows_the_bundle_and_a_sentence(headway: Headway, model: Path) -> None:
    shown = headway("inspect", model)
    assert shown.returncode == 0, shown.stderr
    assert "phrase  de → en" in shown.stdout
    for part in ("rules.table", "lm.bin", "reordering.backward.swap", "pop_limit", "pairs"):
        assert part in shown.stdout
    assert json.loads(headway("inspect", model, "--json").stdout)["system"] == "phrase"
    found = headway("inspect", model, SENTENCE, "--top", "2")
    assert found.returncode == 0, found.stderr
    for part in ("span", "derivation", "word-penalty", "product", "forest: ", " edges"):
        assert part in found.stdout
    table = json.loads(headway("inspect", model, SENTENCE, "--json").stdout)
    assert table["features"].keys() == table["weights"].keys()
    rules = headway("inspect", model / "rules.table", "der", "--top", "1")
    assert len(rules.stdout.splitlines()) == 1
    assert headway("inspect", model / "rules.table").returncode == 2
