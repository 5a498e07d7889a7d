"""Run a plan: data set after data set, every result kept as it comes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from labelsift.engine import Engine, engine_by_name, engine_for
from labelsift.evaluate._plan_check import PlanError
from labelsift.evaluate._plan_costs import load_priced
from labelsift.evaluate._plan_draws import Splits, Treatment
from labelsift.evaluate._plan_measure import measure_data
from labelsift.evaluate._plan_sizes import fitting_sizes
from labelsift.evaluate._remember import RememberingEngine, SurveyingEngine
from labelsift.evaluate.comparison import Comparison
from labelsift.evaluate.failures import NOT_COMPUTED, NothingMeasured
from labelsift.evaluate.plan import Plan
from labelsift.evaluate.records import Cell, Failure
from labelsift.evaluate.results import Results
from labelsift.evaluate.store import ResultStore, StoreError
from labelsift.read import Dataset


class Watcher(Protocol):
    """Is told how far a plan is."""

    def start(self, dataset: str) -> None:
        """Begin a data set."""

    def __call__(self, done: int, total: int) -> None:
        """Take how many fits of the data set are there, stored or computed."""

    def watch(self, cell: Cell) -> None:
        """Take a measurement."""


@dataclass(frozen=True, eq=False)
class LoadedData:
    """A data set of a plan, ready to be measured, or the reason why it is not.

    Parameters
    ----------
    name : str
        Name in the plan.
    dataset : Dataset or None
        The first draw, where several are measured; None if it could not be read.
    splits : list of (train, test) or None
        Given splits.
    sizes : dict of str to tuple of int
        Numbers of features to try, for each classifier.
    error : str
        Why it cannot be measured; empty if it can.
    note : str
        What of the plan does not fit it; empty if all does.
    treatment : Treatment
        What is drawn at random.
    undrawn : Dataset or None
        The data before values were deleted and costs drawn; None if that is the same.

    Examples
    --------
    >>> from pathlib import Path
    >>> from labelsift.evaluate import load_data, read_plan
    >>> text = '''
    ... data.x.generate.seed = 0
    ... selectors.chi2 = {}
    ... classifiers.mlknn = {}
    ... '''
    >>> n_characters = Path("plan.toml").write_text(text)
    >>> plan = read_plan("plan.toml")
    >>> data = load_data(plan)[0]
    >>> data.name, data.dataset.n_features, data.error
    ('x', 40, '')
    """

    name: str
    dataset: Dataset | None
    splits: Splits | None = None
    sizes: dict[str, tuple[int, ...]] = field(default_factory=dict)
    error: str = ""
    note: str = ""
    treatment: Treatment = field(default_factory=Treatment)
    undrawn: Dataset | None = None

    def draw(self, number: int) -> Dataset:
        """Return the data of a draw, from 0 to ``treatment.n_draws - 1``."""
        assert self.dataset is not None
        if number == 0 or self.undrawn is None:
            return self.dataset
        return self.treatment.draw(self.undrawn, number)


@dataclass(frozen=True)
class Survey:
    """How much of a plan is done.

    Parameters
    ----------
    dataset : str
        Name of the data set.
    n_fits : int
        Fits of selectors and classifiers that the plan asks for. Methods that keep the
        same columns in a fold share a fit, so there may be fewer.
    missing : tuple of Failure
        What is not in the store: an entry without classifier stands for a selector in a
        fold and all that builds on it.
    n_missing : int
        The same as a number of fits.
    """

    dataset: str
    n_fits: int
    missing: tuple[Failure, ...]
    n_missing: int


def load_data(
    plan: Plan, tell: Callable[[str], Any] = lambda name: None
) -> list[LoadedData]:
    """Read the data sets of a plan; one that cannot be read stops none of the others.

    Parameters
    ----------
    plan : Plan
        What is to be done.
    tell : callable, optional
        Called with the name of each data set before it is read.

    Returns
    -------
    list of LoadedData
        In the order of the plan.

    Raises
    ------
    PlanError
        If costs are those of other features than the data have.

    Examples
    --------
    >>> from pathlib import Path
    >>> from labelsift.evaluate import load_data, read_plan
    >>> text = '''
    ... data.x.generate.seed = 0
    ... selectors.chi2 = {}
    ... classifiers.mlknn = {}
    ... '''
    >>> n_characters = Path("plan.toml").write_text(text)
    >>> plan = read_plan("plan.toml")
    >>> [data.sizes["mlknn"][-1] for data in load_data(plan)]
    [40]
    """
    found = []
    for name, source in plan.data.items():
        tell(name)
        try:
            undrawn, splits = load_priced(plan, name)
            dataset = source.treatment.draw(undrawn, 0)
        except PlanError:
            raise
        except (ValueError, TypeError, OSError, ImportError, MemoryError) as error:
            found.append(LoadedData(name, None, error=_text(error)))
            continue
        sizes, note, misfit = fitting_sizes(plan, dataset.n_features)
        treatment, all_rows = source.treatment.as_done(dataset.n_samples)
        found.append(
            LoadedData(
                name,
                dataset,
                splits,
                sizes,
                misfit,
                " ".join(filter(None, [all_rows, note])),
                treatment,
                None if dataset is undrawn else undrawn,
            )
        )
    return found


def survey(plan: Plan, loaded: list[LoadedData], store: ResultStore) -> list[Survey]:
    """Return what the store lacks, for each data set that can be measured."""
    found = []
    for data in loaded:
        if data.dataset is None or data.error:
            continue
        engine = SurveyingEngine(store, data.name)
        counted = [0]

        def count(done: int, total: int, counted: list[int] = counted) -> None:
            counted[0] = total

        try:
            failures = measure_data(plan, data, engine, count).failures
        except NothingMeasured as error:
            failures = error.failures
        except (ValueError, TypeError):
            continue  # the run says why
        per = {name: len(fits_of(plan, data, name)) for name in plan.selectors}
        missing = tuple(f for f in failures if f.error == NOT_COMPUTED)
        n_missing = sum(1 if f.classifier else 1 + per[f.selector] for f in missing)
        found.append(Survey(data.name, counted[0], missing, n_missing))
    return found


def fits_of(
    plan: Plan, data: LoadedData, selector: str
) -> list[tuple[str, int | None]]:
    """Return classifier and size of each fit that follows a ranking in a fold.

    Parameters
    ----------
    plan : Plan
        What is to be done.
    data : LoadedData
        A data set of it.
    selector : str
        Name of the selector. The size is None where that is its own.
    """
    if selector in plan.own_size:
        return [(classifier, None) for classifier in plan.classifiers]
    return [(c, size) for c in plan.classifiers for size in data.sizes[c]]


def run_plan(
    plan: Plan,
    store: ResultStore,
    *,
    loaded: list[LoadedData] | None = None,
    n_jobs: int | None = None,
    watcher: Watcher | None = None,
    engine: str | None = None,
    n_workers: int | None = None,
    address: str | None = None,
) -> Comparison:
    """Measure everything that a plan names, and that the store does not hold yet.

    Parameters
    ----------
    plan : Plan
        What is to be done.
    store : ResultStore
        Takes every result as it comes; what is in it already is not computed again.
    loaded : list of LoadedData, optional
        The data, where they were read before.
    n_jobs : int, optional
        Processes; the results are the same for any number.
    watcher : Watcher, optional
        Is told how far it is.
    engine : {"inline", "processes", "dask"}, optional
        Where to run, in place of ``n_jobs``.
    n_workers : int, optional
        Processes, or workers of a Dask cluster that is started on this machine.
    address : str, optional
        Of the scheduler of a running Dask cluster.

    Returns
    -------
    Comparison
        With what failed: a data set that cannot be measured and a method that fails
        stop none of the others.

    Notes
    -----
    The numbers are those of ``cross_validate`` for each data set. All seeds come from
    the plan's and the number of the fold, so that neither the order of the work, nor
    the number of processes, nor an interruption has a say.

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
    >>> from labelsift.evaluate import ResultStore, read_plan
    >>> with ResultStore("results.sqlite") as store:
    ...     comparison = run_plan(read_plan("plan.toml"), store)
    >>> [str(standing.method) for standing in comparison.standings()]
    ['chi2, brknn', 'spec, brknn']
    """
    loaded = load_data(plan) if loaded is None else loaded
    store.begin(plan.text)
    results: list[Results] = []
    broken: dict[str, str] = {}
    inner: Any = n_jobs
    if engine is not None:
        inner = engine_by_name(engine, n_workers=n_workers, address=address)
    elif not isinstance(n_jobs, Engine):
        inner = engine_for(n_jobs)
    try:
        for data in loaded:
            if data.dataset is None or data.error:
                broken[data.name] = data.error
                continue
            if watcher is not None:
                watcher.start(data.name)
            remembering = RememberingEngine(inner, store, data.name)
            try:
                results.append(measure_data(plan, data, remembering, watcher))
            except StoreError:
                raise
            except (NothingMeasured, ValueError, TypeError) as error:
                broken[data.name] = _text(error)
    finally:
        if inner is not n_jobs:
            inner.close()
    notes = tuple(f"{data.name}: {data.note}" for data in loaded if data.note)
    return Comparison(plan, tuple(results), broken, notes)


def stored_comparison(
    plan: Plan, store: ResultStore, loaded: list[LoadedData]
) -> Comparison:
    """Return what the store holds of a plan, and compute nothing.

    Parameters
    ----------
    plan : Plan
        What is to be done.
    store : ResultStore
        What is done of it.
    loaded : list of LoadedData
        The data.

    Returns
    -------
    Comparison
        With the methods that were measured in every fold of a data set; what is missing
        stands among what failed, as "not computed yet".

    Examples
    --------
    >>> from pathlib import Path
    >>> from labelsift.evaluate import load_data, read_plan
    >>> text = '''
    ... data.x.generate.seed = 0
    ... selectors.chi2 = {}
    ... classifiers.mlknn = {}
    ... '''
    >>> n_characters = Path("plan.toml").write_text(text)
    >>> plan = read_plan("plan.toml")
    >>> from labelsift.evaluate import ResultStore
    >>> with ResultStore("results.sqlite") as store:
    ...     found = stored_comparison(plan, store, load_data(plan))
    >>> found.failed()
    ['x: not computed yet']
    """
    results: list[Results] = []
    broken: dict[str, str] = {}
    for data in loaded:
        if data.dataset is None or data.error:
            broken[data.name] = data.error
            continue
        engine = RememberingEngine(None, store, data.name)
        try:
            results.append(measure_data(plan, data, engine, None))
        except NothingMeasured as error:
            texts = [f.error for f in error.failures if f.error != NOT_COMPUTED]
            broken[data.name] = texts[0] if texts else NOT_COMPUTED
        except (ValueError, TypeError) as error:
            broken[data.name] = _text(error)
    notes = tuple(f"{data.name}: {data.note}" for data in loaded if data.note)
    return Comparison(plan, tuple(results), broken, notes)


def _text(error: BaseException) -> str:
    if isinstance(error, NothingMeasured):
        return str(error).partition(": ")[2]
    text = " ".join(str(error).split())
    is_plain = isinstance(error, ValueError | TypeError) and text
    return text if is_plain else f"{type(error).__name__}: {text}"
