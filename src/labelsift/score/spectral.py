"""SPEC scores, exact, from the moments of groups of equal rows.

With W = Z J Z' (Z says which group a row is in) every quadratic form of the n x n
graph is one of group sums, and the normalised Laplacian has only two kinds of
eigenvectors: those constant on groups, and within group g any vector that sums to
zero, with eigenvalue 1 (with self-loops) or 1 + J_gg / d_g (without).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from labelsift.kernels.progress import Tally, one_long_step, teller
from labelsift.kernels.spectral import add_reach, multiply_rows
from labelsift.kernels.threads import kept_threads, run_blocks
from labelsift.score import near_walk
from labelsift.score.group_sums import (
    Degrees,
    DenseSums,
    GroupSums,
    Linear,
    SparseSums,
    weighted,
)
from labelsift.score.label_graph import GroupGraph
from labelsift.statistics.label_moments import LabelMoments

Array = np.ndarray[Any, Any]
_TIED = 1e-9  # eigenvalues closer than this count as equal
MAX_GROUPS_FOR_EIGENVECTORS = 6000


@dataclass(frozen=True)
class SpectralScores:
    """Raw scores and which of them mean something.

    Parameters
    ----------
    phi : ndarray of shape (n_features,), float64
        phi_1, phi_2 or phi_3; NaN where undefined.
    defined : ndarray of shape (n_features,), bool
        False for a feature that is constant, or constant on the rows that have a
        neighbour.
    n_isolated : int
        Rows without any neighbour: they take no part.
    """

    phi: Array
    defined: Array
    n_isolated: int


def spectral_scores(
    moments: LabelMoments,
    graph: GroupGraph,
    *,
    criterion: str = "phi_1",
    power: int = 1,
    scale: str = "zscore",
    n_eigenvectors: int | None = None,
) -> SpectralScores:
    """Score every feature on a graph of groups.

    Parameters
    ----------
    moments : LabelMoments
        Sums for the groups of ``graph``.
    graph : GroupGraph
        Similarity of the groups.
    criterion : {"phi_1", "phi_2", "phi_3"}
        phi_1 and phi_2: smaller is better; phi_3: larger is better.
    power : int
        Power r of the spectral function l**r.
    scale : {"zscore", "minmax", "none"}
        Scaling of the features; only its shift matters.
    n_eigenvectors : int, optional
        Leading eigenvectors of phi_3, the trivial one included; the number of
        distinct groups by default. Where the last falls among equal eigenvalues,
        their space counts in proportion, so that the answer does not depend on a
        choice of basis.

    Returns
    -------
    SpectralScores
        The scores and where they are defined.
    """
    sums = SparseSums(moments) if moments.is_sparse else DenseSums(moments)
    degrees, forms = _walk(graph, sums)
    total = float((degrees.degree * graph.counts).sum())
    low, high = moments.range
    largest = np.maximum(np.abs(low), np.abs(high))
    defined = high - low > 4 * np.finfo(np.float64).eps * largest
    isolated = int(graph.counts[degrees.degree == 0].sum())
    if total == 0.0:
        nothing = np.full(moments.n_features, np.nan)
        return SpectralScores(nothing, np.zeros(len(nothing), dtype=bool), isolated)
    linear = sums.linear(degrees)
    # move to the degree-weighted mean: the numerator does not see a shift
    mean = linear.degree_sum / total
    spread = linear.degree_square - mean * linear.degree_sum
    defined &= spread > 1e-13 * linear.degree_square
    if criterion == "phi_3":
        numerator = _leading(sums, graph, degrees, mean, power, n_eigenvectors)
    elif power == 1:
        inner = _inner(linear, forms, mean, degrees, graph.counts)
        numerator = np.maximum(spread - inner, 0.0)
    else:
        numerator = _powered(sums, graph, degrees, mean, power)
    if criterion == "phi_2":
        denominator = spread
    else:
        origin = sums.base
        shift = {
            "zscore": sums.total / moments.n_samples,
            "minmax": low - origin,
            "none": -origin,
        }[scale]
        denominator = spread + (mean - shift) ** 2 * total
    phi = np.full(len(mean), np.nan)
    phi[defined] = numerator[defined] / denominator[defined]
    return SpectralScores(phi, defined, isolated)


def _walk(graph: GroupGraph, sums: GroupSums) -> tuple[Degrees, Array]:
    """Return degrees, and s'Js of every column, by the shorter of two ways."""
    all_pairs = sums.seconds_of_all()
    few = graph.n_groups <= near_walk.FEW_GROUPS
    near_pairs = np.inf if few else near_walk.seconds_of_near(graph, sums)
    seconds = min(all_pairs, near_pairs)
    if seconds > near_walk.MAX_SECONDS:
        raise ValueError(
            f"the pairs of {graph.n_groups} distinct label sets (or rows, without "
            f"labels) would take about {seconds / 3600:.0f} hours of a processor; the "
            f"limit is {near_walk.MAX_SECONDS / 3600:.0f}. Leave out the most frequent "
            "labels, or take a sample of the rows."
        )
    walk = _all_walk if all_pairs <= near_pairs else near_walk.near_walk
    with kept_threads():  # for many blocks
        reach, own, forms = walk(graph, sums)
    forms = forms[: len(sums.base)]
    if graph.self_loops:
        return Degrees(reach, np.zeros(len(reach)), reach), forms
    return Degrees(reach, own, reach - own), forms


def _all_walk(graph: GroupGraph, sums: GroupSums) -> tuple[Array, Array, Array]:
    """Visit the lower half of J once: J n, the diagonal, and s'Js of every column."""
    counts = graph.counts.astype(np.float64)
    u, tell = graph.n_groups, teller("label sets")
    reach, own = np.zeros(u), np.empty(u)
    for start, rows in graph.blocks(lower=True):
        add_reach(rows, start, counts, reach, own)
        sums.add_forms(start, rows)
        if tell is not None:  # the work grows with the square
            tell(int(u * ((start + len(rows)) / u) ** 2), u)
    return reach, own, sums.forms


def _inner(
    linear: Linear, forms: Array, mean: Array, degrees: Degrees, counts: Array
) -> Array:
    """Return f'Wf of the features moved by ``mean``."""
    reach, own = (counts * degrees.reach).sum(), (counts * degrees.own).sum()
    inner = forms + mean * (mean * reach - 2.0 * linear.reach_sum)
    diagonal = linear.own_square + mean * (mean * own - 2.0 * linear.own_sum)
    result: Array = inner - diagonal
    return result


def _group_parts(
    sums: GroupSums, degrees: Degrees, counts: Array, mean: Array, start: int, stop: int
) -> tuple[Array, Array]:
    """Return D**(1/2) f in the space of groups, and the scatter within groups.

    Both are (u, stop - start): coordinates along the unit vectors of the groups, and
    the squared length of the rest, weighted by the degree.
    """
    n = counts.astype(np.float64)[:, None]
    part, squares = sums.columns(start, stop)
    scatter = np.maximum(squares - part**2 / n, 0.0) * degrees.degree[:, None]
    part -= n * mean[start:stop]
    part *= np.sqrt(degrees.degree[:, None] / n)
    return part, scatter


def _powered(
    sums: GroupSums, graph: GroupGraph, degrees: Degrees, mean: Array, power: int
) -> Array:
    """Return f'D**(1/2) Ln**power D**(1/2) f of every feature."""
    result = np.empty(len(mean))
    step = sums.chunks(graph.n_groups)
    products = (power + 1) // 2 * -(-len(mean) // step)
    done = Tally("features", products * graph.n_groups, told_as=len(mean))
    for start in range(0, len(mean), step):
        stop = min(start + step, len(mean))
        part, scatter = _group_parts(sums, degrees, graph.counts, mean, start, stop)
        within = weighted(degrees.within[None, :] ** power, scatter)[0]
        half = part
        for _ in range(power // 2):
            half = _apply(graph, degrees, half, done)
        other = _apply(graph, degrees, half, done) if power % 2 else half
        ones = np.ones((1, len(half)))
        result[start:stop] = within + weighted(ones, half * other)[0]
    return result


def _apply(graph: GroupGraph, degrees: Degrees, values: Array, done: Tally) -> Array:
    """Return the normalised Laplacian, in the space of groups, times ``values``."""
    weight = (np.sqrt(graph.counts) * degrees.inverse_root)[:, None]
    inner = np.ascontiguousarray(weight * values)
    product = np.empty_like(inner)
    for start, rows in graph.blocks():

        def work(a: int, b: int, rows: Array = rows, start: int = start) -> None:
            multiply_rows(rows[a:b], inner, product[start + a : start + b])

        run_blocks(work, len(rows), block=64)
        done.add(len(rows))
    result: Array = degrees.within[:, None] * values - weight * product
    return result


def _leading(
    sums: GroupSums,
    graph: GroupGraph,
    degrees: Degrees,
    mean: Array,
    power: int,
    n_eigenvectors: int | None,
) -> Array:
    """Return the sum of (2**r - lambda**r) times the squared projections."""
    if graph.n_groups > MAX_GROUPS_FOR_EIGENVECTORS:
        raise ValueError(
            f"criterion='phi_3' needs the eigenvectors of a matrix of "
            f"{graph.n_groups} x {graph.n_groups} distinct label sets (or rows, "
            f"without labels); the limit is {MAX_GROUPS_FOR_EIGENVECTORS}. Use "
            "criterion='phi_1' or 'phi_2', or a sample of the rows."
        )
    kept = degrees.degree > 0
    with one_long_step("eigenvectors", int(kept.sum())):
        values, vectors = _eigen(graph, degrees, kept)
    multiplicity = np.concatenate(
        [np.ones(len(values), dtype=np.int64), graph.counts[kept] - 1]
    )
    all_values = np.concatenate([values, degrees.within[kept]])
    wanted = int(kept.sum()) if n_eigenvectors is None else n_eigenvectors
    share = _shares(all_values, multiplicity, wanted - 1)
    gain = share * (2.0**power - np.maximum(all_values, 0.0) ** power)
    result = np.empty(len(mean))
    step = sums.chunks(graph.n_groups)
    projector = np.ascontiguousarray(vectors.T)
    done = Tally("features", len(mean))
    for start in range(0, len(mean), step):
        stop = min(start + step, len(mean))
        part, scatter = _group_parts(sums, degrees, graph.counts, mean, start, stop)
        projected = weighted(projector, part[kept])
        result[start:stop] = weighted(gain[None, : len(values)], projected**2)[0]
        result[start:stop] += weighted(gain[None, len(values) :], scatter[kept])[0]
        done.add(stop - start)
    return result


def _eigen(graph: GroupGraph, degrees: Degrees, kept: Array) -> tuple[Array, Array]:
    """Return eigenpairs constant on groups, without the trivial one."""
    matrix = np.empty((graph.n_groups, graph.n_groups))
    for start, rows in graph.blocks():
        matrix[start : start + len(rows)] = rows
    weight = np.sqrt(graph.counts) * degrees.inverse_root
    matrix *= -weight[:, None]
    matrix *= weight
    matrix[np.diag_indices_from(matrix)] += degrees.within
    matrix = matrix[np.ix_(kept, kept)]
    trivial = np.sqrt(graph.counts[kept] * degrees.degree[kept])
    trivial /= np.linalg.norm(trivial)
    # moved above every other eigenvalue (they end at 2), then dropped
    matrix += 4.0 * np.outer(trivial, trivial)
    values, vectors = np.linalg.eigh(matrix)
    return values[:-1], vectors[:, :-1]


def _shares(values: Array, multiplicity: Array, places: int) -> Array:
    """Return which share of each eigenvalue's space is among the first ``places``."""
    share = np.zeros(len(values))
    order = np.argsort(values, kind="stable")
    order = order[multiplicity[order] > 0]
    cuts = np.flatnonzero(np.diff(values[order]) > _TIED) + 1
    for tied in np.split(order, cuts):
        if places <= 0 or len(tied) == 0:
            break
        size = int(multiplicity[tied].sum())
        share[tied] = min(1.0, places / size)
        places -= size
    return share
