"""All commands of the program and what they take, for tests that leave none of them out."""

import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from headway import cli
from headway.cli.paths import Role, roles
from typer.main import get_command


@dataclass(frozen=True)
class Command:
    """A command, such as `lm train`."""

    name: str
    params: tuple[Any, ...]
    roles: dict[str, Role]

    def arguments(self, folder: Path, **given: object) -> list[str]:
        """A command line with everything that is required, and some options or arguments given.

        Inputs are files in the folder that have the names of their options, and are made here.
        """
        words = self.name.split()
        for param in self.params:
            if param.name in given:
                words += self._words(param, str(given[param.name]))
            elif param.required or self._reads(param):
                words += self._words(param, self._value(param, folder))
        return words

    def _reads(self, param: Any) -> bool:
        """Named so that it is read, not standard input, which can be read only once."""
        return self.roles.get(param.name) is Role.READ and str(param.default) == "-"

    def _value(self, param: Any, folder: Path) -> str:
        role = self.roles.get(param.name)
        if role is Role.READ:
            (folder / param.name).touch()
            return str(folder / param.name)
        if role is not None:
            return str(folder / "outputs" / param.name)
        return "1"

    @staticmethod
    def _words(param: Any, value: str) -> list[str]:
        values = ["1"] * (param.nargs - 1) + [value] if param.nargs > 1 else [value]
        return values if param.param_type_name == "argument" else [param.opts[0], *values]


class _All:
    @cached_property
    def commands(self) -> list[Command]:
        return list(_walk(get_command(cli.app)))


def _walk(group: Any, *names: str) -> Iterator[Command]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from _walk(command, *names, name)
        else:
            signature = inspect.signature(command.callback)
            named = roles(signature.parameters.values())
            yield Command(" ".join((*names, name)), tuple(command.params), named)


COMMANDS = _All().commands
