"""Run the portfolio, cheapest method first, until it is through or time is up."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from labelsift.engine import Engine, Lost
from labelsift.evaluate._fold_tasks import Table
from labelsift.evaluate.metrics import METRICS
from labelsift.evaluate.progress import Report
from labelsift.evaluate.recommend_portfolio import LeftOut, Member
from labelsift.evaluate.recommend_rule import Choice, choose
from labelsift.evaluate.recommend_search import (
    Measurement,
    OuterTask,
    Round,
    Searched,
    SearchTask,
    constant_values,
    measure_outer,
    search,
)
from labelsift.evaluate.records import ALL_FEATURES
from labelsift.evaluate.summary import mean_and_sd

Array = np.ndarray[Any, Any]

# What comes after the search, as a share of the time of one method: a fit for each
# outer fold and one on all rows, of the ten times as many that a search takes.
_AFTER = 0.3


@dataclass(eq=False)
class PortfolioRun:
    """What is searched, with what, and what came of it.

    Parameters
    ----------
    table : Table
        The rows of the search; its first metric decides.
    members : sequence of Member
        Methods, in the order in which they run.
    classifiers : mapping of str to estimator
        What measures them.
    rounds : sequence of Round
        The last is that on all rows.
    sizes : tuple of int
        Numbers of features to try, each less than there are.
    costs : ndarray or None
        Of the features.
    rule, tolerance, seed
        As in ``RecommendedSelector``.
    records_errors : bool
        Leave a method out that fails, instead of raising its error.
    finishes : bool
        End with what is done at Ctrl-C, if one method is.
    time_limit : float or None
        Seconds.
    clock : callable
        Seconds; for tests.
    """

    table: Table
    members: Sequence[Member]
    classifiers: Mapping[str, Any]
    rounds: Sequence[Round]
    sizes: tuple[int, ...]
    costs: Array | None
    rule: str
    tolerance: float
    seed: int
    records_errors: bool
    finishes: bool
    time_limit: float | None
    clock: Callable[[], float] = time.monotonic
    done: dict[str, list[Searched]] = field(default_factory=dict)
    left_out: list[LeftOut] = field(default_factory=list)
    interrupted: bool = False

    def go(self, engine: Engine, report: Report) -> None:
        """Search with all columns, then with one method after another."""
        self._start = self.clock()
        self._steps, self._report = 0, report
        leading = getattr(report, "leading", None)
        self.total = len(self.rounds) * (len(self.members) + 1) + len(self.rounds) - 1
        report(0, self.total)
        shared = engine.share(self.table)
        self.constants = [constant_values(self.table, r.inner) for r in self.rounds]
        d = self.table.X.shape[1]
        everything = Member(ALL_FEATURES, None, 0.0)
        self.done[ALL_FEATURES] = self._search(engine, shared, everything, (d,))
        last: tuple[Member, float] | None = None
        for number, member in enumerate(self.members if self.sizes else ()):
            reason = "" if last is None else self._no_time_for(member, last)
            if not reason:
                begin = self.clock()
                try:
                    self.done[member.name] = self._search(
                        engine, shared, member, self.sizes, may_stop=last is not None
                    )
                except KeyboardInterrupt:
                    if not self.finishes or last is None:
                        raise
                    self.interrupted = True
                    for missing in self.members[number:]:
                        self._leave(missing, "interrupted before it was through")
                    break
                except _TimeIsUp:
                    reason = "time was up before it was through"
                except Exception as error:
                    if not self.records_errors:
                        raise
                    reason = " ".join(f"{type(error).__name__}: {error}".split())
                else:
                    last = member, self.clock() - begin
                    if leading is not None:
                        leading(self.choice(-1))
            if reason:
                self._leave(member, reason)
                self._step(len(self.rounds) * (number + 2) - self._steps)
        if self.sizes and self.members and len(self.done) == 1:
            raise RuntimeError(
                "no method of the portfolio came through: "
                + "; ".join(map(str, self.left_out))
            )

    def _leave(self, member: Member, reason: str) -> None:
        self.left_out.append(LeftOut(member.name, reason))

    def _no_time_for(self, member: Member, last: tuple[Member, float]) -> str:
        if self.time_limit is None:
            return ""
        before, seconds = last
        fits = sum(len(r.inner) for r in self.rounds)
        about = seconds + fits * (member.seconds - before.seconds)
        about = max(about, 0.5 * seconds)
        left = self.time_limit - (self.clock() - self._start)
        if about * (1 + _AFTER) <= left:
            return ""
        return (
            f"it would have taken about {_seconds(about)} and {_seconds(left)} were "
            "left"
        )

    def _search(
        self,
        engine: Engine,
        shared: Any,
        member: Member,
        sizes: tuple[int, ...],
        *,
        may_stop: bool = False,
    ) -> list[Searched]:
        last = len(self.rounds) - 1
        # the round on all rows first: it tells the best so far
        order = [last, *range(last)]
        tasks = [
            (
                SearchTask(
                    member.name,
                    member.selector,
                    self.classifiers,
                    sizes,
                    self.costs,
                    self.rounds[number],
                    number == last,
                ),
                self.seed,
            )
            for number in order
        ]
        found: list[Searched] = []
        results = engine.run(search, shared, tasks)
        for one in results:
            if isinstance(one, Lost):
                raise RuntimeError(one.reason)
            found.append(one)
            self._step(1)
            late = (
                self.time_limit is not None
                and self.clock() - self._start > self.time_limit
            )
            if may_stop and late and len(found) < len(tasks):
                close = getattr(results, "close", None)
                if close is not None:
                    close()
                raise _TimeIsUp
        return [*found[1:], found[0]]

    def _step(self, count: int) -> None:
        self._steps += count
        self._report(self._steps, self.total)

    def choice(self, number: int, *, of_all: bool = False) -> Choice:
        """Return what the inner folds of a round choose.

        Parameters
        ----------
        number : int
            Of the round.
        of_all : bool, default=False
            Choose only the classifier that does best with all columns.
        """
        names = [ALL_FEATURES] if of_all else list(self.done)
        curves = [curve for name in names for curve in self.done[name][number].curves]
        return choose(
            curves,
            self.constants[number],
            metric=self.table.metrics[0],
            rule="best" if of_all else self.rule,
            tolerance=self.tolerance,
        )

    def best_method(self) -> str | None:
        """Return the selector of the best mean on all rows, whatever its size."""
        metric = self.table.metrics[0]
        sign = 1.0 if METRICS[metric].greater_is_better else -1.0
        best, best_merit = None, -np.inf
        for name, found in self.done.items():
            for curve in found[-1].curves if name != ALL_FEATURES else ():
                merit = max(sign * mean_and_sd(row)[0] for row in curve.values)
                if best is None or merit > best_merit:
                    best, best_merit = name, merit
        return best

    def measure(self, engine: Engine, metrics: tuple[str, ...]) -> list[Measurement]:
        """Measure what each round chose on the rows that it has not seen."""
        selectors = {member.name: member.selector for member in self.members}
        tasks = []
        for number, one in enumerate(self.rounds[:-1]):
            choice = self.choice(number)
            tasks.append(
                (
                    OuterTask(
                        choice,
                        self.choice(number, of_all=True),
                        selectors.get(choice.selector),
                        self.classifiers,
                        one,
                    ),
                    self.seed,
                )
            )
        table = Table(
            self.table.X,
            self.table.Y,
            self.table.y,
            metrics,
            self.table.feature_names,
        )
        found = []
        self._step(len(self.rounds) * (len(self.members) + 1) - self._steps)
        for measured in engine.run(measure_outer, engine.share(table), tasks):
            if isinstance(measured, Lost):
                raise RuntimeError(measured.reason)
            found.append(measured)
            self._step(1)
        return found

    def warnings(self) -> dict[str, int]:
        """Return the warnings of all methods that are through, and how often."""
        counts: dict[str, int] = {}
        for found in self.done.values():
            for one in found:
                for text, count in one.warnings.items():
                    counts[text] = counts.get(text, 0) + count
        return counts


def _seconds(value: float) -> str:
    return f"{max(value, 0.0):.{1 if value < 10 else 0}f} s"


class _TimeIsUp(Exception):
    """The time limit was reached between two tasks."""
