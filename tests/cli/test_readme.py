"""What the README and the docs show as Python runs as it stands."""

import re
import shlex
from pathlib import Path

import pytest
from conftest import ROOT, Headway
from headway import cli

CONSOLE = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def test_the_readmes_python_runs(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = BLOCK.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    assert blocks
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {})  # noqa: S102  our own words
    assert "(0, 0)" in capsys.readouterr().out


def test_the_readmes_first_translation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8").split("## A first translation")[1]
    generate, train, translate, answer = CONSOLE.findall(text)[0].splitlines()
    echo, piped = translate.removeprefix("$ ").split(" | ")
    monkeypatch.chdir(tmp_path)
    for line in (generate, train):
        assert cli.run(shlex.split(line)[2:]) == 0, line
    Path("source.de").write_text(shlex.split(echo)[1], encoding="utf-8")
    assert cli.run([*shlex.split(piped)[1:], "-i", "source.de", "-o", "target.en"]) == 0
    assert Path("target.en").read_text(encoding="utf-8") == f"{answer}\n"


def test_every_command_of_the_readme_exists(capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    rows = [row.split("|")[2] for row in text.splitlines() if row.startswith("| ")]
    commands = [name.split() for row in rows for name in re.findall(r"`([a-z -]+)`", row)]
    assert ["lm", "train"] in commands
    for command in commands:
        assert cli.run([*command, "--help"]) == 0, command
    assert "lm train" in capsys.readouterr().out


def test_every_page_the_readme_names_exists() -> None:
    for page in ("README.md", "CONTRIBUTING.md", *(f"docs/{p.name}" for p in docs())):
        text = (ROOT / page).read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
            assert ((ROOT / page).parent / target).exists(), f"{page}: {target}"


def docs() -> list[Path]:
    return sorted((ROOT / "docs").glob("*.md"))


def check_trees(shown: str) -> None:
    """The half with target trees: both scores, whether they differ by chance, a drawn tree."""
    scores = dict(re.findall(r"^  (phrase|str2dep) +BLEU +([0-9.]+)  TER", shown, re.MULTILINE))
    assert float(scores["phrase"]) > 50
    assert float(scores["str2dep"]) > 50
    (verdict,) = re.findall(r"^  str2dep: (?:better|worse|differs).*$", shown, re.MULTILINE)
    assert re.search(r"BLEU \([+-][0-9.]+, p = [01]\.[0-9]{3}\)", verdict)
    # One sentence, wrong without trees and right with them, over the tree that search built.
    example = shown.split(verdict)[1]
    plain, found = re.findall(r"^  (?:phrase|str2dep): +(.+)$", example, re.MULTILINE)
    assert plain != found
    # What is said of the tree is shown.
    blind = re.findall(r"^    where trees weigh 0: (.+)$", example, re.MULTILINE)
    assert len(blind) == ("The tree made the difference" in example)
    assert found not in blind
    rows = re.findall(r"^[\u2500-\u257f▸▪ ]+ +[0-9]+ (\S+) +(root|dep)$", example, re.MULTILINE)
    assert [label for _, label in rows].count("root") == 1
    letters = [re.sub(r"\W", "", text).lower() for text in (found, "".join(w for w, _ in rows))]
    assert letters[0] == letters[1]


def test_the_demo_shows_a_pair_and_resumes(headway: Headway, tmp_path: Path) -> None:
    # Two systems, trained and tuned: all of the demo, with less of a search.
    quick = [
        "tune.iterations=2",
        "search.pop_limit=60",
        "align.fertility_iterations=4",
        "align.samples=1",
    ]
    options = ["--pairs", "4000", *(part for one in quick for part in ("--set", one))]
    narrow = {"COLUMNS": "30"}  # so that the tree is drawn from top to bottom
    first = headway("demo", "--out", tmp_path / "demo", *options, env=narrow)
    assert first.returncode == 0, first.stderr
    assert float(re.findall(r"BLEU +([0-9.]+) on 1000", first.stdout)[0]) > 50
    assert "←" in first.stdout
    check_trees(first.stdout)
    report = tmp_path / "demo" / "report.html"
    assert first.stdout.splitlines()[-1].split() == ["a", "report", str(report)]
    assert "str2dep: " in report.read_text(encoding="utf-8")
    assert (tmp_path / "demo" / "example.svg").read_text().startswith("<svg")
    wrong = headway("demo", "--out", tmp_path / "other", "--set", "align.model=nonsense")
    assert (wrong.returncode, len(wrong.stderr.splitlines())) == (2, 1)
    table = tmp_path / "demo" / "model.work" / "rules.table"
    made = table.stat().st_mtime_ns
    again = headway("demo", "--out", tmp_path / "demo", *options, env=narrow)
    assert again.stdout == first.stdout
    assert table.stat().st_mtime_ns == made
