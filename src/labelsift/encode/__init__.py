"""Discrete codes, label matrices and cut points."""

from labelsift.encode.discretize import (
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
    MeanDiscretizer,
    MedianDiscretizer,
)
from labelsift.encode.mdl import MDLDiscretizer

__all__ = [
    "EqualFrequencyDiscretizer",
    "EqualWidthDiscretizer",
    "MDLDiscretizer",
    "MeanDiscretizer",
    "MedianDiscretizer",
]
