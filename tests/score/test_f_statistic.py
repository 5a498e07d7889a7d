"""The F-statistic of classes given by their moments, worked by hand."""

import numpy as np
import pytest

from labelsift.score.class_moments import ClassMoments
from labelsift.score.f_statistic import f_statistic


def classes_of(*columns):
    """Return moments of classes given as lists of values about the overall mean."""
    return ClassMoments(
        np.array([len(rows) for rows in columns[0]], dtype=float),
        np.array([[sum(rows) for rows in column] for column in columns]).T * 1.0,
        np.array(
            [[sum(v * v for v in rows) for rows in column] for column in columns]
        ).T
        * 1.0,
    )


@pytest.mark.parametrize(("n", "factor"), [(3, 1.0), (4, 2.0), (2, 1.0), (12, 10.0)])
def test_two_classes_of_three_rows(n, factor):
    # means 2 and 5, overall 3: 6 between them, 2 within
    classes = classes_of([[1.0, 3.0], [5.0]])
    assert f_statistic(classes, n).tolist() == pytest.approx([factor * 3.0])


def test_three_classes_share_the_freedom_of_two():
    # means 0, 3, 6: 2 * 9 + 0 + 2 * 9 between, 2 + 2 + 2 within; (8 - 3) / (3 - 1)
    classes = classes_of([[-1.0, 1.0], [2.0, 4.0], [5.0, 7.0]])
    assert f_statistic(classes, 8).tolist() == pytest.approx([2.5 * 6.0])


def test_constant_and_separating_features():
    constant, apart, alike = (
        [[2.0, 2.0], [2.0]],
        [[1.0, 1.0], [4.0]],
        [[0.0, 2.0], [1.0]],
    )
    found = f_statistic(classes_of(constant, apart, alike), 5)
    assert found.tolist() == [0.0, np.inf, 0.0]
