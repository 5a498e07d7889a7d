"""Rank features by the Laplacian score: SPEC's second criterion."""

from __future__ import annotations

from labelsift.select.spec import SPEC


class LaplacianScore(SPEC):
    """Rank features by their Laplacian score, with labels or without.

    The score is the variance of a feature between neighbours over its variance on the
    whole graph. Without labels, ``fit(X)``, the graph joins each row with its nearest
    rows, as in [1]_; with labels it joins rows with similar label sets. It equals
    ``SPEC(criterion="phi_2")``.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        Features kept by ``transform``: a number, a share, or all.
    n_neighbors : int, default=5
        Neighbours of each row, used without labels only.
    similarity : {"jaccard", "rbf", "cosine", "weighted_jaccard", "same_class"}, \
default="jaccard"
        Similarity of two label sets, as in ``SPEC``. Not used without labels.
    self_loops : bool, default=False
        Whether a row is its own neighbour.
    empty_similarity : float, default=0.0
        Similarity of two rows without labels, from 0 to 1.
    bandwidth : float or "median", default="median"
        Width of the graph of rows, and of ``"rbf"``, as in ``SPEC``.
    scale : {"zscore", "minmax", "none"}, default="zscore"
        Scaling of the features for the distances of rows. The score itself does not
        depend on it.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,), float64
        ``-phi_``, so that higher is better; ``-inf`` for constant features.
    phi_ : ndarray of shape (n_features,), float64
        The Laplacian score; small is good. NaN where undefined.
    order_ : ndarray of shape (n_features,), int64
        Column indices, best first; equal scores in column order.
    ranking_ : ndarray of shape (n_features,), int64
        Rank of each feature, 1 = best.
    n_label_sets_ : int
        Distinct label sets; 0 without labels.
    n_isolated_rows_ : int
        Rows without a neighbour: they take no part.
    label_names_in_ : ndarray of str
        Names of the labels.

    Notes
    -----
    With labels, time O(n d + u**2 d) for u distinct label sets. Without, O(n**2 d) time
    and O(n d) memory: distances are made a row at a time, neighbours found exactly and
    ties given to the lower index. Sparse ``X`` stays sparse.

    References
    ----------
    .. [1] He, Cai, Niyogi. Laplacian score for feature selection. NIPS 18, 2005.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0, 1], [0.1, 0], [0.2, 1], [5.0, 0], [5.1, 1], [5.2, 0]])
    >>> LaplacianScore(1, n_neighbors=2, scale="none").fit(X).get_support()
    array([ True, False])
    """

    criterion = "phi_2"
    spectral_power = 1
    n_eigenvectors = None
    _parameter_constraints = {
        name: rule
        for name, rule in SPEC._parameter_constraints.items()
        if name not in ("criterion", "spectral_power", "n_eigenvectors")
    }

    def __init__(
        self,
        n_features_to_select: float | None = None,
        *,
        n_neighbors: int = 5,
        similarity: str = "jaccard",
        self_loops: bool = False,
        empty_similarity: float = 0.0,
        bandwidth: float | str = "median",
        scale: str = "zscore",
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.n_neighbors = n_neighbors
        self.similarity = similarity
        self.self_loops = self_loops
        self.empty_similarity = empty_similarity
        self.bandwidth = bandwidth
        self.scale = scale
