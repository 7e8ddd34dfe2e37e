"""Translates the texts of a request, each with the model of its language."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from headway.markup import Format, Marked, translate_marked
from headway.progress import Progress
from headway.serve.asked import Asked
from headway.serve.detect import Detected
from headway.serve.loaded import LoadedModel
from headway.serve.pool import PooledTranslator, Ticket
from headway.serve.service import Service


@dataclass(frozen=True)
class Routed:
    """A text with the model that translates it."""

    text: str
    model: LoadedModel | None
    """None of a text that is in the target language already."""
    detected: Detected | None
    """Its language, if that had to be found out."""


@dataclass(frozen=True)
class Done:
    """A text with what became of it."""

    routed: Routed
    found: Marked


def route(service: Service, asked: Asked) -> list[Routed]:
    """Which model translates which text."""
    models = service.models
    if not asked.detects:
        model = models.find(asked.source, asked.target, asked.model)
        return [Routed(text, model, None) for text in asked.texts]
    sources = models.sources_for(asked.target)
    found = []
    for text in asked.texts:
        best, *_ = service.detector.detect(text, {*sources, asked.target})
        detected = best if best.confidence else Detected(sources[0], 0.0)
        same = detected.language == asked.target
        own = None if same else models.find(detected.language, asked.target, asked.model)
        found.append(Routed(text, own, detected))
    return found


Options = Callable[[LoadedModel], Mapping[str, Any]]
"""How a model is to translate: options of `Translator.translate`."""


def translate(
    service: Service, routed: Sequence[Routed], form: Format, ticket: Ticket, options: Options
) -> list[Done]:
    """All texts, in their order; those of one model together."""
    done: list[Done | None] = [None] * len(routed)
    for model in dict.fromkeys(one.model for one in routed):
        places = [place for place, one in enumerate(routed) if one.model is model]
        texts = [routed[place].text for place in places]
        if model is None:
            found = [Marked(text) for text in texts]
        else:
            found = translate_texts(service, model, texts, form, ticket, **options(model))
        for place, one in zip(places, found, strict=True):
            done[place] = Done(routed[place], one)
    return [one for one in done if one is not None]


def translate_texts(
    service: Service,
    model: LoadedModel,
    texts: Sequence[str],
    form: Format,
    ticket: Ticket,
    *,
    progress: Progress | None = None,
    **options: Any,
) -> list[Marked]:
    """Texts of one language; those without a letter or digit, such as emoji, stay as they are."""
    said = [text for text in texts if any(map(str.isalnum, text))]
    translator = PooledTranslator(model.translator, service.pool, ticket)
    found = iter(translate_marked(translator, said, format=form, progress=progress, **options))
    service.metrics.translated(model.name, sum(map(len, said)))
    return [next(found) if any(map(str.isalnum, text)) else Marked(text) for text in texts]
