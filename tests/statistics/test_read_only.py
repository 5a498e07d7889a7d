"""What scores and statistics hand out cannot be changed behind another's back."""

import pkgutil
from dataclasses import FrozenInstanceError, fields, is_dataclass
from importlib import import_module

import numpy as np
import pytest

from labelsift import score, statistics
from labelsift.score.class_moments import ClassMoments
from labelsift.score.group_sums import Degrees, Linear
from labelsift.score.pair_room import LabelClasses
from labelsift.score.pairs import PairScores
from labelsift.score.purchase import Prices
from labelsift.score.relief_problems import Problems
from labelsift.score.sparse_regression import SparseFit
from labelsift.score.spectral import SpectralScores
from labelsift.statistics.neighborhoods import LabelUnits, View
from labelsift.statistics.partitions import CodedTable, Partition
from labelsift.statistics.tables import ContingencyTables

HANDED_OUT = {
    *(ClassMoments, Degrees, Linear, LabelClasses, PairScores, Prices, Problems),
    *(SparseFit, SpectralScores, LabelUnits, View, CodedTable, Partition),
    ContingencyTables,
}

FOUND = {
    kind
    for package in (score, statistics)
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}.")
    for kind in vars(import_module(module.name)).values()
    if is_dataclass(kind) and kind.__module__.startswith(package.__name__)
}


def test_the_classes_are_found():
    assert HANDED_OUT <= FOUND


@pytest.mark.parametrize("kind", sorted(FOUND, key=lambda kind: kind.__qualname__))
def test_a_field_cannot_be_assigned_to(kind):
    names = [field.name for field in fields(kind)]
    one = kind(*[np.arange(3.0) for _ in names])
    for name in names:
        with pytest.raises(FrozenInstanceError):
            setattr(one, name, np.zeros(3))
        assert getattr(one, name).tolist() == [0, 1, 2]
