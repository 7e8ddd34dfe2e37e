"""The class of each kind of parser that the core trains."""

from headway import _core
from headway.parse.graph import GraphParser
from headway.parse.parser import TrainedParser
from headway.parse.pcfg import PcfgParser
from headway.parse.transition import TransitionParser
from headway.parse.unsupervised import DmvParser


def trained_parser(core: _core.TreeParser, language: str | None = None) -> TrainedParser:
    """A parser of the core as an object of its class."""
    match core:
        case _core.GraphParser():
            return GraphParser(core, language)
        case _core.TransitionParser():
            return TransitionParser(core, language)
        case _core.DmvParser():
            return DmvParser(core, language)
        case _core.PcfgParser():
            return PcfgParser(core, language)
        case _:
            raise TypeError(f"{type(core).__name__} is no kind of parser")
