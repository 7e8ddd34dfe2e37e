"""Word alignment: literal versions as oracles, laws, real commands."""

from collections import defaultdict
from itertools import product
from pathlib import Path

import msgspec
import pytest
from conftest import Headway
from headway import ConfigError, FormatError, ModelError, Settings, align
from headway.align import Alignment, Bitext
from headway.corpus import read_alignments, write_alignments
from hypothesis import given
from hypothesis import strategies as st

Link = tuple[int, int]

SETTINGS = Settings.load().align
LINKS = st.frozensets(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=14)

NEIGHBOURS = [(-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)]


def literal_join(forward: frozenset[Link], backward: frozenset[Link], how: str) -> set[Link]:
    """The pseudo-code of the heuristics, over all cells of the grid."""
    union, chosen = forward | backward, set(forward & backward)
    if how == "intersection":
        return chosen
    if how == "union":
        return set(union)

    def free(axis: int, place: int) -> bool:
        return all(link[axis] != place for link in chosen)

    grid = list(product(range(6), range(6)))
    added = True
    while added:
        added = False
        for source, target in grid:
            if (source, target) not in chosen:
                continue
            for down, right in NEIGHBOURS:
                new = (source + down, target + right)
                if new in union and new not in chosen and (free(0, new[0]) or free(1, new[1])):
                    chosen.add(new)
                    added = True
    for direction in (forward, backward):
        for source, target in grid:
            if (source, target) not in direction:
                continue
            frees = (free(0, source), free(1, target))
            wanted = {"grow-diag": False, "grow-diag-final": any(frees)}.get(how, all(frees))
            if wanted:
                chosen.add((source, target))
    return chosen


@pytest.mark.parametrize(
    "how", ["intersection", "union", "grow-diag", "grow-diag-final", "grow-diag-final-and"]
)
@given(forward=LINKS, backward=LINKS)
def test_joining_equals_the_literal_version(
    how: str, forward: frozenset[Link], backward: frozenset[Link]
) -> None:
    joined = align.join([Alignment(list(forward))], [Alignment(list(backward))], how)
    assert set(joined[0].links) == literal_join(forward, backward, how)


SENTENCES = st.lists(st.sampled_from("abc,%."), min_size=1, max_size=4)


def may_stand_for(by: str | None, word: str) -> bool:
    """Marks stand for marks, words for words, symbols for anything."""
    return by is None or "%" in (by, word) or (by in ",.") == (word in ",.")


def literal_ibm1(
    source: list[list[str]], target: list[list[str]], iterations: int, apart: bool
) -> dict[tuple[str | None, str], float]:
    """t(f|e) by EM, as in Brown et al. (1993), from a uniform start over the pairs there may be."""
    seen = defaultdict(set)

    def generators(given_words: list[str], word: str) -> list[str | None]:
        return [by for by in [None, *given_words] if not apart or may_stand_for(by, word)]

    for given_words, words in zip(source, target, strict=True):
        for word in words:
            for by in generators(given_words, word):
                seen[by].add(word)
    t = {(by, word): 1 / len(words) for by, words in seen.items() for word in words}
    for _ in range(iterations):
        counts: dict[tuple[str | None, str], float] = defaultdict(float)
        for given_words, words in zip(source, target, strict=True):
            for word in words:
                total = sum(t[by, word] for by in generators(given_words, word))
                for by in generators(given_words, word):
                    counts[by, word] += t[by, word] / total
        totals: dict[str | None, float] = defaultdict(float)
        for (by, _), count in counts.items():
            totals[by] += count
        t = {(by, word): count / totals[by] for (by, word), count in counts.items()}
    return t


PAIRS = st.lists(st.tuples(SENTENCES, SENTENCES), min_size=1, max_size=5)


@given(pairs=PAIRS, apart=st.booleans())
def test_ibm1_equals_the_literal_version(
    pairs: list[tuple[list[str], list[str]]], apart: bool
) -> None:
    source, target = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    plain = msgspec.structs.replace(
        SETTINGS, model="ibm1", ibm1_iterations=3, lexical_prior=0.0, punctuation_apart=apart
    )
    aligner = align.train(Bitext(source, target), settings=plain, threads=1)
    expected = literal_ibm1(source, target, 3, apart)
    found = {(by, word): t for by, word, t in aligner.lexicon(least=0.0)}
    assert found.keys() <= expected.keys()
    for pair, t in expected.items():
        assert found.get(pair, 0.0) == pytest.approx(t, abs=1e-5)


Jump = tuple[str, int]
START, GENERAL = "<start>", "<general>"


def literal_hmm(
    source: list[list[str]],
    target: list[list[str]],
    t: dict[tuple[str | None, str], float],
    jumpers: set[str],
    prior: float,
    null: float,
) -> dict[tuple[str | None, str], float]:
    """t(f|e) after two iterations of EM of the HMM by enumeration of all alignments.

    Jumps from words in `jumpers` and from the start have weights of their own, smoothed by
    `prior` counts with the weights of all jumps.
    """
    weights: dict[Jump, float] = defaultdict(float)

    def row(words: list[str], position: int) -> str:
        if position == 0:
            return START
        return words[position - 1] if words[position - 1] in jumpers else GENERAL

    def weight(words: list[str], before: int, after: int) -> float:
        def raw(to: int) -> float:
            jump = to - before
            return weights[row(words, before), jump] if weights else 1 / (1 + abs(jump - 1))

        return raw(after) / sum(raw(to) for to in range(1, len(words) + 2))

    for _ in range(2):
        counts: dict[tuple[str | None, str], float] = defaultdict(float)
        jumps: dict[Jump, float] = defaultdict(float)
        for given_words, words in zip(source, target, strict=True):
            paths = []
            for path in product(range(len(given_words) + 1), repeat=len(words)):
                at, probability = 0, 1.0
                for word, position in zip(words, path, strict=True):
                    by = given_words[position - 1] if position else None
                    probability *= max(t.get((by, word), 0.0), 1e-7)
                    if position:
                        probability *= (1 - null) * weight(given_words, at, position)
                        at = position
                    else:
                        probability *= null
                paths.append((path, probability * weight(given_words, at, len(given_words) + 1)))
            total = sum(probability for _, probability in paths)
            for path, probability in paths:
                at = 0
                for word, position in zip(words, path, strict=True):
                    counts[given_words[position - 1] if position else None, word] += (
                        probability / total
                    )
                    if position:
                        jumps[row(given_words, at), position - at] += probability / total
                        at = position
                jumps[row(given_words, at), len(given_words) + 1 - at] += probability / total
        totals: dict[str | None, float] = defaultdict(float)
        for (by, _), count in counts.items():
            totals[by] += count
        t = {(by, word): count / totals[by] for (by, word), count in counts.items()}
        everything = max(sum(jumps.values()), 1.0)
        for length in range(-6, 7):
            general = sum(n for (_, jump), n in jumps.items() if jump == length) / everything + 1e-6
            weights[GENERAL, length] = general
            for name in {START, *jumpers}:
                seen = sum(n for (by, _), n in jumps.items() if by == name)
                weights[name, length] = (jumps[name, length] + prior * general) / (seen + prior)
    return t


SHORT = st.lists(st.sampled_from("abc"), min_size=1, max_size=3)


@given(
    pairs=st.lists(st.tuples(SHORT, SHORT), min_size=1, max_size=4),
    jump_words=st.integers(0, 3),
)
def test_the_hmm_equals_enumeration(
    pairs: list[tuple[list[str], list[str]]], jump_words: int
) -> None:
    source, target = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    settings = msgspec.structs.replace(
        SETTINGS, model="hmm", ibm1_iterations=2, hmm_iterations=2, lexical_prior=0.0,
        jump_words=jump_words, jump_prior=2.0, null_probability=0.2,
    )  # fmt: skip
    aligner = align.train(Bitext(source, target), settings=settings, threads=1)
    words = [word for sentence in source for word in sentence]
    # The most frequent words; among equals the one that came first.
    frequent = sorted(dict.fromkeys(words), key=lambda word: -words.count(word))
    start = literal_ibm1(source, target, 2, apart=True)
    expected = literal_hmm(source, target, start, set(frequent[:jump_words]), 2.0, 0.2)
    found = {(by, word): t for by, word, t in aligner.lexicon(least=0.0)}
    for pair, t in expected.items():
        assert found.get(pair, 0.0) == pytest.approx(t, abs=1e-3)


def test_marks_are_never_linked_with_words_unless_wanted() -> None:
    source = [["ich", "weiß", ",", "dass", "er", "kommt", "."]] * 20 + [["er", ","]]
    target = [["i", "know", "that", "he", "comes", "."]] * 20 + [["nobody", "has", "heard"]]
    bitext, marks = Bitext(source, target), {",", "."}

    def mixed(links: list[Alignment], source: list[list[str]], target: list[list[str]]) -> bool:
        triples = zip(source, target, links, strict=True)
        return any((x[i] in marks) != (y[j] in marks) for x, y, a in triples for i, j in a.links)

    apart = align.train(bitext)
    loose = align.train(bitext, settings=msgspec.structs.replace(SETTINGS, punctuation_apart=False))
    for how in ("union", "grow-diag-final", "forward", "backward"):
        assert not mixed(apart.align(bitext, symmetrisation=how), source, target)
    assert mixed(loose.align(bitext, symmetrisation="union"), source, target)
    new = [["neu", ","]], [["brand", "new", "."]]
    assert not mixed(apart.align(Bitext(*new), symmetrisation="union"), *new)


def pig_latin(word: str) -> str:
    return f"{word[1:]}{word[0]}ay"


def pig_latin_bitext(pairs: int) -> tuple[list[list[str]], list[list[str]]]:
    """Sentences whose translation is seen at a glance: pig latin, with the last word first."""
    syllables = ["ba", "do", "fi", "gu", "ke", "lo", "mi", "nu"]
    words = [one + other + "t" for one in syllables for other in syllables]
    source = [
        [words[(i * 7 + j * (5 + i % 11)) % len(words)] for j in range(3 + i % 5)]
        for i in range(pairs)
    ]
    target = [[pig_latin(w) for w in [sentence[-1], *sentence[:-1]]] for sentence in source]
    return source, target


@pytest.mark.parametrize("model", ["ibm1", "hmm", "fertility"])
def test_pig_latin_is_aligned(model: str) -> None:
    source, target = pig_latin_bitext(300)
    bitext = Bitext(source, target)
    aligner = align.train(bitext, settings=msgspec.structs.replace(SETTINGS, model=model))
    wrong = right = 0
    for words, alignment in zip(source, aligner.align(bitext), strict=True):
        for s, t in alignment.links:
            if words[s] == [words[-1], *words[:-1]][t]:
                right += 1
            else:
                wrong += 1
    assert right > 0.97 * sum(map(len, source))
    assert wrong < 0.03 * right


@pytest.mark.parametrize("jump_words", [0, 10])
@pytest.mark.parametrize("model", ["ibm1", "hmm", "fertility"])
def test_threads_change_nothing_and_seeds_only_sampling(model: str, jump_words: int) -> None:
    source, target = pig_latin_bitext(700)
    bitext = Bitext(source, target)
    settings = msgspec.structs.replace(SETTINGS, model=model, jump_words=jump_words)

    def lexicon(threads: int) -> tuple[object, object]:
        aligner = align.train(bitext, settings=settings, threads=threads, seed=5)
        return aligner.lexicon(least=0.0), aligner.align(bitext, threads=threads)

    assert lexicon(1) == lexicon(2) == lexicon(5)


@pytest.mark.parametrize("model", ["ibm1", "hmm", "fertility"])
def test_a_sampler_makes_the_aligners_of_whole_trainings(model: str, tmp_path: Path) -> None:
    bitext = Bitext(*pig_latin_bitext(300))
    settings = msgspec.structs.replace(SETTINGS, model=model)
    sampler = align.AlignerSampler(bitext, settings=settings)
    for seed in (3, 1, 2):
        whole = align.train(bitext, settings=settings, seed=seed)
        sampled = sampler.aligner(seed=seed)
        assert sampled.align(bitext) == whole.align(bitext)
        for name, aligner in (("whole", whole), ("sampled", sampled)):
            aligner.save(tmp_path / name)
        assert (tmp_path / "sampled").read_bytes() == (tmp_path / "whole").read_bytes()


def test_degenerate_pairs_are_aligned_as_far_as_possible() -> None:
    long = [f"w{i}" for i in range(200)]
    source = [[], ["a"], ["a"], ["a", "b"], [], long, long, ["b"] * 300]
    target = [[], [], long, ["a", "b"], ["x"], ["a"], long, ["b"]]
    bitext = Bitext(source, target)
    aligner = align.train(bitext)
    for s, t, alignment in zip(source, target, aligner.align(bitext), strict=True):
        assert all(i < len(s) and j < len(t) for i, j in alignment.links)
    for empty in (0, 1, 4):
        assert len(aligner.align(bitext)[empty]) == 0
    assert aligner.align(Bitext([], [])) == []
    assert align.train(Bitext([], [])).align(Bitext([["a"]], [["b"]])) is not None


@pytest.mark.parametrize("jump_words", [0, 10])
def test_a_saved_aligner_aligns_new_pairs_the_same(tmp_path: Path, jump_words: int) -> None:
    source, target = pig_latin_bitext(200)
    settings = msgspec.structs.replace(SETTINGS, jump_words=jump_words)
    aligner = align.train(Bitext(source, target), settings=settings)
    aligner.save(tmp_path / "aligner")
    again = align.load(tmp_path / "aligner")
    new = Bitext([["Babat", "dofit", "unheard-of"]], [["unheard-ofay", "abatbay", "ofitday"]])
    assert again.align(new) == aligner.align(new)
    assert {(0, 1), (1, 2)} <= set(again.align(new)[0].links)
    assert again.align(Bitext(source, target)) == aligner.align(Bitext(source, target))
    again.save(tmp_path / "copy")
    assert (tmp_path / "copy").read_bytes() == (tmp_path / "aligner").read_bytes()


def test_a_damaged_aligner_is_a_model_error(tmp_path: Path) -> None:
    source, target = pig_latin_bitext(20)
    path = tmp_path / "aligner"
    align.train(Bitext(source, target)).save(path)
    whole = path.read_bytes()
    for damaged in (whole[: len(whole) // 2], b"", b"x" * 100, whole[:300] + b"\0" + whole[301:]):
        path.write_bytes(damaged)
        with pytest.raises(ModelError):
            align.load(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"model": "ibm9"}, "align.model: unknown choice .* ibm1, hmm, fertility"),
        ({"ibm1_iterations": 0}, "align.ibm1_iterations"),
        ({"null_probability": 1.5}, "align.null_probability"),
        ({"fertility_prior": 0.0}, "align.fertility_prior"),
        ({"lexical_prior": -1.0}, "align.lexical_prior"),
        ({"sweeps": 0}, "align.sweeps"),
        ({"jump_prior": 0.0}, "align.jump_prior"),
    ],
)
def test_nonsense_settings_are_refused(change: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        align.train(Bitext([["a"]], [["b"]]), settings=msgspec.structs.replace(SETTINGS, **change))


def test_scores_follow_och_and_ney() -> None:
    gold = [align.GoldAlignment(frozenset({(0, 0)}), frozenset({(0, 0), (1, 1)}))]
    scores = align.score([Alignment([(0, 0), (1, 1), (2, 2)])], gold)
    assert scores.precision == pytest.approx(2 / 3)
    assert scores.recall == 1.0
    assert scores.aer == pytest.approx(1 - 3 / 4)
    assert align.score([], []).aer == 0.0
    with pytest.raises(FormatError, match="1 alignments but 0 gold"):
        align.score([Alignment()], [])


def test_gold_is_read_in_both_forms(tmp_path: Path) -> None:
    path = tmp_path / "gold"
    path.write_text("0-0 1p1\n\n2?0\n")
    by_pair = align.read_gold(path)
    path.write_text("1 1 1 S\n1 2 2 P\n3 3 1 P\n")
    assert align.read_gold(path) == by_pair
    path.write_text("1 1 1\n1 2 x P\n")
    with pytest.raises(FormatError, match=r"gold:2: expected `pair source target"):
        align.read_gold(path)
    path.write_text("0-0\n0~0\n")
    with pytest.raises(FormatError, match=r"gold:2: expected a link such as"):
        align.read_gold(path)


@pytest.mark.parametrize("name", ["a.align", "a.align.gz", "a.align.zst"])
def test_files_come_back(tmp_path: Path, name: str) -> None:
    alignments = [Alignment([(0, 0), (3, 1)]), Alignment(), Alignment([(1, 2)])]
    write_alignments(tmp_path / name, alignments)
    assert list(read_alignments(tmp_path / name)) == alignments


def test_a_malformed_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "bad"
    path.write_text("0-0\n0-0 1:2\n")
    with pytest.raises(FormatError, match=r"bad:2: expected a link such as 0-2, found \"1:2\""):
        list(read_alignments(path))


def test_the_grid_shows_links_and_mistakes() -> None:
    drawn = align.draw_grid(
        ["das", "Haus"], ["the", "big", "家"], Alignment([(0, 0), (1, 1)]),
        Alignment([(0, 0), (1, 2)]),
    )  # fmt: skip
    assert drawn.splitlines() == [
        "     t b  ",
        "     h i  ",
        "     e g家",
        " das ■ · ·",
        "Haus · ▣ □",
    ]
    assert align.grid_svg(["<a>"], ["&"], Alignment([(0, 0)])).count("&lt;a&gt;") == 1


def test_the_commands(headway: Headway, tmp_path: Path) -> None:
    source, target = pig_latin_bitext(200)
    for name, side in (("s", source), ("t", target)):
        (tmp_path / name).write_text("".join(" ".join(words) + "\n" for words in side))
    done = headway(
        "align", "s", "t", "-o", "found", "--save", "model", "--lexicon", "lex",
        cwd=tmp_path,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "")
    assert "200 pairs" in done.stderr
    again = headway("align", "s", "t", "--load", "model", "-q", cwd=tmp_path)
    assert again.stdout == (tmp_path / "found").read_text()
    assert again.stderr == ""
    rows = (line.split() for line in (tmp_path / "lex").read_text().splitlines())
    best = max((float(t), word) for word, given_word, t in rows if given_word == "babat")
    assert best[1] == "abatbay"
    assert "aer 0.0000" in headway("alignments", "score", "found", "found", cwd=tmp_path).stdout
    joined = headway("alignments", "join", "found", "found", cwd=tmp_path)
    assert joined.stdout == again.stdout
    drawn = headway("alignments", "draw", "s", "t", "found", "-n", 2, cwd=tmp_path)
    assert "■" in drawn.stdout
    for arguments, message in [
        (["align", "s", "found2"], "found2: no such file"),
        (["alignments", "draw", "s", "t", "found", "-n", "999"], "fewer lines"),
        (["alignments", "join", "found", "found", "--how", "magic"], "unknown choice"),
        (["align", "s", "t", "--load", "s"], "not a headway aligner file"),
        (["align", "s", "t", "--symmetrise", "x"], "grow-diag-final-and, forward, backward"),
    ]:
        failed = headway(*arguments, cwd=tmp_path)
        assert failed.returncode == 2
        assert message in failed.stderr
        assert len(failed.stderr.splitlines()) == 1


def test_line_counts_must_agree(headway: Headway, tmp_path: Path) -> None:
    (tmp_path / "s").write_text("a\nb\nc\n")
    (tmp_path / "t").write_text("a\nb\n")
    done = headway("align", "s", "t", "-o", "found", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("headway: s:3: a line without partner: t ends after 2 lines")
    assert not (tmp_path / "found").exists()


def test_long_pairs_get_no_links_and_are_counted(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, headway: Headway
) -> None:
    source, target = pig_latin_bitext(50)
    long = [word for words in source for word in words][:30]
    assert max(map(len, source)) < 20 < len(long)
    short = msgspec.structs.replace(SETTINGS, max_sentence_length=20)
    alone = align.train(Bitext(source, target), settings=short)
    bitext = Bitext([*source, long, ["a"]], [*target, ["x"], long])
    aligner = align.train(bitext, settings=short)
    found = aligner.align(bitext, max_sentence_length=20)
    assert [len(links) for links in found[-2:]] == [0, 0]
    assert "2 pairs of more than 20 words" in caplog.text
    assert aligner.lexicon() == alone.lexicon()
    assert len(aligner.align(bitext, max_sentence_length=30)[-1]) > 0
    (tmp_path / "s").write_text("w " * 10_000 + "\na\n")
    (tmp_path / "t").write_text("x\nb\n")
    done = headway("align", "s", "t", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "\n0-0\n")
    assert "warning: 1 pairs of more than 400 words" in done.stderr


def test_gold_of_numbered_links_may_end_early(tmp_path: Path, headway: Headway) -> None:
    (tmp_path / "found").write_text("0-0\n1-1\n\n")
    (tmp_path / "gold").write_text("1 1 1 S\n2 2 2 P\n")
    assert len(align.read_gold(tmp_path / "gold", 3)) == 3
    done = headway("alignments", "score", "found", "gold", cwd=tmp_path)
    assert "aer 0.0000" in done.stdout, done.stderr
    (tmp_path / "gold").write_text("1 1 1 S\n99999999999 2 2 P\n")
    done = headway("alignments", "score", "found", "gold", cwd=tmp_path)
    assert "gold:2: a link of pair 99999999999, but there are 3" in done.stderr


def test_alignments_that_do_not_fit_are_named(tmp_path: Path, headway: Headway) -> None:
    for name, text in [("s", "a b\n"), ("t", "x\n"), ("a", "0-0 1-1\n"), ("two", "0-0\n0-0\n")]:
        (tmp_path / name).write_text(text)
    for arguments, message in [
        (["draw", "s", "t", "a"], "a:1: the link 1-1 is outside its pair of 2 and 1 words"),
        (["draw", "s", "t", "two", "--gold", "a"], "a:1: the link 1-1 is outside"),
        (["join", "a", "two"], "two:2: a line without partner: a ends after 1 lines"),
        (["score", "two", "a"], "two:2: a line without partner: a ends after 1 lines"),
    ]:
        done = headway("alignments", *arguments, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == f"headway: {done.stderr[9:]}"
        assert message in done.stderr
