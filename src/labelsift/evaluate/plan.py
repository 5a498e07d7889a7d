"""What to compare: a plan, read from TOML and checked before anything runs."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from labelsift.evaluate._outputs import can_score, no_scores_message
from labelsift.evaluate._plan_check import Checker, did_you_mean, parsed, shown
from labelsift.evaluate._plan_costs import check_costs
from labelsift.evaluate._plan_data import DataSource, data_sources
from labelsift.evaluate._plan_methods import methods
from labelsift.evaluate._plan_places import places
from labelsift.evaluate._plan_sizes import OWN, checked_sizes
from labelsift.evaluate.metrics import METRICS
from labelsift.evaluate.run import DEFAULT_METRICS
from labelsift.read.errors import ReadError

_TOP = (
    "title",
    "seed",
    "metrics",
    "sizes",
    "baseline",
    "folds",
    "data",
    "selectors",
    "classifiers",
)
_FOLDS = {
    "cross-validation": ("kind", "n_splits", "n_repeats", "stratify"),
    "hold-out": ("kind", "test_size", "n_repeats"),
    "given": ("kind",),
}
_MOST_BYTES = 1_000_000


@dataclass(frozen=True)
class Folds:
    """How rows are split into training and test rows.

    Parameters
    ----------
    kind : {"cross-validation", "hold-out", "given"}
        Folds; a part held out at random; or what the data say: a test file, the
        published split, or a file with a fold number for each row.
    n_splits : int
        Folds of a cross-validation.
    n_repeats : int
        Repetitions of a cross-validation or hold-out.
    stratify : bool
        Whether every label is spread evenly; only in a cross-validation.
    test_size : float
        Share of the rows held out.
    """

    kind: str = "cross-validation"
    n_splits: int = 10
    n_repeats: int = 1
    stratify: bool = False
    test_size: float = 0.3

    def __str__(self) -> str:
        times = f"{self.n_repeats} x " if self.n_repeats > 1 else ""
        if self.kind == "hold-out":
            return f"{times}{100 * self.test_size:g} % held out"
        if self.kind == "given":
            return "given splits"
        how = " stratified" if self.stratify else ""
        return f"{times}{self.n_splits}{how} folds"


@dataclass(frozen=True, eq=False)
class Plan:
    r"""A comparison: data by selectors by classifiers by sizes by folds.

    Parameters
    ----------
    title : str
        A name for people.
    text : str
        The plan as it was written.
    data : dict of str to DataSource
        Where each data set comes from.
    selectors, classifiers : dict of str to estimator
        What is compared, by name.
    sizes : "all", list of int and float, or None
        Numbers and fractions of features; None for about ten sizes.
    metrics : tuple of str
        Keys of ``METRICS``; the first decides what is best.
    folds : Folds
        How rows are split.
    seed : int
        From which all seeds come.
    baseline : bool
        Whether classifiers are measured with all features, too.
    own_size : tuple of str
        Selectors that are measured with the features that they keep by themselves, not
        at ``sizes``.
    classifier_sizes : dict of str
        Sizes for single classifiers in place of ``sizes``.
    name : str
        What messages call it.

    Examples
    --------
    >>> from pathlib import Path
    >>> from labelsift.evaluate import read_plan
    >>> text = "data.yeast = {}\nselectors.chi2 = {}\nclassifiers.mlknn = {}"
    >>> n_characters = Path("plan.toml").write_text(text)
    >>> plan = read_plan("plan.toml")
    >>> plan.selectors["chi2"], plan.seed
    (Chi2(), 0)
    """

    title: str
    text: str
    data: dict[str, DataSource]
    selectors: dict[str, Any]
    classifiers: dict[str, Any]
    sizes: Any
    metrics: tuple[str, ...]
    folds: Folds
    seed: int = 0
    baseline: bool = True
    own_size: tuple[str, ...] = ()
    classifier_sizes: dict[str, Any] = field(default_factory=dict)
    name: str = "plan"

    def sizes_for(self, classifier: str) -> Any:
        """Return the sizes at which a classifier is measured, as in ``sizes``."""
        return self.classifier_sizes.get(classifier, self.sizes)


def read_plan(path: str | os.PathLike[str]) -> Plan:
    """Read a plan from a TOML file and check it.

    Parameters
    ----------
    path : str or path-like
        The file. Paths of data in it start at its folder.

    Returns
    -------
    Plan
        Ready to be run.

    Raises
    ------
    ReadError
        If the file cannot be read.
    PlanError
        With every mistake, each with its line. Selectors and classifiers of other
        packages are imported to be checked; nothing else in the file is run.

    Examples
    --------
    >>> import numpy as np
    >>> from labelsift import Dataset
    >>> X = np.random.default_rng(0).normal(size=(60, 6))
    >>> Y = (X[:, :2] > 0).astype(int)
    >>> data = Dataset(X, Y, list("abcdef"), ["calm", "sad"])
    >>> path = data.save("songs.npz")
    >>> text = '''
    ... sizes = [2, 4]
    ... metrics = ["hamming_loss"]
    ... folds.n_splits = 3
    ... data.songs.path = "songs.npz"
    ... selectors = { chi2 = {}, spec = {} }
    ... classifiers.brknn = {}
    ... '''
    >>> from pathlib import Path
    >>> n_characters = Path("plan.toml").write_text(text)
    >>> plan = read_plan("plan.toml")
    >>> list(plan.selectors), plan.sizes, str(plan.folds)
    (['chi2', 'spec'], [2, 4], '3 folds')
    """
    file = Path(path)
    try:
        with file.open("rb") as stream:
            content = stream.read(_MOST_BYTES + 1)
    except FileNotFoundError:
        raise ReadError("there is no such file.", file) from None
    except IsADirectoryError:
        raise ReadError("expected a plan, found a folder.", file) from None
    if len(content) > _MOST_BYTES:
        raise ReadError(f"a plan has at most {_MOST_BYTES} bytes.", file)
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        raise ReadError("expected TOML, which is UTF-8 text.", file) from None
    return parse_plan(text, name=file.name, folder=file.parent)


def parse_plan(
    text: str,
    *,
    name: str = "plan",
    folder: str | os.PathLike[str] = ".",
) -> Plan:
    """Check the text of a plan; see :func:`read_plan`.

    Parameters
    ----------
    text : str
        TOML.
    name : str, default="plan"
        What messages call it.
    folder : path-like, default="."
        Where paths of data start.
    """
    text = text.replace("\r\n", "\n")
    whole = parsed(text, name)
    from labelsift.learn import CLASSIFIERS
    from labelsift.select import SELECTORS

    check = Checker(name, places(text))
    check.table(whole, (), _TOP)
    folds = _folds(whole, check)
    seed = _seed(whole, check)
    data = data_sources(whole.get("data"), Path(folder), folds.kind, seed, check)
    selectors, own = methods(whole.get("selectors"), "selectors", SELECTORS, check)
    classifiers, sizes = methods(
        whole.get("classifiers"), "classifiers", CLASSIFIERS, check
    )
    plan = Plan(
        title=check.value(whole, ("title",), "text", name.removesuffix(".toml")),
        text=text,
        data=data,
        selectors=selectors,
        classifiers=classifiers,
        sizes=checked_sizes(whole.get("sizes"), ("sizes",), check),
        metrics=_metrics(whole, check),
        folds=folds,
        seed=seed,
        baseline=check.value(whole, ("baseline",), "true or false", True),
        own_size=tuple(name for name, size in own.items() if size == OWN),
        classifier_sizes=sizes,
        name=name,
    )
    _check_scores(plan, check)
    check_costs(plan, check)
    check.raise_if_wrong()
    return plan


def _folds(whole: dict[str, Any], check: Checker) -> Folds:
    table = check.value(whole, ("folds",), "a table", {})
    kind = check.value(table, ("folds", "kind"), "text", "cross-validation")
    if kind not in _FOLDS:
        check.wrong(
            ("folds", "kind"),
            f'kind "{kind}" is not known.{did_you_mean(kind, _FOLDS)} Known: '
            f"{', '.join(_FOLDS)}.",
        )
        return Folds()
    check.table(table, ("folds",), _FOLDS[kind])
    n_splits = check.value(table, ("folds", "n_splits"), "a whole number", 10)
    n_repeats = check.value(table, ("folds", "n_repeats"), "a whole number", 1)
    test_size = check.value(table, ("folds", "test_size"), "a number", 0.3)
    if not 2 <= n_splits <= 10_000:
        check.wrong(("folds", "n_splits"), f"n_splits must be 2 or more: {n_splits}.")
    if not 1 <= n_repeats <= 10_000:
        check.wrong(
            ("folds", "n_repeats"), f"n_repeats must be 1 or more: {n_repeats}."
        )
    if not 0 < test_size < 1:
        check.wrong(
            ("folds", "test_size"),
            f"test_size must lie between 0 and 1; found {test_size}.",
        )
    stratify = check.value(table, ("folds", "stratify"), "true or false", False)
    return Folds(kind, n_splits, n_repeats, stratify, float(test_size))


def _metrics(whole: dict[str, Any], check: Checker) -> tuple[str, ...]:
    metrics = check.value(whole, ("metrics",), "a list", list(DEFAULT_METRICS))
    path = ("metrics",)
    if not metrics:
        check.wrong(path, "metrics must name at least one metric.")
    found: list[str] = []
    for metric in metrics:
        if not isinstance(metric, str) or metric not in METRICS:
            guess = did_you_mean(str(metric), METRICS)
            check.wrong(
                path,
                f"metric {shown(metric)} is not known.{guess} Known: "
                f"{', '.join(METRICS)}.",
            )
        elif metric in found:
            check.wrong(path, f'metric "{metric}" stands there more than once.')
        else:
            found.append(metric)
    return tuple(found)


def _seed(whole: dict[str, Any], check: Checker) -> int:
    seed: int = check.value(whole, ("seed",), "a whole number", 0)
    if not 0 <= seed < 2**31 - 10_000:
        check.wrong(("seed",), f"seed must lie between 0 and 2147473647; found {seed}.")
        return 0
    return seed


def _check_scores(plan: Plan, check: Checker) -> None:
    ranking = [name for name in plan.metrics if METRICS[name].needs == "scores"]
    for name, classifier in plan.classifiers.items():
        if ranking and not can_score(classifier):
            path = ("classifiers", name.partition(" (")[0])
            check.wrong(path, no_scores_message(classifier, ranking))
