"""Write docs/mutation.md from the results of mutation.py."""

import math
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent / "docs" / "mutation.md"
REASONS = HERE / "mutation_reasons.toml"
NOT_KNOWN = {
    "survived": "Not explained.",
    "out of time": "Not explained; not all tests that reach the line were tried.",
}
HEAD = """# Do the tests notice a fault?

Written by `make mutation` (`python benchmarks/mutation.py`). One small fault at a time
is put into the code that computes scores, statistics and metrics: another operator, a
condition negated, a number one more or less (the operators of cosmic-ray;
`benchmarks/mutants.py` says which are left out and why). The tests that reach the line
are run; a fault that none notices has survived.

It is a sample: 10 faults a module and one more for each 15 lines, drawn with a fixed
seed, sites first, so that no site is drawn twice. Intervals are Wilson's, 95 %. A
fault whose tests did not end within the time allowed counts as not noticed, so that the
figures are lower bounds.

Results stay until the module or its sample changes, so that the page may be put
together from several runs; a run may try the nearest tests only.
"""


def reasons():
    """Return {(module, before, after): reason}."""
    entries = tomllib.loads(REASONS.read_text())["survivor"] if REASONS.exists() else []
    return {(e["module"], e["before"], e["after"]): e["reason"] for e in entries}


def reason(mutant):
    """Return why a mutant survives, or an empty text."""
    return reasons().get((mutant.module, mutant.before, mutant.after), "")


def interval(killed, n):
    """Return Wilson's 95 % interval of a share, in per cent."""
    if not n:
        return 0.0, 100.0
    z = 1.959964
    share = killed / n
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = (
        z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    )
    return 100 * (middle - half), 100 * (middle + half)


def write_page(results, older=()):
    """Write the page, naming modules changed since; return one line that sums it up."""
    known = reasons()
    rows, survivors = [], []
    killed_all = n_all = n_sites = harmless_all = 0
    for module, result in sorted(results.items()):
        drawn = result["mutants"].values()
        mutants = [m for m in drawn if m["outcome"] != "not run"]
        if not mutants:
            continue
        n, killed = len(mutants), sum(m["outcome"] == "killed" for m in mutants)
        alive = [m for m in mutants if m["outcome"] != "killed"]
        why = [known.get((m["module"], m["before"], m["after"]), "") for m in alive]
        harmless = sum(bool(w) for w in why)
        low, high = interval(killed, n)
        rows.append(
            f"| {module} | {result['sites']} | {n} | {killed} | {100 * killed / n:.0f} "
            f"({low:.0f} to {high:.0f}) | {harmless} | {n - killed - harmless} |"
        )
        if alive:
            survivors.append(f"### {module}\n")
        for mutant, text in sorted(
            zip(alive, why, strict=True), key=lambda pair: pair[0]["line"]
        ):
            survivors.append(
                f"{text or NOT_KNOWN[mutant['outcome']]}\n\n```diff\n"
                f"- {mutant['before']}\n+ {mutant['after']}\n```\n"
            )
        killed_all, n_all = killed_all + killed, n_all + n
        n_sites, harmless_all = n_sites + result["sites"], harmless_all + harmless
    unsure = sum(
        m["outcome"] == "out of time"
        for result in results.values()
        for m in result["mutants"].values()
    )
    left = sum(
        m["outcome"] == "not run"
        for result in results.values()
        for m in result["mutants"].values()
    )
    low, high = interval(killed_all, n_all)
    n_real = n_all - harmless_all
    low_real, high_real = interval(killed_all, n_real)
    least = min(rows, key=lambda row: float(row.split("|")[5].split()[0]), default="")
    total = (
        f"{killed_all} of all {n_all} faults noticed, {100 * killed_all / n_all:.1f} % "
        f"(95 % interval {low:.1f} to {high:.1f}), out of {n_sites} sites in "
        f"{len(rows)} modules. {harmless_all} of the {n_all - killed_all} others are "
        "explained below; of the faults that are not, "
        f"{100 * killed_all / n_real:.1f} % were noticed "
        f"({killed_all} of {n_real}, {low_real:.1f} to {high_real:.1f})"
    )
    text = [
        HEAD,
        f"**{total}.**\n",
        f"Not all tests that reach the line were tried on {unsure} of those not\n"
        f"noticed; {left} more faults were drawn and not tried in this run.\n",
        *([f"Changed since they were tried: {', '.join(older)}.\n"] if older else []),
        "Explained are faults that change no answer (equivalent), only the time that\n"
        "it takes, or only rounding in the last digits. They count as not noticed in\n"
        "every percentage but the last of the line above.\n",
        "| module | sites | faults | noticed | % (interval) | explained | not |",
        "| :-- | --: | --: | --: | --: | --: | --: |",
        *rows,
        "\n## What was not noticed\n",
        *survivors,
    ]
    PAGE.write_text("\n".join(text).rstrip() + "\n")
    return f"{total}; lowest: {least}"
