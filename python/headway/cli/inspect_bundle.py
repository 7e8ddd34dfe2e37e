"""What `headway inspect` shows of a bundle, and of how it translates a sentence."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from shutil import get_terminal_size
from typing import Any

import msgspec
import typer
from rich.table import Table as Grid

from headway.cli.frame import Job
from headway.cli.grids import grid, print_grid, say
from headway.cli.inspect_combination import show_members, show_vote, vote_on
from headway.cli.inspect_picture import Drawn
from headway.cli.translate import warn_of_idle
from headway.systems import Bundle, Explanation, Manifest, Translator, explain
from headway.systems.effects import idle_search
from headway.systems.registry import find_system
from headway.systems.source import Given, SourceTrees
from headway.systems.spans import goes_on, note_of, own_source
from headway.systems.translation import Segment, Translation
from headway.table.show import titled_structure
from headway.trees import draw

_TOP = 3
_ALTERNATIVES = 10


def show_bundle(directory: Path, *, verify: bool, as_json: bool) -> None:
    """Components, sizes, settings and weights."""
    bundle = Bundle.open(directory, verify=verify)
    manifest = bundle.manifest
    if as_json:
        typer.echo(json.dumps(msgspec.to_builtins(manifest), ensure_ascii=False))
        return
    languages, how = manifest.languages, manifest.preprocessing
    say(f"{manifest.system}  {languages.source or '?'} → {languages.target or '?'}")
    text = f"tokenised, casing: {how.casing}" if how.tokenise else "taken as it is, tokenised"
    say(f"{'text':<12} {text}")
    for name, value in manifest.facts.items():
        if value != {}:
            say(f"{name.replace('_', ' '):<12} {_value(value)}")
    for name, place in manifest.features.items():
        say(f"{'feature':<12} {name}: a Python function{f', {place}' if place else ''}")
    print_grid(grid("component file bytes", _components(bundle), right={2}))
    if manifest.members:
        show_members(manifest)
    print_grid(_weights(manifest))
    if not manifest.members:
        kinds = {component.kind for component in manifest.components.values()}
        idle = idle_search(find_system(manifest.system), kinds)
        own = manifest.search.items()
        rows = [(name, _value(value)) for name, value in own if name not in idle]
        print_grid(grid("search setting", rows, right=set()))
    if verify:
        say("all checksums agree")


def _weights(manifest: Manifest) -> Grid:
    """Those of search, and beside them those of the passes before and after it."""
    again = manifest.rescoring.weights if manifest.rescoring is not None else {}
    others = {"coarse": manifest.coarse, "rescoring": again}
    passes = {name: weights for name, weights in others.items() if weights}

    def cells(name: str, weight: float) -> Iterator[str]:
        yield f"{weight:g}"
        for weights in passes.values():
            yield f"{weights[name]:g}" if name in weights else ""

    rows = [(name, *cells(name, weight)) for name, weight in manifest.weights.items()]
    return grid(" ".join(["feature weight", *passes]), rows, right={1, 2, 3})


def _components(bundle: Bundle) -> list[tuple[str, ...]]:
    parts = bundle.manifest.components.items()
    rows = [(name, part.file, f"{part.size:,}") for name, part in parts]
    return [*rows, ("", "", f"{bundle.size:,}")]


def show_translation(
    job: Job,
    directory: Path,
    sentence: str,
    use: Mapping[str, Any],
    top: int | None,
    *,
    source_trees: Path | None,
    rescore: bool,
    as_json: bool,
    verify: bool,
    drawn: Drawn,
) -> None:
    """Options, the best derivation, features times weights, and the size of the forest."""
    translator = Translator.load(
        directory,
        **use,
        search=job.given.get("search", {}),
        rescore=rescore,
        verify=verify,
    )
    warn_of_idle(job, translator, rescore=rescore)
    given = _source(translator, sentence, source_trees)
    if translator.bundle.manifest.members:
        vote = vote_on(translator, given, max(top or _TOP, _ALTERNATIVES if drawn.html else 0))
        if drawn:
            drawn.write(vote, sentence, translator)
        show_vote(vote, translator.weights, top or _TOP, as_json=as_json)
        return
    found = explain(translator, given, top=top or _TOP, n_best=_ALTERNATIVES if drawn.html else 0)
    if drawn:
        drawn.write(found, sentence, translator)
    if as_json:
        typer.echo(json.dumps(found.table(), ensure_ascii=False))
        return
    say(" ".join(found.translation.source))
    say(found.translation.text)
    print_grid(_options(found))
    print_grid(_derivation(found))
    _source_trees(found.translation)
    _trees(found)
    print_grid(_features(found))
    say(f"forest: {found.nodes:,} nodes, {found.edges:,} edges")
    if found.translation.flags:
        say(f"flags: {', '.join(sorted(found.translation.flags))}")


def _source(translator: Translator, sentence: str, trees: Path | None) -> Given:
    """The sentence, with its tree if one is given."""
    if trees is None:
        return sentence
    reader = SourceTrees(trees)
    (found,) = reader.sources(translator.words([sentence]), 1, "SOURCE")
    reader.finish()
    return found


def _options(found: Explanation) -> Grid:
    rows: list[tuple[str, ...]] = []
    trees = any(option.licensed is not None for option in found.options)
    for option in found.options:
        side = " ".join(found.translation.read[slice(*option.span)])
        for number, rule in enumerate(option.rules):
            first = (_span(option.span), side) if number == 0 else ("", "")
            licensed = ("yes" if option.licensed else "no",) if number == 0 else ("",)
            known = licensed if trees else ()
            rows.append((*first, *known, rule.target_text, f"{rule.score or 0:.2f}"))
        left = option.total - len(option.rules)
        if left:
            rows.append(("", "", *([""] if trees else []), f"… {left:,} more", ""))
    headings = f"span source {'licensed ' if trees else ''}options score"
    return grid(headings, rows, right={4 if trees else 3})


def _derivation(found: Explanation) -> Grid:
    best = found.translation
    if best.steps:
        rows = list(_nested(best))
    else:
        rows = [_row(best, it, it.source, range(*it.source)) for it in best.segments]
    return grid("span source derivation note", rows, right=set())


def _nested(best: Translation) -> Iterator[tuple[str, ...]]:
    """A row for each step from the whole down, what fills slots or is put together indented.

    Parts that were put together one after the other in the same way stand side by side.
    """
    rest = [(best.steps[-1], 0, False)]
    while rest:
        step, depth, going_on = rest.pop()
        parts = [best.steps[part] for part in step.parts]
        if step.segment is not None:
            own = own_source(best.steps, step)
            yield _row(best, best.segments[step.segment], step.source, own, "  " * depth)
        elif not going_on:
            yield (_span(step.source), f"{'  ' * depth}{step.operation}", "", "")
        below = depth if going_on else depth + 1
        rest.extend((part, below, goes_on(step, part)) for part in reversed(parts))


def _row(
    best: Translation,
    segment: Segment,
    span: tuple[int, int],
    own: Iterable[int],
    indent: str = "",
) -> tuple[str, ...]:
    """A rule that covers a span; `own` are the places of the words that are not of its slots."""
    source = " ".join(best.source[slice(*segment.source)])
    target = " ".join(best.words[slice(*segment.target)])
    if segment.rule is not None:
        source, target = segment.rule
    return (_span(span), f"{indent}{source}", target, note_of(best, segment, own))


def _source_trees(best: Translation) -> None:
    """The trees of the source that search used, the weight of each where there are several."""
    several = len(best.source_trees) > 1
    for tree, weight in best.source_trees:
        typer.echo("")
        say(f"source tree, weight {weight:.3g}" if several else "source tree")
        typer.echo(draw(tree, get_terminal_size().columns))


def _trees(found: Explanation) -> None:
    """The little trees of the rules, then the tree of the whole, over phrases and over words."""
    best = found.translation
    width = get_terminal_size().columns
    if best.phrase_heads is not None and best.words:
        typer.echo("")
        say("tree over phrases")
        typer.echo(draw(best.phrase_tree(), width))
    if best.heads is None or not best.words:
        return
    for rule in found.rules:
        if rule is not None and rule.structure is not None:
            typer.echo("")
            typer.echo(titled_structure(rule, width))
    typer.echo("")
    if best.phrase_heads is not None:
        say("tree over words")
    typer.echo(draw(best.sentence().tree(), width))
    null = sum(head is None for head in best.heads)
    if null:
        say(f"{null} words are in no structure: they hang from the root, labelled null")


def _features(found: Explanation) -> Grid:
    rows = [
        (name, f"{value:.3f}", f"{weight:g}", f"{value * weight:.3f}")
        for name, value, weight in found.features
    ]
    total = ("score", "", "", f"{found.translation.score:.3f}")
    return grid("feature value weight product", [*rows, total], right={1, 2, 3})


def _span(span: tuple[int, int]) -> str:
    """`2` or `2–4`: words from the first to the last."""
    start, end = span
    return str(start) if end - start == 1 else f"{start}–{end - 1}"


def _value(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(map(_value, value))
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_value(inner)}" for key, inner in value.items())
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
