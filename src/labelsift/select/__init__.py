"""Selectors: one file a method; SELECTORS is built from the names below."""

from types import MappingProxyType

__all__ = ["SELECTORS"]

SELECTORS = MappingProxyType(
    {
        globals()[name].__module__.rpartition(".")[2]: globals()[name]
        for name in sorted(__all__)
        if name != "SELECTORS"
    }
)
