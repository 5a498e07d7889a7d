"""What ``labelsift recommend`` says: the answer, the evidence, the features."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from labelsift.cli.terminal import cut_line, one_line
from labelsift.evaluate.metrics import METRICS
from labelsift.evaluate.recommend_words import decimals, figure

if TYPE_CHECKING:
    from labelsift.evaluate import RecommendedSelector
    from labelsift.read import Dataset

_MOST_SHOWN = 15
_WIDEST = 36


def outcome(
    found: RecommendedSelector,
    dataset: Dataset,
    written: list[str],
    page: Path | None,
) -> str:
    """Return the answer first, then the figures, then the features."""
    lines = [found.reason_]
    title = METRICS[found.metric].title
    low, high = found.interval_
    places = decimals([found.expected_, found.all_columns_, found.no_information_])
    shown = [figure(v, places) for v in (found.expected_, low, high)]
    lines.append(
        f"  expected on new rows: {title} {shown[0]} (95 % interval {shown[1]} to "
        f"{shown[2]} for {found.promise_.n_new} rows)"
    )
    lines.append(
        f"  in the same folds: all features {figure(found.all_columns_, places)}, an "
        f"answer that looks at none {figure(found.no_information_, places)}"
    )
    if found.justified_:
        lines += _features(found, dataset)
    if written:
        what = "" if found.justified_ else "   (all features)"
        lines.append(f"written {', '.join(map(one_line, written))}{what}")
    if page is not None:
        lines.append(f"report: {one_line(str(page))}")
    return "\n".join(lines)


def _features(found: RecommendedSelector, dataset: Dataset) -> list[str]:
    choice = found.choice_
    stability = found.stability_.value
    agree = "" if math.isnan(stability) else f"; stability {stability:.2f} of 1"
    lines = [
        f"  {one_line(choice.selector)}, measured by {one_line(choice.classifier)}"
        f"{agree}"
    ]
    rows = [("feature", "score", "folds that keep it", "serves most")]
    for row in feature_rows(found, dataset)[:_MOST_SHOWN]:
        score = "" if row["score"] is None else f"{row['score']:.4g}"
        serves = ", ".join(cut_line(name, 24) for name in row["serves"])
        kept = f"{100 * row['kept_by_folds']:.0f} %"
        rows.append((cut_line(row["feature"], _WIDEST), score, kept, serves))
    widths = [max(len(row[i]) for row in rows) for i in range(3)]
    lines += [
        f"  {name:<{widths[0]}}  {score:>{widths[1]}}  {kept:>{widths[2]}}  {serves}"
        for name, score, kept, serves in rows
    ]
    lines = [line.rstrip() for line in lines]
    more = found.n_features_ - _MOST_SHOWN
    return [*lines, f"  and {more} more"] if more > 0 else lines


def feature_rows(found: RecommendedSelector, dataset: Dataset) -> list[dict[str, Any]]:
    """Return a dict for each feature kept, best first.

    Parameters
    ----------
    found : RecommendedSelector
        Fitted.
    dataset : Dataset
        Its data.
    """
    from labelsift.report.feature_section import relevance_of, served

    columns = np.asarray(found.order_[: found.n_features_], dtype=np.int64)
    relevance, labels, _ = relevance_of(found.selector_, dataset, columns)
    rows = []
    for place, column in enumerate(columns.tolist()):
        names: tuple[str, ...] = ()
        if place < len(relevance) and dataset.n_labels > 1:
            names = served(dataset, relevance[place], labels)
        rows.append(
            {
                "feature": dataset.feature_names[column],
                "score": None
                if found.scores_ is None
                else float(found.scores_[column]),
                "kept_by_folds": float(found.frequency_[column]),
                "serves": list(names),
            }
        )
    return rows


def as_dict(
    found: RecommendedSelector,
    dataset: Dataset,
    written: list[str],
    page: Path | None,
) -> dict[str, Any]:
    """Return the answer for programs."""
    choice, decision = found.choice_, found.decision_
    return {
        "dataset": dataset.name,
        "justified": found.justified_,
        "verdict": decision.verdict,
        "reason": found.reason_,
        "metric": found.metric,
        "expected": found.expected_,
        "interval": list(found.interval_),
        "all_features": found.all_columns_,
        "no_information": found.no_information_,
        "difference": {
            "mean": found.difference_.mean,
            "low": found.difference_.low,
            "high": found.difference_.high,
        },
        "loss": decision.loss,
        "margin": decision.margin,
        "stability": found.stability_.value,
        "method": choice.selector,
        "classifier": choice.classifier,
        "n_features": found.n_features_in_,
        "n_kept": found.n_features_,
        "kept": feature_rows(found, dataset),
        "left_out": [
            {"method": one.name, "reason": one.reason} for one in found.left_out_
        ],
        "interrupted": found.interrupted_,
        "written": written,
        "report": None if page is None else str(page),
    }
