"""The command line. Heavy imports happen inside each command."""

from labelsift.cli.app import main

__all__ = ["main"]
