"""Dependency syntax in statistical machine translation.

The command line (`headway --help`) is a thin layer over what is imported from here.
"""

from headway._core import Vocabulary
from headway.errors import (
    ConfigError,
    FormatError,
    HeadwayError,
    InputError,
    InternalError,
    ModelError,
    OutputError,
)
from headway.settings import Settings
from headway.systems import (
    Bundle,
    Corpus,
    Source,
    Translation,
    Translator,
    TreeSource,
    train,
    tune_system,
)
from headway.version import __version__

__all__ = [
    "Bundle",
    "ConfigError",
    "Corpus",
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
    "__version__",
    "train",
    "tune_system",
]
