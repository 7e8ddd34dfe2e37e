"""`headway lm …`: the group that the language model commands join."""

from headway.cli.frame import add_group

group = add_group("lm", "Train, query and mix language models.")
