"""Every plot refuses what it cannot show in one line that says what it takes."""

from __future__ import annotations

import inspect
import re

import matplotlib
import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from labelsift.evaluate import friedman
from labelsift.report import plots
from labelsift.select import CSIG, Chi2, ToleranceRoughSet
from report.made_up import made_up
from report.test_comparison_page import comparison

ODD = {
    "None": None,
    "a number": 3,
    "text": "x",
    "an empty list": [],
    "a list of lists of unequal length": [[1, 2], [3]],
    "a dict": {},
    "a class": Chi2,
    "an unfitted selector": Chi2(),
    "a list of other selectors": [Chi2()],
    "unfitted rough sets": [ToleranceRoughSet(lam=1.0)],
    "an empty frame": pd.DataFrame(),
    "a frame of text": pd.DataFrame({"a": ["x", "y"]}),
    "an object": object(),
}
PLOTS = [name for name in plots.__all__ if name != "save_plot"]


@pytest.fixture(autouse=True)
def figures():
    """Draw without a screen; nothing may be drawn before the arguments are checked."""
    from matplotlib import pyplot as plt

    plt.close("all")  # what other tests left open
    matplotlib.use("Agg")
    yield
    plt.close("all")


def first_parameter(plot):
    return next(iter(inspect.signature(plot).parameters))


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("name", PLOTS)
def test_a_plot_names_the_argument_that_it_cannot_show(name, odd):
    from matplotlib import pyplot as plt

    plot = getattr(plots, name)
    with pytest.raises((TypeError, ValueError)) as caught:
        plot(ODD[odd])
    message = str(caught.value)
    assert type(caught.value).__name__ in ("TypeError", "ValueError", "NotFittedError")
    words = r"is not fitted|Chi2 (has no|scores no)|nothing to draw"
    assert re.search(rf"^{first_parameter(plot)} |{words}", message), message
    assert "\n" not in message
    assert plt.get_fignums() == []


def calls():
    results, dataset = made_up()
    found = comparison()
    ranks = friedman([[3, 2, 1], [3, 2, 1], [2, 3, 1]], ["a", "b", "c"])
    fitted = ToleranceRoughSet().lam_path(dataset.X, dataset.Y, lams=[1.0, 2.0])
    priced = CSIG(np.ones(12), threshold=None).fit(dataset.X, dataset.Y)
    return {
        "path_curves": results,
        "cost_quality_curve": priced,
        "critical_difference_diagram": found,
        "label_heat_map": np.eye(3),
        "lam_sweep": fitted,
        "redundancy_map": np.eye(3),
        "selection_stability": found,
        "time_against_quality": found,
    }, (results, ranks)


def test_every_plot_refuses_what_are_no_axes():
    right, _ = calls()
    assert set(right) == set(PLOTS)
    for name, given in right.items():
        with pytest.raises(TypeError, match=r"^ax must be axes of matplotlib.*found 3"):
            getattr(plots, name)(given, ax=3)


def test_polar_axes_are_refused():
    from matplotlib.figure import Figure

    polar = Figure().add_subplot(projection="polar")
    with pytest.raises(TypeError, match=r"^ax must be axes of matplotlib with x and y"):
        plots.label_heat_map(np.eye(3), ax=polar)


def test_settings_are_refused_by_name():
    right, (results, ranks) = calls()
    with_metric = ["path_curves", "critical_difference_diagram", "time_against_quality"]
    for name in with_metric:
        plot = getattr(plots, name)
        with pytest.raises(TypeError, match=r"^metric must be a name such as"):
            plot(right[name], 3)
        with pytest.raises(ValueError, match=r"^metric 'nope' is not known; known: "):
            plot(right[name], "nope")
        with pytest.raises(ValueError, match=r"'coverage' was not measured; .* has: "):
            plot(right[name], "coverage")
    for name in ("path_curves", "cost_quality_curve"):
        plot, settings = getattr(plots, name), {}
        if name == "cost_quality_curve":
            settings = {"costs": np.ones(12)}
        with pytest.raises(TypeError, match=r"^most must be a whole number; found 2.5"):
            plot(results, most=2.5, **settings)
        with pytest.raises(ValueError, match=r"^most must be at least 1; found 0"):
            plot(results, most=0, **settings)
    diagram = plots.critical_difference_diagram
    for alpha in (None, "x", 0, 1, float("nan")):
        with pytest.raises((TypeError, ValueError), match=r"^alpha must lie between"):
            diagram(right["critical_difference_diagram"], alpha=alpha)
    assert diagram(ranks) is not None
    with pytest.raises(ValueError, match=r"^costs must hold one number|^costs must be"):
        plots.cost_quality_curve(results, 3)


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        (3, "found 3"),
        ("x", "found 'x'"),
        ([], "at least one column"),
        ([0.5], r"found \[0.5\]"),
        ([0, 9], "from 0 to 2.*found 9"),
        ([-1], "found -1"),
        ([[0, 1], [1]], r"found \[\[0, 1\], \[1\]\]"),
        ([True, False], r"for each of the 3; found \[True, False\]"),
        ([False, False, False], "at least one column"),
    ],
)
def test_columns_of_the_map_are_places_or_a_mask(columns, words):
    with pytest.raises((TypeError, ValueError), match=rf"^columns must hold .*{words}"):
        plots.redundancy_map(np.eye(3), columns)


def test_columns_are_named_where_they_have_names():
    X = np.random.default_rng(0).normal(size=(20, 3))
    ax = plots.redundancy_map(X, np.array(["c", "a"], dtype=object), "abc")
    assert sorted(text.get_text() for text in ax.get_yticklabels()) == ["a", "c"]
    frame = pd.DataFrame(X, columns=["a", "b", "b"])
    for name, what in (("x", "no column of X"), ("b", "several columns of X")):
        with pytest.raises(ValueError, match=f"^columns names {name!r}.* {what}"):
            plots.redundancy_map(frame, ["a", name])
    with pytest.raises(TypeError, match=r"^columns must hold names of columns, whole"):
        plots.redundancy_map(frame, [0.5])
    with pytest.raises(TypeError, match=r"^columns must hold whole numbers"):
        plots.redundancy_map(X, ["a"])


def test_a_column_of_text_is_named():
    frame = pd.DataFrame({"a": [0.0, 1.0], "size": ["s", "l"]})
    with pytest.raises(ValueError, match="found column 'size' with what is no number"):
        plots.redundancy_map(frame)


def test_a_mask_of_columns_chooses_those_that_are_true():
    X = np.random.default_rng(0).normal(size=(20, 3))
    ax = plots.redundancy_map(X, np.array([True, False, True]))
    assert sorted(text.get_text() for text in ax.get_yticklabels()) == ["0", "2"]


def test_names_are_lists_and_files_are_named():
    with pytest.raises(TypeError, match=r"^feature_names must be a list of 3 names"):
        plots.label_heat_map(np.eye(3), 3)
    with pytest.raises(TypeError, match=r"^ax must be what a plot returned; found 3"):
        plots.save_plot(3, "x.svg")
    with pytest.raises(TypeError, match=r"^path must be the name of a file; found 3"):
        plots.save_plot(plots.label_heat_map(np.eye(3)), 3)


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array, pd.DataFrame])
@pytest.mark.parametrize(
    ("name", "first"), [("label_heat_map", "scores"), ("redundancy_map", "X")]
)
def test_complex_numbers_are_not_cut_to_their_real_parts(name, first, kind):
    with pytest.raises(ValueError, match=rf"^{first} must be a table.* found complex"):
        getattr(plots, name)(kind(np.eye(3) + 1j * np.eye(3)))
