"""``labelsift demo``: the main job on real data that comes with the installation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from labelsift.cli.output_files import checked_folder
from labelsift.cli.terminal import common_options, print_json

if TYPE_CHECKING:
    from labelsift.evaluate import Results

_SIZES = (5, 10, 20, 31, 41, 52, 72, 103)
_SHOWN = ("hamming_loss", "average_precision")


@click.command()
@click.option(
    "--out",
    default="labelsift-demo",
    show_default=True,
    metavar="FOLDER",
    help="Where report.html and results.json go; made if missing.",
)
@click.option(
    "--folds",
    type=click.IntRange(2, 50),
    default=10,
    show_default=True,
    help="Folds of the cross-validation.",
)
@common_options
def demo(out: str, folds: int, quiet: bool, as_json: bool) -> None:
    """Rank, evaluate and report on real data.

    The data are yeast, 2417 genes with 103 features and 14 labels.
    """
    from sklearn.base import clone

    from labelsift.evaluate import cross_validate
    from labelsift.learn import MLkNN
    from labelsift.read import load_dataset
    from labelsift.report import write_report
    from labelsift.select import Chi2

    folder = checked_folder("--out", out)
    dataset = load_dataset("yeast")
    folder.mkdir(parents=True, exist_ok=True)
    talk = not (quiet or as_json)
    if talk:
        click.echo(
            f"{dataset.name}  {dataset.n_samples} rows · {dataset.n_features} features "
            f"· {dataset.n_labels} labels        embedded in this installation"
        )
    selectors = {f"chi2 {how}": Chi2(aggregate=how) for how in ("mean", "max", "min")}
    results = cross_validate(
        selectors,
        {"ML-kNN": MLkNN(scale="minmax")},
        dataset,
        grid=_SIZES,
        cv=folds,
        progress=f"selecting inside each of {folds} folds" if not quiet else None,
    )
    best = results.best()
    chosen = clone(selectors[best.selector])
    chosen.set_params(n_features_to_select=best.n_features)
    report = write_report(
        results,
        dataset,
        folder / "report.html",
        selector=chosen.fit(dataset.X, dataset.Y),
        command=f"labelsift demo --folds {folds}",
    )
    saved = results.save(folder / "results.json")
    if as_json:
        rows = [
            {
                "selector": row.selector,
                "n_features": row.n_features,
                "mean": row.mean,
                "sd": row.sd,
                "is_best": row == best,
            }
            for row in results.summary(sizes="all").rows
        ]
        print_json(
            {
                "dataset": dataset.name,
                "verdict": results.verdict(),
                "rows": rows,
                "report": str(report),
                "results": str(saved),
            }
        )
    elif quiet:
        click.echo(report)
    else:
        click.echo(table(results))
        click.echo(results.verdict())
        click.echo(f"report: {report}")


def table(results: Results) -> str:
    """Return the best method at each size, and the base line, as a table."""
    from labelsift.evaluate import METRICS
    from labelsift.evaluate.records import ALL_FEATURES

    best = results.best()
    metric = results.metrics[0]
    sign = -1 if METRICS[metric].greater_is_better else 1
    rows = results.summary(sizes="all").rows
    lines = [("keep", "", *(METRICS[name].title for name in _SHOWN), "")]
    for size in results.sizes:
        if size == results.n_features:
            continue
        at_size = [
            row
            for row in rows
            if row.n_features == size and row.selector != ALL_FEATURES
        ]
        row = min(at_size, key=lambda row: sign * row.mean[metric])
        mark = "best" if row == best else ""
        figures = (row.text(name) for name in _SHOWN)
        lines.append((str(size), row.selector, *figures, mark))
    for row in rows:
        if row.selector == ALL_FEATURES:
            mark = "best" if best.n_features == results.n_features else ""
            figures = (row.text(name) for name in _SHOWN)
            lines.append((str(row.n_features), "(all)", *figures, mark))
    widths = [max(len(line[i]) for line in lines) for i in range(5)]
    return "\n".join(
        f"  {a:>{widths[0]}} {b:<{widths[1]}}  {c:<{widths[2]}}   {d:<{widths[3]}}   "
        f"{e}".rstrip()
        for a, b, c, d, e in lines
    )
