"""Figures as text, CSV and LaTeX; the choices behind the sentences."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import math

import numpy as np
import pytest
from scipy import sparse

from labelsift import Dataset
from labelsift.report.again_section import checksum, downloads, python_lines
from labelsift.report.choice import (
    contests,
    kept_sets,
    mean_jaccard,
    mean_ranks,
    smallest_as_good,
)
from labelsift.report.feature_section import (
    absolute_correlation,
    features_heat_map,
    features_table,
    kept_features,
)
from labelsift.report.paper_section import decimals_apart
from labelsift.report.tables import (
    Cell,
    Column,
    Table,
    data_uri,
    decimals_for,
    figure,
    seconds,
    to_csv,
    to_latex,
    to_markdown,
    with_spread,
)
from labelsift.select import Chi2, _counts
from report.made_up import made_up


def table(*rows):
    return Table(
        "t", "50% of a_b", (Column("Name", "name"), Column("x", "figure")), rows
    )


def test_figures_have_a_true_minus_and_no_minus_zero():
    assert figure(-0.1234, 3) == "\u22120.123"
    assert figure(0.0001, 3, has_sign=True) == "0.000"
    assert figure(-0.0001, 3) == "0.000"
    assert figure(0.5, 2, has_sign=True) == "+0.50"
    assert figure(math.nan, 3) == figure(math.inf, 3) == "\u2013"


def test_spread_follows_the_mean_where_known():
    assert with_spread(0.5, 0.25, 2) == "0.50 ± 0.25"
    assert with_spread(0.5, math.nan, 2) == "0.50"


def test_decimals_follow_the_largest_value():
    values = (0.7, 6.3, 450.0, 4e4, math.nan, 0.0, 0.0142, 0.0042)
    assert [decimals_for([v]) for v in values] == [3, 2, 1, 0, 3, 3, 4, 5]


def test_decimals_tell_two_values_apart_where_six_can():
    assert decimals_apart(0.1232, 0.1229) == 4
    assert decimals_apart(0.123, 0.456) == 3
    assert decimals_apart(0.5, 0.5) == 3
    assert decimals_apart(12.0, 13.5) == 2
    assert decimals_apart(12.0, 13.5, least=3) == 3
    assert decimals_apart(0.1, 0.1 + 1e-9) == 6


def test_durations_read_as_a_person_says_them():
    found = [seconds(s) for s in (0.0001, 0.0123, 1.234, 45.67, 125.0, math.nan)]
    assert found == ["< 1 ms", "12 ms", "1.23 s", "45.7 s", "2 min 05 s", "\u2013"]


def test_csv_keeps_names_with_commas_quotes_and_full_precision():
    text, n_rows = to_csv(
        table(
            (Cell('a,"b"', is_name=True), Cell("0.333", 1 / 3)),
            (Cell("c"), Cell("\u2013", math.nan)),
        )
    )
    rows = list(csv.reader(io.StringIO(text)))
    assert rows == [["Name", "x"], ['a,"b"', repr(1 / 3)], ["c", ""]]
    assert float(rows[1][1]) == 1 / 3
    assert n_rows == 2


def test_csv_disarms_formulas_in_names_but_not_numbers():
    cells = [Cell(name, is_name=True) for name in ("=1+1", "@x", "+y", "-z", "w")]
    text, _ = to_csv(table(*((cell, Cell("-1", -1.0)) for cell in cells)))
    rows = list(csv.reader(io.StringIO(text)))[1:]
    assert [row[0] for row in rows] == ["'=1+1", "'@x", "'+y", "'-z", "w"]
    assert {row[1] for row in rows} == {"-1.0"}


def test_rows_beyond_the_limit_are_left_out_and_counted():
    full = table(*((Cell("n" * 50), Cell("1", 1)) for _ in range(10)))
    for make in (to_csv, to_latex, to_markdown):
        text, n_rows = make(full, 300)
        assert 0 < n_rows < 10
        assert text.count("n" * 50) == n_rows


def test_latex_escapes_names_and_sets_the_best_in_bold():
    text, _ = to_latex(
        table(
            (
                Cell("a_b & 50% {x} \\y", is_name=True),
                Cell("0.5 ± 0.1", 0.5, is_best=True),
            ),
            (
                Cell("c", is_name=True),
                Cell("\u22120.4", -0.4, mark="≈+", mark_text="as good, gains"),
            ),
        )
    )
    assert r"a\_b \& 50\% \{x\} \textbackslash{}y & \textbf{0.5 $\pm$ 0.1} \\" in text
    assert r"c & $-$0.4\rlap{$^{\approx+}$} \\" in text
    assert r"\footnotesize $\approx$: as good; $+$: gains}" in text
    assert r"\caption{50\% of a\_b}" in text
    assert r"\begin{tabular}{lr}" in text


def test_markdown_escapes_names_and_sets_the_best_in_bold():
    text, n_rows = to_markdown(
        table(
            (
                Cell("a|b_c <i> [x](http://y) `#1` *z*\n", is_name=True),
                Cell("0.5 ± 0.1", 0.5, is_best=True),
            ),
            (
                Cell("c", is_name=True),
                Cell("\u22120.4", -0.4, mark="≈+", mark_text="as good, gains"),
            ),
        )
    )
    lines = text.splitlines()
    assert n_rows == 2
    assert len(lines) == 6
    assert lines[4:] == ["", "≈: as good; +: gains"]
    assert lines[1] == "| :-- | --: |"
    assert lines[2] == (
        r"| a\|b\_c \<i\> \[x\](http\://y) \`\#1\` \*z\*  | **0.5 ± 0.1** |"
    )
    assert lines[3] == "| c | \u22120.4 ≈+ |"


def test_data_address_gives_back_the_text():
    head, _, code = data_uri('"<é>', "text/csv").partition(",")
    assert head == "data:text/csv;charset=utf-8;base64"
    assert base64.b64decode(code).decode() == '"<é>'


def test_small_files_leave_their_room_to_large_ones():
    small = table((Cell("a"), Cell("1", 1)))
    large = table(*((Cell(f"{i:05d}"), Cell("1", 1)) for i in range(1000)))
    files = downloads([("S", "s", small), ("L", "l", large)], 20_000)
    assert files[0].note == ""
    assert "CSV holds the first" in files[1].note
    used = sum(len(link.uri) for item in files for link in item.links)
    assert 18_000 < used < 20_000 + 6 * 50  # the start of each address


def test_checksum_is_that_of_names_shapes_and_values():
    X, Y = np.array([[1.0, 2.0]]), np.array([[1]])
    parts = [len(n).to_bytes(8, "little") + n for n in (b"a", b"b", b"L")]
    parts += [b"(1, 2)", X.astype("<f8").tobytes(), b"(1, 1)", b"\x01"]
    wanted = hashlib.sha256(b"".join(parts)).hexdigest()
    assert checksum(Dataset(X, Y, ("a", "b"), ("L",))) == wanted
    assert checksum(Dataset(X, Y, ("a", "c"), ("L",))) != wanted
    thin = Dataset(sparse.csr_array(X), Y, ("a", "b"), ("L",))
    assert checksum(thin) == checksum(thin) != wanted


def test_ranks_share_ties_and_skip_incomplete_folds():
    columns = [
        np.array([0.9, 0.5, 0.1]),
        np.array([0.8, 0.5, 0.9]),
        np.array([0.7, 0.1, math.nan]),
    ]
    # folds 1 and 2 only: ranks 1, 2, 3 and 1.5, 1.5, 3
    assert mean_ranks(columns).tolist() == [1.25, 1.75, 3.0]
    assert np.isnan(mean_ranks([np.array([math.nan])])).all()


def test_jaccard_is_the_mean_over_pairs():
    sets = [frozenset({0, 1}), frozenset({1, 2}), frozenset({0, 1})]
    assert mean_jaccard(sets) == pytest.approx((1 / 3 + 1 / 3 + 1) / 3)
    assert math.isnan(mean_jaccard(sets[:1]))


def test_smallest_size_within_one_standard_error_of_the_best():
    results, _ = made_up(n_folds=4, sizes=(2, 4, 8))
    # by hand: differences to size 8 of mean 0.1 (size 2) and 0.01 (size 4), and the
    # error of 0.01, 0.03, -0.01, 0.01 is sqrt((1/4 + 15/45) * 0.0008/3) = 0.0125
    values = {2: [0.1] * 4, 4: [0.19, 0.17, 0.21, 0.19], 8: [0.2] * 4}
    for cell in results.cells:
        if cell.n_features in values:
            cell.values["average_precision"] = values[cell.n_features][cell.fold]
    best = contests(results, "average_precision")[0]
    assert best.size == 8
    assert smallest_as_good(results, best, "average_precision") == 4
    for cell in results.cells_of(best.selector, best.classifier, 4):
        cell.values["average_precision"] -= 0.003
    assert smallest_as_good(results, best, "average_precision") == 8


def test_first_of_the_contest_is_the_best_of_the_results():
    results, _ = made_up(selectors=("a", "b", "c"), classifiers=("x", "y"))
    for metric in results.metrics:
        ranked, best = contests(results, metric), results.best(metric)
        first = ranked[0]
        assert (first.selector, first.classifier, first.size) == (
            best.selector,
            best.classifier,
            best.n_features,
        )
        assert len(ranked) == 6
        assert first.name == f"{best.selector}, {best.classifier}"


def test_kept_sets_cut_each_folds_order():
    results, _ = made_up()
    sets = kept_sets(results, "Chi2 (mean)", 4)
    assert sets == [frozenset(r.order[:4].tolist()) for r in results.rankings]


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
def test_correlation_equals_numpys_and_skips_missing(kind):
    rng = np.random.default_rng(3)
    X, Y = rng.normal(size=(30, 4)), rng.integers(0, 2, (30, 3))
    Y[:, 2] = 1
    X[:, 3] = 5.0
    if kind is np.asarray:
        X[4, 0] = math.nan
    data = Dataset(kind(X), kind(Y), tuple("abcd"), tuple("xyz"))
    found = absolute_correlation(data, np.array([3, 1, 0]))
    assert np.isnan(found[0]).all()  # a constant feature
    assert np.isnan(found[:, 2]).all()  # a constant label
    for row, column in ((1, 1), (2, 0)):
        known = np.isfinite(X[:, column])
        for label in (0, 1):
            wanted = abs(np.corrcoef(X[known, column], Y[known, label])[0, 1])
            assert found[row, label] == pytest.approx(wanted, abs=1e-12)


def test_without_a_fitted_selector_the_folds_order_the_features():
    results, dataset = made_up()
    best = contests(results, "average_precision")[0]
    places = np.array([np.argsort(r.order) for r in results.rankings]).mean(axis=0)
    kept = kept_features(results, dataset, best)
    assert places[kept.columns].tolist() == sorted(places)[: best.size]
    assert kept.measure == "|correlation|"
    wanted = np.mean([r.scores for r in results.rankings], axis=0)[kept.columns]
    np.testing.assert_allclose(kept.scores, wanted)


def test_where_not_all_pairs_are_kept_the_best_labels_are_shown(monkeypatch):
    results, dataset = made_up(q=9)
    best = contests(results, "average_precision")[0]
    whole = Chi2().fit(dataset.X, dataset.Y)
    monkeypatch.setattr(_counts, "PAIR_LIMIT", 1)
    part = Chi2().fit(dataset.X, dataset.Y)
    assert not hasattr(part, "scores_per_label_")
    more, less = (kept_features(results, dataset, best, one) for one in (whole, part))
    assert more.measure == less.measure == "score"
    assert more.labels.tolist() == list(range(9))
    tables = [features_table(dataset, kept) for kept in (more, less)]
    at = [column.title for column in tables[0].columns].index("Serves most")
    served = [[row[at].names for row in table.rows] for table in tables]
    assert served[0] == served[1]
    top = part.top_labels_
    for place, column in enumerate(less.columns.tolist()):
        known = np.isfinite(less.relevance[place])
        assert set(less.labels[known]) == set(top.labels[column]) - {-1}
        assert known.sum() <= 5
        wanted = np.asarray(whole.scores_per_label_)[column, less.labels[known]]
        np.testing.assert_allclose(less.relevance[place, known], wanted, rtol=1e-12)
        assert served[1][place][0] == dataset.label_names[top.labels[column, 0]]
    _, words = features_heat_map(dataset, less)
    assert "only the labels that it serves best are known" in words
    assert "are known" not in features_heat_map(dataset, more)[1]


def test_python_lines_repeat_the_call_or_say_that_they_cannot():
    results, dataset = made_up(sizes=tuple(range(1, 13)))
    best = contests(results, "average_precision")[0]
    text = python_lines(dataset, results, best)
    assert "grid='all'," in text
    assert "from labelsift.select import Chi2" in text
    assert "# the splits were" not in text
    results.settings["splits"] = "given splits"
    text = python_lines(dataset, results, best)
    assert "# the splits were: given splits" in text
    compile(text, "report", "exec")
