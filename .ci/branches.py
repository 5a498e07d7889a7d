"""Say how many branches the tests take, file by file; fail under 95 %.

    python .ci/branches.py .covered.json [least]

Reads what ``coverage json`` writes. Counted are branches, not lines: a line with an
``if`` counts twice, once for each way out of it.
"""

import json
import sys


def main(report, least=95.0):
    """Print the files below the line and the total."""
    with open(report, encoding="utf-8") as file:
        found = json.load(file)
    low = []
    for name, entry in found["files"].items():
        part = entry["summary"]
        n, taken = part["num_branches"], part["covered_branches"]
        if n and 100 * taken < least * n:
            low.append((100 * taken / n, n - taken, name, entry["missing_branches"]))
    for share, n_missing, name, missing in sorted(low):
        places = ", ".join(f"{a} to {b if b > 0 else 'end'}" for a, b in missing[:6])
        more = " ..." if len(missing) > 6 else ""
        print(f"{share:5.1f} %  {n_missing:3d} not taken  {name}: {places}{more}")
    total = found["totals"]
    n, taken = total["num_branches"], total["covered_branches"]
    lines, n_lines = total["covered_lines"], total["num_statements"]
    print(f"lines {100 * lines / n_lines:.1f} % ({lines} of {n_lines})")
    print(f"branches {100 * taken / n:.1f} % ({taken} of {n}), required {least:g} %")
    return 0 if 100 * taken >= least * n else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(float, sys.argv[2:3])))
