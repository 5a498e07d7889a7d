"""Which part of a comparison a table of a paper shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from labelsift.evaluate.claims_file import ResultTable
from labelsift.evaluate.comparison import Comparison
from labelsift.evaluate.method_curves import Curve, curve, matching
from labelsift.evaluate.metrics import METRICS
from labelsift.evaluate.records import ALL_FEATURES
from labelsift.evaluate.results import Results
from labelsift.report.tables import Table


@dataclass(frozen=True)
class PaperFigure:
    """A table of a paper, with its picture at two widths where it has one.

    A table with a picture is folded away unless ``is_open``.
    """

    title: str
    picture: tuple[Markup, Markup] | None
    caption: str
    table: Table | None
    is_open: bool = False


@dataclass(frozen=True, eq=False)
class View:
    """The part of a comparison that a table shows."""

    comparison: Comparison
    asked: ResultTable
    ident: str
    datasets: Mapping[str, Any]

    @property
    def results(self) -> list[Results]:
        """Results of the data sets that are shown."""
        wanted = matching(self.asked.data or ("*",), self.comparison.datasets)
        return [r for r in self.comparison.results if r.dataset in wanted]

    @property
    def selectors(self) -> list[str]:
        """Names of the selectors, as far as they were measured anywhere."""
        known = dict.fromkeys(s for r in self.results for s in r.selectors)
        if self.asked.kind not in (
            "time",
            "only",
            "budget",
            "curves",
            "ranks",
        ) and any(r.has_baseline for r in self.results):
            known[ALL_FEATURES] = None
        return matching(self.asked.first or ("*",), list(known))

    @property
    def metrics(self) -> list[str]:
        """Metrics that are shown, as far as they were measured."""
        measured = self.comparison.plan.metrics
        return [m for m in self.asked.metrics or measured if m in measured]

    def groups(self, results: Results) -> list[tuple[str, list[str]]]:
        """Return classifiers, or the one mean that stands for all."""
        known = matching(self.asked.classifiers or ("*",), list(results.classifiers))
        if self.asked.mean_of_classifiers and known:
            return [("mean of the classifiers", known)]
        return [(name, [name]) for name in known]

    @property
    def only_classifier(self) -> str:
        """Name of the classifier where one is shown on all data; else empty."""
        names = {name for r in self.results for name, _ in self.groups(r)}
        return next(iter(names)) if len(names) == 1 else ""

    def curve(
        self, results: Results, selector: str, group: list[str], metric: str
    ) -> Curve | None:
        """Return a curve; None where the selector was not measured here."""
        is_there = selector in results.selectors or (
            selector == ALL_FEATURES and results.has_baseline
        )
        return curve(results, selector, group, metric) if is_there else None


def sign_of(metric: str) -> float:
    """Return the sign that makes larger values better."""
    return 1.0 if METRICS[metric].greater_is_better else -1.0
