"""The first pass of a system that parses lattices: another system, which is tuned first.

Gimpel & Smith (2011), Algorithms 1 and 2: the coarse search makes lattices with separate weights,
and the fine model, which has all of its features and more, is tuned over these lattices.
"""

import msgspec

from headway.settings import Settings
from headway.systems.bundle import Bundle, Manifest
from headway.systems.decoder import feature_names, system_of


def has_coarse(bundle: Bundle) -> bool:
    """Whether a coarse search comes before the bundle's own."""
    return bool(system_of(bundle).coarse)


def coarse_of(bundle: Bundle) -> Bundle:
    """The bundle as the system of its first pass, with the weights of that pass."""
    manifest = bundle.manifest
    plain = msgspec.structs.replace(manifest, system=system_of(bundle).coarse, rescoring=None)
    known = {**manifest.weights, **manifest.coarse}
    names = [*feature_names(Bundle(bundle.directory, plain)), *manifest.features]
    weights = {name: known.get(name, 0.0) for name in names}
    return Bundle(bundle.directory, msgspec.structs.replace(plain, weights=weights, coarse={}))


def with_coarse(bundle: Bundle, tuned: Manifest) -> Bundle:
    """The bundle with a tuned first pass, from whose weights its own are tuned."""
    manifest = bundle.manifest
    facts = {**manifest.facts, "coarse_tuning": tuned.facts.get("tuning", {})}
    found = msgspec.structs.replace(
        manifest,
        coarse=dict(tuned.weights),
        weights={**manifest.weights, **tuned.weights},
        search={**manifest.search, **tuned.search},
        facts=facts,
    )
    return Bundle(bundle.directory, found)


def after_coarse(settings: Settings) -> Settings:
    """Settings for tuning over lattices: search is what the first pass chose."""
    search = msgspec.structs.replace(settings.tune.search, distortion_limits=[])
    tune = msgspec.structs.replace(settings.tune, search=search)
    return msgspec.structs.replace(settings, tune=tune)
