"""Multi-label classifiers; CLASSIFIERS is built from the names below.

Examples
--------
>>> sorted(CLASSIFIERS)[:3]
['binary_relevance', 'brknn', 'calibrated_label_ranking']
>>> "naive_bayes" in SINGLE_LABEL
True
"""

from types import MappingProxyType

from labelsift.learn.binary_relevance import BinaryRelevance
from labelsift.learn.brknn import BRkNN
from labelsift.learn.calibrated_label_ranking import CalibratedLabelRanking
from labelsift.learn.classifier_chain import ClassifierChain
from labelsift.learn.dmlknn import DMLkNN
from labelsift.learn.iblr import IBLR
from labelsift.learn.label_powerset import LabelPowerset
from labelsift.learn.mlknn import MLkNN
from labelsift.learn.neighbor_graph import NeighborGraph, Neighbors
from labelsift.learn.rakel import RAkEL
from labelsift.learn.single_label import SINGLE_LABEL, aacc

__all__ = [
    "CLASSIFIERS",
    "IBLR",
    "SINGLE_LABEL",
    "BRkNN",
    "BinaryRelevance",
    "CalibratedLabelRanking",
    "ClassifierChain",
    "DMLkNN",
    "LabelPowerset",
    "MLkNN",
    "NeighborGraph",
    "Neighbors",
    "RAkEL",
    "aacc",
]

CLASSIFIERS = MappingProxyType(
    {
        globals()[name].__module__.rpartition(".")[2]: globals()[name]
        for name in sorted(__all__)
        if hasattr(globals().get(name), "predict")
    }
)
