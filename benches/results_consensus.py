"""What several systems reach together, and what each adds to the vote.

    make results-consensus
    python benches/results_consensus.py zhen phrase hiero seeds=1 work=DIR

Trains and tunes every member as results_systems.py does (in the same `work`, `target/results`
unless given, so that nothing is made twice), combines them on the dev set, and translates the test
set. For each seed the combination is compared with the member that is best on the dev set: BLEU
(`-tok none`), chrF and TER of the test set, with one sign per seed of a paired bootstrap. The
second table leaves each member out in turn: what the others reach without it, and so what it adds.
The last column is the expected calibration error of word confidences on the test set. Members,
corpora and `section.key=value` restrict or change the run; `table` prints what there is and no
more.
"""

import json
import shutil
import statistics
import sys
import time
from pathlib import Path

import results_systems as systems
from headway import Settings, Translator, combine
from headway.compare import signs
from headway.corpus import read_lines, write_lines
from headway.evaluate import SystemScores, evaluate, reliability, right_words
from results_phrase_defaults import Task

METRICS = ("bleu", "chrf", "ter")


def place_of(run: systems.Run, task: Task, members: list[str], seed: int) -> Path:
    """Where a combination, its translations (`.test`) and its figures (`.json`) are."""
    return run.directory(task) / "consensus" / f"{'+'.join(sorted(members))}.{seed}"


def combined(run: systems.Run, task: Task, members: list[str], seed: int) -> None:
    """Combines members and translates the test set, unless that was done."""
    place = place_of(run, task, members, seed)
    if place.with_suffix(f".{seed}.json").exists():
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    bundles = [tuned_copy(run, task, member, seed) for member in members]
    source, target = task.paths(task.dev)
    settings = Settings.load(None, [*run.overrides, f"run.seed={seed}"])
    began, cpu = time.perf_counter(), time.process_time()
    found = combine(
        *bundles,
        dev_source=source,
        dev_target=target,
        out=place,
        settings=settings,
        force=True,
        verify=False,
    )
    made = time.perf_counter() - began, time.process_time() - cpu
    test, reference = task.paths(task.test)
    lines, references = list(read_lines(test)), list(read_lines(reference))
    translator = Translator.load(place, verify=False)
    began, cpu = time.perf_counter(), time.process_time()
    answers = translator.translate(lines, confidence=True, threads=settings.run.threads)
    took = time.perf_counter() - began, time.process_time() - cpu
    pairs = [
        pair
        for answer, line in zip(answers, references, strict=True)
        for pair in zip(
            answer.confidence or (), right_words(answer.words, [line.split()]), strict=True
        )
    ]
    facts = {
        "members": found.members,
        "uniform": found.uniform,
        "dev": found.dev,
        "alone": found.alone,
        "error": reliability(pairs).error,
        "combining": made,
        "translating": took,
        "sentences": len(lines),
    }
    write_lines(place.with_suffix(f".{seed}.test"), [answer.text for answer in answers])
    place.with_suffix(f".{seed}.json").write_text(json.dumps(facts))
    print(
        f"{task.name} {'+'.join(members)} seed {seed}: dev {found.dev:.2f}, best member"
        f" {max(found.members.values()):.2f}, {made[1]:.0f} CPU s; test in {took[1]:.0f} CPU s",
        flush=True,
    )


def tuned_copy(run: systems.Run, task: Task, member: str, seed: int) -> Path:
    """A member as it was tuned with a seed, in a place of its own."""
    if not run.done(task, member, seed):
        systems.tuned(run, task, member, seed)
    place = run.directory(task) / "consensus" / f"{member}.{seed}.member"
    if not place.exists():
        shutil.copytree(systems.again(run, task, member, seed), place)
    return place


def facts_of(run: systems.Run, task: Task, members: list[str], seed: int) -> dict[str, object]:
    """What `combined` noted."""
    text = place_of(run, task, members, seed).with_suffix(f".{seed}.json").read_text()
    found: dict[str, object] = json.loads(text)
    return found


def scores(
    run: systems.Run, task: Task, groups: dict[str, list[str]], seed: int
) -> dict[str, SystemScores]:
    """Test scores of combinations, each against the member that is best on the dev set."""
    first = next(iter(groups.values()))
    members = facts_of(run, task, first, seed)["members"]
    assert isinstance(members, dict)
    best = max(members, key=lambda name: members[name])
    paths = {best: run.output(task, best, seed).with_suffix(f".{seed}.test")}
    paths |= {
        name: place_of(run, task, group, seed).with_suffix(f".{seed}.test")
        for name, group in groups.items()
    }
    lines = {name: list(read_lines(path)) for name, path in paths.items()}
    _, target = task.paths(task.test)
    found = evaluate(lines, [list(read_lines(target))], tokenise="none", metrics=METRICS)
    return {"best member": found.systems[0], **dict(zip(groups, found.systems[1:], strict=True))}


def table(run: systems.Run, task: Task, members: list[str]) -> list[str]:
    """All together, and without each in turn."""
    groups = {"all": members}
    if len(members) > 2:
        groups |= {f"without {one}": [it for it in members if it != one] for one in members}
    seeds = [
        seed
        for seed in run.seeds
        if all(
            place_of(run, task, group, seed).with_suffix(f".{seed}.json").exists()
            for group in groups.values()
        )
    ]
    if not seeds:
        return []
    by_seed = [scores(run, task, groups, seed) for seed in seeds]
    lines = [f"| **{task.name}**, {len(seeds)} seeds | | | | | |"]
    whole = statistics.mean(own["all"].scores["bleu"] for own in by_seed)
    for name in ("best member", *groups):
        cells = []
        for metric in METRICS:
            mean = statistics.mean(own[name].scores[metric] for own in by_seed)
            against = [own[name].against_first.get(metric) for own in by_seed]
            marks = signs(against, lower_is_better=metric == "ter")
            cells.append(f"{mean:.1f} {marks}".strip())
        mean = statistics.mean(own[name].scores["bleu"] for own in by_seed)
        adds = f"{whole - mean:+.2f}" if name != "all" else ""
        error = ""
        if name in groups:
            errors = [float(str(facts_of(run, task, groups[name], s)["error"])) for s in seeds]
            error = f"{statistics.mean(errors):.3f}"
        lines.append(f"| {name} | {' | '.join(cells)} | {adds} | {error} |")
    return lines


def main() -> None:
    run = systems.asked(sys.argv[1:])
    members = list(run.systems)
    for seed in run.seeds if "table" not in sys.argv[1:] else []:
        for task in run.tasks:
            combined(run, task, members, seed)
            for one in members if len(members) > 2 else []:
                combined(run, task, [it for it in members if it != one], seed)
    print("\n| | test BLEU | chrF | TER | all together gain | calibration error |")
    print("|---|---|---|---|---|---|")
    for task in run.tasks:
        print(*table(run, task, members), sep="\n", flush=True)


if __name__ == "__main__":
    main()
