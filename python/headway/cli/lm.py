"""`headway lm …`: the group that the language model commands join."""

import typer

from headway.cli.frame import app

group = typer.Typer(
    help="n-gram language models: train, query, look inside, sample.",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(group, name="lm")
