"""Rule tables: what is written is read, look-up equals a scan, Moses text survives."""

import gzip
import math
import re
from collections import Counter
from pathlib import Path

import pytest
from headway.errors import ConfigError, FormatError
from headway.table import Counts, Rule, RuleTable, draw_structure, import_moses
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from moses_text import Entry, read_reordering, read_table, single

WORDS = ("a", "b", "ä", "&", "c|d", "[e")
NAMES = ("p(f|e)", "lex(f|e)", "p(e|f)", "lex(e|f)")


def as_entry(rule: Rule) -> Entry:
    counts = rule.counts
    numbers = None if counts is None else (counts.target, counts.source, counts.joint)
    scores = tuple(rule.scores.values())
    return Entry(rule.source, rule.target, scores, frozenset(rule.links), numbers)


def build(folder: Path, text: str, **options: object) -> RuleTable:
    (folder / "t.txt").write_text(text, encoding="utf-8")
    import_moses([folder / "t.txt"], folder / "t.rules", **options)  # type: ignore[arg-type]
    return RuleTable.open(folder / "t.rules")


@pytest.mark.parametrize("peer", ["moses-phrase-deen", "moses-phrase-jaen"])
def test_every_phrase_pair_of_moses_is_read(peers: Path, tmp_path: Path, peer: str) -> None:
    files = [peers / peer / "phrase-table.gz", peers / peer / "reordering-table.gz"]
    reordering = read_reordering(files[1])
    report = import_moses(files[:1], tmp_path / "t", reordering=files[1])
    table = RuleTable.open(tmp_path / "t")
    table.verify()
    expected = Counter(
        Entry(
            entry.source,
            entry.target,
            entry.scores + reordering[" ".join(map(str, entry.source)), " ".join(entry.target)],  # type: ignore[arg-type]
            entry.links,
            entry.counts,
        )
        for entry in read_table(files[0])
    )
    assert Counter(map(as_entry, table)) == expected
    assert report.rules == len(table) == expected.total()
    assert (report.without_reordering, report.unused_reordering) == (0, 0)
    assert table.features[:4] == NAMES
    assert table.features[4] == "reordering.backward.monotone"


def test_every_hierarchical_rule_of_moses_is_read(peers: Path, tmp_path: Path) -> None:
    folder = peers / "moses-hiero-deen"
    report = import_moses([folder / "rule-table.gz", folder / "glue-grammar"], tmp_path / "t")
    table = RuleTable.open(tmp_path / "t")
    expected = Counter(read_table(folder / "rule-table.gz"))
    assert Counter(map(as_entry, table)) == expected
    assert (report.rules, report.glue) == (expected.total(), 3)
    assert table.facts.with_slots == sum(
        any(isinstance(symbol, int) for symbol in entry.source) for entry in expected.elements()
    )


def test_moses_text_survives_to_the_byte(peers: Path, tmp_path: Path) -> None:
    folder = peers / "moses-phrase-deen"
    files = [folder / "phrase-table.gz", folder / "reordering-table.gz"]
    import_moses(files[:1], tmp_path / "t", reordering=files[1])
    written = [tmp_path / "phrase-table.gz", tmp_path / "reordering-table.gz"]
    RuleTable.open(tmp_path / "t").export_moses(written[0], reordering=written[1])
    for before, after in zip(files, written, strict=True):
        texts = [gzip.decompress(path.read_bytes()) for path in (before, after)]
        assert sorted(texts[1].split(b"\n")) == sorted(texts[0].split(b"\n"))


number = st.one_of(
    st.sampled_from(["0", "1", "0.5", "0.333333", "1e-07", "2.718"]),
    st.floats(0, 1, width=32).map(repr),
)


@st.composite
def phrase_line(draw: st.DrawFn) -> str:
    source = draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=3))
    target = draw(st.lists(st.sampled_from(WORDS), max_size=3))
    scores = " ".join(draw(number) for _ in range(4))
    fields = [" ".join(source), " ".join(target), scores]
    linked: bool = draw(st.booleans())
    if target and linked:
        links = draw(
            st.sets(st.tuples(st.integers(0, len(source) - 1), st.integers(0, len(target) - 1)))
        )
        fields.append(" ".join(f"{a}-{b}" for a, b in links))
        if draw(st.booleans()):
            fields.append(" ".join(draw(number) for _ in range(3)))
    return " ||| ".join(fields)


@st.composite
def rule_line(draw: st.DrawFn) -> str:
    slots = draw(st.integers(0, 2))
    sides = []
    for _ in range(2):
        words = draw(st.lists(st.sampled_from(WORDS[:4]), min_size=1, max_size=3))
        for _ in range(slots):
            words.insert(draw(st.integers(0, len(words))), "[X][X]")
        sides.append(words)
    places = [[at for at, word in enumerate(side) if word == "[X][X]"] for side in sides]
    pairs = zip(places[0], draw(st.permutations(places[1])), strict=True)
    links = " ".join(f"{a}-{b}" for a, b in pairs)
    scores = " ".join(draw(number) for _ in range(4))
    return f"{' '.join(sides[0])} [X] ||| {' '.join(sides[1])} [X] ||| {scores} ||| {links}"


tables = st.one_of(st.lists(phrase_line(), max_size=25), st.lists(rule_line(), max_size=25))
quick = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@quick
@given(table=tables)
def test_random_tables_are_read_as_they_stand(tmp_path: Path, table: list[str]) -> None:
    opened = build(tmp_path, "".join(f"{line}\n" for line in table))
    expected = Counter(read_table(tmp_path / "t.txt"))
    assert Counter(map(as_entry, opened)) == expected
    opened.export_moses(tmp_path / "out.txt")
    assert Counter(read_table(tmp_path / "out.txt")) == expected


@quick
@given(
    table=tables,
    weights=st.lists(st.floats(-1, 1, width=32), min_size=4, max_size=4),
    top=st.none() | st.integers(1, 3),
)
def test_look_up_equals_a_scan_and_a_sort(
    tmp_path: Path, table: list[str], weights: list[float], top: int | None
) -> None:
    opened = build(tmp_path, "".join(f"{line}\n" for line in table))
    everything = list(opened)
    for source in {rule.source for rule in everything}:
        text = " ".join(s if isinstance(s, str) else "[X]" for s in source)
        assert text in opened
        scan = [rule for rule in everything if rule.source == source]
        assert opened.options(text) == scan

        def score(rule: Rule) -> float:
            total = 0.0
            for weight, value in zip(weights, rule.features.values(), strict=True):
                total += weight * value
            return total

        best = opened.options(text, weights=weights, top=top)
        assert [as_entry(rule) for rule in best] == [
            as_entry(rule) for rule in sorted(scan, key=score, reverse=True)[:top]
        ]
        assert [rule.score for rule in best] == sorted(map(score, scan), reverse=True)[:top]
    assert opened.options("a b a b a b") == []
    assert opened.options("unheard of") == []


def matches(source: tuple[str | int, ...], sentence: str) -> bool:
    """A rule's source side as a regular expression over words."""
    pattern = " ".join(r"\S+(?: \S+)*" if isinstance(s, int) else re.escape(s) for s in source)
    return re.search(rf"(?<!\S){pattern}(?!\S)", sentence) is not None


@quick
@given(
    table=tables,
    sentences=st.lists(st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join), max_size=3),
)
def test_filtering_keeps_what_matches(
    tmp_path: Path, table: list[str], sentences: list[str]
) -> None:
    opened = build(tmp_path, "".join(f"{line}\n" for line in table))
    text = tmp_path / "input.txt"
    text.write_text("".join(f"{sentence}\n" for sentence in sentences), encoding="utf-8")
    kept = opened.filter(tmp_path / "small.rules", inputs=[text])
    expected = [r for r in opened if any(matches(r.source, sentence) for sentence in sentences)]
    assert list(RuleTable.open(tmp_path / "small.rules")) == expected
    assert kept == len(expected)


def test_filtering_keeps_the_best(tmp_path: Path) -> None:
    lines = [f"a ||| {word} ||| {p}" for word, p in zip("bcde", (0.1, 0.4, 0.2, 0.3), strict=True)]
    opened = build(tmp_path, "\n".join(lines))
    opened.filter(tmp_path / "top", weights={"score1": 1}, top=2)
    kept = [rule.target_text for rule in RuleTable.open(tmp_path / "top")]
    assert kept == ["c", "e"]
    with pytest.raises(ConfigError, match="weights"):
        opened.filter(tmp_path / "top", top=2)


def test_logarithms_have_a_floor(tmp_path: Path) -> None:
    table = build(tmp_path, "a ||| b ||| 0 0.25 1 1e-44\n")
    (rule,) = table.options("a")
    assert list(rule.scores.values()) == [0.0, 0.25, 1.0, single(1e-44)]
    assert list(rule.features.values()) == [-100.0, single(math.log(0.25)), 0.0, -100.0]


def test_weights_go_by_name_or_by_place(tmp_path: Path) -> None:
    table = build(tmp_path, "a ||| b ||| 1 1 0.5 1\na ||| c ||| 0.1 1 0.9 1\n")
    by_name = table.options("a", weights={"p(e|f)": 2.0})
    assert [rule.target_text for rule in by_name] == ["c", "b"]
    assert by_name == table.options("a", weights=[0, 0, 2.0, 0])
    with pytest.raises(ConfigError, match=r"no feature p\(x\) in .*p\(f\|e\)"):
        table.options("a", weights={"p(x)": 1.0})
    with pytest.raises(ConfigError, match="3 weights for 4 features"):
        table.options("a", weights=[1, 1, 1])
    with pytest.raises(ConfigError, match="top"):
        table.options("a", top=0)


def test_structures_go_through_moses_text(tmp_path: Path) -> None:
    line = (
        "das [X][X] [X] ||| the [X][X] house [X] ||| 1 0.5 1 0.5 ||| 0-0 1-1 ||| 2 3 1 ||| ||| "
        "{{Dependency fixed-2 3,3,0 NOUN ADJ}}\n"
    )
    table = build(tmp_path, line)
    (rule,) = table.options("das [X]")
    assert table.options("das [X1]") == [rule]
    assert rule.structure is not None
    assert (rule.structure.kind, rule.structure.head) == ("fixed", 2)
    assert (rule.structure.heads, rule.structure.label) == ((3, 3, 0), "NOUN")
    assert rule.structure.slot_labels == ("ADJ",)
    assert rule.counts == Counts(2, 3, 1)
    assert table.facts.with_structure == 1
    table.export_moses(tmp_path / "out.txt")
    assert (tmp_path / "out.txt").read_text() == line
    drawing = draw_structure(rule)
    assert "house" in drawing
    assert "ADJ" in drawing
    assert draw_structure(Rule((), (), None, (), None, {}, {})) == ""


def test_spans_are_all_parts_with_rules(tmp_path: Path) -> None:
    table = build(tmp_path, "a ||| x ||| 1\na ||| y ||| 1\na b ||| z ||| 1\nb c d ||| z ||| 1\n")
    assert table.spans("a b c") == [(0, 1, 2), (0, 2, 1)]
    assert table.spans("") == []


def test_a_reordering_table_may_lack_and_exceed(tmp_path: Path) -> None:
    (tmp_path / "r").write_text("a ||| b ||| 0.1 0.2 0.7\nx ||| y ||| 1 0 0\na ||| y ||| 1 0 0\n")
    (tmp_path / "t").write_text("a ||| b ||| 1 1 1 1\na ||| c ||| 1 1 1 1\n")
    report = import_moses([tmp_path / "t"], tmp_path / "t.rules", reordering=tmp_path / "r")
    assert (report.without_reordering, report.unused_reordering) == (1, 2)
    joined, lacking = RuleTable.open(tmp_path / "t.rules").options("a")
    assert list(joined.scores.values())[4:] == [single(0.1), single(0.2), single(0.7)]
    assert list(lacking.features.values())[4:] == [0.0, 0.0, 0.0]


def test_a_reordering_table_may_know_the_source_alone(tmp_path: Path) -> None:
    (tmp_path / "r").write_text("b ||| 0.5 0.5\na ||| 0.25 0.75\n")
    (tmp_path / "t").write_text("a ||| x ||| 1\na ||| y ||| 1\nc ||| z ||| 1\n")
    report = import_moses([tmp_path / "t"], tmp_path / "t.rules", reordering=tmp_path / "r")
    assert (report.without_reordering, report.unused_reordering) == (1, 1)
    scores = [list(rule.scores.values())[1:] for rule in RuleTable.open(tmp_path / "t.rules")]
    assert scores == [[0.25, 0.75], [0.25, 0.75], [1, 1]]


@pytest.mark.parametrize(
    ("model", "names"),
    [
        ("wbe-mslr-backward-fe", ["backward.monotone", "backward.swap"]),
        ("wbe-mslr-forward-fe", ["forward.monotone", "forward.swap"]),
        (
            "hier-monotonicity-bidirectional-fe-allff",
            ["backward.monotone", "backward.non-monotone"],
        ),
        ("phrase-leftright-bidirectional-fe", ["backward.right", "backward.left"]),
    ],
)
def test_the_model_says_what_columns_are(tmp_path: Path, model: str, names: list[str]) -> None:
    (tmp_path / "r").write_text("a ||| x ||| 0.1 0.2 0.3 0.4\n")
    (tmp_path / "t").write_text("a ||| x ||| 1 1 1 1\n")
    files = ([tmp_path / "t"], tmp_path / "t.rules")
    import_moses(*files, reordering=tmp_path / "r", reordering_model=model)
    features = RuleTable.open(tmp_path / "t.rules").features
    assert list(features[4:6]) == [f"reordering.{name}" for name in names]
    for other, message in [
        ("wbe-msd-bidirectional-fe", "r:1: expected 6 scores as the model has, found 4"),
        (model.replace("-fe", "-f"), "r:1: expected a source side alone as the model has"),
    ]:
        with pytest.raises(FormatError, match=message):
            import_moses(*files, reordering=tmp_path / "r", reordering_model=other)
    with pytest.raises(ConfigError, match="such as wbe-msd-bidirectional-fe"):
        import_moses(*files, reordering=tmp_path / "r", reordering_model="msd")
    with pytest.raises(ConfigError, match="no reordering table"):
        import_moses(*files, reordering_model=model)


def test_the_columns_of_moses_mslr_are_left_before_right(tmp_path: Path) -> None:
    (tmp_path / "r").write_text("a ||| x ||| 0.1 0.2 0.3 0.4 0.5 0.05 0.15 0.3\n")
    (tmp_path / "t").write_text("a ||| x ||| 1 1 1 1\n")
    for model in (None, "wbe-mslr-bidirectional-fe"):
        import_moses(
            [tmp_path / "t"],
            tmp_path / "t.rules",
            reordering=tmp_path / "r",
            reordering_model=model,
        )
        (rule,) = RuleTable.open(tmp_path / "t.rules").options("a")
        names = ("backward.left", "backward.right", "forward.left", "forward.right")
        scores = [rule.scores[f"reordering.{name}"] for name in names]
        assert scores == [single(value) for value in (0.3, 0.4, 0.15, 0.3)]


def test_columns_of_several_models_are_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "t").write_text("a ||| x ||| 1 1 1 1\n")
    for scores, assumed in [
        ("1 1 1", "3 columns, taken for those of msd-backward"),
        ("1 1 1 1", "4 columns, taken for those of monotonicity-bidirectional"),
        ("1 1 1 1 1 1", ""),
    ]:
        caplog.clear()
        (tmp_path / "r").write_text(f"a ||| x ||| {scores}\n")
        import_moses([tmp_path / "t"], tmp_path / "o", reordering=tmp_path / "r")
        assert assumed in caplog.text
        assert bool(caplog.text) == bool(assumed)


def test_scores_of_source_sides_go_out_and_in(tmp_path: Path) -> None:
    (tmp_path / "r").write_text("a ||| 0.25 0.75\nb ||| 0.5 0.5\n")
    (tmp_path / "t").write_text("a ||| x ||| 1\na ||| y ||| 1\nb ||| z ||| 1\n")
    import_moses([tmp_path / "t"], tmp_path / "t.rules", reordering=tmp_path / "r")
    table = RuleTable.open(tmp_path / "t.rules")
    table.export_moses(tmp_path / "o", reordering=tmp_path / "again", condition="f")
    assert (tmp_path / "again").read_text() == (tmp_path / "r").read_text()
    with pytest.raises(ConfigError, match="expected f or fe"):
        table.export_moses(tmp_path / "o", condition="e")


def test_memory_is_a_size_or_mebibytes(tmp_path: Path) -> None:
    (tmp_path / "t").write_text("a ||| x ||| 1\n")
    for memory in (1, "1", "64M", "1G"):
        assert import_moses([tmp_path / "t"], tmp_path / "o", memory=memory).rules == 1
    for memory in (0, "0", -1, "1K", "x"):
        with pytest.raises(ConfigError, match="memory"):
            import_moses([tmp_path / "t"], tmp_path / "o", memory=memory)


def test_little_memory_gives_the_same_bytes(peers: Path, tmp_path: Path) -> None:
    files = [peers / "moses-phrase-deen" / "phrase-table.gz"]
    import_moses(files, tmp_path / "much", threads=1)
    import_moses(files, tmp_path / "little", memory=1, threads=2)
    assert (tmp_path / "much").read_bytes() == (tmp_path / "little").read_bytes()
