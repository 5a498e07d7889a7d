"""What goes from the page of a comparison where it would be too large."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from labelsift.report.comparison_parts import shortened

if TYPE_CHECKING:
    from labelsift.report.comparison_page import ComparisonPage

_LONG = 20  # rows of a table, where the page would be too large


def smaller(page: ComparisonPage) -> ComparisonPage | None:
    """Return the page with less of what is missed least; None where all is needed."""
    if len(page.panels) > 3:
        return replace(page, panels=page.panels[: len(page.panels) // 2])
    if page.labels:
        return replace(page, labels=page.labels[: len(page.labels) // 2])
    if page.others:
        return replace(page, others=page.others[: len(page.others) // 2])
    tables = [page.leaderboard, *page.tests, page.time, page.stability, page.own_sizes]
    if any(table is not None and len(table.rows) > _LONG for table in tables):
        return replace(
            page,
            leaderboard=shortened(page.leaderboard, _LONG),
            tests=[shortened(table, _LONG) for table in page.tests],
            time=shortened(page.time, _LONG),
            stability=shortened(page.stability, _LONG),
            own_sizes=page.own_sizes and shortened(page.own_sizes, _LONG),
        )
    claims = page.claims
    if claims and any(len(one.table.rows) > _LONG for one in claims.details):
        details = [
            replace(one, table=shortened(one.table, _LONG)) for one in claims.details
        ]
        return replace(page, claims=replace(claims, details=details))
    if page.figures and page.panels[1:]:  # which mostly show the same curves
        return replace(page, panels=page.panels[:1])
    if page.figures:
        return replace(page, figures=page.figures[: len(page.figures) * 9 // 10])
    return replace(page, panels=page.panels[:-1]) if page.panels[1:] else None


def left_out(page: ComparisonPage, whole: ComparisonPage) -> list[str]:
    """Return in words what is on the page, for each part that is not all there."""
    parts = [
        ("curves of {} of {} data sets", len(page.panels), len(whole.data.rows)),
        ("labels of {} of {} data sets", len(page.labels), len(whole.labels)),
        (
            "leaderboards of {} of {} metrics",
            len(page.others) + 1,
            len(whole.others) + 1,
        ),
        ("{} of {} tables and figures", len(page.figures), len(whole.figures)),
    ]
    return [text.format(shown or "none", n) for text, shown, n in parts if shown < n]
