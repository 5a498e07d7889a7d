"""Selectors: one file a method; SELECTORS is built from the names below."""

from types import MappingProxyType

from labelsift.select.chi2 import Chi2
from labelsift.select.laplacian_score import LaplacianScore
from labelsift.select.multi_label_f_statistic import MultiLabelFStatistic
from labelsift.select.spec import SPEC
from labelsift.select.wrapper_spec import WrapperSPEC

__all__ = [
    "SELECTORS",
    "SPEC",
    "Chi2",
    "LaplacianScore",
    "MultiLabelFStatistic",
    "WrapperSPEC",
]

SELECTORS = MappingProxyType(
    {
        globals()[name].__module__.rpartition(".")[2]: globals()[name]
        for name in sorted(__all__)
        if name != "SELECTORS"
    }
)
