import numpy as np
import pytest

from labelsift.score.neighbor_graph import _median, neighbor_similarities


def test_rows_that_are_alike_do_not_narrow_the_median():
    # distances 0, 0, 0, 2, 3: the median of those above 0 is 2.5
    assert _median(np.array([0.0, 0.0, 0.0, 4.0, 9.0])) == 2.5
    assert _median(np.zeros(3)) == 1.0


@pytest.mark.parametrize("self_loops", [False, True])
def test_each_row_is_joined_to_its_nearest_both_ways(self_loops):
    # 0 and 1 are each other's nearest, and 3 is nearest to 1: distances 1 and 2
    X = np.array([[0.0], [1.0], [3.0]])
    found = neighbor_similarities(
        X, np.ones(1), n_neighbors=1, bandwidth="median", self_loops=self_loops
    ).toarray()
    # the median of the distances 1, 1, 2 is 1
    near, far = np.exp(-0.5), np.exp(-2.0)
    expected = np.array([[0, near, 0], [near, 0, far], [0, far, 0]])
    np.testing.assert_allclose(found, expected + self_loops * np.eye(3), rtol=1e-12)


@pytest.mark.parametrize("self_loops", [False, True])
def test_a_row_alone_has_no_neighbour_but_itself(self_loops):
    found = neighbor_similarities(
        np.ones((1, 2)),
        np.ones(2),
        n_neighbors=3,
        bandwidth="median",
        self_loops=self_loops,
    )
    assert found.toarray().tolist() == [[float(self_loops)]]
