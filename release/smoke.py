"""Installs a built wheel in an empty environment and translates with it, without a compiler.

    python release/smoke.py dist

Takes the newest wheel of the directory. The environment is temporary and does not see this
checkout; cargo and C compilers are not on its PATH.
"""

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

SENTENCE = "Der alte Mann sieht einen Hund."


def newest(directory: Path) -> Path:
    """The wheel that was built last."""
    wheels = sorted(directory.glob("headway-*.whl"), key=lambda it: it.stat().st_mtime)
    if not wheels:
        sys.exit(f"{directory}: no wheel of headway here; build one: make wheel")
    return wheels[-1].resolve()


def run(place: Path, *command: str, given: str = "") -> str:
    """What a command of the environment prints; its own directory is all of its PATH."""
    programs = place / "venv" / ("Scripts" if os.name == "nt" else "bin")
    own = {**os.environ, "PATH": str(programs), "PYTHONPATH": ""}
    name, *arguments = command
    done = subprocess.run(
        [str(programs / name), *arguments],
        cwd=place,
        env=own,
        input=given,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        check=True,
    )
    return done.stdout


def main() -> None:
    """Installs, trains, translates, and looks at what came out."""
    wheel = newest(Path(sys.argv[1]))
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(temporary)
        venv.create(place / "venv", with_pip=True)
        run(place, "python", "-m", "pip", "install", "--quiet", "--only-binary=:all:", str(wheel))
        run(place, "headway", "fragment", "--pairs", "5000", "--out", "corpus")
        train = ("--source", "corpus/train.de", "--target", "corpus/train.en", "--out", "model")
        run(place, "headway", "train", "phrase", *train)
        found = run(place, "headway", "translate", "model", given=f"{SENTENCE}\n").strip()
        import_ = "import headway; print(headway.Translator.load('model').bundle.manifest.system)"
        system = run(place, "python", "-c", import_).strip()
    print(f"{wheel.name}: {SENTENCE} → {found}")
    if "man" not in found.split() or system != "phrase":
        sys.exit(f"the installed package does not translate: {found!r}, {system!r}")


if __name__ == "__main__":
    main()
