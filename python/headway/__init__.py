"""Dependency syntax in statistical machine translation.

The command line (`headway --help`) is a thin layer over what is imported from here.
"""

from headway import startup

startup.begin()  # before the imports that take long

from headway._core import Vocabulary  # noqa: E402
from headway.errors import (  # noqa: E402
    ConfigError,
    FormatError,
    HeadwayError,
    InputError,
    InternalError,
    ModelError,
    OutputError,
)
from headway.settings import Settings  # noqa: E402
from headway.systems import (  # noqa: E402
    Bundle,
    Corpus,
    Forced,
    Source,
    Translation,
    Translator,
    TreeSource,
    Wall,
    Zone,
    combine,
    train,
    train_ensemble,
    tune_system,
)
from headway.version import __version__  # noqa: E402

__all__ = [
    "Bundle",
    "ConfigError",
    "Corpus",
    "Forced",
    "FormatError",
    "HeadwayError",
    "InputError",
    "InternalError",
    "ModelError",
    "OutputError",
    "Settings",
    "Source",
    "Translation",
    "Translator",
    "TreeSource",
    "Vocabulary",
    "Wall",
    "Zone",
    "__version__",
    "combine",
    "train",
    "train_ensemble",
    "tune_system",
]
