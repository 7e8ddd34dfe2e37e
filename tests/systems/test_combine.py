"""Combinations: several systems that vote, as people use them."""

import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from conftest import Headway
from headway import Bundle, ConfigError, ModelError, Settings, Translator, combine, fragment, train
from headway.errors import HeadwayError
from headway.systems import Combined, Source
from headway.systems.bundle import Consensus, rewrite_manifest
from headway.tune import Candidates, dev_score, joined

FEW = ["tune.iterations=3", "lm.order=3", "consensus.scales=[1.0, 5.0]"]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("combine")
    fragment.write(place, pairs=300, seed=7)
    for side in ("de", "en"):
        lines = (place / f"dev.{side}").read_text().splitlines()
        (place / f"few.{side}").write_text("\n".join(lines[:40]) + "\n")
        (place / f"more.{side}").write_text("\n".join(lines[40:60]) + "\n")
    return place


@pytest.fixture(scope="module")
def members(corpus: Path) -> list[Path]:
    for name in ("phrase", "hiero"):
        sides = (corpus / "train.de", corpus / "train.en", corpus / name)
        train(name, *sides, settings=Settings.load(None, FEW[1:2]), work=corpus / "work")
    return [corpus / "phrase", corpus / "hiero"]


def combined(
    corpus: Path, members: Sequence[Path], name: str, settings: Sequence[str] = ()
) -> Combined:
    return combine(
        *members,
        dev_source=corpus / "few.de",
        dev_target=corpus / "few.en",
        out=corpus / name,
        settings=Settings.load(None, [*FEW, *settings]),
    )


@pytest.fixture(scope="module")
def both(corpus: Path, members: list[Path]) -> Combined:
    return combined(corpus, members, "both")


@pytest.fixture(scope="module")
def lines(corpus: Path) -> list[str]:
    return [*(corpus / "more.de").read_text().splitlines()[:8], ""]


def test_a_combination_is_no_worse_than_its_best_member_on_dev(
    corpus: Path, members: list[Path], both: Combined
) -> None:
    assert set(both.members) == {"phrase", "hiero"}
    assert both.dev >= max(both.members.values())
    translator = Translator.load(both.bundle.directory)
    source, target = ((corpus / f"few.{it}").read_text().splitlines() for it in ("de", "en"))
    references = [[line.split()] for line in target]

    def score(one: Translator) -> float:
        found = one.translate(source)
        lists: list[Candidates] = [[(list(it.words), [])] for it in found]
        return dev_score("bleu", lists, joined(references), threads=1)

    # What it reports is what it does: the difference of both scores is the same.
    best = max(score(Translator.load(member)) for member in members)
    assert score(translator) >= best - 1e-9 or both.alone


def test_neither_the_order_of_members_nor_threads_change_a_byte(
    corpus: Path, members: list[Path], both: Combined, lines: list[str]
) -> None:
    turned = combined(corpus, members[::-1], "turned", ["run.threads=1"])
    files = sorted(path.name for path in both.bundle.directory.iterdir())
    assert files == sorted(path.name for path in turned.bundle.directory.iterdir())
    for file in files:
        own = (both.bundle.directory / file).read_bytes()
        assert own == (turned.bundle.directory / file).read_bytes(), file
    translator = Translator.load(both.bundle.directory)
    one = translator.translate(lines, n_best=5, confidence=True, threads=1)
    assert one == translator.translate(lines, n_best=5, confidence=True, threads=2)
    assert one[3:4] == translator.translate(lines[3:4], n_best=5, confidence=True)


def test_files_that_members_share_are_there_once(members: list[Path], both: Combined) -> None:
    own = [Bundle.open(member) for member in members]
    contents = {part.checksum for one in own for part in one.manifest.components.values()}
    parts = both.bundle.manifest.components
    assert {part.checksum for part in parts.values()} == contents
    assert len(parts) == len(contents) < sum(len(one.manifest.components) for one in own)


def test_answers_say_who_said_them_and_how_sure_they_are(
    both: Combined, members: list[Path], lines: list[str]
) -> None:
    translator = Translator.load(both.bundle.directory)
    alone = {one.name: Translator.load(one).translate(lines, n_best=200, distinct=True)
             for one in members}  # fmt: skip
    for place, found in enumerate(translator.translate(lines, n_best=20, confidence=True)):
        assert found.n_best[0].words == found.words
        assert found.n_best[0].score == found.score
        words = [one.words for one in found.n_best]
        assert len(set(words)) == len(words)
        scores = [one.score for one in found.n_best]
        assert scores == sorted(scores, reverse=True)
        for one in found.n_best:
            score = sum(value * translator.weights[name] for name, value in one.features.items())
            assert one.score == pytest.approx(score)
            assert one.confidence is not None
            assert len(one.confidence) == len(one.words)
            assert all(0 <= sure <= 1 for sure in one.confidence)
            listed = [it.words for it in alone[one.system][place].n_best]
            # Each has its own safest candidate besides its list.
            assert one.words in listed or one.features[f"{one.system}.said"] == 1
    assert translator.translate([""])[0].text == ""


def test_the_bundle_can_be_moved_and_names_what_is_missing_or_damaged(
    both: Combined, lines: list[str], tmp_path: Path
) -> None:
    moved = Path(shutil.copytree(both.bundle.directory, tmp_path / "moved"))
    texts = [one.text for one in Translator.load(moved).translate(lines)]
    assert texts == [one.text for one in Translator.load(both.bundle.directory).translate(lines)]
    parts = Bundle.open(moved).manifest.members["hiero"].components
    path = moved / parts["rules"].file
    content = path.read_bytes()
    path.chmod(0o644)
    path.write_bytes(content[:-8] + bytes(8)[::-1] + b"")
    with pytest.raises(ModelError, match=r"damaged, its checksum differs \(it belongs to hiero\)"):
        Translator.load(moved)
    path.unlink()
    with pytest.raises(ModelError, match=r"missing from the bundle \(it belongs to hiero\)"):
        Translator.load(moved)
    path.write_bytes(content)
    shared = moved / parts["lm"].file
    shared.unlink()
    with pytest.raises(ModelError, match=r"\(it belongs to hiero, phrase\)"):
        Translator.load(moved)


@pytest.mark.parametrize(
    ("line", "damaged", "told"),
    [
        (r"scale = .*", "scale = nan", "expected float > 0.0 - at consensus.scale"),
        (r'gain = "bleu"', 'gain = "meteor"', "invalid enum value 'meteor' - at consensus.gain"),
        (r"n_best = .*", "n_best = 0", "expected int >= 1 - at consensus.n_best"),
        (r"confidence = .*", "confidence = [[0.5, 7.0]]", "at consensus.confidence"),
        (r'"union.gain" = .*', '"union.gain" = nan', "weight union.gain: expected a number"),
        (r'"union.gain" = .*', '"union.loss" = 1.0', "weight union.loss: the vote has no such"),
    ],
)
def test_a_damaged_description_of_the_vote_is_named(
    line: str, damaged: str, told: str, both: Combined, tmp_path: Path
) -> None:
    copy = Path(shutil.copytree(both.bundle.directory, tmp_path / "copy"))
    text = (copy / "model.toml").read_text()
    changed, count = re.subn(f"^{line}$", damaged, text, count=1, flags=re.MULTILINE)
    assert count == 1
    (copy / "model.toml").write_text(changed)
    with pytest.raises(ModelError, match=re.escape(told)) as caught:
        Translator.load(copy)
    assert "model.toml" in str(caught.value)


def test_a_member_that_fails_or_is_late_leaves_the_vote_with_a_flag(
    both: Combined, lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    translator = Translator.load(both.bundle.directory)
    panel = translator.panel  # type: ignore[attr-defined]
    hiero, find = panel.members["hiero"], panel.members["hiero"].search_sources
    bad = hiero.words(lines[2:3])[0]

    def failing(sources: Sequence[Source], **how: Any) -> Any:
        if any(list(source.words) == bad for source in sources):
            raise HeadwayError("its rules are gone")
        return find(sources, **how)

    usual = translator.translate(lines)
    with monkeypatch.context() as patched:
        patched.setattr(hiero, "search_sources", failing)
        found = translator.translate(lines)
        assert [place for place, one in enumerate(found) if "without-hiero" in one.flags] == [2]
        assert found[2].system == "phrase"
        assert [it for it in usual if it != usual[2]] == [it for it in found if it != found[2]]
        patched.setattr(panel.members["phrase"], "search_sources", failing)
        with pytest.raises(HeadwayError, match="its rules are gone"):
            translator.translate(lines)

    def late(sources: Sequence[Source], **how: Any) -> Any:
        return [_Late(one) for one in find(sources, **how)]

    heard = panel.hear(panel.sources(lines[:1], threads=1), n_best=5, threads=1, before=0)[0]
    monkeypatch.setattr(hiero, "search_sources", late)
    hurried = panel.hear(panel.sources(lines[:1], threads=1), n_best=5, threads=1, before=0)[0]
    assert heard.left_out(panel.names) == []
    assert hurried.left_out(panel.names) == ["hiero"]


def _Late(one: Any) -> Any:  # noqa: N802
    return SimpleNamespace(words=one.words, hurried=True)


def test_settings_that_a_member_uses_have_an_effect(
    both: Combined, caplog: pytest.LogCaptureFixture
) -> None:
    place = both.bundle.directory
    Translator.load(place, search={"distortion_limit": 3, "span_limit": 7})
    assert "has no effect" not in caplog.text  # one is of phrase, the other of hiero
    Translator.load(place, search={"dependency_score": "margin"})
    assert caplog.text.count("search.dependency_score has no effect") == 1


def test_one_member_that_is_sure_answers_its_best(
    corpus: Path, members: list[Path], lines: list[str]
) -> None:
    copy = Path(shutil.copytree(members[1], corpus / "sure"))
    bundle = Bundle.open(copy)
    sure = Consensus(use=True, gain="bleu", scale=1e5, n_best=100)
    rewrite_manifest(bundle, msgspec.structs.replace(bundle.manifest, consensus=sure))
    best = [one.words for one in Translator.load(members[1]).translate(lines)]
    assert [one.words for one in Translator.load(copy).translate(lines)] == best
    assert [one.words for one in Translator.load(copy).translate(lines, mbr=False)] == best
    alone = combined(corpus, [copy], "alone").bundle
    # Tuned weights may say otherwise; the expected gain does not.
    gain = {name: float(name == "union.gain") for name in alone.manifest.weights}
    translator = Translator.load(alone.directory, weights=gain)
    assert [one.words for one in translator.translate(lines)] == best


def test_what_cannot_vote_together_is_refused(
    corpus: Path, members: list[Path], both: Combined, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match="is the same bundle as"):
        combined(corpus, [members[0], members[0]], "twice")
    with pytest.raises(ConfigError, match="is a combination already"):
        combined(corpus, [both.bundle.directory, members[0]], "nested")
    with pytest.raises(ConfigError, match="is a bundle already"):
        combined(corpus, members, "both")
    other = Bundle.open(Path(shutil.copytree(members[0], tmp_path / "other")))
    languages = msgspec.structs.replace(other.manifest.languages, target="fr")
    rewrite_manifest(other, msgspec.structs.replace(other.manifest, languages=languages))
    told = r"its languages differ from those of .*hiero: target is fr, not en; combine"
    with pytest.raises(ConfigError, match=told):
        combined(corpus, [members[1], other.directory], "mixed")
    with pytest.raises(TypeError, match=r"directories: expected a string or a path, found int 3"):
        combine(3, dev_source="a", dev_target="b", out="c")  # type: ignore[arg-type]


def test_the_command_line_does_all_of_it(
    corpus: Path, members: list[Path], tmp_path: Path, headway: Headway
) -> None:
    out = tmp_path / "model"
    settings = [it for one in FEW for it in ("--set", one)]
    few = ("--dev-source", corpus / "few.de", "--dev-target", corpus / "few.en")
    done = headway("combine", *members, *few, "--out", out, *settings)
    assert done.returncode == 0, done.stderr
    assert re.search(r"phrase +\d+\.\d\d", done.stderr)
    assert re.search(r"equal say +\d+\.\d\d", done.stderr)
    text, table = tmp_path / "out.en", tmp_path / "out.tsv"
    n_best, derivations = tmp_path / "n", tmp_path / "d"
    done = headway(
        "translate", out, "-i", corpus / "more.de", "-o", text, "--confidence", table,
        "--n-best", 3, n_best, "--derivations", derivations,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    rows = [line.split("\t") for line in table.read_text().splitlines()]
    assert {row[3] for row in rows} <= {"phrase", "hiero"}
    assert rows[-1][0] == "20"
    assert all(0 <= float(row[2]) <= 1 for row in rows)
    assert "confidence= " in n_best.read_text().splitlines()[0]
    first = json.loads(derivations.read_text().splitlines()[0])
    assert first["system"] in ("phrase", "hiero")
    assert len(first["confidence"]) == len(first["target"])
    drawing = tmp_path / "r.svg"
    asked = ("--reference", corpus / "more.en", "--confidence", table)
    done = headway("evaluate", text, *asked, "--reliability", drawing, "--samples", 0)
    assert re.search(r"confidence: \d+ words, .*expected calibration error 0\.\d+", done.stdout)
    assert drawing.read_text().startswith("<svg")
    shown = headway("inspect", out, "Der Mann schläft.").stdout
    assert re.search(r"said by (phrase|hiero)", shown)
    assert "union.gain" in shown
    bundle = headway("inspect", out).stdout
    assert "member" in bundle
    assert "all checksums agree" in bundle
    for options, told in (
        (("--no-mbr",), "a combination always votes"),
        (("--forests", tmp_path / "f"), "a combination keeps none"),
        (("--trees", tmp_path / "t"), "no member makes trees"),
        (("--weight", "phrase.9=1"), "no such feature"),
        (("--format", "html", "--confidence", tmp_path / "c"), "a line may be several sentences"),
    ):
        done = headway("translate", out, "-i", corpus / "more.de", "-o", tmp_path / "x", *options)
        assert done.returncode == 2
        assert told in " ".join(done.stderr.split())


def test_an_ensemble_shares_steps_and_goes_on_where_it_stopped(
    corpus: Path, tmp_path: Path, headway: Headway
) -> None:
    out = tmp_path / "model"
    command = [
        "train", "ensemble", "--source", corpus / "train.de", "--target", corpus / "train.en",
        "--dev-source", corpus / "more.de", "--dev-target", corpus / "more.en", "--out", out,
        *[it for one in ("tune.iterations=1", *FEW[1:]) for it in ("--set", one)],
    ]  # fmt: skip
    done = headway(*command)
    assert done.returncode == 0, done.stderr
    shown = " ".join(done.stderr.split())
    # Only these two do without trees; the second one aligns nothing again.
    first, second = shown.split("hiero de → en")
    assert "phrase de → en" in first
    assert "align done before" not in first
    assert "align done before" in second
    assert "equal say" in second
    manifest = Bundle.open(out).manifest
    assert list(manifest.members) == ["hiero", "phrase"]
    model = (out / "model.toml").read_bytes()
    again = " ".join(headway(*command).stderr.split())
    assert again.count("tune done before") == 2
    assert (out / "model.toml").read_bytes() == model
    for options, told in (
        (("--weight", "lm=1"), "an ensemble has no --weight"),
        (("--systems", "phrase,phrase"), "a system is named twice"),
        (("--systems", "phrases"), "no such system"),
        (("--self-train",), "self-training begins with a parser trained on a treebank"),
    ):
        done = headway(*command, *options)
        assert done.returncode == 2
        assert told in " ".join(done.stderr.split())
    done = headway(*command[:6], "--out", tmp_path / "other")
    assert done.returncode == 2
    assert "needs a dev set" in " ".join(done.stderr.split())
