"""Multi-label classifiers; CLASSIFIERS is built from the names below."""

from types import MappingProxyType

from labelsift.learn.brknn import BRkNN
from labelsift.learn.dmlknn import DMLkNN
from labelsift.learn.iblr import IBLR
from labelsift.learn.mlknn import MLkNN
from labelsift.learn.neighbor_graph import NeighborGraph, Neighbors

__all__ = [
    "CLASSIFIERS",
    "IBLR",
    "BRkNN",
    "DMLkNN",
    "MLkNN",
    "NeighborGraph",
    "Neighbors",
]

CLASSIFIERS = MappingProxyType(
    {
        globals()[name].__module__.rpartition(".")[2]: globals()[name]
        for name in sorted(__all__)
        if hasattr(globals().get(name), "predict")
    }
)
