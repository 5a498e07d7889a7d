"""Where work runs. Every engine has the same three calls and the same results.

``share(value)`` makes a value ready to be used by many tasks, ``run(function, shared,
tasks)`` yields ``function(shared, task)`` for each task, in order, and ``close()``
gives back what the engine holds. A task that is the death of its process twice comes
as ``Lost``.
"""

from __future__ import annotations

from numbers import Integral
from typing import Any

from labelsift.engine.base import Engine, Lost
from labelsift.engine.inline import InlineEngine

__all__ = ["Engine", "InlineEngine", "Lost", "engine_for", "shares_work"]


def engine_for(n_jobs: Any) -> Engine:
    """Return the engine for a number of processes, or the engine itself.

    Parameters
    ----------
    n_jobs : int, Engine or None
        As in scikit-learn: None is 1 unless ``joblib.parallel_config`` says otherwise,
        -1 all cores, -2 all but one.
    """
    if isinstance(n_jobs, Engine):
        return n_jobs
    import joblib

    from labelsift.engine.with_joblib import JoblibEngine

    if n_jobs is not None:
        if isinstance(n_jobs, bool) or not isinstance(n_jobs, Integral):
            raise TypeError(f"n_jobs must be a whole number or None; found {n_jobs!r}.")
        if n_jobs == 0:
            raise ValueError("n_jobs must not be 0; use 1, or -1 for all cores.")
    jobs = int(joblib.effective_n_jobs(n_jobs))
    return InlineEngine() if jobs == 1 else JoblibEngine(jobs)


def shares_work(engine: Engine) -> bool:
    """Return whether an engine takes tasks that stand for several ones.

    An engine says so with an attribute ``shares_work``; one that looks into tasks, to
    remember their results, gets them one by one.
    """
    return bool(getattr(engine, "shares_work", False))
