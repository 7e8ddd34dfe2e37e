"""What all tests share: hypothesis profiles, and where real data and peers' answers are."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from headway import fragment, train
from hypothesis import settings

settings.register_profile("local", max_examples=50, deadline=None)
settings.register_profile("ci", max_examples=200, deadline=None)
settings.load_profile(
    os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "local")
)

ROOT = Path(__file__).parent.parent

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


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A built-in corpus of 1,500 pairs, with dev and test sets."""
    place = tmp_path_factory.mktemp("corpus")
    fragment.write(place, pairs=1500, dev=50, test=60, seed=7)
    return place


@pytest.fixture(scope="session")
def model(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A phrase-based system trained on it: a bundle that tests share and leave as it is."""
    place = tmp_path_factory.mktemp("model") / "bundle"
    train("phrase", corpus / "train.de", corpus / "train.en", place)
    return place


@pytest.fixture(scope="session")
def headway() -> Headway:
    """Runs the real program: `headway("settings", "--seed", 3)`."""

    def call(
        *arguments: object,
        stdin: str | bytes = b"",
        cwd: Path | None = None,
        env: dict[str, str] | None = None,
        seconds: int = 120,
    ) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [sys.executable, "-m", "headway", *map(str, arguments)],
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            capture_output=True,
            cwd=cwd,
            env={**os.environ, **(env or {})},
            timeout=seconds,
            check=False,
        )
        return subprocess.CompletedProcess(
            done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
        )

    return call
