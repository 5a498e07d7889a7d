"""What the plots show: names, numbers of lines, data; and files without surprises."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import matplotlib
import numpy as np
import pandas as pd
import polars as pl
import pytest

from labelsift.evaluate import friedman
from labelsift.evaluate.curve_plot import COLOURS
from labelsift.evaluate.ranks import critical_difference
from labelsift.report.plots import (
    cost_quality_curve,
    critical_difference_diagram,
    label_heat_map,
    lam_sweep,
    path_curves,
    redundancy_map,
    save_plot,
    selection_stability,
    time_against_quality,
)
from labelsift.report.trade_off import tick_text, time_ticks
from labelsift.select import CSIG, Chi2, ToleranceRoughSet
from report.made_up import made_up
from report.test_comparison_page import comparison

HOSTILE = ("$x$ $\\frac{", "<script>alert(1)</script>", "\x1b[31m=1+1\u202e", "名前🙂")


@pytest.fixture(autouse=True)
def figures():
    """Draw without a screen, and close what was drawn."""
    from matplotlib import pyplot as plt

    matplotlib.use("Agg")
    yield
    plt.close("all")


def ticks(ax, which):
    return [text.get_text() for text in getattr(ax, f"get_{which}ticklabels")()]


def test_path_curves_draw_each_method_and_all_features():
    results, _ = made_up(selectors=("a", "b", "c"))
    ax = path_curves(results, "hamming_loss")
    curves = [line for line in ax.lines if len(line.get_xdata()) == 4]
    assert len(curves) == 3
    sizes, values = results.values("a", "MLkNN", "hamming_loss")
    [own] = [line for line in curves if line.get_label() == "a"]
    np.testing.assert_array_equal(own.get_xdata(), sizes)
    np.testing.assert_allclose(own.get_ydata(), values.mean(axis=1))
    marks = [line for line in ax.lines if len(line.get_xdata()) == 1]
    assert len(marks) == 3
    best = next(line for line in marks if line.get_color() == own.get_color())
    assert best.get_ydata()[0] == pytest.approx(values.mean(axis=1).min())
    assert len(ax.collections) == 3  # the bands
    [legend] = [ax.get_legend()]
    assert [t.get_text() for t in legend.get_texts()][-1] == "all 12 features"
    assert "lower is better" in ax.get_ylabel()
    assert len({line.get_color() for line in curves}) == 3
    few = path_curves(results, most=1)
    assert len([line for line in few.lines if len(line.get_xdata()) == 4]) == 1
    assert few is not ax
    assert path_curves(results, ax=ax) is ax


def test_sizes_that_grow_by_factors_get_a_logarithmic_axis():
    results, _ = made_up(d=200, sizes=(1, 2, 5, 10, 200))
    assert path_curves(results).get_xscale() == "log"
    assert path_curves(made_up()[0]).get_xscale() == "linear"


def test_the_heat_map_holds_every_cell_in_block_order():
    values = np.array([[3.0, 0.0], [0.0, 2.0], [2.0, np.nan]])
    ax = label_heat_map(values, ["a", "b", "c"], ["x", "y"], name="chi2")
    rows, columns = ticks(ax, "y"), ticks(ax, "x")
    assert (sorted(rows), sorted(columns)) == (["a", "b", "c"], ["x", "y"])
    shown = ax.images[0].get_array()
    for i, row in enumerate(rows):
        for j, column in enumerate(columns):
            value = values["abc".index(row), "xy".index(column)]
            assert shown.mask[i, j] == np.isnan(value)
            assert np.isnan(value) or shown[i, j] == value
    assert ax.images[0].colorbar.ax.get_ylabel() == "chi2"
    with pytest.raises(ValueError, match=r"feature_names has 1 entry for 3"):
        label_heat_map(values, ["a"])
    with pytest.raises(ValueError, match=r"found shape \(3,\)"):
        label_heat_map([1, 2, 3])


def test_the_heat_map_of_a_selector_shows_what_it_keeps():
    dataset = made_up()[1]
    selector = Chi2(4).fit(dataset.X, dataset.Y)
    ax = label_heat_map(selector)
    assert ax.images[0].get_array().shape == (4, 5)
    kept = set(map(str, selector.get_support(indices=True)))
    assert set(ticks(ax, "y")) == kept
    trees = ToleranceRoughSet().fit(dataset.X, dataset.Y)
    with pytest.raises(ValueError, match="scores no labels one by one"):
        label_heat_map(trees)


def test_the_cost_curve_climbs_by_steps_to_everything():
    dataset = made_up(costs=np.arange(12.0))[1]
    selector = CSIG(dataset, threshold=None, budget=10).fit(dataset.X, dataset.Y)
    ax = cost_quality_curve(selector)
    line, mark = ax.lines
    assert line.get_drawstyle() == "steps-post"
    assert (np.diff(line.get_xdata()) > 0).all()
    assert (np.diff(line.get_ydata()) >= 0).all()
    assert line.get_ydata()[-1] == pytest.approx(100)
    assert mark.get_xdata()[0] == selector.total_cost_ <= 10
    with pytest.raises(ValueError, match="Chi2 has no cost_curve_"):
        cost_quality_curve(Chi2().fit(dataset.X, dataset.Y))


def test_results_are_drawn_against_what_their_features_cost():
    results = made_up(selectors=("a", "b"), sizes=(1, 3, 12))[0]
    prices = np.arange(12.0)
    ax = cost_quality_curve(results, prices, "hamming_loss")
    assert [t.get_text() for t in ax.get_legend().get_texts()] == [
        name for name, _ in best_first(results, "hamming_loss")
    ]
    for line in ax.lines:
        name = line.get_label()
        sizes, values = results.values(name, "MLkNN", "hamming_loss")
        orders = [r.order for r in results.rankings if r.selector == name]
        expected = [
            np.mean([sum(prices[f] for f in order[:k]) for order in orders])
            for k in sizes
        ]
        np.testing.assert_allclose(line.get_xdata(), expected)
        np.testing.assert_allclose(line.get_ydata(), values.mean(axis=1))
    assert ax.lines[0].get_xdata()[-1] == prices.sum()  # all features
    assert "lower is better" in ax.get_ylabel()
    named = dict(zip(results.feature_names, prices, strict=True))
    assert len(cost_quality_curve(results, named, most=1).lines) == 1
    with pytest.raises(ValueError, match="give costs="):
        cost_quality_curve(results)
    with pytest.raises(ValueError, match="one number for each of the 12"):
        cost_quality_curve(results, [1.0])


def best_first(results, metric):
    found = [
        (name, min(results.values(name, "MLkNN", metric)[1].mean(axis=1)))
        for name in results.selectors
    ]
    return sorted(found, key=lambda pair: pair[1])


def linear(colour):
    values = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(
        values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4
    )


def lab(rgb):
    to_xyz = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    )
    x, y, z = np.cbrt(to_xyz @ rgb / [0.9505, 1, 1.089])
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


SIGHT = {  # what is left of linear red, green and blue (Machado and others 2009)
    "usual": np.eye(3),
    "without red": np.array(
        [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]]
    ),
    "without green": np.array(
        [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]]
    ),
}


@pytest.mark.parametrize("sight", SIGHT)
def test_colours_of_lines_are_told_apart_by_all_kinds_of_eyes(sight):
    seen = [lab(np.clip(SIGHT[sight] @ linear(c), 0, 1)) for c in COLOURS]
    apart = [np.linalg.norm(a - b) for i, a in enumerate(seen) for b in seen[i + 1 :]]
    assert min(apart) > 9  # 2.3 is just noticed side by side


def test_lightness_of_maps_rises_evenly():
    steps = matplotlib.colormaps["cividis"](np.linspace(0, 1, 11))[:, :3]
    colours = ["#" + "".join(f"{round(255 * v):02x}" for v in row) for row in steps]
    lightness = np.array([lab(linear(c))[0] for c in colours])
    assert np.diff(lightness).min() > 0.5 * np.diff(lightness).mean()


def test_the_sweep_draws_reducts_and_certainty_by_lam():
    dataset = made_up()[1]
    lams = [2.0, 0.5, 1.0]
    fitted = ToleranceRoughSet().lam_path(dataset.X, dataset.Y, lams=lams)
    ax = lam_sweep(fitted)
    kept, certain = ax.lines[:2]
    assert kept.get_xdata().tolist() == certain.get_xdata().tolist() == [0.5, 1.0, 2.0]
    by_lam = [fitted[1], fitted[2], fitted[0]]
    np.testing.assert_allclose(
        kept.get_ydata(), [100 * len(s.reduct_) / 12 for s in by_lam]
    )
    np.testing.assert_allclose(
        certain.get_ydata(), [100 * s.total_dependency_ for s in by_lam]
    )
    assert (np.diff(certain.get_ydata()) >= 0).all()
    with pytest.raises(ValueError, match="selectors is empty"):
        lam_sweep([])
    with pytest.raises(ValueError, match="lam=None"):
        lam_sweep([ToleranceRoughSet().fit(dataset.X, dataset.Y)])


def test_the_diagram_of_demsar_s_size_has_his_critical_difference():
    rng = np.random.default_rng(0)
    values = rng.normal(size=(10, 4)) + np.array([0, 0.1, 0.2, 4])
    found = friedman(values, ["a", "b", "c", "d"])
    ax = critical_difference_diagram(found)
    assert ticks(ax, "y") == [f"{n}  {r:.2f}" for n, r in found.diagram()["methods"]]
    words = [text.get_text() for text in ax.texts]
    assert "critical difference 1.48" in words
    dots = [line for line in ax.lines if line.get_marker() == "o"]
    assert [line.get_xdata()[0] for line in dots] == sorted(found.average_ranks)
    bars = [line for line in ax.lines if line.get_linewidth() == 4]
    assert [tuple(bar.get_xdata()) for bar in bars] == [
        bar[:2] for bar in found.diagram()["bars"]
    ]
    [rule] = [line for line in ax.lines if line.get_linewidth() == 2]
    assert np.ptp(rule.get_xdata()) == pytest.approx(1.483, abs=5e-4)


def test_the_diagram_of_a_comparison_is_that_of_its_standings():
    found = comparison()
    ax = critical_difference_diagram(found, "hamming_loss", alpha=0.1)
    standings = found.standings("hamming_loss")
    assert ticks(ax, "y") == [
        f"{s.method.selector}  {s.mean_rank:.2f}" for s in standings
    ]
    difference = critical_difference(3, 3, 0.1)
    assert f"critical difference {difference:.2f}" in [t.get_text() for t in ax.texts]
    with pytest.raises(ValueError, match="two methods or more"):
        critical_difference_diagram(comparison(selectors=("a",)))


def test_stability_is_a_mark_with_its_interval_for_each_data_set():
    found = comparison()
    profiles = found.profiles()
    ax = selection_stability(found)
    assert ticks(ax, "y") == [s.method.selector for s in found.standings()]
    assert [t.get_text() for t in ax.get_legend().get_texts()] == list(found.datasets)
    finite = [p for p in profiles if math.isfinite(p.stability.value)]
    marks = [line for line in ax.lines if line.get_marker() not in ("None", None, "")]
    drawn = sorted(x for line in marks for x in line.get_xdata())
    assert drawn == sorted(p.stability.value for p in finite)
    ends = [tuple(line.get_xdata()) for line in ax.lines if line.get_linewidth() == 1.4]
    assert sorted(ends) == sorted(
        (p.stability.low, min(p.stability.high, 1.0)) for p in finite
    )
    assert selection_stability(profiles[:3]).get_legend() is None
    with pytest.raises(ValueError, match="nothing to draw"):
        selection_stability([])


def test_time_against_quality_names_those_that_none_beats():
    found = comparison()
    ax = time_against_quality(found)
    standings = found.standings()
    dots = [line for line in ax.lines if len(line.get_xdata()) == 1]
    assert [dot.get_ydata()[0] for dot in dots] == [s.mean_rank for s in standings]
    assert all(dot.get_xdata()[0] == pytest.approx(0.032) for dot in dots)
    heights = sorted(text.get_position()[1] for text in ax.texts)
    assert min(np.diff(heights)) > 0.03  # equal points, names apart
    assert ax.yaxis_inverted()
    assert ax.get_xscale() == "log"
    assert [t.get_text() for t in ax.texts] == [s.method.selector for s in standings]
    big = [dot for dot in dots if dot.get_markersize() == 9]
    assert len(big) == sum(s.mean_rank == standings[0].mean_rank for s in standings)
    one = replace(found, results=found.results[:1])
    assert not time_against_quality(one).yaxis_inverted()  # a precision: up is better
    assert time_against_quality(one, "hamming_loss").yaxis_inverted()


def test_ticks_of_time_are_powers_of_ten():
    assert time_ticks(0.01, 100, 6) == pytest.approx([0.01, 0.1, 1, 10, 100])
    assert time_ticks(0.001, 1000, 3) == pytest.approx([0.001, 1, 1000])
    assert [tick_text(v) for v in (0.0001, 0.01, 1, 1000)] == [
        "0.1 ms", "10 ms", "1 s", "1000 s",
    ]  # fmt: skip


def test_redundancy_is_the_absolute_correlation_in_block_order():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 6))
    X[:, 5] = -X[:, 0]
    ax = redundancy_map(X, [0, 2, 3, 5], [f"f{i}" for i in range(6)])
    names = ticks(ax, "y")
    assert names == ticks(ax, "x")
    assert sorted(names) == ["f0", "f2", "f3", "f5"]
    assert abs(names.index("f0") - names.index("f5")) == 1  # alike, side by side
    shown = ax.images[0].get_array()
    order = [int(name[1]) for name in names]
    np.testing.assert_allclose(shown, np.abs(np.corrcoef(X[:, order].T)), atol=1e-12)
    assert ax.images[0].get_clim() == (0, 1)


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame])
def test_the_columns_of_a_frame_name_themselves(library):
    frame = library({"tempo": [0, 1, 0], "minor": [1, 0, 2], "loud": [2, 1, 4]})
    names = ticks(redundancy_map(frame), "y")
    assert sorted(names) == ["loud", "minor", "tempo"]
    for chosen in ([0, 2], ["loud", "tempo"], frame.columns[::2], [True, False, True]):
        assert sorted(ticks(redundancy_map(frame, chosen), "x")) == ["loud", "tempo"]
    assert sorted(ticks(redundancy_map(frame, None, "abc"), "x")) == ["a", "b", "c"]


def hostile_plots():
    found = comparison(selectors=HOSTILE[:3], names=HOSTILE[1:])
    yield path_curves(found.results[0])
    yield critical_difference_diagram(found)
    yield selection_stability(found)
    yield time_against_quality(found)
    yield label_heat_map(np.eye(4), HOSTILE, HOSTILE)
    yield redundancy_map(np.eye(4), None, HOSTILE)


def test_hostile_names_stay_text_in_every_file(tmp_path):
    for number, ax in enumerate(hostile_plots()):
        for kind in ("svg", "pdf", "png") if number == 0 else ("svg",):
            path = save_plot(ax, tmp_path / f"{number}.{kind}")
            assert path.stat().st_size > 1000
        text = (tmp_path / f"{number}.svg").read_text("utf-8")
        root = ET.fromstring(text)
        words = "".join(root.itertext())
        assert "<script>alert(1)</script>" in words
        assert "script" not in {node.tag.rpartition("}")[2] for node in root.iter()}
        assert not re.search("[\x00-\x08\x0b-\x1f\u202a-\u202e]", text)


def test_the_same_plot_gives_the_same_bytes(tmp_path):
    for kind in ("svg", "pdf"):
        made = []
        for name in ("a", "b"):
            path = tmp_path / f"{name}.{kind}"
            made.append(save_plot(critical_difference_diagram(comparison()), path))
        assert made[0].read_bytes() == made[1].read_bytes()
    with pytest.raises(ValueError, match=r"saved as \.svg, \.pdf or \.png"):
        save_plot(critical_difference_diagram(comparison()), tmp_path / "x.exe")
    assert sorted(p.suffix for p in tmp_path.iterdir()) == [
        ".pdf", ".pdf", ".svg", ".svg",
    ]  # fmt: skip
