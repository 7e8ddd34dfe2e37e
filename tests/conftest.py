"""What all tests share: how the program is run, a small model, and where real data are."""

import fcntl
import logging
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import comparisons
import pytest
from headway import Settings, cli, fragment, train
from headway.compare import Compared
from hypothesis import settings

# `make test` draws the same examples for everybody; `make explore` draws new ones each time.
settings.register_profile("test", max_examples=50, deadline=None, derandomize=True)
settings.register_profile("explore", max_examples=500, deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "test"))

# A shell that starts a job in the background leaves it deaf to Ctrl-C, and all its children with
# it. Tests that interrupt a program need ears, whoever started them.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGPIPE})

# What a person or a CI system has chosen for the looks of programs; tests compare plain text.
for name in ("FORCE_COLOR", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TTY_COMPATIBLE", "COLUMNS"):
    os.environ.pop(name, None)

ROOT = Path(__file__).parent.parent

# Long enough for the slowest machine; only a program that hangs is ever kept waiting for so long.
PATIENCE = 900

Headway = Callable[..., subprocess.CompletedProcess[str]]


def _shared(variable: str, folder: str) -> Path:
    path = Path(os.environ.get(variable, ROOT.parent / "shared" / folder))
    if not path.is_dir():
        pytest.skip(f"{path} is not there; set {variable} to the folder of shared {folder}")
    return path


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real corpora and treebanks; skips the test without it."""
    return _shared("HEADWAY_DATA", "data")


@pytest.fixture(scope="session")
def peers() -> Path:
    """The folder of other systems' answers; skips the test without it."""
    return _shared("HEADWAY_PEERS", "peers")


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """A folder that the first worker makes and all others wait for and use."""
    base = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent
    place = base / f"shared-{name}"
    with (base / f"shared-{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not place.exists():
            make(base / f"shared-{name}.partial")
            (base / f"shared-{name}.partial").rename(place)
    return place


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A built-in corpus of 1,500 pairs, with dev and test sets; tests leave it as it is."""

    def make(place: Path) -> None:
        fragment.write(place, pairs=1500, dev=50, test=60, seed=7)

    return made_once(tmp_path_factory, "corpus", make)


@pytest.fixture(scope="session")
def model(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A phrase-based system trained on it: a bundle that tests leave as it is."""

    def make(place: Path) -> None:
        quick = Settings.load(None, ["align.samples=1"])
        train("phrase", corpus / "train.de", corpus / "train.en", place / "bundle", settings=quick)

    return made_once(tmp_path_factory, "model", make) / "bundle"


@pytest.fixture(scope="session")
def small_systems(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Systems of 400 pairs by name, and their `corpus`; tests leave them as they are."""

    def make(place: Path) -> None:
        fragment.write(place / "corpus", pairs=400, dev=1, test=6, seed=5)
        corpus = place / "corpus"
        quick = Settings.load(None, ["align.samples=1", "align.fertility_iterations=2"])
        with_trees = {"str2dep", "phrase-deplm"}
        for system in ("phrase", "hiero", "str2dep", "phrase-deplm"):
            train(
                system,
                corpus / "train.de",
                corpus / "train.en",
                place / system,
                treebanks=[corpus / "train.en.conllu"] if system in with_trees else [],
                settings=quick,
                warn_idle=False,
            )

    return made_once(tmp_path_factory, "small-systems", make)


@pytest.fixture(scope="session")
def service(small_systems: Path) -> Iterator[Any]:
    """A `serving.Running` with `phrase` first, then `str2dep`, both from German to English."""
    from serving import running

    with running(small_systems / "phrase", small_systems / "str2dep") as found:
        yield found


@pytest.fixture(scope="session")
def lines(small_systems: Path) -> list[str]:
    """German sentences that these systems were not trained on."""
    text = (small_systems / "corpus" / "test.de").read_text(encoding="utf-8")
    return text.splitlines()


@pytest.fixture(scope="session")
def bitext(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """150 pairs with gold trees, for comparisons; tests leave them as they are."""

    def make(place: Path) -> None:
        fragment.write(place, pairs=150, dev=15, test=20, seed=3)

    return made_once(tmp_path_factory, "bitext", make)


@pytest.fixture(scope="session")
def compared(bitext: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Compared, Path]:
    """A whole comparison of trees with systems and two seeds; tests leave it as it is."""
    out = tmp_path_factory.mktemp("compared") / "out"
    asked = {"gold": bitext / "train.en.conllu", **comparisons.system(bitext)}
    return comparisons.run(bitext, out, seeds=[1, 2], **asked), out


@pytest.fixture(scope="session")
def headway() -> Headway:
    """Runs a command line: `headway("settings", "--seed", 3)`.

    Within this process, which is much quicker than starting another, unless it reads standard
    input: a thread that still waits for the input of one command would take that of the next.
    """

    def call(
        *arguments: object,
        stdin: str | bytes = b"",
        cwd: Path | None = None,
        env: dict[str, str] | None = None,
    ) -> subprocess.CompletedProcess[str]:
        words = [str(argument) for argument in arguments]
        if stdin or "-" in words:
            return _outside(words, stdin, cwd, env)
        return _inside(words, cwd, env)

    return call


def _outside(
    words: list[str], stdin: str | bytes, cwd: Path | None, env: dict[str, str] | None
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "headway", *words],
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        cwd=cwd,
        env={**os.environ, **(env or {})},
        timeout=PATIENCE,
        check=False,
    )
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
    )


def _inside(
    words: list[str], cwd: Path | None, env: dict[str, str] | None
) -> subprocess.CompletedProcess[str]:
    with (
        TemporaryFile() as output,
        TemporaryFile() as errors,
        _standard_streams(output.fileno(), errors.fileno()),
        _environment(env or {}),
        _directory(cwd),
        _logging(),
    ):
        code = cli.run(words)
        sys.stdout.flush()
        sys.stderr.flush()
        output.seek(0)
        errors.seek(0)
        return subprocess.CompletedProcess(
            words, code, output.read().decode(), errors.read().decode()
        )


@contextmanager
def _standard_streams(output: int, errors: int) -> Iterator[None]:
    """Standard input is empty, output and errors go to files, for Python and for the core."""
    sys.stdout.flush()
    sys.stderr.flush()
    before = sys.stdin, sys.stdout, sys.stderr
    with ExitStack() as undo:
        empty = undo.enter_context(Path(os.devnull).open())
        for standard, wanted in enumerate((empty.fileno(), output, errors)):
            kept = os.dup(standard)
            undo.callback(os.close, kept)
            undo.callback(os.dup2, kept, standard)
            os.dup2(wanted, standard)
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        try:
            yield
        finally:
            for stream in (sys.stdin, sys.stdout, sys.stderr):
                stream.close()
            sys.stdin, sys.stdout, sys.stderr = before


@contextmanager
def _environment(env: dict[str, str]) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in env.items():
            patch.setenv(name, value)
        yield


@contextmanager
def _directory(cwd: Path | None) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(cwd or before)
    try:
        yield
    finally:
        os.chdir(before)


@contextmanager
def _logging() -> Iterator[None]:
    """Every command says where the library's warnings go; later tests want them as they were."""
    logger = logging.getLogger("headway")
    before = logger.level, logger.handlers, logger.propagate
    try:
        yield
    finally:
        logger.level, logger.handlers, logger.propagate = before
        logger.setLevel(before[0])  # empties the cache of what is enabled


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Headless Chromium, as the system has it; skips where there is none.

    For a module, as it keeps an event loop at work, which later tests may not want.
    """
    sync = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    program = next(filter(None, map(shutil.which, names)), None)
    if program is None:
        pytest.skip("there is no Chromium; install one: apt-get install chromium")
    # Chromium has no sandbox for the administrator.
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, args=arguments)
        yield chromium
        chromium.close()


@pytest.fixture
def opened(browser: Any) -> Iterator[Any]:
    """Opens files; at the end no page may have complained or asked for anything but itself."""
    faults: list[str] = []
    context = browser.new_context()

    def open_page(path: Path) -> Any:
        page = context.new_page()
        page.on("console", lambda message: faults.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("dialog", lambda dialog: faults.append(f"dialog: {dialog.message}"))
        page.on("request", lambda request: asked.append(request.url))
        opened_pages.append(path.as_uri())
        page.goto(path.as_uri())
        return page

    asked: list[str] = []
    opened_pages: list[str] = []
    yield open_page
    context.close()
    assert faults == []
    assert asked == opened_pages
