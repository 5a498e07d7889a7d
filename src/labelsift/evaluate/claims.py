"""Statements about a comparison that a program can check, and how they come out."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from labelsift.evaluate._claim_cases import cases_of
from labelsift.evaluate.comparison import Comparison
from labelsift.evaluate.pairwise import holm
from labelsift.evaluate.records import ALL_FEATURES

TESTS = (
    "better",
    "no worse",
    "equal",
    "fewer",
    "faster",
    "kept",
    "cheaper",
    "value",
)
HOLDS, IN_PART, FAILS, OPEN = (
    "holds",
    "holds in part",
    "does not hold",
    "not judged",
)
_ALPHA = 0.05


@dataclass(frozen=True)
class Claim:
    """A statement about a comparison.

    Parameters
    ----------
    text : str
        The statement in words.
    test : str
        What is asked: ``"better"``, ``"no worse"`` or ``"equal"`` (``first`` against
        ``second`` by the metrics), ``"fewer"`` (the best size is below all features
        and does better than all features), ``"faster"`` (time to rank), ``"kept"``
        (number of features at the best size), ``"cheaper"`` (test costs at the best
        size), ``"value"`` (a published figure).
    first : tuple of str
        Selectors, or patterns of them with ``*``.
    second : tuple of str
        What they are held against; ``"others"`` for every other selector,
        ``"all features"`` for no selection.
    metrics, classifiers, data : tuple of str
        Names or patterns to which the statement is confined; empty for all.
    mean_of_classifiers : bool
        Whether the mean over the classifiers is compared, not each of them.
    mean_of_data : bool
        Whether the mean over the data sets is compared, not each of them.
    sizes : str or tuple of float
        ``"mean"`` over all sizes, each at its ``"best"``, at ``"each"`` size; or
        numbers and fractions of features, each a case.
    by : float
        Least difference for ``"better"``; a smaller one in the same direction is
        half a case.
    within : float
        Differences of at most this count as none, for ``"no worse"``, ``"equal"`` and
        ``"value"``.
    at_least, at_most : float
        Bounds of the number of features, as a share of all or as a number above 1; for
        ``"kept"`` and ``"fewer"``.
    price : float or None
        Of the sizes whose features cost at most this share of the price of all, the
        best is compared, in place of ``sizes``; needs test costs.
    expected : float or None
        The published figure, shown beside ours; what ``"value"`` compares with.
    where : str
        Where the paper says so.

    Examples
    --------
    >>> claim = Claim("chi2 is best", "better", ("chi2",), ("others",))
    >>> claim.sizes
    'mean'
    """

    text: str
    test: str
    first: tuple[str, ...]
    second: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    classifiers: tuple[str, ...] = ()
    data: tuple[str, ...] = ()
    mean_of_classifiers: bool = False
    mean_of_data: bool = False
    sizes: str | tuple[float, ...] = "mean"
    by: float = 0.0
    within: float = 0.0
    at_least: float = 0.0
    at_most: float = math.inf
    price: float | None = None
    expected: float | None = None
    where: str = ""


@dataclass(frozen=True)
class ClaimCase:
    """One data set, classifier, metric and pair of methods for which a claim is asked.

    Parameters
    ----------
    data, classifier, metric : str
        Where; empty where it plays no part, "mean" where the mean is taken.
    size : str
        At which number of features; empty where it plays no part.
    first, second : str
        The methods.
    first_value, second_value : float
        Their figures; NaN for a second that there is not.
    held : float
        1 if it holds here, 0.5 if only the direction does, 0 if not.
    p_value : float
        Two-sided, of the corrected resampled t test over the folds; NaN where there
        are no folds to compare.

    Examples
    --------
    >>> claim = Claim("chi2 is no worse", "no worse", ("chi2",), ("spec",))
    >>> case = judge(comparison, [claim])[0].cases[0]
    >>> case.data, case.classifier, case.metric, case.held
    ('songs', 'brknn', 'hamming_loss', 1.0)
    """

    data: str
    classifier: str
    metric: str
    size: str
    first: str
    second: str
    first_value: float
    second_value: float
    held: float
    p_value: float = math.nan


@dataclass(frozen=True)
class Judgement:
    """How a claim came out.

    Parameters
    ----------
    claim : Claim
        What was asked.
    cases : tuple of ClaimCase
        Where it was asked.
    missing : tuple of str
        Why it could not be asked elsewhere.

    Examples
    --------
    >>> claim = Claim("no method", "better", ("chi3",), ("spec",))
    >>> found = judge(comparison, [claim])[0]
    >>> found.outcome, found.n_held
    ('not judged', 0)
    >>> found.missing
    ('chi3 was not measured on songs',)
    """

    claim: Claim
    cases: tuple[ClaimCase, ...]
    missing: tuple[str, ...] = ()

    @property
    def n_held(self) -> int:
        """In how many cases it holds."""
        return sum(case.held == 1 for case in self.cases)

    @property
    def outcome(self) -> str:
        """Whether it "holds", "holds in part", "does not hold" or is "not judged".

        It holds in part if it does in at least half of the cases; one in which only
        the direction holds counts as half a case.
        """
        if not self.cases:
            return OPEN
        if self.n_held == len(self.cases):
            return HOLDS
        held = math.fsum(case.held for case in self.cases)
        return IN_PART if 2 * held >= len(self.cases) else FAILS

    @property
    def n_significant(self) -> tuple[int, int]:
        """Cases with a significant difference for and against the claim.

        At 0.05, by the corrected resampled t test with Holm's correction for the cases.
        """
        known = [case for case in self.cases if not math.isnan(case.p_value)]
        adjusted: Any = holm([case.p_value for case in known]) if known else []
        told = [c for c, p in zip(known, adjusted, strict=True) if p < _ALPHA]
        n_for = sum(case.held > 0 for case in told)
        return n_for, len(told) - n_for


def judge(
    comparison: Comparison,
    claims: Sequence[Claim],
    datasets: Mapping[str, Any] | None = None,
) -> list[Judgement]:
    """Return how claims come out on what was measured.

    Parameters
    ----------
    comparison : Comparison
        What ``run_plan`` measured.
    claims : sequence of Claim
        What to check.
    datasets : mapping of str to Dataset, optional
        The data by name; claims about test costs need them.

    Returns
    -------
    list of Judgement
        In the order of the claims.

    Examples
    --------
    >>> claims = [
    ...     Claim("chi2 beats spec", "better", ("chi2",), ("spec",)),
    ...     Claim("spec beats chi2", "better", ("spec",), ("chi2",)),
    ... ]
    >>> [found.outcome for found in judge(comparison, claims)]
    ['holds', 'does not hold']
    """
    found = []
    for claim in claims:
        cases, missing = cases_of(comparison, claim, datasets or {})
        found.append(Judgement(claim, tuple(cases), tuple(dict.fromkeys(missing))))
    return found


def is_known(name: str) -> bool:
    """Tell whether a name means methods without being one of them."""
    return name in ("others", ALL_FEATURES)
