"""Join column-compressed blocks of rows."""

from __future__ import annotations

from numba import njit


@njit(cache=True, nogil=True)
def append_columns(indptr, indices, data, row, fill, out_indices, out_data):
    """Add the columns of a block whose first row is ``row`` at the places ``fill``."""
    for f in range(len(indptr) - 1):
        at = fill[f]
        for place in range(indptr[f], indptr[f + 1]):
            out_indices[at] = indices[place] + row
            out_data[at] = data[place]
            at += 1
        fill[f] = at
