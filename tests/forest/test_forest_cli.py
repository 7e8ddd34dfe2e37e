"""`headway forest …`."""

import json
from pathlib import Path

from conftest import Headway
from headway.forest import Forest, save
from test_forest import lattice_json


def written(folder: Path) -> Path:
    path = folder / "a.forest"
    barren = Forest.from_json(lattice_json(edges=[]))
    save(path, [Forest.from_json(lattice_json()), barren])
    return path


def test_info_tells_sizes(headway: Headway, tmp_path: Path) -> None:
    shown = headway("forest", "info", written(tmp_path))
    assert shown.stdout.splitlines() == [
        "1\t3 nodes\t4 edges\t10^0.30 derivations\tein Haus",
        "2\t3 nodes\t0 edges\tno derivations\tein Haus",
    ]
    facts = json.loads(
        headway("forest", "info", tmp_path / "a.forest", "--index", 2, "--json").stdout
    )
    assert (facts["edges"], facts["log10_derivations"]) == (0, None)


def test_best_and_k_best_print_translations(headway: Headway, tmp_path: Path) -> None:
    path = written(tmp_path)
    assert headway("forest", "best", path).stdout == "a house\n\n"
    assert headway("forest", "best", path, "--index", 1, "-w", "lm=-1").stdout == "home\n"
    assert headway("forest", "k-best", path, "-k", 5, "--distinct").stdout.splitlines() == [
        "0 ||| a house ||| lm= -2 ||| -2 ||| 0-0 1-1",
        "0 ||| home ||| lm= -3 ||| -3 ||| ",
    ]


def test_pruning_and_converting_write_files(headway: Headway, tmp_path: Path) -> None:
    path = written(tmp_path)
    pruned = headway("forest", "prune", path, "-o", tmp_path / "small.jsonl", "--threshold", 0.5)
    assert "3 of 4 edges" in pruned.stderr
    assert headway("forest", "best", tmp_path / "small.jsonl").stdout == "a house\n\n"
    assert "2 forests" in headway("forest", "convert", path, tmp_path / "a.json.gz").stderr
    through = headway("forest", "convert", tmp_path / "a.json.gz", "-")
    assert len(through.stdout.splitlines()) == 2
    again = headway("forest", "best", "-", stdin=through.stdout)
    assert again.stdout == "a house\n\n"


def test_drawings_come_in_three_forms(headway: Headway, tmp_path: Path) -> None:
    path = written(tmp_path)
    assert headway("forest", "draw", path).stdout.startswith("digraph forest {")
    assert headway("forest", "draw", path, "--to", "plf").stdout.startswith("((('*EPS*'")
    assert headway("forest", "draw", path, "--to", "moses").stdout.startswith("0 hyp=0 stack=0")


def test_bad_requests_end_with_one_line(headway: Headway, tmp_path: Path) -> None:
    path = written(tmp_path)
    for arguments, reason in [
        (["best", path, "--index", 3], "has 2 forests"),
        (["best", path, "-w", "lm"], "expected NAME=VALUE"),
        (["best", path, "-w", "tm=1"], "no feature tm"),
        (["best", path, "-w", "lm=2e6"], "weight lm: expected a number from -1,000,000"),
        (["draw", path, "--to", "svg"], "expected dot, plf or moses"),
        (["prune", path, "-o", tmp_path / "new"], "nothing to prune by"),
        (["prune", path, "-o", path, "--edges", 9], "is read and would be written over"),
        (["info", tmp_path / "none"], "no such file"),
    ]:
        failed = headway("forest", *arguments)
        assert failed.returncode == 2
        assert reason in failed.stderr
        assert len(failed.stderr.splitlines()) == 1
