"""Private parts of scikit-learn, imported here only: a release breaks one file."""

from sklearn.base import _fit_context as fit_context
from sklearn.utils._param_validation import (
    HasMethods,
    Interval,
    RealNotInt,
    StrOptions,
)

__all__ = ["HasMethods", "Interval", "RealNotInt", "StrOptions", "fit_context"]
