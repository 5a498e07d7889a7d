import numpy as np
from scipy import sparse

from labelsift.kernels.pair_counts import COLD
from labelsift.score.pair_room import LabelClasses, label_classes


def test_labels_of_as_many_rows_as_16_bits_hold_are_still_counted_in_16():
    rows = np.array([COLD + 1, COLD, 3, 1])
    none = np.zeros(0)
    classes = LabelClasses(
        n=COLD + 5,
        of_number=np.repeat(np.arange(4), [2, 1, 4, 2]),
        size=np.array([2, 1, 4, 2]),
        rows=rows,
        divisor=none,
        logs=none,
        label_at=none,
        pointers=none,
        numbers=none,
    )
    assert classes.n_hot == 2  # the two labels of more rows than that
    found = classes.class_of_rows()
    assert len(found) == COLD + 1
    assert (found[COLD], found[3], found[1]) == (1, 2, 3)
    assert found.sum() == 6


def test_labels_have_numbers_by_falling_frequency_and_places_of_four_bytes():
    Y = np.array([[0, 1, 1, 0], [0, 1, 0, 1], [0, 1, 1, 1]])
    of_rows = sparse.csr_array(Y)
    found = label_classes(Y.sum(axis=0), of_rows, 3, is_simplified=False)
    assert found.label_at.tolist() == [1, 2, 3, 0]
    assert found.of_number.tolist() == [0, 1, 1, 2]
    assert found.rows.tolist() == [3, 2, 0]
    # 3 rows times none without it, 2 times 1, none times 3; nothing is divided by 0
    assert found.divisor.tolist() == [1, 2, 1]
    assert found.pointers.tolist() == [0, 2, 4, 7]
    assert found.pointers.itemsize == found.numbers.itemsize == 4
    assert found.numbers[:7].tolist() == [0, 1, 0, 2, 0, 1, 2]
