"""Bad input to the commands on text: the right result, or one line that says what and where."""

import contextlib
import gzip
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import PATIENCE, Headway
from headway.cli import run
from processes import PROGRAM, wait_for, wait_until_read

# Each reads FILE and writes OUT; `{model}` is a truecaser's.
FILTERS = [
    ["tokenise", "FILE", "-o", "OUT"],
    ["detokenise", "FILE", "-o", "OUT"],
    ["truecase", "apply", "{model}", "FILE", "-o", "OUT"],
    ["truecase", "recase", "FILE", "-o", "OUT"],
]
CORPORA = [
    ["clean", "FILE", "-o", "OUT", "--from", "tsv", "--to", "tsv"],
    ["convert", "FILE", "-o", "OUT", "--from", "tsv", "--to", "tsv"],
]
TRAIN = ["truecase", "train", "FILE", "-o", "OUT"]
TMX = ["convert", "FILE", "-o", "OUT", "--from", "tmx", "--to", "tsv", "--languages", "de,en"]
ALL = [*FILTERS, *CORPORA, TRAIN, TMX]


@pytest.fixture(scope="module")
def model(headway: Headway, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "m"
    headway("truecase", "train", "-o", path, stdin="Ein Hund .\n")
    return path


@pytest.fixture
def call(capfd: pytest.CaptureFixture[str]) -> Headway:
    """Runs a command within this process, which is much quicker than starting another."""

    def inside(*arguments: object) -> subprocess.CompletedProcess[str]:
        words = [str(argument) for argument in arguments]
        code = run(words)
        out, err = capfd.readouterr()
        return subprocess.CompletedProcess(words, code, out, err)

    return inside


def filled(command: list[str], file: object, out: object, model: Path) -> list[str]:
    names = {"FILE": str(file), "OUT": str(out), "{model}": str(model)}
    return [names.get(word, word) for word in command]


def name(command: list[str]) -> str:
    return " ".join(word for word in command[:2] if word.islower())


def assert_one_line(done: subprocess.CompletedProcess[str], code: int, *parts: str) -> None:
    assert done.returncode == code, done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    assert done.stderr.startswith("headway: ")
    for part in parts:
        assert part in done.stderr


@pytest.mark.parametrize("command", [*FILTERS, *CORPORA], ids=name)
def test_an_empty_file_gives_an_empty_file(
    call: Headway, tmp_path: Path, model: Path, command: list[str]
) -> None:
    (tmp_path / "in").write_bytes(b"")
    done = call(*filled(command, tmp_path / "in", tmp_path / "out", model))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out").read_bytes() == b""


@pytest.mark.parametrize(("command", "message"), [(TRAIN, "no words"), (TMX, "expected <tmx>")])
def test_an_empty_file_is_refused_where_it_cannot_be_meant(
    call: Headway, tmp_path: Path, model: Path, command: list[str], message: str
) -> None:
    (tmp_path / "in").write_bytes(b"")
    done = call(*filled(command, tmp_path / "in", tmp_path / "out", model))
    assert_one_line(done, 2, "in:1: ", message)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("command", ALL, ids=name)
@pytest.mark.parametrize(
    "fault", [(b"a\tb\na\xff\tb\n", "not UTF-8"), (b"a\tb\na\0\tb\n", "NUL")], ids=["utf8", "nul"]
)
def test_invalid_utf8_and_nul_are_told_with_their_line(
    call: Headway, tmp_path: Path, model: Path, command: list[str], fault: tuple[bytes, str]
) -> None:
    content, message = fault
    (tmp_path / "in").write_bytes(content)
    done = call(*filled(command, tmp_path / "in", tmp_path / "out", model))
    if command[0] == "clean":
        assert done.returncode == 0
        assert (tmp_path / "out").read_text() == "a\tb\n"
        return
    if command is TMX:
        expected = message if message == "not UTF-8" else "is this a TMX file?"
        assert_one_line(done, 2, "in:", expected)
    elif command[0] == "convert" and message == "NUL":
        assert_one_line(done, 2, "in:2: ", "control character")
    else:
        assert_one_line(done, 2, "in:2: ", message)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("command", ALL, ids=name)
def test_a_truncated_gzip_file_is_told(
    call: Headway, tmp_path: Path, model: Path, command: list[str]
) -> None:
    units = "".join(f"<tu id='{number * 7919}'></tu>\n" for number in range(20_000))
    text = f"<tmx>\t{units}</tmx>" if command is TMX else units.replace(">", "\t")
    (tmp_path / "in").write_bytes(gzip.compress(text.encode())[:-5000])
    done = call(*filled(command, tmp_path / "in", tmp_path / "out", model))
    assert_one_line(done, 2, "in:", "cut short")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("command", ALL, ids=name)
def test_a_directory_or_a_missing_file_is_told(
    call: Headway, tmp_path: Path, model: Path, command: list[str]
) -> None:
    done = call(*filled(command, tmp_path, tmp_path / "out", model))
    assert_one_line(done, 2, "is a directory where a file is expected")
    done = call(*filled(command, tmp_path / "none", tmp_path / "out", model))
    assert_one_line(done, 2, "no such file")


@pytest.mark.parametrize("command", [*FILTERS, *CORPORA, TRAIN], ids=name)
def test_outputs_that_cannot_be_written_are_told(
    call: Headway, tmp_path: Path, model: Path, command: list[str]
) -> None:
    (tmp_path / "in").write_text("ein\tHund\n")
    done = call(*filled(command, tmp_path / "in", tmp_path, model))
    assert_one_line(done, 2, "is a directory")
    done = call(*filled(command, tmp_path / "in", tmp_path / "no" / "out", model))
    assert_one_line(done, 1, "no such directory")


def unwritable(tmp_path: Path) -> Path:
    """A folder nobody may write to: an ordinary one, or for root one of the kernel's."""
    if os.geteuid() != 0:
        folder = tmp_path / "closed"
        folder.mkdir(mode=0o555)
        return folder
    folder = Path("/sys/kernel")
    if not folder.is_dir():
        pytest.skip("root may write everywhere here: there is no /sys")
    return folder


@pytest.mark.parametrize("command", [*FILTERS, *CORPORA, TRAIN], ids=name)
def test_no_write_permission_is_told(
    call: Headway, tmp_path: Path, model: Path, command: list[str]
) -> None:
    (tmp_path / "in").write_text("ein\tHund\n")
    done = call(*filled(command, tmp_path / "in", unwritable(tmp_path) / "out", model))
    assert done.returncode == 1
    assert "no permission to write" in done.stderr or "read-only" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("command", [*FILTERS, *CORPORA], ids=name)
def test_a_full_device_is_told(
    call: Headway, tmp_path: Path, model: Path, command: list[str]
) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    (tmp_path / "in").write_text("ein\tHund\n")
    done = call(*filled(command, tmp_path / "in", "/dev/full", model))
    assert_one_line(done, 1, "/dev/full", "the disk is full")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)]
    if subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("may not mount a small file system here")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


@pytest.mark.parametrize("command", [*FILTERS, *CORPORA], ids=name)
def test_a_full_disk_leaves_the_old_file(
    call: Headway, tmp_path: Path, small_disk: Path, model: Path, command: list[str]
) -> None:
    (tmp_path / "in").write_text("".join(f"{number}\tHund\n" for number in range(100_000)))
    (small_disk / "out").write_text("old")
    done = call(*filled(command, tmp_path / "in", small_disk / "out", model))
    assert_one_line(done, 1, "the disk is full")
    assert [path.name for path in small_disk.iterdir()] == ["out"]
    assert (small_disk / "out").read_text() == "old"


@pytest.mark.parametrize("command", [*FILTERS, *CORPORA, TRAIN], ids=name)
def test_a_line_of_ten_megabytes_is_an_ordinary_line(
    call: Headway, tmp_path: Path, model: Path, command: list[str]
) -> None:
    long = b"Wort, don't " * (10_000_000 // 12)
    (tmp_path / "in").write_bytes(b"Ein\tHund .\n" + long + b"\tb\n" + b"Ein\tMann .\n")
    done = call(*filled(command, tmp_path / "in", tmp_path / "out", model))
    assert done.returncode == 0, done.stderr
    if command[0] == "clean":
        assert "1  too many words (line 2)" in done.stderr
    elif command is not TRAIN:
        lines = (tmp_path / "out").read_bytes().split(b"\n")
        assert len(lines) == 4
        assert len(lines[1]) > 8_000_000


def test_a_tmx_segment_of_ten_megabytes_is_read(call: Headway, tmp_path: Path) -> None:
    long = "Wort &amp; " * 1_000_000
    segments = f"<tuv xml:lang='de'><seg>{long}</seg></tuv><tuv xml:lang='en'><seg>b</seg></tuv>"
    (tmp_path / "in").write_text(f"<tmx><body><tu>{segments}</tu></body></tmx>")
    done = call(*filled(TMX, tmp_path / "in", tmp_path / "out", tmp_path))
    assert done.returncode == 0, done.stderr
    assert len((tmp_path / "out").read_bytes()) == 7_000_000 - 1 + len("\tb\n")


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("big") / "big.tsv"
    lines = (f"Ein Hund, z.B. Nr. {n}.\tA dog, e.g. no. {n}.\n" for n in range(400_000))
    path.write_text("".join(lines))
    return path


@pytest.mark.parametrize("command", [*FILTERS, *CORPORA], ids=name)
def test_a_reader_that_leaves_early_ends_the_work_quietly(
    big: Path, model: Path, command: list[str]
) -> None:
    arguments = [*PROGRAM, *filled(command, big, "-", model)]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=PATIENCE) == 128 + signal.SIGPIPE


@pytest.mark.parametrize("command", [*FILTERS, *CORPORA], ids=name)
def test_an_interrupt_ends_even_a_command_that_waits_for_input(
    tmp_path: Path, model: Path, command: list[str]
) -> None:
    arguments = [*PROGRAM, *filled(command, "-", tmp_path / "out", model)]
    process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    with contextlib.closing(process.stdin):  # type: ignore[type-var]
        assert process.stdin is not None
        process.stdin.write(b"a\tb\n")
        wait_until_read(process)
        wait_for(lambda: any(tmp_path.iterdir()), process)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=PATIENCE) == 130
    assert process.stderr is not None
    with process.stderr as stderr:
        assert stderr.read() == b"headway: interrupted\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", FILTERS, ids=name)
def test_a_filter_answers_each_line_while_it_waits_for_the_next(
    model: Path, command: list[str]
) -> None:
    arguments = [*PROGRAM, *filled(command, "-", "-", model)]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for word in (b"eins\n", b"zwei\n"):
            process.stdin.write(word)
            process.stdin.flush()
            assert process.stdout.readline().lower() == word
        process.stdin.close()
        assert process.wait(timeout=PATIENCE) == 0


def test_two_standard_inputs_or_outputs_are_refused(headway: Headway, tmp_path: Path) -> None:
    assert_one_line(
        headway("clean", "-", "-", "-o", tmp_path / "x.tsv"), 2, "standard input is named twice"
    )
    (tmp_path / "a.tsv").write_text("a\tb\n")
    done = headway("convert", tmp_path / "a.tsv", "-o", "-", "-o", "-")
    assert_one_line(done, 2, "standard output is named twice")
    assert_one_line(
        headway("tokenise", "--spacing", "-", stdin="a"), 2, "standard output is named twice"
    )
