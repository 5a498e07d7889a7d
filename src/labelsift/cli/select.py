"""``labelsift select``: rank the features, keep the best, write them."""

from __future__ import annotations

import inspect
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from labelsift._words import all_of, counted
from labelsift.cli.block_options import (
    StreamedData,
    checked_engine,
    engine_options,
)
from labelsift.cli.data_options import data_options, input_files, read_data
from labelsift.cli.method_options import PREFIX, given_settings, method_options
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
    duration,
    note,
    one_line,
    print_json,
    waiting,
)

if TYPE_CHECKING:
    from labelsift.read import Dataset

_META = "labelsift.method"


class Size(click.ParamType):  # type: ignore[type-arg]
    """A number of features (30), a fraction (0.2) or a percentage (20%)."""

    name = "size"

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return an int for a number, a float for a share."""
        text = str(value).strip()
        try:
            if text.endswith("%"):
                size: float = float(text[:-1]) / 100
            else:
                size = int(text) if re.fullmatch(r"[+-]?\d+", text) else float(text)
        except ValueError:
            size = -1
        if isinstance(size, int) and size >= 1:
            return size
        if isinstance(size, float) and 0 < size <= 1:
            return size
        self.fail(
            f"expected a number of features (30), a fraction (0.2) or a percentage "
            f"(20%); found {value!r}."
        )


class MethodCommand(click.Command):
    """A command whose options depend on ``--method``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Look for the method first, then parse with its options."""
        name = _method_in(args)
        if name is not None:
            from labelsift.select import ALIASES, SELECTORS

            method, preset = ALIASES.get(name, (name, {}))
            if method not in SELECTORS:
                raise WrongInput(unknown("method", name, [*SELECTORS, *ALIASES]))
            ctx.meta[_META] = method_options(SELECTORS[method], preset)
        return super().parse_args(ctx, args)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the fixed options and those of the method."""
        return [*super().get_params(ctx), *ctx.meta.get(_META, ())]


def _method_in(args: list[str]) -> str | None:
    """Return the method that the words name: ``-m X``, ``-mX``, ``-qmX`` and so on."""
    found = None
    for word, following in zip(args, [*args[1:], None], strict=True):
        if word == "--":
            break
        short = re.fullmatch(r"-[qh]*m(.*)", word)
        if word == "--method" or (short and not short[1]):
            found = following or found
        elif short:
            found = short[1]
        elif word.startswith("--method="):
            found = word.partition("=")[2]
    return found


@click.command(cls=MethodCommand)
@data_options
@click.option(
    "--method",
    "-m",
    required=True,
    metavar="NAME",
    help="How to rank; `labelsift methods` lists all. With NAME, --help shows its "
    "options too.",
)
@click.option(
    "--k",
    type=Size(),
    help="How many to keep: 30, 0.2 or 20%. Default: the method's own rule.",
)
@click.option(
    "--out",
    metavar="FILE",
    help="Write the kept features with the labels, in the format of the ending, and "
    "the scores of all features beside it. Without it the scores are printed.",
)
@click.option(
    "--report",
    metavar="FILE",
    help="Write an HTML page: what is kept and why, scores, labels served, redundancy.",
)
@click.option(
    "--table",
    type=click.Choice(["tsv", "csv"]),
    default="tsv",
    help="Form of the printed scores.",
)
@engine_options
@click.argument("more", nargs=-1, metavar="[DATA]...")
@common_options
def select(
    data: str,
    more: tuple[str, ...],
    method: str,
    k: float | None,
    out: str | None,
    report: str | None,
    table: str,
    engine: str | None,
    workers: int | None,
    address: str | None,
    quiet: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Rank the features of DATA and keep the best.

    Several files or folders with the same columns are read in blocks, their rows one
    below the other, and need not fit into memory.
    """
    import numpy as np

    from labelsift.cli.score_table import ScoreRows, best_features, write_scores
    from labelsift.select import ALIASES, SELECTORS, make_selector
    from labelsift.select.reduct_words import reduct_facts, reduct_words

    settings = given_settings(options)
    options = {n: v for n, v in options.items() if not n.startswith(PREFIX)}
    where = checked_engine(engine, workers, address)
    inputs = [path for name in (data, *more) for path in input_files(name, options)]
    files = [] if out is None else checked_data_files(out, inputs, scores=True)
    page = None if report is None else checked_file("--report", report, inputs)
    check_apart(files, page)
    selector_class: Any = SELECTORS[ALIASES.get(method, (method,))[0]]
    if files and k is None and selector_class._only_ranks():
        raise WrongInput(
            f"{method} ranks the features and leaves none out; say how many to keep "
            "with --k."
        )
    dataset: Any
    known: dict[str, Any] = {}
    is_streamed = engine is not None or bool(more) or Path(data).is_dir()
    if is_streamed:
        dataset = StreamedData([data, *more], options)
    else:
        dataset = read_data(data, options, quiet)
        known = known_settings(dataset, selector_class)
    selector = make_selector(method, n_features_to_select=k, **{**known, **settings})
    if not is_streamed:
        _check_missing(dataset, selector, method)
    every = counted(dataset.n_features, "feature")
    with waiting(f"ranking {every} by {method}", quiet) as update:
        start = time.perf_counter()
        interrupted = False
        if is_streamed:
            dataset.fit(selector, method, where)
        else:
            interrupted = _fit(selector, dataset, update)
        seconds = time.perf_counter() - start
    kept = selector.get_support(indices=True)
    words = reduct_words(selector)
    keeps_all = k is None and len(kept) == dataset.n_features and not words
    if files and keeps_all:
        raise WrongInput(
            f"{method} ranks {all_of(dataset.n_features, 'feature')} and leaves none "
            "out; say how many to keep with --k."
        )
    rows = ScoreRows(selector, dataset)
    if files:
        with waiting(f"writing {out}", quiet):
            dataset.take_features(kept).save(files[0])
            write_scores(rows, files[-1])
    if page is not None:
        from labelsift.report import write_selection

        with waiting(f"writing {report}", quiet):
            write_selection(
                selector,
                dataset.blocks if is_streamed else dataset,
                page,
                method=method,
                name=f"{dataset.name} and {len(more)} more" if more else dataset.name,
                command=command_line("select"),
                took=seconds,
                is_interrupted=interrupted,
            )
    if as_json:
        print_json(
            {
                "method": method,
                "settings": {
                    name: np.asarray(value).tolist() if name in known else value
                    for name, value in selector.get_params().items()
                },
                "dataset": dataset.name,
                "n_features": dataset.n_features,
                "n_kept": len(kept),
                **_spent(selector),
                **reduct_facts(selector),
                "kept": [dataset.feature_names[i] for i in kept],
                "written": [str(path) for path in files],
                "report": None if page is None else str(page),
                "seconds": seconds,
                "features": rows.as_dicts(),
            }
        )
    elif not files:
        rows.write(sys.stdout, "\t" if table == "tsv" else ",")
        for sentence in [] if quiet or not words else [*words, f"{seconds:.2f} s"]:
            click.echo(f"  {sentence}", err=True)
        if page is not None and not quiet:
            click.echo(f"  report: {one_line(str(page))}", err=True)
    elif not quiet:
        given = ", ".join(f"{name} {value}" for name, value in settings.items())
        click.echo(f"{method}{f' ({given})' if given else ''}   {seconds:.2f} s")
        for sentence in words:
            click.echo(f"  {sentence}")
        spent = _spent(selector)
        if spent:
            click.echo(
                f"  total cost {spent['total_cost']:.10g}, "
                f"{spent['cost_share']:.0%} of all features'"
            )
        click.echo(
            f"  kept {len(kept)} of {dataset.n_features}   "
            f"written {', '.join(one_line(str(path)) for path in files)}"
        )
        click.echo(f"  best: {one_line(best_features(rows))}")
        if page is not None:
            click.echo(f"  report: {one_line(str(page))}")
    if rows.left_out:
        note(rows.left_out)
    if interrupted:
        _say_interrupted(selector, out)
        click.get_current_context().exit(1)


def _fit(selector: Any, dataset: Dataset, update: Callable[[str], None]) -> bool:
    """Fit and show how far it is; return whether an interrupt left a part of it."""
    from labelsift.kernels.progress import listening

    begin = time.monotonic()

    def tell(done: int, total: int, unit: str) -> None:
        update(_so_far(done, total, unit, seconds=time.monotonic() - begin))

    try:
        with listening(tell):
            selector.fit(dataset.X, dataset.Y)
    except KeyboardInterrupt:
        # a search leaves the features that it has found; others leave nothing
        if not len(getattr(selector, "reduct_", ())):
            raise
        return True
    return False


def _so_far(done: int, total: int, unit: str, *, seconds: float) -> str:
    """Return in words how far a fit is; ``total`` is 0 where nobody knows it."""
    if not total:
        return f"{done} {unit}"
    text = f"{done} of {total} {unit}"
    if not 0 < done < total:
        return text
    return f"{text}, {duration(seconds / done * (total - done))} left"


def _say_interrupted(selector: Any, out: str | None) -> None:
    size = len(selector.reduct_)
    found = "feature found so far is" if size == 1 else "features found so far are"
    where = "printed" if out is None else f"in {out}"
    message = f"Interrupted; the {size} {found} {where}, the search is not done."
    click.echo(one_line(message), err=True)


def known_settings(dataset: Dataset, selector: type) -> dict[str, Any]:
    """Return what the data set says about itself that the method can use."""
    parameters = inspect.signature(selector).parameters
    known: dict[str, Any] = {}
    if "costs" in parameters and dataset.test_costs is not None:
        known["costs"] = dataset.test_costs
    if "categorical_features" in parameters and dataset.is_nominal.any():
        known["categorical_features"] = dataset.is_nominal
    return known


def _spent(selector: Any) -> dict[str, float]:
    """Return what the kept features cost, where the method knows costs."""
    if getattr(selector, "costs", None) is None:
        return {}
    return {"total_cost": selector.total_cost_, "cost_share": selector.cost_share_}


def _check_missing(dataset: Dataset, selector: Any, method: str) -> None:
    """Name the features with missing values, which the matrix alone cannot."""
    from sklearn.utils import get_tags

    if get_tags(selector).input_tags.allow_nan:
        return
    missing = dataset.describe().missing_share
    if missing:
        worst, share = next(iter(missing.items()))
        every = counted(dataset.n_features, "feature")
        raise WrongInput(
            f"{dataset.name}: {len(missing)} of {every} "
            f'have missing values, most of them "{worst}" ({100 * share:.0f} %); '
            f"{method} cannot use them. Fill them in or leave those features out."
        )
