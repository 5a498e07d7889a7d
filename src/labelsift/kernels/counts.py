"""Kernels that count: feature bins against labels, into a table."""

from __future__ import annotations

from numba import njit


@njit(cache=True, nogil=True)
def count_dense(
    codes, default, offsets, y_indptr, y_indices, start, stop, bin_rows, table
):
    """Add the rows of dense ``codes`` (features x rows) to ``table`` and ``bin_rows``.

    Row ``offsets[f] + b`` of both belongs to bin ``b`` of feature ``f``. The default
    bin is left out; see ``fill_default``.
    """
    for f in range(start, stop):
        for i in range(codes.shape[1]):
            b = codes[f, i]
            if b != default[f]:
                row = offsets[f] + b
                bin_rows[row] += 1
                for place in range(y_indptr[i], y_indptr[i + 1]):
                    table[row, y_indices[place]] += 1


@njit(cache=True, nogil=True)
def count_columns(
    indptr,
    indices,
    codes,
    offsets,
    y_indptr,
    y_indices,
    start,
    stop,
    bin_rows,
    table,
):
    """Add the stored entries of column-compressed codes, as ``count_dense`` does."""
    for f in range(start, stop):
        for entry in range(indptr[f], indptr[f + 1]):
            i = indices[entry]
            row = offsets[f] + codes[entry]
            bin_rows[row] += 1
            for place in range(y_indptr[i], y_indptr[i + 1]):
                table[row, y_indices[place]] += 1
