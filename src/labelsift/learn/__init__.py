"""Multi-label classifiers."""
