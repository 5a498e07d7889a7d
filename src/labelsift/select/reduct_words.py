"""Say in words what a search for a reduct found, and why it ended."""

from __future__ import annotations

from typing import Any

from labelsift._words import counted


def reduct_facts(selector: Any) -> dict[str, Any]:
    """Return the facts of a fitted search for JSON; nothing for other methods."""
    if not hasattr(selector, "reduct_"):
        return {}
    facts = {"reduct_size": len(selector.reduct_), "stopped": selector.stopped_}
    if not hasattr(selector, "dependency_"):
        return {"reduct": {**facts, "pairs": selector.n_entries_}}
    certain, goal, n_rows = _rows(selector)
    return {
        "reduct": {
            **facts,
            "added": len(selector.added_),
            "dependency": certain / n_rows,
            "total_dependency": selector.total_dependency_,
            "certain_rows": certain,
            "certain_rows_with_all_features": goal,
            "boundary_rows": int(selector.boundary_.sum()),
        }
    }


def reduct_words(selector: Any) -> list[str]:
    """Return sentences on a fitted search; nothing for other methods."""
    if not hasattr(selector, "reduct_"):
        return []
    size, added = len(selector.reduct_), len(selector.added_)
    dropped = f" ({added} added, {added - size} of them dropped again)"
    features = f"{counted(size, 'feature')}{dropped if added > size else ''}"
    if not hasattr(selector, "dependency_"):
        return [_pairs(selector, features)]
    certain, goal, n_rows = _rows(selector)
    every = f"all {selector.n_features_in_} features"
    share = f"dependency {certain / n_rows:.4g}"
    reached = f"{features} make{'s' * (size == 1)} {certain} of {n_rows} rows certain"
    beyond = f"with {every} it is {goal} ({selector.total_dependency_:.4g})"
    sentence = {
        "complete": f"reduct: {reached} ({share}), as many as {every} do",
        "epsilon": f"stopped within epsilon: {reached} ({share}); {beyond}",
        "no_gain": f"stopped, as no further feature makes a row certain: {reached} "
        f"({share}); {beyond}",
        "nothing_certain": f"no row is certain even with {every}: the reduct is empty",
        "all_features": f"stopped, as no feature is left: {reached} ({share}); "
        f"{beyond}",
        "interrupted": f"interrupted: so far {reached} ({share}); {beyond}",
    }[selector.stopped_]
    return [sentence, _boundary(selector)]


def _boundary(selector: Any) -> str:
    boundary = int(selector.boundary_.sum())
    without = len(selector.boundary_) - boundary - int(selector.positive_region_.sum())
    text = f"boundary: {counted(boundary, 'row')} with labels not certain"
    if without:
        text += f"; {counted(without, 'row')} without labels left out"
    return text


def _pairs(selector: Any, features: str) -> str:
    pairs = f"{selector.n_entries_ - selector.n_empty_entries_} pairs of rows"
    if selector.stopped_ == "interrupted":
        hit = selector.discerned_[-1] if len(selector.discerned_) else 0.0
        return f"interrupted: {features} tell apart {hit:.1%} of {pairs}"
    text = f"reduct: {features} tell apart all {pairs} that can be"
    if selector.n_empty_entries_:
        text += f"; {selector.n_empty_entries_} pairs agree in every feature"
    return text


def _rows(selector: Any) -> tuple[int, int, int]:
    """Return certain rows, those with all features, and rows that count."""
    certain = int(selector.positive_region_.sum())
    n_rows = len(selector.positive_region_)
    if selector.empty_labels == "drop":
        n_rows = certain + int(selector.boundary_.sum())
    return certain, round(selector.total_dependency_ * n_rows), n_rows
