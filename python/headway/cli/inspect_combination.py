"""What `headway inspect` shows of a combination, and of its vote on a sentence."""

import json
from collections.abc import Mapping, Sequence
from shutil import get_terminal_size
from typing import Any

import typer

from headway.cli.grids import grid, print_grid, say
from headway.systems import Manifest, Translation, Translator
from headway.systems.source import Given
from headway.trees import draw


def show_members(manifest: Manifest) -> None:
    """A line for each system: what it scored on the dev set, and the scale of its scores."""
    scores: Mapping[str, float] = manifest.facts.get("members", {})
    rows = []
    for name, member in manifest.members.items():
        scale = "" if member.consensus is None else f"{member.consensus.scale:g}"
        score = f"{scores[name]:.2f}" if name in scores else ""
        rows.append((name, member.system, score, scale, str(len(member.components))))
    print_grid(grid("member system dev scale files", rows, right={2, 3, 4}))


def vote_on(translator: Translator, sentence: Given, candidates: int) -> Translation:
    """A sentence as all members vote on it."""
    (found,) = translator.translate(
        [sentence], threads=1, n_best=candidates, confidence=True, trees=translator.has_trees
    )
    return found


def show_vote(found: Translation, weights: Mapping[str, float], top: int, *, as_json: bool) -> None:
    """Who said what, how sure each word is and how far each member supports it."""
    if as_json:
        table: dict[str, Any] = found.table()
        table["candidates"] = [
            {"text": " ".join(one.words), "system": one.system, "score": one.score}
            for one in found.n_best[:top]
        ]
        table["weights"] = dict(weights)
        typer.echo(json.dumps(table, ensure_ascii=False))
        return
    say(" ".join(found.source))
    say(found.text)
    if found.system:
        say(f"said by {found.system}")
    names = list(found.support)
    rows = [
        (word, f"{sure:.2f}", *(f"{found.support[name][place]:.2f}" for name in names))
        for place, (word, sure) in enumerate(zip(found.words, found.confidence or (), strict=True))
    ]
    print_grid(grid(" ".join(["word confidence", *names]), rows, right=_after(1, names)))
    rows = [(f"{one.score:.3f}", one.system, " ".join(one.words)) for one in found.n_best[:top]]
    print_grid(grid("score system candidate", rows, right={0}))
    if found.words and (found.tree is not None or found.heads is not None):
        typer.echo("")
        typer.echo(draw(found.sentence().tree(), get_terminal_size().columns))
    rows = [
        (name, f"{value:.3f}", f"{weights[name]:g}", f"{value * weights[name]:.3f}")
        for name, value in found.features.items()
    ]
    total = ("score", "", "", f"{found.score:.3f}")
    print_grid(grid("feature value weight product", [*rows, total], right={1, 2, 3}))
    if found.flags:
        say(f"flags: {', '.join(sorted(found.flags))}")


def _after(start: int, names: Sequence[str]) -> set[int]:
    return set(range(start, start + 1 + len(names)))
