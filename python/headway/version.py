"""The version of the installed package, written down once, in Cargo.toml."""

from importlib.metadata import version

__version__ = version("headway")
