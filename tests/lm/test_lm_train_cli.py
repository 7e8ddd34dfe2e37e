"""`headway lm train`: what it takes, what it refuses, and what it leaves behind."""

import gzip
import random
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import PATIENCE, Headway
from headway.cli.many import spread
from headway.lm import LanguageModel
from kneser_ney_oracle import read_arpa
from processes import interrupted_at_work

TEXT = "the dog barks\nthe cat sleeps\na dog sleeps\n"


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text"
    path.write_text(TEXT)
    return path


def large_text(path: Path, tokens: int) -> Path:
    rng = random.Random(1)
    with path.open("w") as file:
        for _ in range(tokens // 20):
            file.write(" ".join(f"w{int(50_000 ** rng.random())}" for _ in range(20)) + "\n")
    return path


@pytest.fixture(scope="session")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Enough text to outgrow 64 MiB."""
    return large_text(tmp_path_factory.mktemp("large") / "text", 1_500_000)


def test_a_model_is_written_and_summed_up(headway: Headway, text: Path, tmp_path: Path) -> None:
    model = tmp_path / "lm.arpa"
    done = headway("lm", "train", "-i", text, "-o", model, "--order", 2)
    assert done.returncode == 0, done.stderr
    warning, summary = done.stderr.splitlines()
    assert "little or repetitive text" in warning
    assert summary == "sentences: 3, words: 9, n-grams: 9 10"
    assert done.stdout == ""
    assert ("the", "dog") in read_arpa(model.read_text().splitlines())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["lm.arpa", "text"]


def test_all_sources_give_the_same_model(headway: Headway, text: Path, tmp_path: Path) -> None:
    (tmp_path / "text.gz").write_bytes(gzip.compress(TEXT.encode()))
    first, rest = TEXT.split("\n", 1)
    (tmp_path / "first").write_text(first)  # without a line end
    (tmp_path / "rest").write_text(rest.replace("\n", "\r\n").replace(" ", " \t "))
    options = ["--order", 3, "-o", "-", "-q"]
    expected = headway("lm", "train", "-i", text, *options)
    assert expected.returncode == 0
    assert expected.stderr == ""
    for sources in (["-i", "text.gz"], ["-i", "first", "rest"], ["-i", "first", "-i", "rest"]):
        assert headway("lm", "train", *sources, *options, cwd=tmp_path).stdout == expected.stdout
    assert headway("lm", "train", "-i", "-", *options, stdin=TEXT).stdout == expected.stdout
    twice = headway("lm", "train", "-i", text, "-i", text, *options)
    assert twice.stdout != expected.stdout
    assert headway("lm", "train", "-i", "-", *options, stdin=TEXT * 2).stdout == twice.stdout


def test_compressed_models_are_written(headway: Headway, text: Path, tmp_path: Path) -> None:
    plain, packed = tmp_path / "lm.arpa", tmp_path / "lm.arpa.gz"
    for model in (plain, packed):
        assert headway("lm", "train", "-q", "-i", text, "-o", model).returncode == 0
    assert gzip.decompress(packed.read_bytes()) == plain.read_bytes()


def test_thresholds_may_follow_one_option(headway: Headway, text: Path) -> None:
    options = ["lm", "train", "-q", "-i", text, "-o", "-", "--order", 3]
    done = headway(*options, "--prune", 0, 1, 1)
    assert "ngram 2=2\nngram 3=0" in done.stdout, done.stderr
    assert headway(*options, "--prune", 0, "--prune", 1).stdout == done.stdout
    assert headway(*options, "--set", "lm.prune=[0, 1]").stdout == done.stdout


def test_repeatable_options_are_spread() -> None:
    given = ["-i", "a", "-", "b", "-o", "x", "--prune", "0", "1", "-q"]
    spread_out = ["-i", "a", "-i", "-", "-i", "b", "-o", "x", "--prune", "0", "--prune", "1", "-q"]
    assert list(spread(given, {"-i", "--prune"})) == spread_out


def test_empty_lines_are_empty_sentences(headway: Headway) -> None:
    done = headway("lm", "train", "-i", "-", "-o", "-", "--order", 2, stdin="\n\na\n")
    assert done.stderr.splitlines()[-1].startswith("sentences: 3, words: 1,")
    assert ("<s>", "</s>") in read_arpa(done.stdout.splitlines())


def test_rare_words_become_unknown(headway: Headway, text: Path) -> None:
    options = ["lm", "train", "-q", "-i", text, "-o", "-", "--order", 2]
    words = list(read_arpa(headway(*options, "--vocab-limit", 2).stdout.splitlines()))
    assert [word for (word,) in words[:5]] == ["<unk>", "<s>", "</s>", "the", "dog"]
    assert ("the", "<unk>") in words
    assert headway(*options, "--vocab-limit", 0).stdout == headway(*options).stdout


def test_symbols_are_refused_or_skipped(headway: Headway) -> None:
    options = ["lm", "train", "-q", "-i", "-", "-o", "-"]
    marked = "".join(f"<s> {line} </s>\n" for line in TEXT.splitlines())
    done = headway(*options, stdin=TEXT + marked)
    message = 'standard input:4: "<s>" as a word of the text; remove it, or use --skip-symbols'
    assert (done.returncode, done.stderr) == (2, f"headway: {message}\n")
    skipped = headway(*options, "--skip-symbols", stdin=marked)
    assert skipped.stdout == headway(*options, stdin=TEXT).stdout


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "no sentences to estimate a language model from"),
        (b"fine\na b\xff\n", "standard input:2: not UTF-8: byte 0xff at column 4"),
        (b"a \0 b\n", "standard input:1: NUL byte"),
        (gzip.compress(random.Random(1).randbytes(5000).hex().encode())[:2000], "is cut short"),
    ],
    ids=["empty", "invalid UTF-8", "NUL", "truncated gzip"],
)
def test_bad_text_is_one_line(
    headway: Headway, tmp_path: Path, content: bytes, message: str
) -> None:
    done = headway("lm", "train", "-i", "-", "-o", tmp_path / "lm.arpa", stdin=content)
    assert done.returncode == 2
    assert done.stderr.startswith("headway: ")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_line_of_ten_megabytes_is_a_sentence(headway: Headway, tmp_path: Path) -> None:
    line = " ".join(f"w{number % 977}" for number in range(2_000_000))
    assert len(line) > 9_000_000
    done = headway("lm", "train", "-i", "-", "-o", tmp_path / "lm.arpa", "--order", 3, stdin=line)
    assert done.stderr.splitlines()[-1].startswith("sentences: 1, words: 2,000,000,")


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["-i", "missing", "-o", "m"], 2, "missing: no such file"),
        (["-i", ".", "-o", "m"], 2, ".: is a directory"),
        (["-i", "text", "-o", "no/m"], 1, "no/m: cannot write: no such directory"),
        (["-i", "text", "-o", "."], 2, ".: is a directory"),
        (["-i", "text", "-o", "m", "--temp", "no"], 1, "no: cannot keep temporary files there"),
        (["-i", "text", "-o", "m", "--temp", "text"], 1, "text: cannot keep temporary files"),
        (["-i", "text", "-o", "m", "--memory", "lots"], 2, "memory 'lots': expected a size"),
        (["-i", "text", "-o", "m", "--memory", "1M"], 2, "memory 1M: too little"),
        (["-i", "text", "-o", "m", "--prune", "1"], 2, "the first pruning threshold"),
        (["-i", "text", "-o", "m", "--prune", "0", "2", "1"], 2, "must not fall with the order"),
        (["-i", "text", "-o", "m", "--order", "2", "--prune", "0", "0", "0"], 2, "3 pruning"),
        (["-i", "-", "-", "-o", "m"], 2, "standard input is named twice"),
        (["-i", "text", "-o", "m", "--set", "lm.order=7"], 2, "lm.order: expected int <= 6"),
        (["-i", "text", "-o", "m", "--set", "lm.order=-1"], 2, "lm.order: expected int >= 1"),
        (["-i", "text", "-o", "m", "--set", "run.threads=-1"], 2, "run.threads: expected int >= 0"),
    ],
)
def test_bad_options_are_one_line(
    headway: Headway, text: Path, options: list[str], code: int, message: str
) -> None:
    done = headway("lm", "train", *options, cwd=text.parent)
    assert (done.returncode, done.stderr.count("\n")) == (code, 1), done.stderr
    assert message in done.stderr
    assert [path.name for path in text.parent.iterdir()] == ["text"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs the device /dev/full")
def test_a_full_disk_is_told(headway: Headway, text: Path) -> None:
    done = headway("lm", "train", "-q", "-i", text, "-o", "/dev/full")
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "/dev/full: cannot write: the disk is full" in done.stderr


def test_an_interrupt_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "temp").mkdir()
    (tmp_path / "lm.arpa").write_text("the old one")
    rng = random.Random(1)
    text = "".join(f"w{rng.randrange(50_000)}{' ' if n % 20 else chr(10)}" for n in range(200_000))
    ended = interrupted_at_work(
        *("lm", "train", "-i", "-", "-o", "lm.arpa", "--temp", "temp", "--memory", "64M"),
        cwd=tmp_path,
        sign=lambda _: any(tmp_path.glob(".headway-*.partial")),  # the model, still without a name
        endless=text.encode(),
    )
    assert ended == (130, "headway: interrupted")
    assert list((tmp_path / "temp").iterdir()) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["lm.arpa", "temp"]
    assert (tmp_path / "lm.arpa").read_text() == "the old one"


# The kernel's own high-water mark; what getrusage says includes the process that forked.
PEAK = """
import sys, pathlib, headway.cli
code = headway.cli.run(sys.argv[1:])
status = pathlib.Path("/proc/self/status").read_text()
print(code, status.partition("VmHWM:")[2].split()[0])
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux's /proc")
def test_memory_is_honoured(large: Path, tmp_path: Path) -> None:
    def peak(limit: int) -> int:
        arguments = ["-i", large, "-o", tmp_path / f"{limit}.arpa", "--memory", f"{limit}M"]
        arguments += ["--threads", 32]  # a machine may have as many cores
        command = [sys.executable, "-c", PEAK, "lm", "train", "-q", *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True)
        code, kilobytes = map(int, done.stdout.split())
        assert code == 0
        return kilobytes >> 10

    assert peak(96) <= 96
    assert peak(1024) > 130  # what it takes where it may: the limit is what held it
    assert (tmp_path / "96.arpa").read_bytes() == (tmp_path / "1024.arpa").read_bytes()


def test_a_binary_scores_as_the_arpa_file(headway: Headway, tmp_path: Path) -> None:
    source = large_text(tmp_path / "text", 60_000)
    for name in ("lm.arpa", "lm.bin"):
        done = headway("lm", "train", "-q", "-i", source, "-o", tmp_path / name, "--order", 4)
        assert (done.returncode, done.stderr) == (0, "")
    arpa, binary = (LanguageModel.load(tmp_path / name) for name in ("lm.arpa", "lm.bin"))
    sentences = [*source.read_text().splitlines()[:50], "", "w1 w2 unseen w1", "w9 w1 w4"]
    assert binary.score(sentences) == arpa.score(sentences)
    assert binary.counts == arpa.counts
    assert sorted(path.name for path in tmp_path.iterdir()) == ["lm.arpa", "lm.bin", "text"]


# A limit on file sizes stands for a disk without room.
NO_ROOM = """
import resource, sys, headway.cli
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
sys.exit(headway.cli.run(sys.argv[1:]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX resource limits")
def test_no_room_for_temporary_files_is_one_line(large: Path, tmp_path: Path) -> None:
    arguments = ["-i", large, "-o", tmp_path / "lm.arpa", "--memory", "64M", "--temp", tmp_path]
    command = [sys.executable, "-c", NO_ROOM, "lm", "train", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1), done.stderr
    assert done.stderr.startswith(f"headway: {tmp_path}: cannot keep temporary files there: ")
    assert "--temp" in done.stderr
    assert list(tmp_path.iterdir()) == []
