"""Sentences of the comparison's page."""

from __future__ import annotations

from labelsift._words import counted
from labelsift.evaluate.comparison import Comparison, Standing
from labelsift.evaluate.metrics import METRICS
from labelsift.evaluate.ranks import close_runs
from labelsift.report.choice import metric_title
from labelsift.report.comparison_tables import BETTER, WORSE
from labelsift.report.method_section import NO_WORSE
from labelsift.report.svg import isolate, shorten
from labelsift.report.tables import decimals_for, figure


def scatter_caption(n_datasets: int) -> str:
    """Return how to read the picture of time against quality."""
    over = " (geometric mean over the data sets)" if n_datasets > 1 else ""
    return (
        f"Up is better, left is faster: time of a fold to select, learn and predict"
        f"{over}, at each method's best size. Bold: as good and as fast as no other. "
        "Methods that keep the same columns share a fit, and its time."
    )


def answer_words(
    comparison: Comparison, standings: list[Standing], names: list[str]
) -> str:
    """Return the verdict in one sentence."""
    metric = METRICS[comparison.plan.metrics[0]].title
    best = isolate(shorten(names[0], 60))
    n = len(comparison.results)
    if n == 1:
        value = standings[0].values[0]
        return f"{best} does best: {metric} {figure(value, decimals_for([value]))}."
    return (
        f"{best} leads by {metric}: mean rank {standings[0].mean_rank:.2f} of "
        f"{len(standings)} over {counted(n, 'data set')}."
    )


def caveat_words(
    comparison: Comparison,
    standings: list[Standing],
    difference: float,
    problems: list[str],
) -> str:
    """Return the heaviest thing against it."""
    if not comparison.is_whole:
        return (
            f"Not everything could be measured: {counted(len(problems), 'problem')}, "
            f"listed below; first {isolate(shorten(problems[0], 200))}"
        )
    ranks = [standing.mean_rank for standing in standings]
    close = sum(rank - ranks[0] < difference for rank in ranks[1:])
    if len(comparison.results) > 1 and close:
        return (
            f"{counted(close, 'other method')} cannot be told apart from it with "
            f"{counted(len(comparison.results), 'data set')}: their mean ranks differ "
            f"by less than {difference:.2f}."
        )
    return (
        "Sizes were chosen on the folds that measured them, for every method alike, so "
        "that new data will do a little worse than these figures."
    )


def lead_words(metric: str) -> str:
    """Return what the leaderboard shows."""
    way = "higher" if METRICS[metric].greater_is_better else "lower"
    return (
        f"{metric_title(metric)}, {way} is better: mean over the folds at the size "
        "that is best for the method on the data set, and that number of features. "
        "Mean rank: place on each data set, averaged; equal values share their places."
    )


def signs_words(comparison: Comparison) -> str:
    """Return how to read bold and the signs beside the figures."""
    text = f"Bold: the best of the data set. {NO_WORSE}: cannot be told apart from it."
    if comparison.has_baseline:
        text += f" {BETTER}, {WORSE}: better, worse than all features."
    text += " By the corrected resampled t test of the folds"
    n = len(comparison.results)
    if n > 1:
        text += ", and beside a mean rank by Wilcoxon's signed-rank test"
    text += ", at 0.05 with Holm's correction."
    if 1 < n < 6:
        text += f" With {n} data sets Wilcoxon's test cannot reach that; 6 are needed."
    return text


def caption_words(
    names: list[str], ranks: list[float], difference: float, n_datasets: int
) -> str:
    """Return how to read the critical-difference diagram."""
    joined = close_runs(ranks, difference)
    text = (
        f"Bars join methods whose mean ranks differ by less than {difference:.2f}, the "
        f"critical difference of {len(names)} methods on "
        f"{counted(n_datasets, 'data set')} (Nemenyi, 95\u00a0%)."
    )
    if joined == [(0, len(names) - 1)]:
        text += " Here this holds for all: these data decide nothing between them."
    return text
