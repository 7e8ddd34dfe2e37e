"""An option that takes one value is given once, and `--set` gives a setting one value.

The parser would let the last one win, and what was given before would be lost without a word.
"""

from collections import Counter
from typing import Any

from headway.errors import ConfigError


class Once:
    """Commands and groups whose options, unless repeatable, are refused the second time."""

    def make_parser(self, ctx: Any) -> Any:
        """The parser, which also counts how often it saw each option."""
        parser = super().make_parser(ctx)  # type: ignore[misc]
        parse = parser.parse_args

        def parse_args(args: list[str]) -> Any:
            values, rest, order = parse(args=args)
            if not ctx.resilient_parsing:
                _check(order)
            return values, rest, order

        parser.parse_args = parse_args
        return parser


def _check(order: list[Any]) -> None:
    for param in order:
        single = param.param_type_name == "option" and not param.multiple and not param.is_eager
        if single and order.count(param) > 1:
            name = "/".join([*param.opts, *param.secondary_opts])
            raise ConfigError(f"{name} is given {order.count(param)} times; give it once")


def check_settings(overrides: list[str]) -> None:
    """Refuses two values for one setting."""
    names = Counter(one.partition("=")[0].strip() for one in overrides)
    for name, count in names.items():
        if count > 1:
            raise ConfigError(f"--set {name} is given {count} times; give it once")
