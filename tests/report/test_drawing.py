"""Scales, ticks, labels that keep apart, curves and heat maps."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labelsift.report.figures import NARROW, WIDE, Line, curve
from labelsift.report.heat_map import (
    block_order,
    dumbbell,
    heat_levels,
    heat_map,
    share_bar,
)
from labelsift.report.svg import (
    clean,
    element,
    fit_text,
    isolate,
    number,
    round_ticks,
    shorten,
    spread_apart,
    text_width,
    tick_decimals,
)
from report.page_reader import read_page


def line(name="a", mean=(0.1, 0.3, 0.2), colour=0, chosen=-1, sizes=(2, 5, 10)):
    mean = np.array(mean, dtype=float)
    return Line(name, np.array(sizes), mean, np.full(len(mean), 0.01), colour, chosen)


def drawn(lines, frame=WIDE, all_features=0.25, n_features=10):
    text = curve(
        "x",
        lines,
        metric="Hamming loss",
        is_higher_better=False,
        n_features=n_features,
        all_features=all_features,
        frame=frame,
    )
    return read_page(str(text)).first("svg")


def points(node):
    return [tuple(map(float, p.split(","))) for p in node.attributes["points"].split()]


def test_ticks_are_round_and_inside():
    assert round_ticks(0.0, 1.0) == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1.0])
    assert round_ticks(0.713, 0.787) == pytest.approx([0.72, 0.74, 0.76, 0.78])
    assert round_ticks(3.0, 3.0) == [3.0]
    assert tick_decimals([0.72, 0.74]) == 2
    assert tick_decimals([0.5, 0.525]) == 3
    assert tick_decimals([10.0, 20.0]) == 0


def test_numbers_are_short():
    assert [number(v) for v in (1.0, 1.25, -0.04, 12.34)] == ["1", "1.2", "0", "12.3"]


def test_labels_far_apart_stay():
    assert spread_apart([10, 50, 90], [10, 10, 10], 0, 100) == [10, 50, 90]


def test_touching_labels_share_the_shift():
    # both want 50: half a height up and down; the third is pushed by neither
    assert spread_apart([50, 50, 80], [10, 10, 10], 0, 100) == [45, 55, 80]
    assert spread_apart([0, 100], [10, 20], 0, 100) == [5, 90]


@given(
    wanted=st.lists(st.floats(0, 100), min_size=1, max_size=9),
    height=st.floats(1, 10),
)
def test_labels_never_overlap_and_keep_their_order(wanted, height):
    placed = spread_apart(wanted, [height] * len(wanted), 0, 100)
    by_place = sorted(placed)
    assert all(b - a >= height - 1e-9 for a, b in pairwise(by_place))
    assert by_place[0] >= height / 2 - 1e-9
    assert by_place[-1] <= 100 - height / 2 + 1e-9
    for i, a in enumerate(wanted):
        for j, b in enumerate(wanted):
            if a < b:
                assert placed[i] < placed[j]


def test_names_are_shortened_in_the_middle():
    assert shorten("abcdefghij", 10) == "abcdefghij"
    assert shorten("abcdefghijk", 10) == "abcdef…ijk"
    assert len(shorten("x" * 300, 40)) == 40
    assert fit_text("x" * 300, 12, 100) == shorten("x" * 300, 13)  # 0.62 em each
    assert text_width(fit_text("Ж" * 50, 12, 100), 12) <= 100


def test_names_are_made_writable():
    assert clean("a\tb\nc") == "a b c"
    assert clean("a\x00\x1b\ud800b") == "a\ufffd\ufffd\ufffdb"
    assert clean("\u202eabc\u2069") == "\ufffdabc\ufffd"
    assert [clean(x) for x in ("", "  ", "\u200b\u00a0")] == ["(empty name)"] * 3
    assert isolate("Att1") == "Att1"
    assert isolate("שם") == "\u2068שם\u2069"


@given(st.text(max_size=12))
def test_any_name_can_be_an_element_and_an_attribute(name):
    node = read_page(str(element("a", {"title": clean(name)}, clean(name)))).first("a")
    assert node.attributes["title"] == clean(name)
    assert "".join(node.children) == clean(name)
    clean(name).encode("utf-8")


def test_curve_passes_through_the_means_with_a_band_around():
    svg = drawn([line(chosen=1)])
    path = points(next(n for n in svg.all("polyline") if "line" in n.classes))
    band = points(next(n for n in svg.all("polygon") if "band" in n.classes))
    dashed = points(next(n for n in svg.all("polyline") if "all-features" in n.classes))
    assert len(path) == 3
    assert len(band) == 6
    heights = [y for _, y in path]
    # 0.25 lies half way between 0.2 and 0.3, and larger is higher up
    assert (
        dashed[0][1]
        == dashed[1][1]
        == pytest.approx((heights[1] + heights[2]) / 2, abs=0.2)
    )
    assert heights[1] < heights[2] < heights[0]
    assert band[0][1] < heights[0] < band[-1][1]
    ring = next(n for n in svg.all("circle") if "chosen" in n.classes)
    assert (float(ring.attributes["cx"]), float(ring.attributes["cy"])) == path[1]
    assert "keep 5" in [t.text for t in svg.all("text")]
    assert "Hamming loss (lower is better)" in [t.text for t in svg.all("text")]


def test_curve_breaks_where_nothing_was_measured():
    nan = math.nan
    svg = drawn(
        [line(mean=(0.1, 0.2, nan, 0.3, 0.1), sizes=(1, 2, 4, 6, 8))], all_features=nan
    )
    paths = [points(n) for n in svg.all("polyline") if "line" in n.classes]
    assert [len(path) for path in paths] == [2, 2]
    assert not [n for n in svg.all("polyline") if "all-features" in n.classes]


@pytest.mark.parametrize("frame", [WIDE, NARROW])
def test_labels_at_the_ends_stay_inside_and_apart(frame):
    lines = [
        line(
            f"a rather long method name {i}", colour=i, mean=(0.1 + 0.01 * i, 0.2, 0.25)
        )
        for i in range(7)
    ]
    svg = drawn(lines, frame)
    labels = [t for t in svg.all("text") if "end-label" in t.classes]
    assert len(labels) == 8
    heights = sorted(float(t.attributes["y"]) for t in labels)
    assert min(np.diff(heights)) >= frame.font
    assert heights[0] > frame.font
    assert heights[-1] < frame.height
    for label in labels:
        end = float(label.attributes["x"]) + text_width(label.text, frame.font)
        assert end <= frame.width + 1
        assert float(label.attributes["font-size"]) >= 12


def test_axis_is_logarithmic_only_where_sizes_grow_by_factors():
    def titles(sizes, d):
        lines = [line(mean=[0.1] * len(sizes), sizes=sizes)]
        return [t.text for t in drawn(lines, n_features=d).all("text")]

    assert "number of features kept (log scale)" in titles([1, 10, 100, 1000], 50000)
    assert "number of features kept" in titles([10, 20, 30, 40], 40)


def test_tick_labels_of_the_size_axis_do_not_touch():
    for d in (3, 40, 103, 50000):
        sizes = sorted({1, 2, max(d // 2, 1), d})
        for frame in (WIDE, NARROW):
            svg = drawn(
                [line(mean=[0.1] * len(sizes), sizes=sizes)], frame, n_features=d
            )
            ticks = [t for t in svg.all("text") if t.classes == ["tick", "middle"]]
            ends = [
                (float(t.attributes["x"]), text_width(t.text, frame.font) / 2)
                for t in ticks
            ]
            assert ticks[-1].text == str(d)
            assert ticks[0].text == str(sizes[0])
            for (x, half), (other, other_half) in pairwise(ends):
                assert x + half < other - other_half


def test_long_curves_are_thinned_but_keep_the_chosen_size():
    sizes = np.arange(1, 1001)
    chosen = 700
    svg = drawn([line(mean=sizes / 1000, sizes=sizes, chosen=chosen)], n_features=1000)
    path = points(next(n for n in svg.all("polyline") if "line" in n.classes))
    assert len(path) <= 50
    assert "keep 701" in [t.text for t in svg.all("text")]


def test_description_gives_first_best_and_chosen():
    text = drawn([line(chosen=1)]).first("desc").text
    assert "All 10 features reach 0.250." in text
    assert "a: 0.100 with 2 features, best 0.100 with 2, chosen 5 with 0.300." in text


def test_heat_levels_rise_with_the_value_and_outliers_do_not_bleach():
    values = np.concatenate([np.linspace(0, 1, 99), [1000.0]])[None, :]
    levels, top = heat_levels(values)
    assert 0.9 < top < 100
    assert levels[0, 0] == 0
    assert levels[0, 98] >= 1
    assert levels[0, -1] == 8
    assert (np.diff(levels[0]) >= 0).all()
    levels, top = heat_levels(np.array([[0.0, -3.0, math.nan]]))
    assert (levels.tolist(), top) == ([[0, 0, -1]], 0.0)


def test_like_rows_become_neighbours():
    block = np.kron(np.eye(2), np.ones((3, 2)))  # rows 0-2 and 3-5 are alike
    shuffled = block[[0, 3, 1, 4, 2, 5]]
    order = block_order(shuffled)
    assert sorted(order.tolist()) == list(range(6))
    kinds = shuffled[order].argmax(axis=1)
    assert (np.diff(kinds) != 0).sum() == 1


def test_block_order_takes_zero_rows_and_few_rows():
    assert block_order(np.zeros((2, 3))).tolist() == [0, 1]
    assert sorted(block_order(np.zeros((4, 3))).tolist()) == [0, 1, 2, 3]
    assert sorted(block_order(np.full((4, 1), math.nan)).tolist()) == [0, 1, 2, 3]


def test_heat_map_has_a_cell_with_a_tip_for_every_pair():
    values = np.array([[1.0, 0.0], [math.nan, 0.5], [0.2, 0.1]])
    text = str(heat_map("m", values, ["r<1>", "r2", "r3"], ["c1", "c&2"], "score"))
    svg = read_page(text).first("svg")
    tips = {r.first("title").text for r in svg.all("rect") if r.all("title")}
    assert tips == {
        "r<1>, c1: 1",
        "r<1>, c&2: 0",
        "r2, c1: not measured",
        "r2, c&2: 0.5",
        "r3, c1: 0.2",
        "r3, c&2: 0.1",
    }
    assert "r<1> for c1 (1)" in svg.first("desc").text
    assert "3 features by 2 labels" in svg.first("title").text


def test_small_pictures_are_hidden_from_screen_readers_and_bounded():
    for share, width in ((0.5, 32), (2.0, 64), (-1.0, 0), (math.nan, 0)):
        svg = read_page(str(share_bar(share))).first("svg")
        assert svg.attributes["aria-hidden"] == "true"
        assert float(svg.all("rect")[1].attributes["width"]) == width
    svg = read_page(str(dumbbell(0.0, 1.0, 1.0))).first("svg")
    places = [float(c.attributes["cx"]) for c in svg.all("circle")]
    assert places == [6, 114]
    assert len(read_page(str(dumbbell(math.nan, 0.5, 1.0))).all("circle")) == 1
