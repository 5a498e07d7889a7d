"""Time, ratio and peak memory, the same way in every benchmark."""

import gc
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path


def data_folder(asked=None):
    """Return the folder of the public files: the one asked for, or the shared one.

    That is LABELSIFT_DATA, else ``data`` in LABELSIFT_SHARED or
    in ``shared`` beside the clone. Where there is none a script says so and ends.
    """
    beside = Path(__file__).resolve().parents[2] / "shared"
    shared = Path(os.environ.get("LABELSIFT_SHARED", beside)) / "data"
    folder = Path(asked or os.environ.get("LABELSIFT_DATA") or shared)
    if not folder.is_dir():
        print(f"nothing measured: there is no folder {folder}; set LABELSIFT_DATA")
        raise SystemExit
    return folder


def seconds(call, *, repeats=5, warmup=1):
    """Return the median wall seconds of ``call()`` and its last result.

    A short call is repeated for a twentieth of a second each time, as timeit does:
    the first call after a pause pays for idle threads and cold caches.
    """
    for _ in range(warmup):
        start = time.perf_counter()
        result = call()
        took = time.perf_counter() - start
    n_calls = max(1, int(0.05 / took)) if warmup else 1
    times = []
    for _ in range(repeats):
        gc.collect()
        start = time.perf_counter()
        for _ in range(n_calls):
            result = call()
        times.append((time.perf_counter() - start) / n_calls)
    return statistics.median(times), result


def single_calls(call, repeats, *, warmup=3):
    """Return least and median wall seconds of calls one by one, and the last result.

    The least is what a call takes when nothing else wants the machine, as timeit has
    it; the median says what the machine made of it.
    """
    for _ in range(warmup):
        call()
    gc.collect()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        result = call()
        times.append(time.perf_counter() - start)
    return min(times), statistics.median(times), result


def peak_megabytes(code):
    """Return the growth of peak memory, in MB, over the line ``BASELINE`` of a script.

    ``code`` runs in a fresh interpreter. It must contain a line ``BASELINE``: what
    comes before it (imports, data, compilation) is not counted.
    """
    # Linux: ru_maxrss of a child starts at its parent's, VmHWM at zero.
    probe = (
        "import os as _o, resource as _r\n"
        "def _peak():\n"
        "    if _o.path.exists('/proc/self/status'):\n"
        "        text = open('/proc/self/status').read()\n"
        "        return int(text.split('VmHWM:')[1].split()[0]) / 1024\n"
        "    return _r.getrusage(_r.RUSAGE_SELF).ru_maxrss / 1024\n"
    )
    body = code.replace("BASELINE", "_base = _peak()", 1)
    done = subprocess.run(
        [sys.executable, "-c", f"{probe}{body}\nprint('PEAK', _peak() - _base)\n"],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ,
    )
    return float(done.stdout.rsplit("PEAK", 1)[1])


def report(name, ours, theirs=None, *, peer="reference", memory=None, target=None):
    """Print one line: our time, the other's, the ratio, memory and target."""
    parts = [f"{name}: {ours:.4g} s"]
    if theirs is not None:
        parts.append(f"{peer} {theirs:.4g} s, ratio {theirs / ours:.1f}x")
    if memory is not None:
        parts.append(f"peak memory beyond the data {memory:.0f} MB")
    if target is not None:
        parts.append(f"target {target}")
    print("; ".join(parts), flush=True)
