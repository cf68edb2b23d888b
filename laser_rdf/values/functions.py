"""The functions a program can call: the built-in ones, and those registered from Python.

Every function is called as `function.call(args, clock)` and returns a term or raises `NoValue`; most do not
look at the clock. The number of arguments is checked when the program is, by `accepts`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from laser_rdf.errors import UsageError, escape_control
from laser_rdf.values import functions_number as number
from laser_rdf.values import functions_sparql as sparql
from laser_rdf.values import functions_text as text
from laser_rdf.values import functions_time as time
from laser_rdf.values.clock import Clock
from laser_rdf.values.native import from_term, to_term
from laser_rdf.values.numbers import NoValue
from laser_rdf.values.terms import Term

_NAME = re.compile(r"[^\W\d_A-Z]\w*")  # NAME of the grammar: what begins with a capital is a variable


@dataclass(frozen=True, slots=True)
class Function:
    """A function of terms; `max_args` None means any number from `min_args` on.

    >>> BUILTINS["regex"].accepts(2), BUILTINS["regex"].accepts(4)
    (True, False)
    """

    name: str
    call: Callable[[tuple[Term, ...], Clock], Term]
    min_args: int
    max_args: int | None
    returns_boolean: bool = False

    def accepts(self, count: int) -> bool:
        """Whether the function can be called with so many arguments."""
        return self.min_args <= count and (self.max_args is None or count <= self.max_args)


class FunctionTable(Mapping[str, Function]):
    """An immutable table of functions by name.

    >>> table = DEFAULT_FUNCTIONS.with_function("double", lambda x: 2 * x, 1)
    >>> table["double"].call((to_term(21),), Clock()).lexical
    '42'
    >>> "double" in DEFAULT_FUNCTIONS
    False
    """

    __slots__ = ("_functions",)

    def __init__(self, functions: Mapping[str, Function]) -> None:
        """A table of the functions given."""
        self._functions = MappingProxyType(dict(functions))

    def __getitem__(self, name: str) -> Function:
        """The function of a name."""
        return self._functions[name]

    def __iter__(self) -> Iterator[str]:
        """The names, built-in ones first."""
        return iter(self._functions)

    def __len__(self) -> int:
        """How many functions there are."""
        return len(self._functions)

    def with_function(
        self,
        name: str,
        fn: Callable[..., object],
        arity: int | None,
        *,
        returns_boolean: bool = False,
    ) -> FunctionTable:
        """The table with one more function, written in Python; an arity of None means any number.

        `fn` gets and returns Python values (see `to_term`). When it raises an exception, or returns what is
        no value of a program, the condition that calls it does not hold.
        """
        if not _NAME.fullmatch(name):
            raise UsageError(
                f"`{escape_control(name)}` cannot be called in a program: "
                "write a name that begins with a small letter"
            )
        if name in self:
            raise UsageError(f"there is a function `{name}` already: choose another name")
        if arity is not None and arity < 0:
            raise UsageError(f"`{name}` cannot take {arity} arguments")
        function = Function(name, _from_python(fn), arity or 0, arity, returns_boolean)
        return FunctionTable({**self, name: function})


def _from_python(fn: Callable[..., object]) -> Callable[[tuple[Term, ...], Clock], Term]:
    def call(args: tuple[Term, ...], _clock: Clock) -> Term:
        values = [from_term(arg) for arg in args]
        try:
            return to_term(fn(*values))
        except Exception as problem:  # it is not our code: anything but an interrupt means "no value"
            raise NoValue from problem

    return call


def _plain(
    name: str,
    fn: Callable[..., Term],
    min_args: int,
    max_args: int | None = -1,
    *,
    returns_boolean: bool = False,
) -> Function:
    """A built-in that does not look at the clock; it takes exactly `min_args` unless told otherwise."""

    def call(args: tuple[Term, ...], _clock: Clock) -> Term:
        return fn(*args)

    return Function(name, call, min_args, min_args if max_args == -1 else max_args, returns_boolean)


_ALL = (
    _plain("abs", number.absolute, 1),
    _plain("floor", number.floor, 1),
    _plain("ceil", number.ceil, 1),
    _plain("round", number.round_half_up, 1),
    _plain("sqrt", number.sqrt, 1),
    _plain("min", number.least, 2, None),
    _plain("max", number.greatest, 2, None),
    _plain("distance", number.distance, 4),
    _plain("str", text.text_of, 1),
    _plain("lang", text.language_of, 1),
    _plain("datatype", text.datatype_of, 1),
    _plain("strlen", text.length, 1),
    _plain("lcase", text.lower_case, 1),
    _plain("ucase", text.upper_case, 1),
    _plain("concat", text.concatenate, 1, None),
    _plain("contains", text.contains, 2, returns_boolean=True),
    _plain("strstarts", text.starts, 2, returns_boolean=True),
    _plain("strends", text.ends, 2, returns_boolean=True),
    _plain("regex", text.matches, 2, 3, returns_boolean=True),
    _plain("year", time.year, 1),
    _plain("month", time.month, 1),
    _plain("day", time.day, 1),
    _plain("hours", time.hours, 1),
    _plain("minutes", time.minutes, 1),
    _plain("seconds", time.seconds, 1),
    Function("timestamp", time.timestamp, 1, 1),
    Function("timepoint", time.timepoint, 1, 1),
    # What compiled event queries call; the long names are out of the way of a program's own.
    _plain("sparql_equal", sparql.equal, 2),
    _plain("sparql_less", sparql.less, 2),
    _plain("sparql_at_most", sparql.at_most, 2),
    _plain("sparql_in", sparql.among, 1, None),
    _plain("sparql_same_term", sparql.same_term, 2),
    _plain("sparql_true", sparql.truth, 1),
    _plain("sparql_not", sparql.opposite, 1),
    _plain("sparql_is_iri", sparql.is_iri, 1),
    _plain("sparql_is_blank", sparql.is_blank, 1),
    _plain("sparql_is_literal", sparql.is_literal, 1),
    _plain("sparql_is_numeric", sparql.is_numeric, 1),
    _plain("sparql_lang_matches", sparql.language_matches, 2),
    _plain("sparql_add", sparql.add, 2),
    _plain("sparql_subtract", sparql.subtract, 2),
    _plain("sparql_multiply", sparql.multiply, 2),
    _plain("sparql_divide", sparql.divide, 2),
    _plain("sparql_minus", sparql.negate, 1),
    _plain("sparql_number", sparql.stored, 1),
)

BUILTINS: Mapping[str, Function] = MappingProxyType({function.name: function for function in _ALL})

DEFAULT_FUNCTIONS = FunctionTable(BUILTINS)
