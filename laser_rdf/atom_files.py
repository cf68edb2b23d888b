"""The program, streams and background that `eval` and `explain` are given."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Collection, Iterator

from laser_rdf.check import CheckedProgram, GroundAtom, Predicate, canonical_ground, check, diagnose
from laser_rdf.lang.ast import Program
from laser_rdf.lang.atoms import AtomReader, RawAtom
from laser_rdf.terminal import read_lines, read_once, read_program
from laser_rdf.values import Clock


class AtomFiles:
    """The program, streams and background that a command names."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.named = [named_stream(given) for given in options.stream]
        read_once([options.file, *(path for _, path in self.named), *options.background])
        self.program = read_program(options.file)
        self.background = [
            self._ground(atom)
            for path in options.background
            for atom in self.reader(path).background(read_lines(path))
        ]
        self._arrived: set[Predicate] = set()

    def reader(self, path: str) -> AtomReader:
        """A reader with the program's prefixes."""
        prefixes = {prefix.name: prefix.iri for prefix in self.program.prefixes}
        return AtomReader(path, prefixes, self.program.base)

    def checked(self) -> CheckedProgram:
        """The checked program; what never arrives is known only at the end."""
        return checked_program(
            self.program,
            self.options,
            background={atom.predicate for atom in self.background},
            streams={name for name, _ in self.named if name is not None},
            without=("W201",),
        )

    def streams(self) -> list[tuple[str | None, Iterator[tuple[int, list[GroundAtom]]]]]:
        """The streams with their names, read as they are needed."""
        return [(name, self._stream(path)) for name, path in self.named]

    def _stream(self, path: str) -> Iterator[tuple[int, list[GroundAtom]]]:
        for time, raw in self.reader(path).stream(read_lines(path)):
            atoms = [self._ground(atom) for atom in raw]
            self._arrived.update(atom.predicate for atom in atoms)
            yield time, atoms

    def _ground(self, atom: RawAtom) -> GroundAtom:
        return canonical_ground(*atom)

    def warn_about_missing(self) -> None:
        """Predicates that rules read and that nothing gave, now that everything has been read."""
        given = self._arrived | {atom.predicate for atom in self.background}
        for found in diagnose(self.program, clock=clock_of(self.options), inputs=given):
            if found.code == "W201":
                print(found.render(self.program.source), file=sys.stderr)


def checked_program(
    program: Program,
    options: argparse.Namespace,
    background: Collection[Predicate] = (),
    streams: Collection[str] | None = None,
    without: Collection[str] = (),
) -> CheckedProgram:
    """The checked program; its warnings go to the terminal, but for those of certain codes."""
    checked = check(program, clock=clock_of(options), background=background, streams=streams)
    for warning in checked.warnings:
        if warning.code not in without:
            print(warning.render(program.source), file=sys.stderr)
    return checked


def clock_of(options: argparse.Namespace) -> Clock:
    """The clock that `--clock` describes."""
    return Clock.parse(options.clock)


def named_stream(given: str) -> tuple[str | None, str]:
    """`traffic=traffic.txt` names the stream for `on traffic`; a plain path does not."""
    name, equals, path = given.partition("=")
    if equals and name and "/" not in name and not os.path.exists(given):
        return name, path
    return None, given
