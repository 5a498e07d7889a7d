"""Selectors: one file a method; SELECTORS is built from the names below.

Examples
--------
>>> SELECTORS["chi2"].__name__
'Chi2'
>>> ALIASES["igmf"][0]
'label_transform'
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from labelsift.select._progress import show_progress
from labelsift.select.ami import AMI
from labelsift.select.budgeted_groups import BudgetedGroups
from labelsift.select.chi2 import Chi2
from labelsift.select.csig import CSIG
from labelsift.select.d2f import D2F
from labelsift.select.fimf import FIMF
from labelsift.select.gain_ratio import GainRatio
from labelsift.select.hsic import HSIC
from labelsift.select.info_gain import InfoGain
from labelsift.select.label_transform import LabelTransform
from labelsift.select.laplacian_score import LaplacianScore
from labelsift.select.lrfs import LRFS
from labelsift.select.mdfs import MDFS
from labelsift.select.mdmr import MDMR
from labelsift.select.mlcmim import MLCMIM
from labelsift.select.mlfsdm import MLFSDM
from labelsift.select.mlfsie import MLFSIE
from labelsift.select.mlfspa import MLFSPA
from labelsift.select.mljmi import MLJMI
from labelsift.select.mlmim import MLMIM
from labelsift.select.mlmrmr import MLMRMR
from labelsift.select.multi_label_f_statistic import MultiLabelFStatistic
from labelsift.select.per_label import PerLabel
from labelsift.select.pmu import PMU
from labelsift.select.relief_f import ReliefF
from labelsift.select.rfs import RFS
from labelsift.select.rrelieff_ml import RReliefFML
from labelsift.select.rrspfs import RRSPFS
from labelsift.select.scls import SCLS
from labelsift.select.spec import SPEC
from labelsift.select.symmetrical_uncertainty import SymmetricalUncertainty
from labelsift.select.tolerance_rough_set import ToleranceRoughSet
from labelsift.select.wrapper_spec import WrapperSPEC

__all__ = [
    "ALIASES",
    "AMI",
    "CSIG",
    "D2F",
    "FIMF",
    "HSIC",
    "LRFS",
    "MDFS",
    "MDMR",
    "MLCMIM",
    "MLFSDM",
    "MLFSIE",
    "MLFSPA",
    "MLJMI",
    "MLMIM",
    "MLMRMR",
    "PMU",
    "RFS",
    "RRSPFS",
    "SCLS",
    "SELECTORS",
    "SPEC",
    "BudgetedGroups",
    "Chi2",
    "GainRatio",
    "InfoGain",
    "LabelTransform",
    "LaplacianScore",
    "MultiLabelFStatistic",
    "PerLabel",
    "RReliefFML",
    "ReliefF",
    "SymmetricalUncertainty",
    "ToleranceRoughSet",
    "WrapperSPEC",
    "make_selector",
    "show_progress",
]

SELECTORS: Mapping[str, type] = MappingProxyType(
    {
        globals()[name].__module__.rpartition(".")[2]: globals()[name]
        for name in sorted(__all__)
        if isinstance(globals().get(name), type)
    }
)

ALIASES: Mapping[str, tuple[str, Mapping[str, Any]]] = MappingProxyType(
    {
        alias: (name, settings)
        for name, selector in SELECTORS.items()
        for alias, settings in getattr(selector, "ALIASES", {}).items()
    }
)
"""Further names: that of the selector and the settings that it stands for."""


def make_selector(name: str, **settings: Any) -> Any:
    """Return a selector by its name at the command line, or by an alias.

    Parameters
    ----------
    name : str
        A key of ``SELECTORS`` (``"chi2"``) or of ``ALIASES`` (``"igmf"``).
    **settings
        Parameters; they go before those of an alias.

    Returns
    -------
    selector
        Not fitted.

    Raises
    ------
    ValueError
        If there is no selector of that name.

    Examples
    --------
    >>> make_selector("igmf", n_features_to_select=20)
    LabelTransform(measure='symmetrical_uncertainty', n_features_to_select=20)
    """
    method, preset = ALIASES.get(name, (name, {}))
    if method not in SELECTORS:
        known = ", ".join([*SELECTORS, *ALIASES])
        raise ValueError(f"there is no selector {name!r}; known are: {known}.")
    return SELECTORS[method](**{**preset, **settings})
