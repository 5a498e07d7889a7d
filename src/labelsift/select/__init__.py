"""Selectors: one file a method; SELECTORS is built from the names below."""

from types import MappingProxyType

from labelsift.select.chi2 import Chi2
from labelsift.select.laplacian_score import LaplacianScore
from labelsift.select.spec import SPEC

__all__ = ["SELECTORS", "SPEC", "Chi2", "LaplacianScore"]

SELECTORS = MappingProxyType(
    {
        globals()[name].__module__.rpartition(".")[2]: globals()[name]
        for name in sorted(__all__)
        if name != "SELECTORS"
    }
)
