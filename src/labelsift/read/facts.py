"""What a table cannot say of itself, as JSON beside it: names, kinds, costs."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from labelsift.read.dataset import Dataset, Matrix, dense_columns
from labelsift.read.errors import ReadError

_VERSION = 1
_TEXTS = ("name", "source", "licence")


def dump_facts(dataset: Dataset) -> str:
    """Return everything but X and Y as one line of JSON, for ``dataset_from``.

    Parameters
    ----------
    dataset : Dataset
        What to describe.
    """
    facts: dict[str, Any] = {
        "labelsift": _VERSION,
        "feature_names": list(dataset.feature_names),
        "label_names": list(dataset.label_names),
        "categories": {
            j: kinds for j, kinds in enumerate(dataset.categories) if kinds is not None
        },
    }
    facts |= {key: getattr(dataset, key) for key in _TEXTS}
    for key in ("test_costs", "weights"):
        values = getattr(dataset, key)
        if values is not None:
            facts[key] = values.tolist()
    return json.dumps(facts, separators=(",", ":"))


def parse_facts(text: str | bytes, path: str) -> dict[str, Any]:
    """Return the checked content of ``dump_facts``.

    Parameters
    ----------
    text : str or bytes
        JSON; from a file, so not to be trusted.
    path : str
        For messages.

    Raises
    ------
    ReadError
        If it is not what ``dump_facts`` writes.
    """
    try:
        facts = json.loads(text)
        if facts["labelsift"] != _VERSION:
            raise ReadError(
                f"written in form {facts['labelsift']!r}; this version reads form "
                f"{_VERSION}. Upgrade labelsift.",
                path,
            )
        features, labels = facts["feature_names"], facts["label_names"]
        kinds: list[tuple[str, ...] | None] = [None] * len(features)
        for place, values in facts["categories"].items():
            kinds[int(place)] = _texts(values)
        found: dict[str, Any] = {
            "feature_names": _texts(features),
            "label_names": _texts(labels),
            "categories": tuple(kinds),
        }
        for key in _TEXTS:
            found[key] = _texts([facts.get(key, "")])[0]
        for key in ("test_costs", "weights"):
            if key in facts:
                found[key] = [float(value) for value in facts[key]]
    except ReadError:
        raise
    except (KeyError, ValueError, TypeError, IndexError, AttributeError) as error:
        raise ReadError(
            f"the description inside the file is damaged ({error!r}).", path
        ) from error
    except RecursionError as error:
        raise ReadError("the description inside the file is damaged.", path) from error
    return found


def dataset_from(X: Matrix, Y: Matrix, facts: dict[str, Any], path: str) -> Dataset:
    """Return the data set, or say which parts do not fit together.

    Parameters
    ----------
    X, Y : ndarray or csr_array
        As in ``Dataset``.
    facts : dict
        The other fields of ``Dataset``.
    path : str
        For messages.

    Raises
    ------
    ReadError
        If shapes, names or values do not fit together.
    """
    try:
        data = Dataset(X, Y, **facts)
        _check_codes(data)
    except (ValueError, TypeError) as error:
        raise ReadError(f"parts do not fit together: {error}", path) from error
    return data


def _check_codes(data: Dataset) -> None:
    """Refuse codes of nominal features that stand for no value."""
    columns = np.flatnonzero(data.is_nominal)
    if not len(columns):
        return
    picked = data.X[:, columns]
    for j, values in zip(columns.tolist(), dense_columns(picked), strict=True):
        kinds = data.categories[j] or ()
        known = values[~np.isnan(values)]
        bad = (known < 0) | (known >= len(kinds)) | (known != np.floor(known))
        if bad.any():
            raise ValueError(
                f"feature {data.feature_names[j]!r} has {len(kinds)} values, numbered "
                f"from 0; found {known[bad][0]:g}."
            )


def _texts(values: Any) -> tuple[str, ...]:
    if not isinstance(values, list) or not all(isinstance(v, str) for v in values):
        raise TypeError("expected a list of text")
    return tuple(values)
