"""A grid of box-drawing lines, and text in columns of a terminal."""

import unicodedata

from rich.cells import cell_len, set_cell_size

UP, DOWN, LEFT, RIGHT = 1, 2, 4, 8

_BOXES = {
    0: " ",
    UP: "│",
    DOWN: "│",
    UP | DOWN: "│",
    LEFT: "─",
    RIGHT: "─",
    LEFT | RIGHT: "─",
    DOWN | RIGHT: "╭",
    DOWN | LEFT: "╮",
    UP | RIGHT: "╰",
    UP | LEFT: "╯",
    UP | DOWN | RIGHT: "├",
    UP | DOWN | LEFT: "┤",
    DOWN | LEFT | RIGHT: "┬",
    UP | LEFT | RIGHT: "┴",
    UP | DOWN | LEFT | RIGHT: "┼",
}


class Canvas:
    """Lines that join where they end and bridge where they only cross."""

    def __init__(self, width: int, height: int) -> None:
        self._lines = [[0] * width for _ in range(height)]
        self._joined = [[False] * width for _ in range(height)]
        self._text: list[list[str | None]] = [[None] * width for _ in range(height)]

    def horizontal(self, row: int, start: int, end: int) -> None:
        """A line from one column to another."""
        self._end(row, start, RIGHT)
        self._end(row, end, LEFT)
        for column in range(start + 1, end):
            self._lines[row][column] |= LEFT | RIGHT

    def vertical(self, column: int, top: int, bottom: int) -> None:
        """A line from one row to another."""
        self._end(top, column, DOWN)
        self._end(bottom, column, UP)
        for row in range(top + 1, bottom):
            self._lines[row][column] |= UP | DOWN

    def _end(self, row: int, column: int, direction: int) -> None:
        self._lines[row][column] |= direction
        self._joined[row][column] = True

    def write(self, row: int, column: int, text: str) -> None:
        """Text over whatever is there."""
        for character in text:
            width = cell_len(character)
            if width == 0 and column > 0:  # a mark on the character before
                self._text[row][column - 1] = (self._text[row][column - 1] or "") + character
                continue
            self._text[row][column] = character
            for covered in range(column + 1, column + width):
                self._text[row][covered] = ""
            column += width

    def crosses(self, row: int, column: int) -> bool:
        """Whether a vertical line passes there."""
        return bool(self._lines[row][column] & (UP | DOWN))

    def rows(self) -> list[str]:
        """The picture, row by row, without spaces at the ends."""
        height, width = len(self._lines), len(self._lines[0]) if self._lines else 0
        cells = ([self._cell(row, column) for column in range(width)] for row in range(height))
        return ["".join(row).rstrip() for row in cells]

    def _cell(self, row: int, column: int) -> str:
        text, lines = self._text[row][column], self._lines[row][column]
        if text is not None:
            return text
        if lines == UP | DOWN | LEFT | RIGHT and not self._joined[row][column]:
            return "│"
        return _BOXES[lines]


def printable(text: str) -> str:
    """Text that cannot move the cursor: control characters become a replacement mark."""
    unsafe = {"Cc", "Cs", "Zl", "Zp"}
    return "".join("\ufffd" if unicodedata.category(c) in unsafe else c for c in text)


def width_of(text: str) -> int:
    """Columns that a text takes: two for a Chinese character, none for a combining one."""
    return cell_len(text)


def pad(text: str, width: int) -> str:
    """Text filled with spaces, or cut, to `width` columns."""
    if cell_len(text) > width > 0:
        return set_cell_size(text, width - 1) + "…"
    return text + " " * (width - cell_len(text))


def centre(text: str, width: int) -> str:
    """Text in the middle of `width` columns."""
    left = (width - cell_len(text)) // 2
    return pad(" " * left + text, width)
