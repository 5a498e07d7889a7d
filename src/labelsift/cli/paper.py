"""``labelsift paper``: run the experiment of a paper and judge its claims."""

from __future__ import annotations

import math
import shlex
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from labelsift.cli.job_options import jobs_option, n_workers
from labelsift.cli.output_files import (
    check_inputs_kept,
    check_no_result,
    checked_file,
    checked_folder,
)
from labelsift.cli.plan_runs import or_mistakes, run_watched
from labelsift.cli.terminal import (
    WrongInput,
    common_options,
    did_you_mean,
    note,
    one_line,
    print_json,
    waiting,
)

if TYPE_CHECKING:
    from labelsift.cli.paper_text import Took
    from labelsift.evaluate import Comparison, Judgement, LoadedData, LoweredPlan, Plan
    from labelsift.evaluate.claims_file import Claims
    from labelsift.evaluate.plan_run import Survey
    from labelsift.papers import Paper

DEFAULT_MINUTES = 20.0


@click.command()
@click.argument("name")
@click.option(
    "--quick",
    is_flag=True,
    help="A small version on made-up data, under two minutes.",
)
@click.option("--full", is_flag=True, help="The whole protocol.")
@click.option(
    "--budget",
    type=float,
    metavar="MINUTES",
    help="As much of the protocol as fits in about so many minutes; the report says "
    f"what was left out.  [default: {DEFAULT_MINUTES:g}]",
)
@click.option(
    "--out",
    metavar="FOLDER",
    help="Where results.sqlite, report.html and NAME.md go; made if missing. Default: "
    "labelsift-NAME.",
)
@click.option(
    "--page",
    "page_file",
    metavar="FILE",
    help="Write the page in Markdown there, too.",
)
@jobs_option
@common_options
def paper(
    name: str,
    quick: bool,
    full: bool,
    budget: float | None,
    out: str | None,
    page_file: str | None,
    jobs: int,
    quiet: bool,
    as_json: bool,
) -> None:
    """Run the experiment of a paper and say which of its claims hold.

    NAME is chi2, spectral, incomplete, cost, rrspfs, or all, which compares the five
    methods with each other; or a plan of your own, with its claims in NAME.claims.toml
    beside it.

    Data are taken from the folder in the environment variable LABELSIFT_DATA, else
    downloaded; what is missing is skipped and said. Results are kept as they come: the
    same command goes on where a run was stopped.
    """
    start = time.monotonic()
    from labelsift.cli.paper_files import write_paper
    from labelsift.cli.paper_text import Took, header_of
    from labelsift.evaluate import ResultStore, judge

    asked = {"--quick": quick, "--full": full, "--budget": budget is not None}
    given = [option for option, is_given in asked.items() if is_given]
    if len(given) > 1:
        raise WrongInput(f"{' and '.join(given)} say how much to run; give one.")
    how = "quick" if quick else "full" if full else None
    if budget is not None and not 0 < budget < math.inf:
        raise WrongInput(
            f"--budget must be a number of minutes above 0; found {budget:g}. --full "
            "runs everything."
        )
    one = _found(name)
    inputs = _files_of(one)
    folder = checked_folder("--out", f"labelsift-{one.name}" if out is None else out)
    if page_file is not None:
        page = checked_file("--page", page_file, inputs)
        check_no_result("--page", page, folder)
    check_inputs_kept("--out", str(folder), [folder / f"{one.name}.md"], inputs)
    plan, claims = _read(one, how == "quick")
    if page_file is not None:
        sources = [s for d in plan.data.values() for s in (d.source, d.test) if s]
        read = [path for path in map(Path, sources) if path.is_file()]
        check_inputs_kept("--page", page_file, [page], read)
    talk = not (quiet or as_json)
    with waiting("reading the data", quiet):
        loaded = _loaded(plan)
    if all(data.error for data in loaded):
        raise click.ClickException(
            "none of the data could be read; first: "
            f"{loaded[0].name}: {loaded[0].error}"
        )
    minutes = None if how else (budget if budget is not None else DEFAULT_MINUTES)
    command = _command(name, how, budget)
    folder.mkdir(parents=True, exist_ok=True)
    with ResultStore(folder / "results.sqlite") as store:
        lowered = _lowered(plan, claims, loaded, store, minutes, jobs, folder, quiet)
        if talk:
            click.echo(header_of(one, lowered, minutes))
        before = len(store)
        comparison, stopped = _run(lowered, store, jobs, quiet or as_json)
        kept, seconds = len(store), store.seconds()
    if stopped and not comparison.results:
        click.echo(one_line(stopped), err=True)
        raise click.exceptions.Exit(1)
    datasets = {data.name: data for data in lowered.loaded if data.dataset is not None}
    judgements = judge(comparison, claims.claims, datasets)
    with waiting("writing the report", quiet):
        written = write_paper(
            one, comparison, judgements, claims, datasets, folder, command, page_file
        )
    took = Took(time.monotonic() - start, kept - before, kept, seconds)
    _say(one, comparison, judgements, written, took, quiet, as_json)
    failed = [line for line in comparison.failed() if not _is_missing(line, loaded)]
    for line in [stopped] if stopped else [f"failed: {text}" for text in failed]:
        click.echo(one_line(line), err=True)
    if failed or stopped:
        click.get_current_context().exit(1)


def _found(name: str) -> Paper:
    from labelsift.papers import PAPERS, Paper

    if name in PAPERS:
        return PAPERS[name]
    path = Path(name)
    if path.suffix == ".toml" and path.is_file():
        return Paper(path.stem, path.resolve().parent)
    raise WrongInput(
        f'There is no paper "{one_line(name)}".{did_you_mean(name, PAPERS)} Papers: '
        f"{', '.join(PAPERS)}; or a plan of your own, FILE.toml."
    )


def _files_of(one: Paper) -> list[Path]:
    """Return the files that the experiment is read from."""
    endings = (".toml", ".quick.toml", ".claims.toml", ".md")
    files = [one.folder / f"{one.name}{ending}" for ending in endings]
    return [file for file in files if file.is_file()]


def _read(one: Paper, quick: bool) -> tuple[Plan, Claims]:
    """Return plan and claims, or list every mistake and end."""
    if quick and not one.plan_path(quick=True).is_file():
        raise WrongInput(
            f"there is no quick version of {one.name}: "
            f"{one.plan_path(quick=True).name} is not beside the plan."
        )
    plan = or_mistakes(lambda: one.plan(quick=quick))
    return plan, or_mistakes(lambda: one.claims(None if quick else plan))


def _loaded(plan: Plan) -> list[LoadedData]:
    from labelsift.evaluate import load_data

    loaded = load_data(plan)
    for data in loaded:
        if data.error:
            why = data.error.removeprefix(f"{data.name}: ")
            note(f"{data.name} is left out: {why}")
        if data.note:
            note(f"{data.name}: {data.note}")
    return loaded


def _lowered(
    plan: Plan,
    claims: Claims,
    loaded: list[LoadedData],
    store: Any,
    minutes: float | None,
    jobs: int,
    folder: Path,
    quiet: bool,
) -> LoweredPlan:
    """Return the plan as it is run; an interrupted run is lowered as it was before."""
    from labelsift.cli.paper_files import keep_steps, kept_steps
    from labelsift.evaluate import lower_by, lower_to_fit

    if minutes is None:
        return lower_by(plan, loaded, ())
    before = kept_steps(folder, plan, loaded, minutes)
    if before is not None:
        return lower_by(plan, loaded, before)
    with waiting("trying small fits to see how much fits in the time", quiet):
        lowered = lower_to_fit(
            plan,
            loaded,
            store,
            60 * minutes,
            claims=claims,
            n_workers=n_workers(jobs),
        )
    if not lowered.fits:
        note(
            f"the least that can be run takes longer than {minutes:g} minutes: about "
            f"{lowered.seconds / 60:.0f}."
        )
    keep_steps(folder, plan, loaded, minutes, lowered.steps)
    return lowered


def _run(
    lowered: LoweredPlan, store: Any, jobs: int, quiet: bool
) -> tuple[Comparison, str]:
    """Return what was measured, and what to say if it was stopped before the end."""
    from dataclasses import replace

    from labelsift.evaluate.plan_run import survey

    plan, loaded = lowered.plan, lowered.loaded
    surveys: list[Survey] = []
    if not quiet:
        with waiting("looking at what is done", quiet):
            surveys = survey(plan, loaded, store)
    where = {"n_jobs": jobs}
    done, stopped = run_watched(plan, loaded, surveys, store, where, quiet)
    left_out = tuple(f"left out for lack of time: {x}" for x in lowered.notes)
    return replace(done, notes=(*left_out, *done.notes)), stopped


def _is_missing(line: str, loaded: list[LoadedData]) -> bool:
    return any(data.error and line == f"{data.name}: {data.error}" for data in loaded)


def _command(name: str, how: str | None, budget: float | None) -> str:
    words = ["labelsift", "paper", shlex.quote(name)]
    if how:
        words.append(f"--{how}")
    elif budget is not None:
        words.append(f"--budget {budget:g}")
    return " ".join(words)


def _say(
    one: Paper,
    comparison: Comparison,
    judgements: list[Judgement],
    written: list[Path],
    took: Took,
    quiet: bool,
    as_json: bool,
) -> None:
    from labelsift.cli.paper_text import claims_text

    if as_json:
        print_json(
            {
                "paper": one.name,
                "datasets": list(comparison.datasets),
                "claims": [
                    {
                        "text": found.claim.text,
                        "outcome": found.outcome,
                        "held": found.n_held,
                        "cases": len(found.cases),
                        "significant": list(found.n_significant),
                        "missing": list(found.missing),
                    }
                    for found in judgements
                ],
                "notes": list(comparison.notes),
                "failed": comparison.failed(),
                "written": [str(path) for path in written],
                "took": asdict(took),
            }
        )
    elif quiet:
        click.echo(written[0])
    else:
        click.echo(claims_text(judgements, comparison))
        for line in comparison.notes:
            click.echo(f"  {one_line(line)}")
        for path in written[:2]:
            click.echo(f"{'report' if path.suffix == '.html' else 'page'}: {path}")
        click.echo(f"time: {took}")
