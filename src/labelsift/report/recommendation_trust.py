"""What to know before trusting a recommendation."""

from __future__ import annotations

import math

from labelsift.evaluate.metrics import METRICS
from labelsift.evaluate.recommend_rule import NO_SIGNAL
from labelsift.evaluate.recommended_selector import RecommendedSelector
from labelsift.evaluate.results import Results
from labelsift.report import trust_section
from labelsift.report.choice import Contest
from labelsift.report.svg import isolate, shorten
from labelsift.report.tables import decimals_for, figure
from labelsift.report.trust_section import Point


def trust_points(
    found: RecommendedSelector, outer: Results, best: Contest
) -> list[Point]:
    """Return what to know, in the order of the page.

    Parameters
    ----------
    found : RecommendedSelector
        Fitted.
    outer : Results
        Its outer folds.
    best : Contest
        The one method of these.
    """
    points = [_nested(found), _rule(found), _gain(found), _stability(found)]
    points += [_left_out(found), _rows(found)]
    points += trust_section.trust_points(outer, best, found.metric)
    return [point for point in points if point is not None]


def _nested(found: RecommendedSelector) -> Point:
    return Point(
        "Nothing chose and judged at once",
        f"method and size were chosen by {found.inner_cv} inner folds within the "
        f"training rows of each of {len(found.measured_)} outer folds, and measured on "
        "the rows held out; the expected figure and its interval come from those only.",
    )


def _rule(found: RecommendedSelector) -> Point:
    decision = found.decision_
    places = decimals_for([decision.margin]) + 1
    loss = figure(decision.loss, places, has_sign=True)
    return Point(
        "The rule",
        "fewer features are recommended if they beat the best answer that looks at no "
        "feature, and lose no more against all features than the margin: here "
        f"{figure(decision.margin, places)} in {METRICS[found.metric].title}; measured "
        f"was a loss of {loss}.",
    )


def _gain(found: RecommendedSelector) -> Point:
    gain = found.decision_.gain
    places = decimals_for([gain.mean, gain.low, gain.high]) + 1
    low, high, mean = (
        figure(value, places, has_sign=True)
        for value in (gain.low, gain.high, gain.mean)
    )
    text = (
        f"the chosen features differ by {mean} from the best constant answer "
        f"({100 * gain.confidence:g}\u00a0% interval {low} to {high}, corrected "
        "resampled t)."
    )
    if found.decision_.verdict == NO_SIGNAL:
        few = found.decision_.is_open
        title = "Too few folds to tell" if few else "No feature predicts the labels"
        return Point(title, text, 90)
    weak = gain.verdict != "better"
    title = "Not shown to beat a constant" if weak else "Against a constant answer"
    return Point(title, text, 70 if weak else 0)


def _stability(found: RecommendedSelector) -> Point | None:
    value = found.stability_.value
    if math.isnan(value):
        return None
    always = int((found.frequency_ == 1).sum())
    ever = int((found.frequency_ > 0).sum())
    text = (
        f"{always} features are kept by every outer fold and {ever} by at least one; "
        f"Nogueira's measure is {figure(value, 2)}."
    )
    if value < 0.5:
        text += " Other rows would give another set that may do as well."
        return Point("The choice is not stable", text, 40 * found.justified_)
    return Point("The choice is stable", text)


def _left_out(found: RecommendedSelector) -> Point | None:
    if not found.left_out_:
        return None
    listed = "; ".join(isolate(shorten(str(one), 160)) for one in found.left_out_)
    title = "Interrupted" if found.interrupted_ else "Methods left out"
    return Point(title, f"{listed}.", 65 if found.interrupted_ else 12)


def _rows(found: RecommendedSelector) -> Point | None:
    if found.n_searched_ == found.n_samples_:
        return None
    return Point(
        "Not all rows were searched",
        f"{found.n_searched_} of {found.n_samples_} rows, drawn at random, chose and "
        "measured; the method was then fitted on all, so that the figures are, if "
        "anything, too low.",
        14,
    )
