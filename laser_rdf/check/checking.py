"""All properties of a program, checked one after the other and reported together.

Program  →  drafts, dependencies, flows  →  passes  →  CheckedProgram, or a ProgramError
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from laser_rdf.check.arithmetic import values_are_finite
from laser_rdf.check.arities import one_arity
from laser_rdf.check.assignments import assigned_once
from laser_rdf.check.background import background_has_no_time
from laser_rdf.check.blocks import blocks_read_input
from laser_rdf.check.built_ins import built_ins_stay
from laser_rdf.check.calls import known_functions
from laser_rdf.check.checked import CheckedProgram, Predicate
from laser_rdf.check.context import Context, context_of
from laser_rdf.check.fresh import fresh_resources_end
from laser_rdf.check.history import history_is_bounded
from laser_rdf.check.lower import lower
from laser_rdf.check.safety import safe
from laser_rdf.check.shows import shown_is_derived
from laser_rdf.check.singletons import used_more_than_once
from laser_rdf.check.strata import stratified
from laser_rdf.check.streams import streams_are_given
from laser_rdf.check.time_bound import time_is_bounded
from laser_rdf.check.undefined import predicates_are_given
from laser_rdf.check.windows import sensible_windows
from laser_rdf.errors import Diagnostic, ProgramError, Severity
from laser_rdf.lang.ast import Program
from laser_rdf.values import DEFAULT_FUNCTIONS, Clock, FunctionTable

Pass = Callable[[Context], Iterator[Diagnostic]]

PASSES: tuple[Pass, ...] = (
    safe,
    assigned_once,
    one_arity,
    built_ins_stay,
    known_functions,
    sensible_windows,
    blocks_read_input,
    stratified,
    fresh_resources_end,
    time_is_bounded,
    values_are_finite,
    predicates_are_given,
    background_has_no_time,
    history_is_bounded,
    used_more_than_once,
    shown_is_derived,
    streams_are_given,
)

SECONDS = Clock()


def check(
    program: Program,
    *,
    clock: Clock = SECONDS,
    functions: FunctionTable = DEFAULT_FUNCTIONS,
    inputs: Collection[Predicate] | None = None,
    background: Collection[Predicate] = (),
    streams: Collection[str] | None = None,
) -> CheckedProgram:
    """The program ready to be evaluated; a ProgramError with every problem if it has an error.

    `inputs` are the predicates that will be streamed and `streams` the names of the streams, when they are
    known; `background` are the predicates of atoms that hold at every time point, besides the program's own.

    >>> program = Program.parse("#external p/2 . q(X) :- p(X, _) in [1 min], not r(X). r(X) :- p(X, X).")
    >>> [[rule.head[0].predicate.name for rule in stratum] for stratum in check(program).strata]
    [['urn:laser:local:r'], ['urn:laser:local:q']]
    """
    context = context_of(program, clock, functions, inputs, background, streams)
    found = _run(context)
    if any(diagnostic.severity is Severity.ERROR for diagnostic in found):
        raise ProgramError(program.source, found)
    return lower(context, found)


def diagnose(
    program: Program,
    *,
    clock: Clock = SECONDS,
    functions: FunctionTable = DEFAULT_FUNCTIONS,
    inputs: Collection[Predicate] | None = None,
    background: Collection[Predicate] = (),
    streams: Collection[str] | None = None,
) -> tuple[Diagnostic, ...]:
    """Every error and warning of a program, in the order of the text.

    >>> [d.code for d in diagnose(Program.parse("q(X, Y) :- not p(X)."))]
    ['E101', 'W201', 'E102']
    """
    return _run(context_of(program, clock, functions, inputs, background, streams))


def _run(context: Context) -> tuple[Diagnostic, ...]:
    found = {diagnostic for each in PASSES for diagnostic in each(context)}
    return tuple(sorted(found, key=lambda d: (d.span.line, d.span.column, d.code, d.message)))
