"""A page on which nothing is chosen offers examples, by rule, and what was opened last in the same tab."""

import re
from pathlib import Path

import pytest

from benchhealth.dashboard.pages.benchmark import page as benchmark
from benchhealth.dashboard.pages.models import page as models
from benchhealth.dashboard.pages.report import page as report
from benchhealth.dashboard.pages.trust import page as trust
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.benchmarks import benchmarks, best_known, family
from benchhealth.dashboard.widgets.boxes.suggestions import EXAMPLES, called_alike
from tests.support.rendered_page import markup, rendered

LINKS = re.compile(r"\]\(<(?:benchmark|report)\?benchmark=([^>&]+)>\)")


@pytest.mark.parametrize("page", [benchmark, report])
def test_the_examples_are_those_that_makers_report_most(page: object, small_home: Path) -> None:
    generation.use(small_home)
    rows = best_known(benchmarks(generation.current()).filter("curated"))
    wanted = rows.unique(family(), keep="first", maintain_order=True)["benchmark_id"].head(EXAMPLES).to_list()
    assert LINKS.findall(markup(rendered(page, small_home))) == wanted  # type: ignore[arg-type]
    assert len(wanted) > 1


@pytest.mark.parametrize(("page", "query"), [(models, {}), (models, {"model": "nope"}), (trust, {"more": "model"})])
def test_models_are_offered_where_none_is_chosen(page: object, query: dict[str, str], small_home: Path) -> None:
    shown = markup(rendered(page, small_home, **query))  # type: ignore[arg-type]
    if page is trust and "Model, of 0" in shown:
        return
    assert re.search(
        r"Results on the highest number of benchmarks: \[.+\]\(<(?:models\?|trust\?more=model&)model=", shown
    )


def test_what_was_opened_comes_back_the_latest_first(small_home: Path) -> None:
    app = rendered(benchmark, small_home, benchmark="exam")
    app.query_params["benchmark"] = "arena"
    app.run()
    app.query_params["benchmark"] = "exam"
    app.run()
    app.query_params["benchmark"] = "no-such-benchmark"
    app.run()
    last = next(line for line in markup(app).splitlines() if line.startswith("Opened last"))
    assert LINKS.findall(last) == ["exam", "arena"]


def test_what_has_the_name_of_another_has_its_id_behind_it() -> None:
    names = {"exam-1": "Exam", "a/exam": "Exam", "zebra": "Zebra"}
    assert (
        called_alike("exam", names, str)
        == "\n\nDid you mean: [Exam \\(exam\\-1\\)](<exam-1>) · [Exam \\(a\\/exam\\)](<a/exam>)"
    )
    assert called_alike("horse", names, str) == ""
