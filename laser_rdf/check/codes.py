"""Every problem the checker can report: its stable code and what it is about.

Codes are never given a second meaning. `E…` stops a program, `W…` does not.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from laser_rdf.errors import Diagnostic, Severity, Span

CODES: Mapping[str, str] = MappingProxyType(
    {
        "E101": "a variable of the head is not bound by the body",
        "E102": "a variable of a negated literal is not bound",
        "E103": "a variable of a comparison or an assignment is not bound",
        "E104": "a variable of an aggregate is not bound: a group outside it, or a tuple member inside it",
        "E105": "a variable of an `at` is not bound",
        "E106": "a variable of a `from` is not bound",
        "E107": "`_` in a head",
        "E110": "recursion through negation",
        "E111": "recursion through an aggregate",
        "E112": "recursion through a fresh resource of a head",
        "E113": "recursion that moves `at` forward without bound",
        "E120": "a tuple or partition window over a predicate that rules derive",
        "E121": "a `per` variable that is not in the atom",
        "E122": "a `per` variable that is in the atom more than once",
        "E123": "`always` over a window that looks ahead",
        "E124": "a step larger than its window",
        "E125": "a window size that is not a whole number of time points",
        "E126": "a count or a step of zero",
        "E127": "a partition window over a block",
        "E128": "a window size or count that is too large",
        "E130": "a local predicate used with several numbers of arguments",
        "E131": "a block of a body mentions a predicate that rules derive",
        "E132": "an unknown function",
        "E133": "a function called with the wrong number of arguments",
        "E134": "a head defines something built in",
        "E135": "a variable assigned twice, or assigned although an atom binds it",
        "W201": "a local predicate that nothing gives",
        "W202": "`at` with an unbound variable over a predicate that has facts",
        "W203": "a window or `at` that keeps the whole history of an input predicate",
        "W204": "a variable used once",
        "W205": "recursion through arithmetic or a function",
        "W206": "`#show` of a predicate that no rule derives",
        "W207": "`on` a stream that is not there, or over a predicate that comes on no stream",
    }
)


def problem(code: str, message: str, span: Span, note: str) -> Diagnostic:
    """A diagnostic whose severity is that of its code.

    >>> problem("W204", "`X` is used once", Span(1, 3, 1, 4), "write `_`").severity
    <Severity.WARNING: 'warning'>
    """
    assert code in CODES, code
    severity = Severity.WARNING if code.startswith("W") else Severity.ERROR
    return Diagnostic(code, message, span, note, severity)
