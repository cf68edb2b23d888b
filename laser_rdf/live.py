"""What a run says while it runs, on standard error: a live line on a terminal, log lines elsewhere.

A thread of its own looks at the figures of the run a few times per second; the run itself does nothing for
it. Notices and the live line share the screen.
"""

from __future__ import annotations

import contextlib
import re
import shutil
import sys
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, TextIO

from laser_rdf.errors import display_width, escape_control
from laser_rdf.terminal import to_json

if TYPE_CHECKING:
    from laser_rdf.pipeline import Summary
    from laser_rdf.values import Clock

REFRESH = 0.25
NOTICES = 3
"""How many notices of one kind are shown; the rest are counted."""

_FAR = 86_400.0
_YEAR_MS = 365 * 86_400_000
_NUMBER = re.compile(r"\d+")


class Screen:
    """Standard error: lines that stay, and below them one that is rewritten.

    >>> import io
    >>> out = io.StringIO()
    >>> screen = Screen(out)
    >>> for time in range(5): screen.notice(f"inconsistent at {time}: cax-dw: <urn:a> a <urn:C>")
    >>> screen.left_out()
    >>> print(out.getvalue().splitlines()[-1])
    laser-rdf: and 2 more of this kind: inconsistent at …: cax-dw
    """

    def __init__(self, file: TextIO | None = None, *, json: bool = False, quiet: bool = False) -> None:
        self._file = file
        self._json = json
        self._quiet = quiet
        self._lock = threading.RLock()
        self._line = False
        self._noticed: dict[str, int] = {}

    def error(self, text: str, message: str) -> None:
        """Something that a person must read, however quiet it is to be."""
        self.say("error", text, {"message": message})

    def notice(self, text: str) -> None:
        """Something to know; the first few of a kind are shown."""
        head, *rest = text.split(": ", 2)[:2]
        kind = ": ".join([_NUMBER.sub("…", head), *rest])
        count = self._noticed[kind] = self._noticed.get(kind, 0) + 1
        if count <= NOTICES and not self._quiet:
            self.say("notice", f"laser-rdf: {escape_control(text)}", {"message": text})

    def left_out(self) -> None:
        """Say how many notices were not shown."""
        for kind, count in self._noticed.items():
            if count > NOTICES and not self._quiet:
                text = f"and {count - NOTICES:,} more of this kind: {kind}"
                self.say("notice", f"laser-rdf: {escape_control(text)}", {"message": text})

    def say(self, event: str, text: str, details: dict[str, object]) -> None:
        """A line that stays: text for people, an object for machines."""
        shown = to_json({"event": event, **details}) if self._json else text
        with self._lock:
            self.clear()
            self._write(shown + "\n")

    def rewrite(self, text: str) -> None:
        """The line that is rewritten."""
        width = shutil.get_terminal_size().columns - 1
        while display_width(text) > width:
            text = text[:-1]
        with self._lock:
            self._write(f"\r{text}\x1b[K")
            self._line = True

    def clear(self) -> None:
        """Take the rewritten line away."""
        with self._lock:
            if self._line:
                self._write("\r\x1b[K")
                self._line = False

    def _write(self, text: str) -> None:
        file = sys.stderr if self._file is None else self._file
        if file is not None:
            with contextlib.suppress(OSError, ValueError):  # nobody reads it: the run matters more
                file.write(text)
                file.flush()


class Live:
    """Shows how a run goes on, from `with` to its end; every `seconds` a line."""

    def __init__(
        self,
        screen: Screen,
        summary: Callable[[], Summary],
        clock: Clock,
        *,
        rewritten: bool,
        seconds: float,
        stopping: Callable[[], bool] = lambda: False,
    ) -> None:
        self._screen = screen
        self._summary = summary
        self._clock = clock
        self._rewritten = rewritten
        self._seconds = REFRESH if rewritten else seconds
        self._stopping = stopping
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._go, name="live", daemon=True)
        self._elements = 0
        self._at = time.monotonic()
        self._rate: float | None = None

    def __enter__(self) -> Live:
        if self._seconds > 0:
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()
        self._screen.clear()

    def _go(self) -> None:
        while not self._over.wait(self._seconds):
            try:
                summary = self._summary()
                figures = self.figures(summary)
            except RuntimeError:  # a table of the run changed under our eyes: the next look will do
                continue
            if self._rewritten:
                self._screen.rewrite(in_words(figures))
            else:
                self._screen.say("progress", f"laser-rdf: {in_words(figures)}", figures)

    def figures(self, summary: Summary) -> dict[str, object]:
        """What is shown, for machines."""
        counts, now = summary.counts, time.monotonic()
        elements = counts.all_elements
        passed = max(now - self._at, 1e-6)
        rate = (elements - self._elements) / passed
        # Four times per second a rate is restless: it follows slowly.
        if self._rewritten and self._rate is not None:
            rate = 0.8 * self._rate + 0.2 * rate
        self._elements, self._at, self._rate = elements, now, rate
        found: dict[str, object] = {
            "seconds": round(summary.seconds, 1),
            "time": counts.time,
            "timestamp": timestamp_of(counts.time, self._clock),
            "elements": elements,
            "elements_per_second": round(rate),
            "facts": sum(summary.held.values()),
            "answers": counts.all_answers,
            "lag": lag_of(counts.time, self._clock, time.time()),
        }
        if self._stopping():
            found["stopping"] = True
        return found


def in_words(figures: dict[str, object]) -> str:
    """The figures as a line.

    >>> in_words({"seconds": 3.2, "time": 36, "elements": 1234, "elements_per_second": 400, "facts": 7,
    ...     "answers": 5, "lag": 0.5})
    '3 s · time 36 · 1,234 elements (400/s) · 7 facts · 5 answers · lag 0.5 s'
    """
    when = figures.get("timestamp") or figures["time"]
    parts = [
        f"{figures['seconds']:.0f} s",
        "no input yet" if when is None else f"time {when}",
        f"{figures['elements']:,} elements ({figures['elements_per_second']:,}/s)",
        f"{figures['facts']:,} facts",
        f"{figures['answers']:,} answers",
    ]
    if figures.get("lag") is not None:
        parts.append(f"lag {figures['lag']:.1f} s")
    if figures.get("stopping"):
        parts.insert(0, "stopping")
    return " · ".join(parts)


def timestamp_of(time_point: int | None, clock: Clock) -> str | None:
    """The dateTime of a time point; None if time points are plain numbers, as far as one can tell.

    >>> from laser_rdf.values import Clock
    >>> timestamp_of(1_406_851_200, Clock()), timestamp_of(36, Clock())
    ('2014-08-01T00:00:00Z', None)
    """
    if time_point is None or clock.origin_ms + time_point * clock.unit_ms < _YEAR_MS:
        return None
    from laser_rdf.values import NoValue

    try:
        return clock.timestamp(time_point).lexical
    except NoValue:
        return None


def lag_of(time_point: int | None, clock: Clock, now: float) -> float | None:
    """How many seconds the stream is behind the wall clock; None if it is not a stream of today.

    >>> from laser_rdf.values import Clock
    >>> lag_of(1_406_851_200, Clock(), 1_406_851_203.5), lag_of(36, Clock(), 1_406_851_200.0)
    (3.5, None)
    """
    if time_point is None:
        return None
    lag = now - (clock.origin_ms + time_point * clock.unit_ms) / 1000
    return round(lag, 3) if abs(lag) < _FAR else None
