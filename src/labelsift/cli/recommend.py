"""``labelsift recommend``: which features to keep, with the evidence."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from labelsift.cli.data_options import data_options, input_files, read_data
from labelsift.cli.job_options import jobs_option
from labelsift.cli.methods import unknown
from labelsift.cli.output_files import (
    check_apart,
    checked_data_files,
    checked_file,
    command_line,
)
from labelsift.cli.terminal import (
    WrongInput,
    common_options,
    did_you_mean,
    note,
    print_json,
    waiting,
)

if TYPE_CHECKING:
    from labelsift.evaluate import RecommendedSelector
    from labelsift.read import Dataset

_UNITS = {"s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}


class Duration(click.ParamType):  # type: ignore[type-arg]
    """A time such as 90, 90s, 2m, 1m30s or 1.5h; seconds where no unit is given."""

    name = "time"

    def convert(self, value: Any, param: Any, ctx: Any) -> float:
        """Return seconds."""
        if isinstance(value, float):
            return value
        text = str(value).strip().lower().replace(" ", "")
        number, unit = r"(\d+(?:\.\d+)?)", r"(h|min|m|s)"
        seconds = 0.0
        if re.fullmatch(number, text):
            seconds = float(text)
        elif re.fullmatch(f"(?:{number}{unit})+", text):
            parts = re.findall(f"{number}{unit}", text)
            seconds = sum(float(count) * _UNITS[name] for count, name in parts)
        if not seconds > 0:
            self.fail(f"expected a time such as 90s, 2m or 1m30s; found {value!r}.")
        return seconds


@click.command()
@data_options
@click.option(
    "--metric",
    metavar="NAME",
    default="hamming_loss",
    show_default=True,
    help="What decides, such as average_precision or macro_f1.",
)
@click.option(
    "--method",
    "-m",
    "methods",
    multiple=True,
    metavar="NAME",
    help="A method to try in place of the default portfolio; give it several times. "
    "`labelsift methods` lists all.",
)
@click.option(
    "--tolerance",
    type=click.FloatRange(0, 1),
    default=0.05,
    show_default=True,
    help="Share of what all features achieve that fewer may lose.",
)
@click.option(
    "--time-limit",
    type=Duration(),
    help="Such as 90s, 2m or 1h. Methods that do not fit in are left out, and named.",
)
@click.option(
    "--folds",
    type=click.IntRange(2, 50),
    default=10,
    show_default=True,
    help="Outer folds, which measure.",
)
@click.option(
    "--inner-folds",
    type=click.IntRange(2, 50),
    default=5,
    show_default=True,
    help="Inner folds, which choose.",
)
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), default=0, show_default=True)
@jobs_option
@click.option(
    "--out",
    metavar="FILE",
    help="Write the kept features with the labels, in the format of the ending.",
)
@click.option("--report", metavar="FILE", help="Write the evidence as an HTML page.")
@common_options
def recommend(
    data: str,
    metric: str,
    methods: tuple[str, ...],
    tolerance: float,
    time_limit: float | None,
    folds: int,
    inner_folds: int,
    seed: int,
    jobs: int,
    out: str | None,
    report: str | None,
    quiet: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Say which features of DATA to keep, and how sure that is.

    A portfolio of methods competes in nested cross-validation; the figures come from
    rows that had no say in the choice. Ctrl-C ends the search with the methods that are
    through by then.
    """
    from labelsift.cli.recommend_progress import RecommendProgress
    from labelsift.cli.recommend_text import as_dict, outcome

    _check_metric(metric)
    selectors = _selectors(methods)
    inputs = input_files(data, options)
    files = [] if out is None else checked_data_files(out, inputs)
    page = None if report is None else checked_file("--report", report, inputs)
    check_apart(files, page)
    dataset = read_data(data, options, quiet)
    with RecommendProgress(dataset.name, metric, quiet or as_json) as progress:
        found = _search(
            dataset,
            selectors,
            {
                "metric": metric,
                "tolerance": tolerance,
                "time_limit": time_limit,
                "cv": folds,
                "inner_cv": inner_folds,
                "random_state": seed,
                "n_jobs": jobs,
                "progress": progress,
            },
        )
    if files:
        with waiting(f"writing {out}", quiet):
            kept = dataset.take_features(found.get_support(indices=True))
            kept.save(files[0])
    written = [str(path) for path in files]
    if page is not None:
        with waiting(f"writing {report}", quiet):
            found.report(page, data=dataset, command=command_line("recommend"))
    if as_json:
        print_json(as_dict(found, dataset, written, page))
    elif quiet:
        click.echo(found.reason_)
    else:
        click.echo(outcome(found, dataset, written, page))
    for one in found.left_out_:
        note(f"left out: {one}")
    if found.interrupted_:
        click.echo("Interrupted; the answer is that of the methods above.", err=True)
        click.get_current_context().exit(1)


def _search(
    dataset: Dataset, selectors: dict[str, type] | None, settings: dict[str, Any]
) -> RecommendedSelector:
    from labelsift.cli.select import known_settings
    from labelsift.evaluate import recommend as search

    portfolio = None
    if selectors is not None:
        portfolio = {
            name: kind(**known_settings(dataset, kind))
            for name, kind in selectors.items()
        }
    return search(dataset, selectors=portfolio, **settings)


def _check_metric(metric: str) -> None:
    from labelsift.evaluate import METRICS

    if metric not in METRICS:
        raise WrongInput(
            f'--metric "{metric}" is not known.{did_you_mean(metric, METRICS)} '
            f"Metrics: {', '.join(METRICS)}."
        )


def _selectors(names: tuple[str, ...]) -> dict[str, type] | None:
    from labelsift.select import SELECTORS

    if not names:
        return None
    for name in names:
        if name not in SELECTORS:
            raise WrongInput(unknown("method", name, list(SELECTORS)))
    return {name: SELECTORS[name] for name in names}
