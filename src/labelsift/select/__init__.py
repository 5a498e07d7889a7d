"""Selectors: one file a method; SELECTORS is built from the names below."""

from types import MappingProxyType

from labelsift.select.chi2 import Chi2

__all__ = ["SELECTORS", "Chi2"]

SELECTORS = MappingProxyType(
    {
        globals()[name].__module__.rpartition(".")[2]: globals()[name]
        for name in sorted(__all__)
        if name != "SELECTORS"
    }
)
