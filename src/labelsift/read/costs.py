"""What measuring each feature costs."""

from __future__ import annotations

import csv
import difflib
import io
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, NamedTuple

import numpy as np

from labelsift.read.dataset import MOST_COST
from labelsift.read.errors import ReadError
from labelsift.read.opener import open_data


def costs_by_feature(
    costs: Any, feature_names: Sequence[str], of: str = ""
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return one cost for each feature.

    Parameters
    ----------
    costs : array-like, mapping, str or path-like
        Costs in feature order; or by feature name; or a CSV file of lines
        ``feature,cost``, with or without a heading.
    feature_names : sequence of str
        All features; each needs a cost.
    of : str, optional
        Name of the data set, for messages.

    Returns
    -------
    ndarray of shape (n_features,), float64
        Finite, 0 or more.

    Raises
    ------
    ReadError
        If the costs come from a file and are not right.
    ValueError
        If a cost is missing, misnamed, negative or not a number.
    """
    if isinstance(costs, str | PathLike):
        by_name, lines = _from_csv(str(costs))
        return _by_name(by_name, feature_names, of, _InFile(str(costs), lines))
    if isinstance(costs, Mapping):
        named = {str(name): cost for name, cost in costs.items()}
        return _by_name(named, feature_names, of)
    try:
        values = np.asarray(costs, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError("costs must be numbers, one for each feature.") from error
    if values.shape != (len(feature_names),):
        found = len(values) if values.ndim == 1 else f"shape {values.shape}"
        raise ValueError(
            f"costs must hold one number for each of the {_features(feature_names, of)}"
            f"; found {found}. Give all, in column order, or by name."
        )
    return _by_name(dict(zip(feature_names, values, strict=True)), feature_names)


def check_costs_file(path: str | PathLike[str]) -> None:
    """Check that a CSV file holds costs, whatever the features are called.

    Parameters
    ----------
    path : str or path-like
        Lines ``feature,cost``, with or without a heading.

    Raises
    ------
    ReadError
        With the line that is wrong.
    """
    costs, lines = _from_csv(str(path))
    if not costs:
        raise ReadError("expected lines feature,cost; found none.", str(path))
    _by_name(costs, list(costs), "", _InFile(str(path), lines))


class _InFile(NamedTuple):
    """Where the costs were read, and the line of each name."""

    path: str
    lines: Mapping[str, int]


def _wrong(message: str, name: str, where: _InFile | None) -> ValueError:
    """Return the error for the cost of ``name``: with its line where it has one."""
    if where is None:
        return ValueError(message)
    return ReadError(message, where.path, where.lines.get(name))


def _features(names: Sequence[str], of: str) -> str:
    return f"{len(names)} features of {of!r}" if of else f"{len(names)} features"


def _by_name(
    costs: Mapping[str, Any],
    feature_names: Sequence[str],
    of: str = "",
    where: _InFile | None = None,
) -> np.ndarray[Any, np.dtype[np.float64]]:
    known = set(feature_names)
    counts = ""
    if len(costs) != len(feature_names):
        counts = f" ({len(costs)} costs for the {_features(feature_names, of)})"
    for name in costs:
        if name not in known:
            near = difflib.get_close_matches(name, list(feature_names)[:20000], n=1)
            hint = f"; did you mean {near[0]!r}?" if near else "; leave it out."
            message = f"costs name {name!r}, which is no feature{counts}{hint}"
            raise _wrong(message, name, where)
    without = [name for name in feature_names if name not in costs]
    if without:
        more = f" and {len(without) - 3} more" if len(without) > 3 else ""
        shown = ", ".join(map(repr, without[:3]))
        raise _wrong(
            f"costs are missing for {shown}{more}{counts}; give 0 where it is free.",
            without[0],
            where,
        )
    values = np.empty(len(feature_names))
    for j, name in enumerate(feature_names):
        try:
            values[j] = float(costs[name])
        except (TypeError, ValueError):
            values[j] = np.nan
        if not 0 <= values[j] <= MOST_COST:
            raise _wrong(
                f"the cost of {name!r} must be a number of 0 or more, at most "
                f"{MOST_COST:g}; found {_plain(costs[name])!r}.",
                name,
                where,
            )
    return values


def _plain(cost: Any) -> Any:
    return cost.item() if isinstance(cost, np.generic) else cost


def _from_csv(path: str) -> tuple[dict[str, str], dict[str, int]]:
    costs: dict[str, str] = {}
    lines: dict[str, int] = {}
    with open_data(path) as opened:
        text = io.TextIOWrapper(
            opened.stream, encoding="utf-8-sig", errors="replace", newline=""
        )
        reader = csv.reader(text)
        try:
            for row in reader:
                if not any(cell.strip() for cell in row):
                    continue
                if len(row) != 2:
                    raise ReadError(
                        f"expected feature,cost; found {len(row)} values.",
                        path,
                        reader.line_num,
                    )
                name, cost = row[0].strip(), row[1].strip()
                if not costs and (name.lower(), cost.lower()) == ("feature", "cost"):
                    continue
                if name in costs:
                    raise ReadError(f"{name!r} has two costs.", path, reader.line_num)
                costs[name], lines[name] = cost, reader.line_num
        except csv.Error as error:
            raise ReadError(f"damaged ({error}).", path, reader.line_num) from error
    return costs, lines
