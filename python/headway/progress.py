"""Progress of long work, on stderr, only when a person is looking.

Library functions that take long have a parameter `progress`: called now and then with what is
done and what is expected in all (0 if unknown). The command line passes a rich bar.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

Progress = Callable[[int, int], None]


@contextmanager
def progress_bar(label: str, console: Console) -> Iterator[Progress | None]:
    """A callback that draws a bar on `console`, gone when done; None where nobody looks."""
    if console.quiet or not console.is_terminal:
        yield None
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Bar(*columns, console=console, transient=True) as bar:
        task = bar.add_task(label, total=None)

        def advance(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total or None)

        yield advance
