"""Why a sentence is translated as it is."""

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from headway.arguments import named_arguments
from headway.printing import prints_briefly
from headway.show.picture import picture_scoped, picture_svg
from headway.systems.source import Given, Source
from headway.systems.translation import Segment, Translation
from headway.systems.translator import Translator
from headway.table import Rule, RuleTable


@prints_briefly
@dataclass(frozen=True)
class SpanOptions:
    """The best rules for a span of source words, by what they score on their own."""

    span: tuple[int, int]
    rules: tuple[Rule, ...]
    total: int
    """How many rules there are."""
    licensed: bool | None = None
    """Whether a source tree licenses the span as a phrase; None where no tree is used."""


@prints_briefly
@dataclass(frozen=True)
class Explanation:
    """A translation with what there was to choose from."""

    translation: Translation
    options: tuple[SpanOptions, ...]
    features: tuple[tuple[str, float, float], ...]
    """Name, value and weight."""
    nodes: int
    edges: int
    """How much search kept."""
    rules: tuple[Rule | None, ...] = ()
    """The rules of the derivation, where they have slots or trees; None for unknown words."""

    def _repr_html_(self) -> str:
        """The picture that notebooks show."""
        from headway.systems.picture import picture_of  # noqa: PLC0415  it uses explanations

        return picture_scoped(picture_of(self))

    def _repr_svg_(self) -> str:
        from headway.systems.picture import picture_of  # noqa: PLC0415  it uses explanations

        return picture_svg(picture_of(self))

    def table(self) -> dict[str, Any]:
        """As nested dictionaries, for JSON."""
        return {
            **self.translation.table(),
            "options": [asdict(option) for option in self.options],
            "weights": {name: weight for name, _, weight in self.features},
            "forest": {"nodes": self.nodes, "edges": self.edges},
        }


@named_arguments
def explain(
    translator: Translator, sentence: Given, *, top: int = 3, n_best: int = 0
) -> Explanation:
    """Translates one sentence and tells what the system looked at.

    `top` is how many rules are listed for each span; `n_best` different candidates come with it.
    """
    (translation,) = translator.translate(
        [sentence],
        threads=1,
        forests=True,
        trees=translator.has_trees,
        n_best=n_best,
        distinct=n_best > 0,
    )
    weights = translator.weights
    features = tuple((name, value, weights[name]) for name, value in translation.features.items())
    table = RuleTable.open(translator.bundle.path("rules"))
    given = Source(translation.source, translation.source_trees)
    licensed = translator.licensed(given) if translation.source_trees else None
    options = _options(table, translation.read, weights_of(table, translator), top, licensed)
    forest = translation.forest
    sizes = (0, 0) if forest is None else (len(forest.nodes), len(forest))
    rules = tuple(rule_of(table, segment) for segment in translation.segments)
    return Explanation(translation, options, features, *sizes, rules)


def rule_of(table: RuleTable, segment: Segment) -> Rule | None:
    """The rule that made a segment, if the table has it."""
    if segment.rule is None or segment.place is None:
        return None
    source = segment.rule[0].replace("[X1]", "[X]").replace("[X2]", "[X]")
    return table.options(source)[segment.place]


def weights_of(table: RuleTable, translator: Translator) -> dict[str, float]:
    """Search's weights of what a rule scores on its own: reordering depends on its neighbours."""
    names = [name for name in table.features if not name.startswith("reordering.")]
    return {name: translator.search_weights[name] for name in names}


def _options(
    table: RuleTable,
    words: Sequence[str],
    weights: dict[str, float],
    top: int,
    licensed: Collection[tuple[int, int]] | None,
) -> tuple[SpanOptions, ...]:
    found = []
    for start, end, total in table.spans(" ".join(words)):
        rules = table.options(" ".join(words[start:end]), weights=weights, top=top)
        allowed = None if licensed is None else (start, end) in licensed
        found.append(SpanOptions((start, end), tuple(rules), total, allowed))
    return tuple(found)
