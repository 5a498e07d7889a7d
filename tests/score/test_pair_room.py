import numpy as np

from labelsift.kernels.pair_counts import COLD
from labelsift.score.pair_room import LabelClasses


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
