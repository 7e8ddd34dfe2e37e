"""Features that are Python functions: named, found by `module:function`, and told apart.

A bundle keeps their names, their weights and where they are found, but no code: it never imports
what it names, as a model file of somebody else could then run anything. Who uses it gives them.
"""

import importlib
import inspect
import pickle
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from hashlib import blake2b
from pathlib import Path
from types import FunctionType
from typing import TypeAlias
from uuid import uuid4

from headway.errors import ConfigError
from headway.printing import short
from headway.table import Rule

RuleFeature: TypeAlias = Callable[[Rule], float]
"""A feature in Python: the value of a rule."""

FeatureLike: TypeAlias = RuleFeature | str
"""A function, or where it is: `module:function`."""

Features: TypeAlias = Mapping[str, FeatureLike] | Sequence[FeatureLike]
"""Features by name; in a list, each has the name of its function."""

_EXAMPLE = "such as mymodule:long_words"


def named_features(features: Features | None) -> dict[str, RuleFeature]:
    """Features by name, those given as `module:function` imported."""
    if features is None:
        return {}
    if isinstance(features, str) or not isinstance(features, Mapping | Sequence):
        found = type(features).__name__
        raise TypeError(f"features: expected a dictionary or a list of functions, found {found}")
    if isinstance(features, Mapping):
        return {_checked(name): _function(name, one) for name, one in features.items()}
    named: dict[str, RuleFeature] = {}
    for one in features:
        name, function = _named(one)
        if name in named:
            raise ConfigError(f"feature {name}: given twice; name one of them otherwise")
        named[name] = function
    return named


def parse_features(options: Sequence[str]) -> dict[str, RuleFeature]:
    """`[NAME=]MODULE:FUNCTION` of the command line; what they raise ends it in one line."""
    named: dict[str, RuleFeature] = {}
    for option in options:
        name, equals, place = option.rpartition("=")
        found = {name.strip(): place} if equals else [place]
        for given, function in named_features(found).items():
            if given in named:
                advice = f"write NAME={place} for another name"
                raise ConfigError(f"--features {option}: {given} is given twice; {advice}")
            named[given] = _guarded(given, function)
    return named


def reference(function: RuleFeature) -> str:
    """`module:function`, if it can be imported by that; else nothing."""
    inner = inspect.unwrap(function)
    module, name = getattr(inner, "__module__", None), getattr(inner, "__qualname__", "")
    if not module or module == "__main__" or not name:
        return ""
    found: object = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    return f"{module}:{name}" if found is not None and found in (inner, function) else ""


def references(features: Mapping[str, RuleFeature]) -> dict[str, str]:
    """Where the features are found, as bundles keep it; empty where nobody could import them."""
    return {name: reference(function) for name, function in features.items()}


def fingerprint(features: Mapping[str, RuleFeature]) -> dict[str, str]:
    """What tells the features from others, so that results with other ones are not reused.

    A function is identified by its place and the file it is in. Closures and objects may hold
    anything: they are never taken for the same.
    """
    return {name: _identity(inspect.unwrap(function)) for name, function in features.items()}


def remembered(features: Mapping[str, RuleFeature]) -> dict[str, RuleFeature]:
    """The features, each asked but once about a rule: tuning decodes the same text many times."""
    return {name: _memo(function) for name, function in features.items()}


def check_pickles(name: str, function: RuleFeature) -> None:
    """Raises unless the function can be sent to another process: it is found there by its name."""
    try:
        pickle.dumps(function)
    except (pickle.PicklingError, AttributeError, TypeError):
        message = f"feature {name}: {short(function)} cannot be pickled"
        advice = "define it with `def` at the top of a module"
        raise pickle.PicklingError(f"{message}; {advice}") from None


def missing(name: str, place: str) -> str:
    """What to do about a feature that a bundle has and nobody gave."""
    why = f"the feature {name} is a Python function"
    if not place:
        return f'{why}; give it with features={{"{name}": …}} or --features {name}=MODULE:FUNCTION'
    same = place.rpartition(":")[2] == name
    return f"{why}; give it with --features {place if same else f'{name}={place}'}"


def _named(one: FeatureLike) -> tuple[str, RuleFeature]:
    if isinstance(one, str):
        return _checked(one.rpartition(":")[2].strip()), _imported(one)
    name = getattr(one, "__name__", "")
    if not callable(one) or name in ("", "<lambda>"):
        raise ConfigError(f"feature {one!r}: has no name; give features={{name: function}}")
    return name, one


def _checked(name: str) -> str:
    if not isinstance(name, str) or not name or any(c.isspace() or c in "=:" for c in name):
        advice = "a name has no spaces, = or :"
        raise ConfigError(f"feature {name!r}: cannot be named so; {advice}")
    return name


def _function(name: str, one: FeatureLike) -> RuleFeature:
    if isinstance(one, str):
        return _imported(one)
    if not callable(one):
        found = type(one).__name__
        raise TypeError(f"features: {name}: expected a function of a rule, found {found}")
    return one


def _imported(place: str) -> RuleFeature:
    """The function at `module:function`; modules of the working directory are found too."""
    module, colon, name = (part.strip() for part in place.rpartition(":"))
    if not colon or not name or not all(part.isidentifier() for part in module.split(".")):
        raise ConfigError(f"feature {place}: expected MODULE:FUNCTION, {_EXAMPLE}")
    found: object = _module(module, place)
    for part in name.split("."):
        found = getattr(found, part, None)
    if not callable(found):
        where = getattr(sys.modules[module], "__file__", None) or module
        raise ConfigError(f"feature {place}: {where} has no function {name}")
    return found


def _module(name: str, place: str) -> object:
    here = str(Path.cwd())
    sys.path.append(here)  # behind all others: a file here takes no library's place
    importlib.invalidate_caches()
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise ConfigError(f"feature {place}: {_what(error)}") from error
        advice = f"is {name.replace('.', '/')}.py in the working directory or on PYTHONPATH?"
        raise ConfigError(f"feature {place}: there is no module {name}; {advice}") from None
    except Exception as error:  # a module of the user's may raise anything
        raise ConfigError(f"feature {place}: {_what(error)}") from error
    finally:
        sys.path.remove(here)


def _guarded(name: str, function: RuleFeature) -> RuleFeature:
    @wraps(function)
    def call(rule: Rule) -> float:
        try:
            return function(rule)
        except Exception as error:
            sides = f"{rule.source_text!r} → {rule.target_text!r}"
            raise ConfigError(f"feature {name}: {_what(error)}, for {sides}") from error

    return call


def _what(error: Exception) -> str:
    """`ZeroDivisionError: division by zero (features.py:3)`, in one line."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}{f': {text}' if text else ''}{where}"


def _memo(function: RuleFeature) -> RuleFeature:
    known: dict[object, float] = {}

    @wraps(function)
    def call(rule: Rule) -> float:
        key = (rule.source, rule.target, rule.structure)
        if key not in known:
            known[key] = function(rule)
        return known[key]

    return call


def _identity(function: RuleFeature) -> str:
    if not isinstance(function, FunctionType) or function.__closure__ or function.__defaults__:
        return uuid4().hex
    code = function.__code__
    place = f"{function.__module__}:{function.__qualname__}:{code.co_firstlineno}"
    try:
        text = Path(code.co_filename).read_bytes()
    except OSError:  # typed at a prompt
        text = code.co_code + repr(code.co_consts).encode()
    return f"{place}:{blake2b(text, digest_size=16).hexdigest()}"
