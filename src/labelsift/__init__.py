"""Feature selection for multi-label and multi-class data, with the evidence."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from labelsift.read import Dataset, ReadError, load_dataset

__all__ = ["Dataset", "ReadError", "__version__", "load_dataset"]

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    # Imported on first use, so that the command line answers at once.
    if name in __all__:
        return getattr(import_module("labelsift.read"), name)
    raise AttributeError(f"module 'labelsift' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
