"""What a plan does to data at random: a sample of rows, missing values, test costs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse

from labelsift._words import counted
from labelsift.encode.missing import MECHANISMS, inject_missing
from labelsift.evaluate._plan_check import Checker, shown
from labelsift.evaluate._plan_places import Path as Place
from labelsift.read import Dataset
from labelsift.read.dataset import as_loaded
from labelsift.score.cost import DISTRIBUTIONS, generate_test_costs

Array = np.ndarray[Any, Any]
Splits = list[tuple[Array, Array]]

_MOST_SEEDS = 1000
_MOST_BYTES = 1 << 30  # of a sparse table, dense


@dataclass(frozen=True)
class Sample:
    """A number of rows, drawn at random."""

    count: int
    seed: int

    def __str__(self) -> str:
        return f"a sample of {counted(self.count, 'row')} (seed {self.seed})"


@dataclass(frozen=True)
class Missing:
    """Values that are deleted, once for each seed."""

    rate: float
    mechanism: str
    seeds: tuple[int, ...]

    def __str__(self) -> str:
        how = f"{self.mechanism}, {_seeds_in_words(self.seeds)}"
        return f"{100 * self.rate:g} % of the values deleted ({how})"


@dataclass(frozen=True)
class DrawnCosts:
    """Test costs that are made up, once for each seed."""

    distribution: str
    low: float
    high: float
    seeds: tuple[int, ...]

    def __str__(self) -> str:
        return (
            f"test costs drawn from {self.low:g} to {self.high:g} "
            f"({self.distribution}, {_seeds_in_words(self.seeds)})"
        )


@dataclass(frozen=True)
class Treatment:
    """What is done to a data set at random before it is measured.

    Parameters
    ----------
    sample : Sample or None
        Which rows are used.
    missing : Missing or None
        Which values are deleted.
    costs : DrawnCosts or None
        What measuring the features costs.

    Notes
    -----
    Several seeds give several draws of one data set. A draw is measured with shuffles
    of its own, as one more repetition of the folds.
    """

    sample: Sample | None = None
    missing: Missing | None = None
    costs: DrawnCosts | None = None

    @property
    def n_draws(self) -> int:
        """Number of draws; 1 where nothing is drawn more than once."""
        return max([len(part.seeds) for part in self._drawn()], default=1)

    def first(self, count: int) -> Treatment:
        """Return the same with no more than so many draws."""
        missing, costs = self.missing, self.costs
        if missing is not None:
            missing = replace(missing, seeds=missing.seeds[:count])
        if costs is not None:
            costs = replace(costs, seeds=costs.seeds[:count])
        return replace(self, missing=missing, costs=costs)

    def __str__(self) -> str:
        parts = [self.sample, self.missing, self.costs]
        return "; ".join(str(part) for part in parts if part is not None)

    def python(self) -> list[str]:
        """Return lines that do the same to ``data``, for the first draw."""
        lines: list[str] = []
        if self.sample is not None:
            lines += [
                f"rows = np.random.RandomState({self.sample.seed})"
                ".permutation(data.n_samples)",
                f"data = data.take_rows(np.sort(rows[:{self.sample.count}]))",
            ]
        if self.missing is not None:
            one = self.missing
            lines.append(
                f"data = inject_missing(data, {one.rate}, {one.mechanism!r}, "
                f"random_state={one.seeds[0]})"
            )
        if self.costs is not None:
            costs = self.costs
            lines += [
                "costs = generate_test_costs(",
                f"    data.n_features, {costs.distribution!r}, low={costs.low:g}, "
                f"high={costs.high:g}, random_state={costs.seeds[0]}",
                ")",
                "data = dataclasses.replace(data, test_costs=costs)",
            ]
        if self.n_draws > 1:
            lines.append(f"# this is draw 1 of {self.n_draws}")
        return lines

    def _drawn(self) -> list[Missing | DrawnCosts]:
        return [part for part in (self.missing, self.costs) if part is not None]

    def sampled(
        self, dataset: Dataset, splits: Splits | None
    ) -> tuple[Dataset, Splits | None]:
        """Return the rows that are used, and the given splits of these."""
        if self.sample is None or self.sample.count >= dataset.n_samples:
            return dataset, splits
        # a larger sample of the same seed holds a smaller one
        shuffled = np.random.RandomState(self.sample.seed).permutation(
            dataset.n_samples
        )
        rows = np.sort(shuffled[: self.sample.count])
        if splits is not None:
            place = np.full(dataset.n_samples, -1)
            place[rows] = np.arange(len(rows))
            splits = [
                (_left(train, place), _left(test, place)) for train, test in splits
            ]
            if any(not len(train) or not len(test) for train, test in splits):
                raise ValueError(
                    f"a sample of {counted(len(rows), 'row')} leaves nothing to train "
                    "or to test on in one of the given splits; raise rows."
                )
        # the lines of ``python`` follow those that load the data
        return as_loaded(dataset.take_rows(rows), dataset.loaded), splits

    def as_done(self, n_samples: int) -> tuple[Treatment, str]:
        """Return what is done to data with so many rows left, and what is not."""
        if self.sample is None or self.sample.count <= n_samples:
            return self, ""
        note = f"rows = {self.sample.count}, but it has {n_samples}: all are used."
        return replace(self, sample=None), note

    def draw(self, dataset: Dataset, number: int) -> Dataset:
        """Return the data of a draw.

        Parameters
        ----------
        dataset : Dataset
            With the rows that are used.
        number : int
            From 0 to ``n_draws - 1``.
        """
        drawn = dataset
        if self.missing is not None:
            drawn = inject_missing(
                _dense(drawn),
                self.missing.rate,
                self.missing.mechanism,
                random_state=_at(self.missing.seeds, number),
            )
        if self.costs is not None:
            costs = generate_test_costs(
                dataset.n_features,
                self.costs.distribution,
                low=self.costs.low,
                high=self.costs.high,
                random_state=_at(self.costs.seeds, number),
            )
            drawn = replace(drawn, test_costs=costs)
        return as_loaded(drawn, dataset.loaded)


def treatment_of(
    table: dict[str, Any], path: Place, seed: int, check: Checker
) -> Treatment:
    """Return what a table [data.NAME] asks to be drawn.

    Parameters
    ----------
    table : dict
        With ``rows``, ``missing`` and ``costs``, all optional.
    path : tuple of str
        Where it stands.
    seed : int
        The plan's, where the table gives none.
    check : Checker
        Takes the mistakes.
    """
    found = Treatment(
        _sample(table.get("rows"), (*path, "rows"), seed, check),
        _missing(table.get("missing"), (*path, "missing"), seed, check),
        _costs(table.get("costs"), (*path, "costs"), seed, check),
    )
    counts = {len(part.seeds) for part in found._drawn()} - {1}
    if len(counts) > 1:
        few, many = sorted(counts)
        check.wrong(
            path,
            f"missing and costs have {few} and {many} seeds: give as many for both, "
            "the first with the first, or one seed for one of them.",
        )
    return found


def draws_costs(costs: Any) -> bool:
    """Tell whether costs are to be drawn, rather than given by feature."""
    return isinstance(costs, dict) and isinstance(costs.get("distribution"), str)


def _sample(given: Any, path: Place, seed: int, check: Checker) -> Sample | None:
    if given is None:
        return None
    if isinstance(given, dict):
        check.table(given, path, ("count", "seed"))
        count = check.value(given, (*path, "count"), "a whole number", None)
        seed = check.value(given, (*path, "seed"), "a whole number", seed)
        _check_seed(seed, (*path, "seed"), check)
    else:
        count = given
    if isinstance(count, bool) or not isinstance(count, int) or count < 2:
        check.wrong(
            path,
            "rows must be a number of rows to draw, 2 or more, or a table such as "
            f"{{ count = 2000, seed = 0 }}; found {shown(given)}.",
        )
        return None
    return Sample(count, seed)


def _missing(given: Any, path: Place, seed: int, check: Checker) -> Missing | None:
    if given is None:
        return None
    if not isinstance(given, dict):
        check.wrong(
            path,
            "missing must be a table such as { rate = 0.05, seeds = [0, 1, 2] }; found "
            f"{shown(given)}.",
        )
        return None
    check.table(given, path, ("rate", "mechanism", "seed", "seeds"))
    rate = check.value(given, (*path, "rate"), "a number", None)
    if rate is None and "rate" in given:  # no number, which is said already
        return None
    if rate is None or not 0 < rate < 1:
        what = "is needed" if rate is None else f"is {shown(rate)}"
        check.wrong(
            (*path, "rate"),
            f"missing: rate {what}; it must be more than 0 and less than 1.",
        )
        return None
    mechanism = check.value(given, (*path, "mechanism"), "text", "mcar")
    if mechanism not in MECHANISMS:
        check.wrong(
            (*path, "mechanism"),
            f'missing: mechanism "{mechanism}" is not known. Known: '
            f"{', '.join(MECHANISMS)}.",
        )
        return None
    return Missing(float(rate), mechanism, _seeds(given, path, seed, check))


def _costs(given: Any, path: Place, seed: int, check: Checker) -> DrawnCosts | None:
    if not draws_costs(given):
        return None
    check.table(given, path, ("distribution", "low", "high", "seed", "seeds"))
    distribution = given["distribution"]
    low = check.value(given, (*path, "low"), "a number", 1)
    high = check.value(given, (*path, "high"), "a number", 100)
    seeds = _seeds(given, path, seed, check)
    if distribution not in DISTRIBUTIONS:
        check.wrong(
            (*path, "distribution"),
            f'costs: distribution "{distribution}" is not known. Known: '
            f"{', '.join(DISTRIBUTIONS)}.",
        )
        return None
    found = DrawnCosts(distribution, float(low), float(high), seeds)
    try:
        generate_test_costs(1, distribution, low=low, high=high, random_state=0)
    except ValueError as error:
        check.wrong(path, f"costs: {error}")
    return found


def _seeds(
    given: dict[str, Any], path: Place, default: int, check: Checker
) -> tuple[int, ...]:
    if "seed" in given and "seeds" in given:
        check.wrong((*path, "seeds"), "give seed or seeds, not both.")
    if "seeds" not in given:
        seed = check.value(given, (*path, "seed"), "a whole number", default)
        _check_seed(seed, (*path, "seed"), check)
        return (seed,)
    seeds, at = given["seeds"], (*path, "seeds")
    is_list = isinstance(seeds, list) and 0 < len(seeds) <= _MOST_SEEDS
    if not is_list or any(isinstance(s, bool) or not isinstance(s, int) for s in seeds):
        check.wrong(
            at,
            f"seeds must be a list of 1 to {_MOST_SEEDS} whole numbers; found "
            f"{shown(seeds)}.",
        )
        return (default,)
    for seed in seeds:
        _check_seed(seed, at, check)
    if len(set(seeds)) < len(seeds):
        check.wrong(at, "seeds holds a seed twice, which would count one draw twice.")
    return tuple(seeds)


def _check_seed(seed: int, path: Place, check: Checker) -> None:
    if not 0 <= seed < 2**32:
        check.wrong(path, f"a seed must lie between 0 and 4294967295; found {seed}.")


def _seeds_in_words(seeds: tuple[int, ...]) -> str:
    first, last = seeds[0], seeds[-1]
    if len(seeds) == 1:
        return f"seed {first}"
    if len(seeds) > 2 and seeds == tuple(range(first, last + 1)):
        return f"{len(seeds)} draws, seeds {first} to {last}"
    return f"{len(seeds)} draws, seeds {', '.join(map(str, seeds))}"


def _at(seeds: tuple[int, ...], number: int) -> int:
    return seeds[number] if len(seeds) > 1 else seeds[0]


def _left(rows: Array, place: Array) -> Array:
    found = place[rows]
    return found[found >= 0]


def _dense(dataset: Dataset) -> Dataset:
    """Return the data with a dense X: what is not stored in a sparse one is 0."""
    if not sparse.issparse(dataset.X):
        return dataset
    n, d = dataset.X.shape
    if 8 * n * d > _MOST_BYTES:
        raise ValueError(
            f"missing values need a dense table, and {n} x {d} values take "
            f"{8 * n * d / 1e9:.1f} GB; draw fewer rows: rows = NUMBER."
        )
    return replace(dataset, X=dataset.X.toarray())
