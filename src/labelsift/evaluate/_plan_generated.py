"""Data made up for a plan: nothing to download, and it is known what matters."""

from __future__ import annotations

from typing import Any

import numpy as np

from labelsift.evaluate._plan_check import Checker
from labelsift.evaluate._plan_places import Path
from labelsift.read import Dataset

Array = np.ndarray[Any, Any]

_KEYS = (
    "kind", "n_samples", "n_features", "n_labels", "n_informative", "noise", "seed",
)  # fmt: skip
_KINDS = ("labels", "classes")
_MOST_ENTRIES = 50_000_000


def generated(
    kind: str = "labels",
    n_samples: int = 300,
    n_features: int = 40,
    n_labels: int = 5,
    n_informative: int = 10,
    noise: float = 1.0,
    seed: int = 0,
) -> Dataset:
    """Make data up: informative features, near copies of them, and noise.

    Parameters
    ----------
    kind : {"labels", "classes"}
        Several labels a row, or one class, given as one label a class.
    n_samples, n_features, n_labels : int
        Shape; labels or classes.
    n_informative : int
        The first features, from which the labels come. As many after them, as far as
        there are, repeat them with an error; the rest is noise.
    noise : float
        Standard deviation of what hides the labels.
    seed : int
        The same number makes the same data.

    Returns
    -------
    Dataset
        Features ``signal0``, ..., ``copy0``, ..., ``noise0``, ...

    Notes
    -----
    Labels: each reads three informative features, and more rows have the first label
    than the last. Classes: each shifts the mean of its own informative features.
    """
    rng = np.random.default_rng(seed)
    n_signal = min(n_informative, n_features)
    n_copies = min(n_signal, n_features - n_signal)
    X = rng.normal(size=(n_samples, n_features))
    if kind == "classes":
        codes = np.arange(n_samples) % n_labels
        rng.shuffle(codes)
        owner = np.arange(n_signal) % n_labels
        X[:, :n_signal] += 2.0 / max(noise, 1e-9) * (codes[:, None] == owner)
        Y = (codes[:, None] == np.arange(n_labels)).astype(np.uint8)
    else:
        Y = np.zeros((n_samples, n_labels), dtype=np.uint8)
        for label in range(n_labels):
            parts = rng.choice(n_signal, size=min(3, n_signal), replace=False)
            signs = rng.choice([-1.0, 1.0], size=len(parts))
            score = X[:, parts] @ signs + noise * rng.normal(size=n_samples)
            share = 0.5 - 0.35 * label / max(n_labels - 1, 1)
            Y[:, label] = score > np.quantile(score, 1 - share)
    copies = slice(n_signal, n_signal + n_copies)
    X[:, copies] = X[:, :n_copies] + 0.5 * rng.normal(size=(n_samples, n_copies))
    names = [f"signal{i}" for i in range(n_signal)]
    names += [f"copy{i}" for i in range(n_copies)]
    names += [f"noise{i}" for i in range(n_features - len(names))]
    word = "class" if kind == "classes" else "label"
    labels = [f"{word}{i}" for i in range(n_labels)]
    source = f"made up, seed {seed}"
    return Dataset(X, Y, tuple(names), tuple(labels), name="made up", source=source)


def check_generated(table: Any, path: Path, check: Checker) -> dict[str, Any] | None:
    """Return the settings of made-up data, checked.

    Parameters
    ----------
    table : dict
        What stands under ``generate``.
    path : tuple of str
        Where.
    check : Checker
        Takes the mistakes.
    """
    if not isinstance(table, dict):
        check.wrong(path, "generate must be a table: { n_samples = 300, ... }.")
        return None
    before = len(check.mistakes)
    check.table(table, path, _KEYS)
    kind = check.value(table, (*path, "kind"), "text", "labels")
    if kind not in _KINDS:
        check.wrong(path, f'kind must be one of {", ".join(_KINDS)}; found "{kind}".')
    found: dict[str, Any] = {"kind": kind}
    least = {"n_samples": 4, "n_labels": 2 if kind == "classes" else 1, "seed": 0}
    for key in ("n_samples", "n_features", "n_labels", "n_informative", "seed"):
        if key in table:
            number = check.value(table, (*path, key), "a whole number", None)
            if number is None:
                continue
            if number < least.get(key, 1):
                check.wrong(path, f"{key} must be {least.get(key, 1)} or more.")
            found[key] = number
    n_features = found.get("n_features", 40)
    if found.get("n_informative", 1) > n_features:
        check.wrong(
            path, f"n_informative must be at most n_features, here {n_features}."
        )
    noise = check.value(table, (*path, "noise"), "a number", 1.0)
    if not 0 <= noise < float("inf"):
        check.wrong(path, f"noise must be 0 or more; found {noise}.")
    found["noise"] = float(noise)
    if found.get("n_samples", 300) * found.get("n_features", 40) > _MOST_ENTRIES:
        check.wrong(path, f"made-up data have at most {_MOST_ENTRIES} entries.")
    return found if len(check.mistakes) == before else None
