"""The pages of the papers: what they show by example comes out."""

import doctest

import pytest

from labelsift.papers import PAPERS


@pytest.mark.parametrize("name", PAPERS)
def test_the_examples_of_a_page_come_out_as_printed(name):
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(verbose=False)
    test = parser.get_doctest(PAPERS[name].page, {}, name, None, None)
    runner.run(test)
    assert runner.failures == 0
    assert test.examples or name != "incomplete"


@pytest.mark.parametrize("name", PAPERS)
def test_a_page_says_what_it_does_and_how_it_reads_the_text(name):
    page = PAPERS[name].page
    assert "**Method.**" in page or name == "all"  # which compares the others
    assert page.splitlines()[0].startswith("# ")
    assert max(map(len, page.splitlines())) <= 90
