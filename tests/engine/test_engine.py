import os
import signal

import joblib.externals.loky
import numpy as np
import pytest

from labelsift.engine import InlineEngine, Lost, engine_for
from labelsift.engine.with_joblib import JoblibEngine
from labelsift.kernels.threads import n_threads


def total(shared, task):
    return task, float(shared[task].sum())


def threads_here(shared, task):
    return os.getpid(), n_threads()


def fail(shared, task):
    raise ValueError(f"task {task}")


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_results_come_in_the_order_of_the_tasks(n_jobs):
    engine = engine_for(n_jobs)
    shared = engine.share(np.arange(10.0).reshape(5, 2))
    found = list(engine.run(total, shared, [3, 0, 4, 1]))
    engine.close()
    assert found == [(3, 13.0), (0, 1.0), (4, 17.0), (1, 5.0)]


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_an_error_in_a_task_is_raised_as_it_is(n_jobs):
    with pytest.raises(ValueError, match="task 7"):
        list(engine_for(n_jobs).run(fail, None, [7]))


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_every_result_comes_once_where_order_does_not_matter(n_jobs):
    shared = np.arange(10.0).reshape(5, 2)
    found = engine_for(n_jobs).run(total, shared, [3, 0, 4, 1], in_order=False)
    assert sorted(found) == [(0, 1.0), (1, 5.0), (3, 13.0), (4, 17.0)]


def test_an_engine_is_taken_as_it_is():
    engine = InlineEngine()
    assert engine_for(engine) is engine


def test_processes_share_the_threads(monkeypatch):
    monkeypatch.setenv("LABELSIFT_NUM_THREADS", "4")
    (process, threads), *_ = JoblibEngine(2).run(threads_here, None, [0, 1])
    assert process != os.getpid()
    assert threads == 2
    assert n_threads() == 4


def test_one_process_runs_inline_and_the_joblib_context_is_honoured():
    assert isinstance(engine_for(None), InlineEngine)
    assert isinstance(engine_for(1), InlineEngine)
    with joblib.parallel_config(n_jobs=2):
        assert isinstance(engine_for(None), JoblibEngine)
    with joblib.parallel_config(backend="threading", n_jobs=2):
        found = list(engine_for(None).run(threads_here, None, [0]))
    assert found == [(os.getpid(), n_threads())]


def test_wrong_numbers_of_processes_are_refused():
    with pytest.raises(ValueError, match="must not be 0"):
        engine_for(0)
    with pytest.raises(TypeError, match=r"found 2\.0"):
        engine_for(2.0)


def deadly(shared, task):
    """End the process of some tasks, of others only the first time."""
    first = shared["folder"] / str(task)
    if task in shared["always"] or (task in shared["once"] and not first.exists()):
        first.touch()
        os.kill(os.getpid(), shared["signal"])
    return 10 * task


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize(
    ("in_order", "kind"), [(True, signal.SIGKILL), (False, signal.SIGTERM)]
)
def test_a_task_whose_process_dies_is_tried_once_more_and_then_lost(
    in_order, kind, tmp_path
):
    shared = {"folder": tmp_path, "always": [3], "once": [5], "signal": kind}
    found = list(JoblibEngine(2).run(deadly, shared, range(8), in_order=in_order))
    lost = [one for one in found if isinstance(one, Lost)]
    kept = [one for one in found if not isinstance(one, Lost)]
    assert [one.task for one in lost] == [3]
    assert kind.name in lost[0].reason
    assert "and again when this was tried alone" in lost[0].reason
    assert sorted(kept) == [0, 10, 20, 40, 50, 60, 70]
    if in_order:
        assert kept == sorted(kept)
        assert isinstance(found[3], Lost)
    assert {file.name for file in tmp_path.iterdir()} == {"3", "5"}


def ignores_ctrl_c(shared, task):
    return os.getpid(), signal.getsignal(signal.SIGINT) == signal.SIG_IGN


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_reaches_the_process_that_ends_the_others_and_not_these():
    joblib.externals.loky.get_reusable_executor().shutdown(wait=True)  # new ones start
    before = signal.getsignal(signal.SIGINT)
    found = list(JoblibEngine(2).run(ignores_ctrl_c, None, range(4)))
    assert all(process != os.getpid() and is_deaf for process, is_deaf in found)
    assert signal.getsignal(signal.SIGINT) is before
