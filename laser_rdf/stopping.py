"""Signals that end a run: the first ends it well, the second at once.

Before anything has been read there is nothing to end well, so that the first ends it at once, too.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")


class Stopping:
    """Within its `with`, signals call `stop`; `number` is the one that came.

    >>> calls = []
    >>> with Stopping(lambda: calls.append("stop")) as stopping:
    ...     stopping.running = True
    ...     signal.raise_signal(signal.SIGTERM)
    >>> calls, stopping.name, stopping.exit_code
    (['stop'], 'SIGTERM', 143)
    """

    def __init__(self, stop: Callable[[], None]) -> None:
        self.number: int | None = None
        self.running = False
        self._stop = stop
        self._before: dict[int, Any] = {}

    @property
    def name(self) -> str | None:
        """What the signal is called."""
        return None if self.number is None else signal.Signals(self.number).name

    @property
    def exit_code(self) -> int:
        """What a shell would say about a process that the signal has ended."""
        return 0 if self.number is None else 128 + self.number

    def __enter__(self) -> Stopping:
        if threading.current_thread() is threading.main_thread():
            for name in _NAMES:
                number = getattr(signal, name, None)
                # What the caller has told the process to ignore (nohup) stays ignored.
                if number is not None and signal.getsignal(number) not in (signal.SIG_IGN, None):
                    self._before[number] = signal.signal(number, self._came)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, before in self._before.items():
            signal.signal(number, before)

    def _came(self, number: int, frame: FrameType | None) -> None:
        if self.number is not None:
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)
        self.number = number
        if not self.running:
            raise KeyboardInterrupt
        self._stop()
