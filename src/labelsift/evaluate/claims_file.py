"""Read claims about a comparison, and the tables that shall show them, from TOML."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from labelsift.evaluate._plan_check import Checker, did_you_mean, parsed, shown
from labelsift.evaluate.claims import TESTS, Claim, is_known
from labelsift.evaluate.method_curves import matching
from labelsift.evaluate.metrics import METRICS
from labelsift.evaluate.plan import Plan
from labelsift.read.errors import ReadError

KINDS = ("curves", "best", "time", "only", "kept", "budget", "ranks", "sweep")
_HEAD = re.compile(r"\s*\[\[\s*(claims|tables)\s*\]\]")
_KEY = re.compile(r"\s*([A-Za-z_]\w*)\s*=")
_LISTS = ("first", "second", "metrics", "classifiers", "data")
_NUMBERS = ("by", "within", "at_least", "at_most", "price", "expected")
_FLAGS = ("mean_of_classifiers", "mean_of_data")
_MOST_BYTES = 1_000_000


@dataclass(frozen=True)
class ResultTable:
    """A table, and where it has one a figure, that a report shall show.

    Parameters
    ----------
    title : str
        Its heading.
    kind : str
        ``"curves"``: the metrics by number of features; ``"best"``: the best value
        and its size; ``"time"``: seconds to rank; ``"only"``: features that rank
        among the first ``top`` by ``first`` and by none of ``second``; ``"kept"``:
        features kept at the best size; ``"budget"``: the best value that can be had
        for a share of the price of all features; ``"ranks"``: mean ranks by the first
        metric on all the data sets together, with their tests, as the means over all
        sizes or, with ``price``, as the best that this share of the price buys; several
        of this kind make a table of who is best for which job; ``"sweep"``: the
        features kept and the metrics over the values of a ``setting``.
    first, second : tuple of str
        Selectors or patterns; empty for all.
    metrics, classifiers, data : tuple of str
        To which it is confined; empty for all.
    mean_of_classifiers : bool
        Whether the mean over the classifiers is shown.
    top : int
        For ``"only"``.
    price : float or None
        For ``"ranks"``.
    setting : str
        For ``"sweep"``: the setting of a grid whose values are the horizontal axis.
        Methods without it are drawn as levels.

    Examples
    --------
    >>> ResultTable("Best value of each method", "best").metrics
    ()
    """

    title: str
    kind: str
    first: tuple[str, ...] = ()
    second: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    classifiers: tuple[str, ...] = ()
    data: tuple[str, ...] = ()
    mean_of_classifiers: bool = False
    top: int = 20
    price: float | None = None
    setting: str = ""


@dataclass(frozen=True)
class Claims:
    """What a file of claims holds.

    Parameters
    ----------
    claims : tuple of Claim
        Statements to be checked.
    tables : tuple of ResultTable
        What shall be shown.

    Examples
    --------
    >>> len(Claims(()).claims)
    0
    """

    claims: tuple[Claim, ...]
    tables: tuple[ResultTable, ...] = ()


def read_claims(path: str | os.PathLike[str], plan: Plan | None = None) -> Claims:
    """Read a file of claims and check it.

    Parameters
    ----------
    path : str or path-like
        A TOML file with tables ``[[claims]]`` and ``[[tables]]``, whose keys are the
        parameters of :class:`Claim` and :class:`ResultTable`.
    plan : Plan, optional
        What the claims are about: names that it does not have are mistakes.

    Returns
    -------
    Claims
        In the order of the file.

    Raises
    ------
    ReadError
        If the file cannot be read.
    PlanError
        With every mistake, each with its line.

    Examples
    --------
    >>> from pathlib import Path
    >>> text = '''
    ... [[claims]]
    ... text = "chi2 beats spec"
    ... first = "chi2"
    ... second = "spec"
    ... '''
    >>> n_characters = Path("mine.claims.toml").write_text(text)
    >>> read_claims("mine.claims.toml").claims[0].second
    ('spec',)
    """
    file = Path(path)
    try:
        with file.open("rb") as stream:
            content = stream.read(_MOST_BYTES + 1)
        text = content.decode("utf-8").replace("\r\n", "\n")
    except FileNotFoundError:
        raise ReadError("there is no such file.", file) from None
    except IsADirectoryError:
        raise ReadError("expected a file of claims, found a folder.", file) from None
    except UnicodeDecodeError:
        raise ReadError("expected TOML, which is UTF-8 text.", file) from None
    if len(content) > _MOST_BYTES:
        raise ReadError(f"claims have at most {_MOST_BYTES} bytes.", file)
    return parse_claims(text, plan, name=file.name)


def parse_claims(
    text: str, plan: Plan | None = None, *, name: str = "claims"
) -> Claims:
    """Check the text of a file of claims; see :func:`read_claims`.

    Parameters
    ----------
    text : str
        TOML.
    plan : Plan, optional
        What the claims are about.
    name : str, default="claims"
        What messages call it.
    """
    whole = parsed(text, name)
    check = Checker(name, _places(text))
    check.table(whole, (), ("claims", "tables"))
    claims = [
        _claim(table, ("claims", str(i)), plan, check)
        for i, table in enumerate(_list(whole, "claims", check))
    ]
    tables = [
        _result_table(table, ("tables", str(i)), plan, check)
        for i, table in enumerate(_list(whole, "tables", check))
    ]
    check.raise_if_wrong()
    return Claims(tuple(filter(None, claims)), tuple(filter(None, tables)))


def _places(text: str) -> dict[tuple[str, ...], int]:
    """Return the line of each table and key; the standard parser forgets it."""
    found: dict[tuple[str, ...], int] = {(): 1}
    at: tuple[str, ...] = ()
    counts = {"claims": -1, "tables": -1}
    for number, line in enumerate(text.split("\n"), 1):
        if head := _HEAD.match(line):
            counts[head[1]] += 1
            at = (head[1], str(counts[head[1]]))
            found.setdefault(at, number)
            found.setdefault((head[1],), number)
        elif key := _KEY.match(line):
            found.setdefault((*at, key[1]), number)
    return found


def _list(whole: dict[str, Any], key: str, check: Checker) -> list[dict[str, Any]]:
    found = whole.get(key, [])
    if not isinstance(found, list) or not all(isinstance(t, dict) for t in found):
        check.wrong((key,), f"{key} must be tables: [[{key}]].")
        return []
    return found


def _claim(
    table: dict[str, Any], path: tuple[str, ...], plan: Plan | None, check: Checker
) -> Claim | None:
    check.table(table, path, [field.name for field in fields(Claim)])
    before = len(check.mistakes)
    values = _common(table, path, plan, check)
    values["text"] = _text(table, path, "text", check)
    values["where"] = check.value(table, (*path, "where"), "text", "")
    test = check.value(table, (*path, "test"), "text", "better")
    if test not in TESTS:
        check.wrong(
            (*path, "test"),
            f'test "{test}" is not known.{did_you_mean(test, TESTS)} Known: '
            f"{', '.join(TESTS)}.",
        )
    values["test"] = test
    for key in _NUMBERS:
        if key in table:
            number = check.value(table, (*path, key), "a number", 0.0)
            if key == "price" and not 0 < number <= 1:
                check.wrong(
                    (*path, key), f"price must be a share up to 1; found {number}."
                )
            if key in ("within", "at_least", "at_most", "by") and number < 0:
                check.wrong((*path, key), f"{key} must be 0 or more; found {number}.")
            values[key] = number
    values["sizes"] = _sizes(table, path, check)
    if not values["first"]:
        check.wrong(path, "a claim needs first = the selectors that it is about.")
    if test in ("better", "no worse", "equal", "faster", "cheaper"):
        if not values["second"]:
            check.wrong(
                path,
                f'"{test}" needs second = what first is held against: selectors, '
                '"others" or "all features".',
            )
    elif test in ("value", "fewer") and values["second"]:
        check.wrong((*path, "second"), f'second has no part in "{test}".')
    if test == "value" and "expected" not in table:
        check.wrong(path, '"value" needs expected = the published figure.')
    return Claim(**values) if len(check.mistakes) == before else None


def _result_table(
    table: dict[str, Any], path: tuple[str, ...], plan: Plan | None, check: Checker
) -> ResultTable | None:
    check.table(table, path, [field.name for field in fields(ResultTable)])
    before = len(check.mistakes)
    values = _common(table, path, plan, check)
    values.pop("mean_of_data", None)
    values["title"] = _text(table, path, "title", check)
    kind = check.value(table, (*path, "kind"), "text", "best")
    if kind not in KINDS:
        check.wrong(
            (*path, "kind"),
            f'kind "{kind}" is not known.{did_you_mean(kind, KINDS)} Known: '
            f"{', '.join(KINDS)}.",
        )
    if kind == "only" and not (len(values["first"]) == 1 and values["second"]):
        check.wrong(
            path, '"only" needs first = one selector, and second = those that miss it.'
        )
    values["kind"] = kind
    values["top"] = check.value(table, (*path, "top"), "a whole number", 20)
    values["price"] = check.value(table, (*path, "price"), "a number", None)
    if values["price"] is not None and not 0 < values["price"] <= 1:
        check.wrong(
            (*path, "price"), f"price must be a share up to 1; found {values['price']}."
        )
    if values["top"] < 1:
        check.wrong((*path, "top"), f"top must be 1 or more; found {values['top']}.")
    values["setting"] = check.value(table, (*path, "setting"), "text", "")
    if (kind == "sweep") != bool(values["setting"]):
        check.wrong(
            path,
            '"sweep" needs setting = the name of a setting in a grid, such as lam.',
        )
    return ResultTable(**values) if len(check.mistakes) == before else None


def _text(
    table: dict[str, Any], path: tuple[str, ...], key: str, check: Checker
) -> str:
    text = str(check.value(table, (*path, key), "text", ""))
    if not text.strip():
        check.wrong(path, f"{key} must say what this is.")
    return text


def _common(
    table: dict[str, Any], path: tuple[str, ...], plan: Plan | None, check: Checker
) -> dict[str, Any]:
    """Return lists of names and flags, each name checked against the plan."""
    values: dict[str, Any] = {}
    for key in _LISTS:
        values[key] = _names(table, (*path, key), check)
        if key == "metrics":
            for name in values[key]:
                if name not in METRICS:
                    check.wrong(
                        (*path, key),
                        f'metric "{name}" is not known.{did_you_mean(name, METRICS)}',
                    )
        elif plan is not None:
            known = {
                "first": plan.selectors,
                "second": plan.selectors,
                "classifiers": plan.classifiers,
                "data": plan.data,
            }[key]
            for name in values[key]:
                may_miss = is_known(name) if key in ("first", "second") else False
                may_miss |= key == "data" and "*" in name  # of a smaller plan
                if not may_miss and not matching([name], list(known)):
                    kind = "selectors" if key in ("first", "second") else key
                    check.wrong(
                        (*path, key),
                        f'the plan has no {kind} "{name}".{did_you_mean(name, known)}',
                    )
    for key in _FLAGS:
        if key in table:
            values[key] = check.value(table, (*path, key), "true or false", False)
    return values


def _names(
    table: dict[str, Any], path: tuple[str, ...], check: Checker
) -> tuple[str, ...]:
    found = table.get(path[-1], [])
    if isinstance(found, str):
        return (found,)
    if isinstance(found, list) and all(isinstance(name, str) for name in found):
        return tuple(found)
    check.wrong(path, f"{path[-1]} must be a name or a list; found {shown(found)}.")
    return ()


def _sizes(table: dict[str, Any], path: tuple[str, ...], check: Checker) -> Any:
    sizes = table.get("sizes", "mean")
    if sizes in ("mean", "best", "each"):
        return sizes
    if isinstance(sizes, list) and sizes:
        good = [
            s
            for s in sizes
            if isinstance(s, int | float) and not isinstance(s, bool) and s > 0
        ]
        if len(good) == len(sizes):
            return tuple(good)
    check.wrong(
        (*path, "sizes"),
        'sizes must be "mean", "best", "each", or a list of numbers (30) and fractions '
        f"(0.2) of features; found {shown(sizes)}.",
    )
    return "mean"
