"""Classifiers that are had for all prefixes of a ranking at once."""

from __future__ import annotations

from typing import Any

from labelsift.learn._transformation import TransformationClassifier
from labelsift.learn.neighbor_path import reads_neighbors


def answers_prefixes(classifier: Any) -> bool:
    """Return whether a classifier has ``prefix_answers``, and can be asked for them.

    Parameters
    ----------
    classifier : object
        Any classifier.
    """
    return (
        isinstance(classifier, TransformationClassifier)
        and classifier.answers_prefixes()
    )


def takes_one_pass(classifier: Any) -> bool:
    """Return whether all prefixes of a ranking cost less than each by itself.

    Parameters
    ----------
    classifier : object
        Any classifier.
    """
    return reads_neighbors(classifier) or answers_prefixes(classifier)
