"""Results on disk: JSON that is read back whole, or tidy rows as CSV."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from labelsift.evaluate.records import Cell, Failure, Fold, Method, Ranking
from labelsift.evaluate.spreadsheet import harmless
from labelsift.read.errors import ReadError
from labelsift.read.whole_file import whole_file

if TYPE_CHECKING:
    from labelsift.evaluate.results import Results

FORMAT = "labelsift results 1"
COLUMNS = (
    "dataset",
    "selector",
    "selector_settings",
    "classifier",
    "classifier_settings",
    "repeat",
    "fold",
    "n_features",
    "metric",
    "value",
    "seed",
    "n_train",
    "n_test",
    "seconds_select",
    "seconds_fit",
    "seconds_predict",
    "rows_without_prediction",
)
_ARRAYS = {
    "order": np.int64,
    "scores": np.float64,
    "true_positives": np.int64,
    "false_positives": np.int64,
    "false_negatives": np.int64,
    "auc": np.float64,
}
_RECORDS = {"folds": Fold, "rankings": Ranking, "cells": Cell, "failures": Failure}
_TUPLES = ("feature_names", "label_names", "label_counts", "metrics", "sizes")


def save(results: Results, path: Path) -> Path:
    """Write results by the ending of the name: .json, .csv or .tsv."""
    kind = path.suffix.lower()
    if kind not in (".json", ".csv", ".tsv"):
        raise ValueError(
            f"{path}: results are saved as .json (everything), .csv or .tsv (tidy "
            f"rows); found the ending {path.suffix!r}."
        )
    if kind != ".json":
        return save_rows(results.rows(), path)
    with whole_file(path) as file:
        whole = {"format": FORMAT, **_plain(results)}
        json.dump(whole, file, ensure_ascii=False, allow_nan=False)
        file.write("\n")
    return path


def tidy_rows(results: Results) -> Iterator[dict[str, Any]]:
    """Yield one row for each cell and metric."""
    folds = {fold.number: fold for fold in results.folds}
    select = {(r.selector, r.fold): r.seconds for r in results.rankings}
    for cell in results.cells:
        fold = folds[cell.fold]
        selector = results.selectors.get(cell.selector)
        for metric, value in cell.values.items():
            yield {
                "dataset": results.dataset,
                "selector": cell.selector,
                "selector_settings": "" if selector is None else selector.text,
                "classifier": cell.classifier,
                "classifier_settings": results.classifiers[cell.classifier].text,
                "repeat": fold.repeat,
                "fold": fold.fold,
                "n_features": cell.n_features,
                "metric": metric,
                "value": value,
                "seed": fold.seed,
                "n_train": fold.n_train,
                "n_test": fold.n_test,
                "seconds_select": select.get((cell.selector, cell.fold), 0.0),
                "seconds_fit": cell.seconds_fit,
                "seconds_predict": cell.seconds_predict,
                "rows_without_prediction": cell.rows_without_prediction,
            }


def save_rows(rows: Iterable[dict[str, Any]], path: Path) -> Path:
    """Write tidy rows by the ending of the name: .csv or .tsv.

    A name that a spreadsheet would run as a formula gets an apostrophe in front.
    """
    kind = path.suffix.lower()
    if kind not in (".csv", ".tsv"):
        raise ValueError(
            f"{path}: tidy rows are saved as .csv or .tsv; found the ending "
            f"{path.suffix!r}."
        )
    with whole_file(path) as file:
        writer = csv.DictWriter(
            file,
            COLUMNS,
            delimiter="," if kind == ".csv" else "\t",
            lineterminator="\n",
        )
        writer.writeheader()
        for row in rows:
            writer.writerow(
                {k: harmless(v) if isinstance(v, str) else v for k, v in row.items()}
            )
    return path


def load(path: Path) -> dict[str, Any]:
    """Return the arguments of the ``Results`` that were saved as JSON."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ReadError("there is no such file.", path) from None
    except UnicodeDecodeError:
        raise ReadError("expected saved results, found bytes.", path) from None
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        raise ReadError(
            f"expected results saved as .json: {error.msg}. The tidy rows in .csv or "
            ".tsv cannot be loaded.",
            path,
            error.lineno,
        ) from None
    if not isinstance(found, dict) or found.pop("format", None) != FORMAT:
        raise ReadError(f'expected a file with "format": "{FORMAT}".', path)
    try:
        for name in _TUPLES:
            found[name] = tuple(found[name])
        found.setdefault("failures", [])  # not in files of earlier versions
        found["own_size"] = tuple(found.get("own_size", ()))
        for name, record in _RECORDS.items():
            found[name] = tuple(_record(record, item) for item in found[name])
        for name in ("selectors", "classifiers"):
            found[name] = {
                k: Method(**{**v, "parts": tuple(v.get("parts", ()))})
                for k, v in found[name].items()
            }
    except (KeyError, TypeError, AttributeError) as error:
        raise ReadError(f"saved results are incomplete: {error}.", path) from None
    return found


def _record(kind: Any, item: dict[str, Any]) -> Any:
    values: dict[str, Any] = {}
    for name, value in item.items():
        if name in _ARRAYS and value is not None:
            numbers = [_number(v) for v in value]
            values[name] = np.array(numbers, dtype=_ARRAYS[name])
        elif name == "values":
            values[name] = {key: _number(v) for key, v in value.items()}
        elif isinstance(value, list):
            values[name] = tuple(value)
        else:
            values[name] = value
    return kind(**values)


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return {f.name: _plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return [_plain(item) for item in value.tolist()]
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else ("inf" if value > 0 else "-inf")
    return value


def _number(value: Any) -> Any:
    if value is None:
        return math.nan
    return float(value) if value in ("inf", "-inf") else value
