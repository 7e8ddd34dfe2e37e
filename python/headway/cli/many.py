"""Options that take several values: `-i a b c` is `-i a -i b -i c`."""

from collections.abc import Iterable, Iterator
from typing import Any

from typer.core import TyperCommand


class ManyValues(TyperCommand):
    """A command whose repeatable options each take all values that follow.

    Only where it has no positional arguments: those could not be told from further values.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parses the command line after spreading its repeatable options."""
        if not any(param.param_type_name == "argument" for param in self.params):
            args = list(spread(args, self._repeatable()))
        return super().parse_args(ctx, args)

    def _repeatable(self) -> set[str]:
        options = [param for param in self.params if getattr(param, "multiple", False)]
        return {name for option in options for name in option.opts}


def spread(args: Iterable[str], repeatable: set[str]) -> Iterator[str]:
    """Names a repeatable option again before each of its further values."""
    option, values = "", 0
    for argument in args:
        if argument.startswith("-") and argument != "-":
            option, values = argument if argument in repeatable else "", 0
        elif option:
            values += 1
            if values > 1:
                yield option
        yield argument
