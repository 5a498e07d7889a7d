"""Feature selection for multi-label and multi-class data, with the evidence."""

from labelsift.read import Dataset, ReadError

__all__ = ["Dataset", "ReadError", "__version__"]

__version__ = "0.1.0"
