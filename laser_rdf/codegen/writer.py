"""Generated source: numbered names, constants behind a table, lines at their indentation.

Nothing of a user's program becomes source text: variables are `v0`, `v1`, …; relations, constants, functions
and rule texts are reached through numbers. What a comment quotes is escaped to printable ASCII first.
"""

from __future__ import annotations

from typing import Any


class Constants:
    """Values the generated code refers to as `k0`, `k1`, …"""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._numbers: dict[Any, int] = {}

    def name(self, value: Any) -> str:
        """The name of a value; equal values of one type share one."""
        key = (type(value), value)
        if key not in self._numbers:
            self._numbers[key] = len(self.values)
            self.values.append(value)
        return f"k{self._numbers[key]}"


class Lines:
    """Source lines under construction."""

    def __init__(self) -> None:
        self._lines: list[str] = []

    def add(self, indent: int, text: str) -> None:
        """One line."""
        self._lines.append("    " * indent + text)

    def extend(self, other: Lines) -> None:
        """All lines of another piece."""
        self._lines.extend(other._lines)

    def __str__(self) -> str:
        return "\n".join(self._lines) + "\n"


def comment(text: str) -> str:
    r"""Text for a comment line: one line, printable ASCII, not too long.

    >>> comment("p(\u2713)\nimport os")
    'p(\\u2713)\\nimport os'
    """
    safe = text.replace("←", "<-").encode("unicode_escape").decode("ascii")
    return safe if len(safe) <= 200 else safe[:197] + "..."
