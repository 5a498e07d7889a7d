"""Damage files in a hundred thousand ways and read each.

    nice -n 5 python tests/fuzz/fuzz_readers.py --inputs 100000 --seed 0

Each input must be read right or end in ``ReadError``, in two seconds of processor time
and within an address space of 768 MB beyond the start. A child process reads; when it
dies, the next goes on behind the input that killed it. Input number i of a seed is
always the same: ``--only i`` reads it alone and writes it to ``--keep FOLDER``.
"""

import argparse
import os
import random
import resource
import select
import signal
import sys
import time
from collections import Counter
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS), str(TESTS.parent / "src")]
os.environ.setdefault("LABELSIFT_NUM_THREADS", "1")

from fuzz.mutations import damaged  # noqa: E402
from fuzz.reading import complaints  # noqa: E402
from fuzz.seeds import all_seeds  # noqa: E402

_ROOM = 768 * 2**20
_WALL_SECONDS = 60
_BATCH = 2000


def the_input(seeds, number, run):
    """Return the seed file and the damaged content of one input."""
    rng = random.Random(f"{run}/{number}")
    seed = rng.choice(seeds)
    return seed, damaged(seed, seeds, rng), rng


def warm(seeds):
    """Read every seed once, so that children find all kernels compiled."""
    for seed in seeds:
        found, was_read = complaints(seed, seed.content, _Always(), seconds=600)
        if found or not was_read:
            raise SystemExit(f"{seed.name} itself: {found}")


class _Always(random.Random):
    def random(self):
        return 0.0


def child(seeds, start, stop, run, pipe):
    """Read inputs from ``start`` on, telling each number first and complaints after."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    room = pages * resource.getpagesize() + _ROOM
    resource.setrlimit(resource.RLIMIT_AS, (room, room))
    with os.fdopen(pipe, "w", buffering=1) as out:
        for number in range(start, stop):
            out.write(f"{number}\n")
            seed, content, rng = the_input(seeds, number, run)
            found, was_read = complaints(seed, content, rng)
            out.write("read\n" if was_read else "")
            for text in found:
                out.write(f"{number} {seed.name}: {text!s}\n".replace("\0", "\\0"))
        out.write("done\n")


def watch(seeds, start, stop, run):
    """Fork a child; return complaints, where to go on, and how many inputs it read."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        status = 1
        try:
            child(seeds, start, stop, run, writer)
            status = 0
        finally:
            os._exit(status)
    os.close(writer)
    found, at, rest, killed, n_read = [], start, b"", "", 0
    while True:
        ready, _, _ = select.select([reader], [], [], _WALL_SECONDS)
        if not ready:
            os.kill(pid, signal.SIGKILL)
            killed = f"no end in {_WALL_SECONDS} s"
            break
        piece = os.read(reader, 1 << 16)
        if not piece:
            break
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            text = line.decode("utf-8", "replace")
            if text.isdigit():
                at = int(text)
            elif text == "read":
                n_read += 1
            elif text == "done":
                at = stop
            else:
                found.append(text)
    os.close(reader)
    _, status = os.waitpid(pid, 0)
    if at < stop:
        seed = the_input(seeds, at, run)[0]
        found.append(f"{at} {seed.name}: died ({killed or f'status {status}'})")
        at += 1
    return found, at, n_read


def main():
    """Run from the command line; exit code 1 if anything was found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--inputs", type=int, default=100_000)
    parser.add_argument("--seed", default="0")
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--kind", help="only files of this format")
    parser.add_argument("--only", type=int, help="read this one input")
    parser.add_argument("--keep", type=Path, help="folder for the input of --only")
    given = parser.parse_args()
    shared = Path(os.environ.get("LABELSIFT_SHARED", TESTS.parents[1] / "shared"))
    folder = shared / "data"
    seeds = all_seeds(folder if folder.is_dir() else None)
    seeds = [seed for seed in seeds if given.kind in (None, seed.kind)]
    if given.only is not None:
        seed, content, rng = the_input(seeds, given.only, given.seed)
        if given.keep is not None:
            given.keep.mkdir(parents=True, exist_ok=True)
            (given.keep / seed.name).write_bytes(content)
        print(seed.name, seed.options, complaints(seed, content, rng))
        return 0
    warm(seeds)
    began, at, stop = time.perf_counter(), given.start, given.start + given.inputs
    found, n_read = [], 0
    while at < stop:
        some, at, read = watch(seeds, at, min(at + _BATCH, stop), given.seed)
        n_read += read
        for text in some:
            print(text, flush=True)
        found += some
        rate = (at - given.start) / (time.perf_counter() - began)
        print(f"\r{at - given.start} inputs, {rate:.0f}/s", end="", file=sys.stderr)
    print(file=sys.stderr)
    spread = Counter(seed.kind for seed in seeds)
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    kinds = ", ".join(f"{n} {kind}" for kind, n in sorted(spread.items()))
    print(
        f"{given.inputs} inputs from {len(seeds)} files ({kinds}): {n_read} read, "
        f"{len(found)} complaints, {spent.ru_utime + spent.ru_stime:.0f} s of "
        f"processor time, at most {spent.ru_maxrss // 1024} MB"
    )
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
