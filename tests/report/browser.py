"""A headless Chromium, where there is one."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from pathlib import Path

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SCREENS = [(w, scheme) for w in (390, 1280) for scheme in ("light", "dark")]


@contextmanager
def browser():
    """Yield a browser, or skip where playwright or Chromium is missing."""
    why = "pages are looked at with labelsift[browser] and an installed Chromium"
    playwright = pytest.importorskip("playwright.sync_api", reason=why)
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip(f"no Chromium: {why}")
    with playwright.sync_playwright() as driver:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        started = driver.chromium.launch(executable_path=found, args=flags)
        try:
            yield started
        finally:
            started.close()


@contextmanager
def opened(started, path, width=1280, scheme="light", **options):
    """Yield a page and the list of what the browser complained about."""
    context = started.new_context(
        viewport={"width": width, "height": 844}, color_scheme=scheme, **options
    )
    page = context.new_page()
    complaints = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(Path(path).resolve().as_uri())
    try:
        yield page, complaints
    finally:
        context.close()


def axe_source():
    """Return the script of axe-core."""
    package = pytest.importorskip("axe_core_python", reason="needs labelsift[browser]")
    return (Path(package.__file__).parent / "axe.min.js").read_text("utf-8")


def axe_findings(page):
    """Return what axe finds against, and what it could not decide but contrast."""
    page.evaluate(axe_source())
    found = page.evaluate("axe.run({resultTypes: ['violations']})")
    return [
        f"{rule['id']}: {node['html'][:160]} | {node['failureSummary']}"
        for rule in found["violations"]
        for node in rule["nodes"][:3]
    ]


def overflow(page):
    """Return by how many pixels the page is wider than the window."""
    return page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
