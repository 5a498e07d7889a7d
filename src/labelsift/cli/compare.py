"""``labelsift compare``: run a plan, keep every result, write the report."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from labelsift._words import counted
from labelsift.cli.block_options import checked_engine, engine_options
from labelsift.cli.compare_files import check_parquet, export_files, write_reports
from labelsift.cli.job_options import jobs_option, n_workers
from labelsift.cli.output_files import checked_folder
from labelsift.cli.plan_runs import or_mistakes, run_watched
from labelsift.cli.terminal import (
    WrongInput,
    common_options,
    note,
    one_line,
    print_json,
    waiting,
)

if TYPE_CHECKING:
    from labelsift.evaluate.comparison import Comparison
    from labelsift.evaluate.estimate import Estimate
    from labelsift.evaluate.plan import Plan
    from labelsift.evaluate.plan_run import LoadedData, Survey
    from labelsift.evaluate.store import ResultStore

_MOST_SHOWN = 20


@click.command()
@click.argument("plan")
@click.option(
    "--out",
    metavar="FOLDER",
    help="Where results.sqlite and report.html go; made if missing. Default: the name "
    "of the plan with -results, beside it.",
)
@jobs_option
@click.option(
    "--dry-run",
    is_flag=True,
    help="Check the plan and its data, say how many fits are to be done and about how "
    "long they take, and stop.",
)
@click.option(
    "--import-from",
    "folders",
    multiple=True,
    metavar="FOLDER",
    help="A folder with Python files of your own that the plan names by import path.",
)
@click.option(
    "--export",
    metavar="FOLDER",
    help="Write the tables and figures there as files, too; made if missing.",
)
@click.option(
    "--format",
    "formats",
    multiple=True,
    type=click.Choice(["markdown", "latex", "csv", "parquet", "svg", "pdf"]),
    help="For --export: only this format; may be given several times.",
)
@engine_options
@common_options
def compare(
    plan: str,
    out: str | None,
    jobs: int,
    dry_run: bool,
    folders: tuple[str, ...],
    export: str | None,
    formats: tuple[str, ...],
    engine: str | None,
    workers: int | None,
    address: str | None,
    quiet: bool,
    as_json: bool,
) -> None:
    """Compare selectors and classifiers as PLAN, a TOML file, says.

    Results are kept as they come: a run that was stopped, however roughly, goes on
    where it was when the same command is given again, and a changed plan computes only
    what is new.
    """
    from labelsift.cli.compare_text import header, outcome
    from labelsift.evaluate.plan import read_plan
    from labelsift.evaluate.plan_run import load_data, survey

    where = checked_engine(engine, workers, address)
    if engine is not None and jobs != 1:
        raise WrongInput("--jobs and --engine both say where to run; give one.")
    if formats and export is None:
        raise WrongInput("--format needs --export FOLDER, where the files shall go.")
    if "parquet" in formats:
        check_parquet()
    _import_from(folders)
    read = or_mistakes(lambda: read_plan(plan))
    folder = Path(out) if out else Path(plan).with_name(f"{Path(plan).stem}-results")
    if not dry_run:
        checked_folder("--out", out or folder)
        if export is not None:
            checked_folder("--export", export)
    talk = not (quiet or as_json)
    with waiting("reading the data", quiet):
        loaded = or_mistakes(lambda: load_data(read))
    for data in loaded:
        if data.error:
            note(f"{data.name} cannot be measured: {data.error}")
        if data.note:
            note(f"{data.name}: {data.note}")
    with _store(folder, dry_run) as store:
        with waiting("looking at what is done", quiet):
            surveys = survey(read, loaded, store)
        if dry_run:
            _dry_run(read, loaded, surveys, store, jobs, as_json, quiet)
            return
        if talk:
            click.echo(header(read, surveys))
        where = {"n_jobs": jobs} if engine is None else where
        comparison, stopped = run_watched(
            read, loaded, surveys, store, where, quiet or as_json
        )
    if stopped and not comparison.results:
        click.echo(one_line(stopped), err=True)
        raise click.exceptions.Exit(1)
    with waiting("writing the report", quiet):
        written = write_reports(comparison, loaded, folder, plan)
        exported = export_files(comparison, loaded, export, formats)
    if as_json:
        print_json(_as_json(comparison, written, exported))
    elif quiet:
        click.echo(written[0] if written else folder)
    else:
        click.echo(outcome(comparison, _MOST_SHOWN))
        for path in written[:1]:
            click.echo(f"report: {path}")
        if exported:
            click.echo(f"exported: {counted(len(exported), 'file')} in {export}")
    failed = comparison.failed()
    for line in [stopped] if stopped else [f"failed: {text}" for text in failed]:
        click.echo(one_line(line), err=True)
    if failed or stopped:
        click.get_current_context().exit(1)


def _import_from(folders: tuple[str, ...]) -> None:
    for folder in folders:
        if not Path(folder).is_dir():
            raise WrongInput(f"--import-from: there is no folder {one_line(folder)}.")
        path = str(Path(folder).resolve())
        if path not in sys.path:
            sys.path.append(path)  # last, so that nothing of ours is replaced


def _store(folder: Path, is_dry: bool) -> ResultStore:
    from labelsift.evaluate.store import ResultStore

    path = folder / "results.sqlite"
    if is_dry and not path.exists():
        return ResultStore.in_memory()
    folder.mkdir(parents=True, exist_ok=True)
    return ResultStore(path)


def _dry_run(
    plan: Plan,
    loaded: list[LoadedData],
    surveys: list[Survey],
    store: ResultStore,
    jobs: int,
    as_json: bool,
    quiet: bool,
) -> None:
    from labelsift.cli.compare_text import dry_run_text
    from labelsift.evaluate.estimate import estimate

    with waiting("trying small fits", quiet):
        guess: Estimate = estimate(plan, loaded, surveys, store)
    workers = n_workers(jobs)
    if as_json:
        print_json(
            {
                "fits": sum(s.n_fits for s in surveys),
                "missing": sum(s.n_missing for s in surveys),
                "seconds": guess.seconds / workers,
                "without_estimate": guess.n_unknown,
                "broken": {data.name: data.error for data in loaded if data.error},
            }
        )
    else:
        click.echo(dry_run_text(plan, surveys, guess, workers))
    if any(data.error for data in loaded):
        click.get_current_context().exit(1)


def _as_json(
    comparison: Comparison, written: list[Path], exported: list[Path]
) -> dict[str, Any]:
    return {
        "title": comparison.plan.title,
        "metric": comparison.plan.metrics[0],
        "datasets": list(comparison.datasets),
        "standings": [
            {
                "selector": standing.method.selector,
                "classifier": standing.method.classifier,
                "mean_rank": standing.mean_rank,
                "values": dict(zip(comparison.datasets, standing.values, strict=True)),
                "n_features": dict(
                    zip(comparison.datasets, standing.sizes, strict=True)
                ),
            }
            for standing in comparison.standings()
        ],
        "failed": comparison.failed(),
        "notes": list(comparison.notes),
        "reports": [str(path) for path in written],
        "exported": [str(path) for path in exported],
    }
