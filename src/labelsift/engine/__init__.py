"""Where work runs. Every engine has the same calls and the same results.

``share(value)`` makes a value ready to be used by many tasks, ``run(function, shared,
tasks)`` yields ``function(shared, task)`` for each task, in order, ``reduce(function,
tasks, merge)`` folds the results of tasks into one, and ``close()`` gives back what
the engine holds. A task that is the death of its process twice comes as ``Lost``.

Examples
--------
>>> ENGINES
('inline', 'processes', 'dask')
"""

from __future__ import annotations

from numbers import Integral
from typing import Any

from labelsift.engine.base import Engine, Lost
from labelsift.engine.inline import InlineEngine

__all__ = [
    "ENGINES",
    "Engine",
    "InlineEngine",
    "Lost",
    "engine_by_name",
    "engine_for",
    "shares_work",
]

ENGINES = ("inline", "processes", "dask")
"""Names that ``engine=`` takes."""


def engine_for(n_jobs: Any) -> Engine:
    """Return the engine for a number of processes, or the engine itself.

    Parameters
    ----------
    n_jobs : int, Engine or None
        As in scikit-learn: None is 1 unless ``joblib.parallel_config`` says otherwise,
        -1 all cores, -2 all but one.

    Examples
    --------
    >>> type(engine_for(1)).__name__, type(engine_for(2)).__name__
    ('InlineEngine', 'JoblibEngine')
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


def engine_by_name(
    engine: Engine | str = "inline",
    *,
    n_workers: int | None = None,
    address: str | None = None,
) -> Any:
    """Return the engine of a name, or the engine itself.

    Parameters
    ----------
    engine : Engine or {"inline", "processes", "dask"}, default="inline"
        In this process; in several (joblib); on a Dask cluster.
    n_workers : int, optional
        Processes, or workers of a cluster that is started here, on this machine and
        reachable from it only. Default: as many as there are cores.
    address : str, optional
        Of the scheduler of a running Dask cluster, such as ``"tcp://10.0.0.5:8786"``.

    Raises
    ------
    ImportError
        If Dask is asked for and not installed; names what to install.

    Examples
    --------
    >>> engine_by_name("processes", n_workers=2).n_workers
    2
    """
    if not isinstance(engine, str):
        if n_workers is not None or address is not None:
            raise ValueError("n_workers= and address= go with the name of an engine.")
        return engine
    if engine not in ENGINES:
        raise ValueError(f"engine={engine!r} is not one of {', '.join(ENGINES)}.")
    if address is not None and engine != "dask":
        raise ValueError("address= is that of a Dask cluster; give engine='dask'.")
    if address is not None and n_workers is not None:
        raise ValueError("a cluster at address= has its workers; leave n_workers= out.")
    if n_workers is not None and (
        isinstance(n_workers, bool)
        or not isinstance(n_workers, Integral)
        or n_workers < 1
    ):
        raise ValueError(f"n_workers must be at least 1; found {n_workers!r}.")
    if engine == "inline":
        if n_workers not in (None, 1):
            raise ValueError(
                "engine='inline' is one process; for more give engine='processes'."
            )
        return InlineEngine()
    from labelsift.kernels.threads import n_threads

    workers = int(n_workers or n_threads())
    if engine == "processes":
        from labelsift.engine.with_joblib import JoblibEngine

        return JoblibEngine(workers)
    from labelsift.engine.with_dask import DaskEngine

    return DaskEngine(address=address, n_workers=None if address else workers)


def shares_work(engine: Engine) -> bool:
    """Return whether an engine takes tasks that stand for several ones.

    An engine says so with an attribute ``shares_work``; one that looks into tasks, to
    remember their results, gets them one by one.

    Examples
    --------
    >>> shares_work(InlineEngine())
    True

    Parameters
    ----------
    engine : Engine
        Any.
    """
    return bool(getattr(engine, "shares_work", False))
