"""The data sets of a plan: where each comes from, and how its rows are split."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from labelsift.evaluate._plan_check import Checker, did_you_mean, shown
from labelsift.evaluate._plan_draws import (
    Splits,
    Treatment,
    draws_costs,
    treatment_of,
)
from labelsift.evaluate._plan_generated import check_generated, generated
from labelsift.evaluate._plan_places import Path as Place
from labelsift.read import Dataset, ReadError, load_dataset
from labelsift.read.call_text import call_text
from labelsift.read.catalog import known_set
from labelsift.read.catalog_sets import KNOWN_SETS
from labelsift.read.costs import check_costs_file, costs_by_feature
from labelsift.read.dataset import MOST_COST, as_loaded

_FILES = ("path", "xml", "test", "folds")
_TEXTS = ("format", "positive_value", "negative_value", "delimiter")
_SWITCHES = ("header", "zero_based")
_KNOWN = (
    "path", "labels", "xml", "format", "costs", "positive_value", "negative_value",
    "test", "folds", "delimiter", "header", "nominal", "zero_based", "n_features",
    "rows", "missing",
    "generate",
)  # fmt: skip


class CostsMisfit(ValueError):
    """The test costs of a plan are not those of the features of its data."""


@dataclass(frozen=True)
class DataSource:
    """Where a data set comes from.

    Parameters
    ----------
    name : str
        Its name in the results.
    source : str
        A file, or the name of a known set.
    options : dict
        Arguments of ``load_dataset``.
    test : str or None
        A file with the test rows of a given split; or ``"published"``.
    folds : str or None
        A text file with a fold number for each row.
    treatment : Treatment
        What is drawn at random: a sample of rows, missing values, test costs.
    generate : dict or None
        Settings of made-up data, in place of a source.
    """

    name: str
    source: str
    options: dict[str, Any] = field(default_factory=dict)
    test: str | None = None
    folds: str | None = None
    treatment: Treatment = field(default_factory=Treatment)
    generate: dict[str, Any] | None = None

    @property
    def may_have_costs(self) -> bool:
        """Whether test costs are given, or may come with the data themselves."""
        is_given = "costs" in self.options or self.treatment.costs is not None
        return is_given or self.source.lower().endswith(".npz")

    def load(self) -> tuple[Dataset, Splits | None]:
        """Return the data, and the given splits, None where there are none.

        Only the rows that are used; values and costs as they are in the file.
        """
        return self.treatment.sampled(*self._read())

    def _read(self) -> tuple[Dataset, Splits | None]:
        dataset, splits = self._without_costs()
        costs = self.options.get("costs")
        if costs is not None:
            try:
                prices = costs_by_feature(costs, dataset.feature_names, self.name)
            except ValueError as error:
                raise CostsMisfit(str(error)) from error
            dataset = replace(dataset, test_costs=prices)
            if dataset.loaded:
                call = call_text("load_dataset", self.source, self.options)
                dataset = as_loaded(dataset, call)
        return dataset, splits

    def _without_costs(self) -> tuple[Dataset, Splits | None]:
        options = {key: self.options[key] for key in self.options if key != "costs"}
        if self.generate is not None:
            return replace(generated(**self.generate), name=self.name), None
        if self.test == "published":
            parts = [
                load_dataset(self.source, split=part, **options)
                for part in ("train", "test")
            ]
        elif self.test is not None:
            parts = [load_dataset(path, **options) for path in (self.source, self.test)]
        else:
            dataset = load_dataset(self.source, **options)
            dataset = replace(dataset, name=self.name)
            if self.folds is None:
                return dataset, None
            return dataset, _splits_of(Path(self.folds), dataset.n_samples)
        whole = replace(_joined(*parts), name=self.name)
        n_train = parts[0].n_samples
        rows = np.arange(whole.n_samples)
        return whole, [(rows[:n_train], rows[n_train:])]


def data_sources(
    whole: Any, folder: Path, kind: str, seed: int, check: Checker
) -> dict[str, DataSource]:
    """Return the data sets of the tables [data.NAME].

    Parameters
    ----------
    whole : dict
        What stands under ``data``.
    folder : Path
        Where relative paths start.
    kind : str
        ``Folds.kind``; given splits need a test file or fold numbers.
    seed : int
        The plan's, for what is drawn without a seed of its own.
    check : Checker
        Takes the mistakes.
    """
    found: dict[str, DataSource] = {}
    if not isinstance(whole, dict) or not whole:
        check.wrong(("data",), "the plan must name data, each in a table [data.NAME].")
        return found
    for name, table in whole.items():
        path = ("data", name)
        if not isinstance(table, dict):
            check.wrong(path, f"{name} must be a table: [data.{name}].")
            continue
        check.table(table, path, _KNOWN)
        source = _source(name, table, path, folder, kind, check)
        drawn = treatment_of(table, path, seed, check)
        found[name] = replace(source, treatment=drawn)
    return found


def _source(
    name: str,
    table: dict[str, Any],
    path: Place,
    folder: Path,
    kind: str,
    check: Checker,
) -> DataSource:
    options: dict[str, Any] = {}
    files: dict[str, str] = {}
    made, is_made = None, "generate" in table
    if is_made:
        made = check_generated(table["generate"], (*path, "generate"), check)
        for key in (*_FILES, "labels"):
            if key in table:
                check.wrong((*path, key), f"{key} has no part in made-up data.")
        table = {key: value for key, value in table.items() if key == "costs"}
    for key in _FILES:
        text = check.value(table, (*path, key), "text", None)
        if text is not None:
            files[key] = _file(text, key, (*path, key), folder, check)
    if not is_made and "path" not in table:
        files["path"] = _file(name, "path", path, folder, check)
    for key in _TEXTS:
        options[key] = check.value(table, (*path, key), "text", None)
    for key in _SWITCHES:
        options[key] = check.value(table, (*path, key), "true or false", None)
    options["n_features"] = check.value(
        table, (*path, "n_features"), "a whole number", None
    )
    options["nominal"] = check.value(table, (*path, "nominal"), "a list", None)
    options["labels"] = _labels(table, path, folder, check)
    options["xml"] = files.get("xml")
    options["costs"] = _costs(table, path, folder, check)
    options = {key: value for key, value in options.items() if value is not None}
    source, test, folds = files.get("path", name), files.get("test"), files.get("folds")
    if made is not None:
        if kind == "given":
            check.wrong(path, "made-up data have no given splits.")
        return DataSource(name, "made up", options, generate=made)
    known = None if Path(source).exists() else known_set(source)
    if kind != "given":
        for key in ("test", "folds"):
            if key in table:
                check.wrong(
                    (*path, key), f'{key} is for given splits: [folds] kind = "given".'
                )
    elif test is not None and folds is not None:
        check.wrong((*path, "folds"), "give test or folds, not both.")
    elif test is None and folds is None:
        if known is not None and known.train_rows is not None:
            test = "published"
        else:
            check.wrong(
                path,
                f'given splits: [data.{name}] needs test = "FILE" (the rows to test '
                'on) or folds = "FILE" (a fold number for each row).',
            )
    return DataSource(name, source, options, test, folds)


def _file(text: str, key: str, path: Place, folder: Path, check: Checker) -> str:
    """Return the path of a file that exists; a known set is as good as data."""
    file = folder / text
    try:
        if file.is_file():
            return str(file)
    except (OSError, ValueError):  # a name that no file can have
        pass
    if key in ("path", "test") and known_set(text) is not None:
        return text
    guess = did_you_mean(text, KNOWN_SETS) if key == "path" else ""
    what = "no file" if key != "path" else "no file, and no known set of this name"
    check.wrong(path, f"{key}: there is {what}: {file}.{guess}")
    return text


def _labels(table: dict[str, Any], path: Place, folder: Path, check: Checker) -> Any:
    labels = table.get("labels")
    at = (*path, "labels")
    if labels is None or (isinstance(labels, int) and not isinstance(labels, bool)):
        return labels
    if isinstance(labels, str):
        if labels.lower().endswith(".xml"):
            return Path(_file(labels, "labels", at, folder, check))
        return labels
    if isinstance(labels, list) and all(isinstance(item, str) for item in labels):
        return labels
    check.wrong(
        at,
        "labels must be a count (6 for the last six, -6 for the first six), a list of "
        f"names, or a MULAN XML file; found {shown(labels)}.",
    )
    return None


def _costs(table: dict[str, Any], path: Place, folder: Path, check: Checker) -> Any:
    """Return test costs: a file, a list in column order, or a table by name."""
    costs, at = table.get("costs"), (*path, "costs")
    if costs is None or draws_costs(costs):
        return None
    if isinstance(costs, str):
        file = _file(costs, "costs", at, folder, check)
        if Path(file).is_file():
            try:
                check_costs_file(file)
            except (ReadError, OSError) as error:
                check.wrong(at, f"costs: {' '.join(str(error).split())}")
        return file
    if not isinstance(costs, list | dict):
        check.wrong(
            at,
            "costs must be a CSV file of feature,cost lines, a list of numbers in "
            'column order, a table by name, or { distribution = "uniform", seed = 0 }; '
            f"found {shown(costs)}.",
        )
        return None
    for name, cost in costs.items() if isinstance(costs, dict) else enumerate(costs):
        is_number = isinstance(cost, int | float) and not isinstance(cost, bool)
        if not (is_number and 0 <= cost <= MOST_COST):
            which = f'of "{name}"' if isinstance(costs, dict) else f"number {name + 1}"
            check.wrong(
                at,
                f"the cost {which} must be a number of 0 or more, at most "
                f"{MOST_COST:g}; found {shown(cost)}.",
            )
            return None
    return costs


def _joined(train: Dataset, test: Dataset) -> Dataset:
    for what in ("feature_names", "label_names", "categories"):
        if getattr(train, what) != getattr(test, what):
            raise ReadError(
                f"its {what.replace('_', ' ')} are not those of the training rows.",
                test.source,
            )
    return replace(
        train,
        X=_stacked(train.X, test.X),
        Y=_stacked(train.Y, test.Y),
        weights=None,
        source=f"{train.source} and {test.source}",
        loaded="",
    )


def _stacked(first: Any, second: Any) -> Any:
    if sparse.issparse(first):
        return sparse.vstack([first, second], format="csr")
    return np.vstack([first, second])


def _splits_of(path: Path, n_samples: int) -> Splits:
    try:
        words = path.read_text(encoding="utf-8").split()
        numbers = np.array([int(word) for word in words])
    except (ValueError, OSError) as error:
        raise ReadError(
            f"expected one whole number for each row: {error}.", path
        ) from None
    if len(numbers) != n_samples:
        raise ReadError(
            f"expected a fold number for each of the {n_samples} rows, found "
            f"{len(numbers)}.",
            path,
        )
    kinds = np.unique(numbers)
    if len(kinds) < 2:
        raise ReadError("all rows are in one fold: there is nothing to train on.", path)
    return [(np.flatnonzero(numbers != k), np.flatnonzero(numbers == k)) for k in kinds]
