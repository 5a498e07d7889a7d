"""``labelsift methods``: what there is, with source and options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from labelsift._docstrings import (
    parameter_texts,
    plain,
    references,
    sections,
    summary,
)
from labelsift.cli.method_options import Setting, metavar, settings_of
from labelsift.cli.terminal import WrongInput, common_options, did_you_mean, print_json


@click.command()
@click.argument("name", required=False)
@common_options
def methods(name: str | None, quiet: bool, as_json: bool) -> None:
    """List the methods, or explain one.

    With NAME: where the method comes from and all its options.
    """
    from labelsift.learn import CLASSIFIERS
    from labelsift.select import ALIASES, SELECTORS

    kinds: dict[str, Mapping[str, type]] = {
        "selector": SELECTORS,
        "classifier": CLASSIFIERS,
    }
    if name is None:
        everything = [
            _facts(kind, key, found)
            for kind, registry in kinds.items()
            for key, found in registry.items()
        ]
        if as_json:
            print_json(everything)
        else:
            _print_list(everything)
        return
    method, preset = ALIASES.get(name, (name, {}))
    for kind, registry in kinds.items():
        if method in registry:
            facts = _facts(kind, method, registry[method])
            for option in facts["options"]:
                option["default"] = preset.get(option["parameter"], option["default"])
            if as_json:
                print_json({**facts, "name": name})
            else:
                if preset:
                    click.echo(f"{name} is {_spelled(method, preset)}\n")
                _print_one(facts, sections(registry[method])[""])
            return
    known = [key for found in kinds.values() for key in found]
    raise WrongInput(unknown("method", name, [*known, *ALIASES]))


def unknown(what: str, name: str, known: list[str]) -> str:
    """Return a message for a name that is not known, with the likely one."""
    return (
        f'{what} "{name}" is not known.{did_you_mean(name, known)}  '
        "`labelsift methods` lists all."
    )


def _spelled(method: str, preset: Mapping[str, Any]) -> str:
    """Return what an alias stands for as it would be typed."""
    words = [f"--{key.replace('_', '-')} {value}" for key, value in preset.items()]
    return " ".join([method, *words])


def _facts(kind: str, name: str, found: type) -> dict[str, Any]:
    texts = parameter_texts(found)
    return {
        "name": name,
        "kind": kind,
        "class": f"{found.__module__.rpartition('.')[0]}.{found.__name__}",
        "summary": summary(found),
        "source": references(found),
        "aliases": {
            alias: dict(preset)
            for alias, preset in getattr(found, "ALIASES", {}).items()
        },
        "options": [
            {
                "option": f"--{setting.replace('_', '-')}",
                "parameter": setting,
                "values": metavar(Setting(constraints)),
                "default": default,
                "text": texts.get(setting, ""),
            }
            for setting, constraints, default in settings_of(found)
        ],
    }


def _print_list(everything: list[dict[str, Any]]) -> None:
    width = max(len(facts["name"]) for facts in everything)
    for kind, title in (
        ("selector", "Selectors, for `labelsift select DATA --method NAME`"),
        ("classifier", "Classifiers, for evaluation"),
    ):
        click.echo(title)
        for facts in everything:
            if facts["kind"] == kind:
                click.echo(f"  {facts['name']:<{width}}  {facts['summary']}")
                for source in facts["source"]:
                    click.echo(_wrapped(source, width + 4))
                for alias, preset in facts["aliases"].items():
                    click.echo(
                        f"  {alias:<{width}}  = {_spelled(facts['name'], preset)}"
                    )
        click.echo()
    click.echo("`labelsift methods NAME` shows all options.")


def _print_one(facts: dict[str, Any], start: str) -> None:
    click.echo(f"{facts['name']}  ({facts['class']})")
    for paragraph in start.split("\n\n"):
        click.echo(_wrapped(plain(paragraph), 2))
    if facts["source"]:
        click.echo("source")
    for number, source in enumerate(facts["source"], 1):
        click.echo(_wrapped(f"[{number}] {source}", 2))
    if facts["options"]:
        click.echo("options")
    for option in facts["options"]:
        default = option["default"]
        if default in (None, True, False):
            default = str(default).lower()
        click.echo(f"  {option['option']} {option['values']}   default {default}")
        click.echo(_wrapped(option["text"], 6))


def _wrapped(text: str, indent: int) -> str:
    space = " " * indent
    return click.wrap_text(
        " ".join(text.split()), 78, initial_indent=space, subsequent_indent=space
    )
