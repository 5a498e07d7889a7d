"""Where a feature counts as constant in a problem of two classes."""

import numpy as np
import pytest

from labelsift.score.class_moments import ClassMoments
from labelsift.score.wrapper_spectral import two_class_phi


def one_class(rows, mean, scatter):
    """Return a class of so many rows with this mean and scatter about it."""
    squares = rows * mean**2 + scatter
    return ClassMoments(
        np.array([float(rows)]), np.array([[rows * mean]]), np.array([[squares]])
    )


def phi(first, second, *, loops):
    found = two_class_phi(
        first, second, criterion="phi_2", self_loops=loops, shift=np.zeros(1)
    )
    return found.item()


# eight rows at 1000 weigh 8e6 in squares, of which 1e-13 is 8e-7
@pytest.mark.parametrize(("scatter", "is_defined"), [(6e-7, False), (1e-6, True)])
@pytest.mark.parametrize("which", [0, 1])
def test_what_rounding_leaves_of_a_constant_is_no_spread(scatter, is_defined, which):
    scatters = [0.0, 0.0]
    scatters[which] = scatter
    classes = [one_class(4, 1000.0, each) for each in scatters]
    assert np.isfinite(phi(*classes, loops=True)) == is_defined


# a row alone in its class has no neighbour; the four at 1000 weigh 3e6, 3/4 each
@pytest.mark.parametrize(("scatter", "is_defined"), [(3e-7, False), (6e-7, True)])
@pytest.mark.parametrize("which", [0, 1])
def test_a_row_without_neighbours_has_no_say_in_that(scatter, is_defined, which):
    classes = [one_class(4, 1000.0, scatter), one_class(1, 5.0, 0.0)]
    if which:
        classes.reverse()
    assert np.isfinite(phi(*classes, loops=False)) == is_defined
