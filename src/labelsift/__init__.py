"""Feature selection for multi-label and multi-class data, with the evidence."""

from labelsift.read import Dataset, ReadError, load_dataset

__all__ = ["Dataset", "ReadError", "__version__", "load_dataset"]

__version__ = "0.1.0"
