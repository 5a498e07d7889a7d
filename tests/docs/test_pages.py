"""The pages hang together: links, code, commands, and what tables say."""

import ast
import importlib
import inspect
import re
import shlex
from pathlib import Path

import click
import pytest

from labelsift.cli.app import cli
from labelsift.cli.method_options import settings_of
from labelsift.select import ALIASES, SELECTORS

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(
    [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
    + [p for p in (ROOT / "docs").rglob("*.md") if "_build" not in p.parts]
)
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)


def words_of(path):
    return path.read_text("utf-8")


def slug(heading):
    kept = re.sub(r"[^\w\- ]", "", heading.strip().lower().replace("`", ""))
    return kept.replace(" ", "-")


def anchors(path):
    return {slug(h) for h in re.findall(r"^#+ (.+)$", words_of(path), re.M)}


@pytest.mark.parametrize("path", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(path):
    for groups in LINK.findall(FENCE.sub("", words_of(path))):
        target, _, anchor = "".join(groups).partition("#")
        if target.startswith(("http://", "https://")):
            continue
        place = (path.parent / target).resolve() if target else path
        assert place.exists(), f"{path.name}: {target}"
        if anchor:
            assert anchor in anchors(place), f"{path.name}: {target}#{anchor}"


def test_the_first_page_leads_to_every_page():
    index = ROOT / "docs" / "index.md"
    linked = {
        (index.parent / "".join(g)).resolve() for g in LINK.findall(words_of(index))
    }
    pages = {p for p in (ROOT / "docs").glob("*.md") if p != index}
    assert {p.resolve() for p in pages} <= linked


def test_pages_hold_nothing_that_only_sphinx_understands():
    for path in PAGES:
        assert not re.search(r"^(```|:::)\{", words_of(path), re.M), path


def test_the_readme_is_short():
    assert len(words_of(ROOT / "README.md").splitlines()) <= 100


def plain_blocks(path):
    """Return the Python of a page that is no session, and so not run as one."""
    blocks = [text for kind, text in FENCE.findall(words_of(path)) if kind == "python"]
    return [text for text in blocks if ">>>" not in text]


def from_labelsift(tree):
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module.startswith("labelsift"):
            module = importlib.import_module(node.module)
            for alias in node.names:
                found[alias.asname or alias.name] = getattr(module, alias.name)
    return found


@pytest.mark.parametrize(
    "path", [p for p in PAGES if plain_blocks(p)], ids=lambda p: p.name
)
def test_python_that_is_no_session_fits_the_signatures(path):
    for text in plain_blocks(path):
        tree = ast.parse(text)
        known = from_labelsift(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in known:
                arguments = {k.arg: None for k in node.keywords}
                signature = inspect.signature(known[node.func.id])
                signature.bind(*node.args, **arguments)


def commands():
    """Return the commands of all pages, one line each."""
    for path in PAGES:
        text = words_of(path).replace("\\\n", " ")
        fenced = [block for kind, block in FENCE.findall(text) if not kind]
        indented = re.findall(r"^    .*$", FENCE.sub("", text), re.M)
        for line in "\n".join([*fenced, *indented]).splitlines():
            command = line.strip().removeprefix("$ ").split(" #")[0]
            if command.startswith("labelsift "):
                yield path.name, command


@pytest.mark.parametrize(("page", "text"), sorted(set(commands())))
def test_a_command_has_the_options_it_is_shown_with(page, text):
    words = shlex.split(text)[1:]
    if words[0].startswith("-") or "|" in words:
        return
    command = cli.get_command(click.Context(cli), words[0])
    assert command is not None, text
    known = {name for option in command.params for name in option.opts}
    if "--method" in words:
        method = words[words.index("--method") + 1]
        method = ALIASES.get(method, (method,))[0]
        assert method in SELECTORS, f"{page}: {text}"
        known |= {
            f"--{n.replace('_', '-')}" for n, *_ in settings_of(SELECTORS[method])
        }
    for word in words[1:]:
        if word.startswith("--"):
            assert word.split("=")[0] in known | {"--help"}, f"{page}: {text}"


def selector_table():
    text = words_of(ROOT / "docs" / "which_selector.md")
    [table] = re.findall(r"^\| \| sees copies.*?\n\n", text, re.M | re.S)
    for line in table.strip().splitlines()[2:]:
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        names = re.findall(r"`(\w+)`", cells[0])
        yield from ((name, cells[4], cells[5], cells[6]) for name in names)


@pytest.mark.parametrize(
    ("name", "missing", "sparse", "blocks"), list(selector_table())
)
def test_what_the_table_of_selectors_says_is_so(name, missing, sparse, blocks):
    [selector] = [s() for s in SELECTORS.values() if s.__name__ == name]
    tags = selector.__sklearn_tags__().input_tags
    if missing == "information measures":
        assert tags.allow_nan == (name != "Chi2")
    else:
        assert tags.allow_nan == (missing == "yes" or f"`{name}`" in missing)
    assert tags.sparse == (sparse == "yes")
    assert hasattr(selector, "fit_blocks") == (blocks == "yes")


def test_the_plan_for_a_paper_runs_as_it_stands(tmp_path, monkeypatch, capsys):
    from labelsift.cli import main

    monkeypatch.chdir(tmp_path)
    blocks = FENCE.findall(words_of(ROOT / "docs" / "start_paper.md"))
    [mine] = [text for kind, text in blocks if kind == "python" and "class " in text]
    [plan] = [text for kind, text in blocks if kind == "toml"]
    Path("mine.py").write_text(mine, "utf-8")
    Path("plan.toml").write_text(plan, "utf-8")
    assert main(["compare", "plan.toml", "--import-from", ".", "--dry-run"]) == 0
    Path("plan.toml").write_text(plan.replace("n_splits = 5", "n_splits = 2"), "utf-8")
    assert (
        main(["compare", "plan.toml", "--import-from", ".", "--export", "paper"]) == 0
    )
    capsys.readouterr()
    written = {path.name for path in Path("paper").iterdir()}
    assert "leaderboard-average_precision.tex" in written
    assert next(Path().rglob("report.html")).stat().st_size > 10_000
    assert list(Path().rglob("results.sqlite"))
