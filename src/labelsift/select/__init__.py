"""Selectors: one file a method; SELECTORS is built from the names below."""

from types import MappingProxyType

from labelsift.select.chi2 import Chi2
from labelsift.select.csig import CSIG
from labelsift.select.gain_ratio import GainRatio
from labelsift.select.info_gain import InfoGain
from labelsift.select.laplacian_score import LaplacianScore
from labelsift.select.mlfsdm import MLFSDM
from labelsift.select.mlfsie import MLFSIE
from labelsift.select.mlfspa import MLFSPA
from labelsift.select.multi_label_f_statistic import MultiLabelFStatistic
from labelsift.select.per_label import PerLabel
from labelsift.select.relief_f import ReliefF
from labelsift.select.rrspfs import RRSPFS
from labelsift.select.spec import SPEC
from labelsift.select.symmetrical_uncertainty import SymmetricalUncertainty
from labelsift.select.tolerance_rough_set import ToleranceRoughSet
from labelsift.select.wrapper_spec import WrapperSPEC

__all__ = [
    "CSIG",
    "MLFSDM",
    "MLFSIE",
    "MLFSPA",
    "RRSPFS",
    "SELECTORS",
    "SPEC",
    "Chi2",
    "GainRatio",
    "InfoGain",
    "LaplacianScore",
    "MultiLabelFStatistic",
    "PerLabel",
    "ReliefF",
    "SymmetricalUncertainty",
    "ToleranceRoughSet",
    "WrapperSPEC",
]

SELECTORS = MappingProxyType(
    {
        globals()[name].__module__.rpartition(".")[2]: globals()[name]
        for name in sorted(__all__)
        if name != "SELECTORS"
    }
)
