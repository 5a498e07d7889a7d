"""Chi-square of tables with more than two bins and classes, against scipy."""

import math

import numpy as np
import pytest
from scipy import stats

from labelsift.encode.codes import encode_by_value
from labelsift.encode.labels import as_label_matrix
from labelsift.score import chi2
from labelsift.score.chi2 import chi2_of_tables, chi2_scores
from labelsift.statistics.counts import ContingencyCounts
from labelsift.statistics.tables import ContingencyTables

WIDE = np.array([[8.0, 1.0, 1.0], [2.0, 6.0, 2.0]])  # 2 bins, 3 classes
TALL = np.array([[5.0, 0.0, 1.0], [1.0, 7.0, 0.0], [0.0, 2.0, 4.0], [3.0, 1.0, 0.0]])
ONE_BIN = np.array([[4.0, 3.0, 5.0]])
ONE_CLASS = np.array([[4.0, 0.0, 0.0], [6.0, 0.0, 0.0]])
TABLES = (WIDE, TALL, ONE_BIN, ONE_CLASS)


def tables():
    return ContingencyTables(
        np.vstack(TABLES),
        np.array([len(table) for table in TABLES]),
        np.zeros((len(TABLES), 3)),
    )


def test_statistic_is_that_of_scipy_and_zero_where_nothing_varies():
    # By hand, WIDE: expected 5, 3.5, 1.5 in both rows, so 2 (9/5 + 6.25/3.5 + .25/1.5).
    expected = [2 * (9 / 5 + 6.25 / 3.5 + 0.25 / 1.5)]
    expected += [stats.chi2_contingency(TALL, correction=False).statistic, 0, 0]
    np.testing.assert_allclose(chi2_of_tables(tables()), expected, rtol=1e-14)


def test_p_value_has_bins_less_one_times_classes_less_one_degrees_of_freedom():
    found = chi2_of_tables(tables(), correction="p_value")
    expected = [
        -math.log10(stats.chi2_contingency(table, correction=False).pvalue)
        for table in (WIDE, TALL)
    ]
    np.testing.assert_allclose(found, [*expected, 0, 0], rtol=1e-12)
    # degrees of freedom by hand: WIDE has 1 x 2, whose tail is an exponential
    assert found[0] == pytest.approx(chi2_of_tables(tables())[0] / 2 / math.log(10))


def test_cramers_v_is_divided_by_the_shorter_side_less_one():
    found = chi2_of_tables(tables(), correction="cramers_v")
    expected = [
        stats.contingency.association(table.astype(int), method="cramer")
        for table in (WIDE, TALL)
    ]
    np.testing.assert_allclose(found, [*expected, 0, 0], rtol=1e-14)
    values = chi2_of_tables(tables())
    assert found[0] == pytest.approx(math.sqrt(values[0] / 20))
    assert found[1] == pytest.approx(math.sqrt(values[1] / (TALL.sum() * 2)))


def test_simplified_form_of_two_classes_is_weighed_by_their_sizes():
    two = np.array([[8.0, 1.0], [2.0, 9.0]])
    table = ContingencyTables(two, np.array([2]), np.zeros((1, 2)))
    full = chi2_of_tables(table)[0]
    # p (N - p) / N with p = N - p = 10
    assert chi2_of_tables(table, variant="simplified")[0] == pytest.approx(full * 5)


def test_more_rows_than_32_bits_count_are_refused(monkeypatch):
    monkeypatch.setattr(chi2, "LARGEST_N", 3)
    X, Y = np.array([[0.0], [1], [1], [1], [0]]), np.ones((5, 1), dtype=np.uint8)
    for n in (3, 4, 5):
        counts = ContingencyCounts(1, 1)
        counts.update(encode_by_value(X[:n]), as_label_matrix(Y[:n]))
        assert counts.coded() is None
        if n == 3:
            assert chi2_scores(counts).aggregates.tolist() == [[0, 0, 0]]
        else:
            with pytest.raises(ValueError, match=f"at most 3 rows .* found {n}"):
                chi2_scores(counts)
