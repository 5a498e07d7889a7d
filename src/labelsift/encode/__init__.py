"""Discrete codes, label matrices, cut points and missing values."""

from labelsift.encode.discretize import (
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
    MeanDiscretizer,
    MedianDiscretizer,
)
from labelsift.encode.mdl import MDLDiscretizer
from labelsift.encode.missing import inject_missing

__all__ = [
    "EqualFrequencyDiscretizer",
    "EqualWidthDiscretizer",
    "MDLDiscretizer",
    "MeanDiscretizer",
    "MedianDiscretizer",
    "inject_missing",
]
