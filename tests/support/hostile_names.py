"""Fifty names that try to be something else than text, and a generation in which models and benchmarks bear them."""

from datetime import date, datetime
from pathlib import Path

import numpy as np

from benchhealth.analytics.assess import assess
from benchhealth.dashboard.words.prose.tables import with_prose
from benchhealth.warehouse.loading.load import load
from benchhealth.warehouse.store import Store
from tests.support.facts import batch, benchmark, model, publish, registry, result, sources

NOW = datetime(2025, 1, 3, 4)
NAMES = (
    "<b>bold</b>", "<i>x</i> y", "<script>hit=1</script>", "<img src=x onerror=hit>", "<a href=//e.org>a</a>",
    "</p><h1>big</h1>", "<!-- gone -->", "&lt;b&gt;", "&amp;amp;", "&#60;u&#62;",
    "*em*", "**strong**", "_under_", "__dunder__", "~~struck~~",
    "`code`", "```fence```", "# heading", "- item", "1. item",
    "> quote", "[x]{y}", "[a](javascript:hit=1)", "![i](x.png)", "[ref]: //e.org",
    "$x^2$", "$$y$$", r"\alpha \beta", "^sup^", "| a | b |",
    ":smile:", ":red[red]", ":material/home:", "a--b", "a->b <- c",
    "=1+1", "+1", "-1+1", "@SUM", "%{y}",
    "<br>break", "<extra></extra>", "<sub>s</sub>", "a/b\\c", '"quoted"',
    "'single'", "{braces}", "${x}", "{{x}}", "a;b|c",
)  # fmt: skip


def build(home: Path) -> Path:
    """Publish a generation in which every benchmark and every model bears one of the names."""
    numbers = range(len(NAMES))
    results = [
        result(f"b-{index}", f"m-{other}", 0.30 + 0.01 * (other % 40), published_name=NAMES[other], n_items=400)
        for index in numbers
        for other in (numbers if index == 0 else (0, index))
    ]
    dated = [{**row, "dated_on": date(2024, 6, 1), "date_basis": "evaluation"} for row in results]
    made = batch(
        list({(row["benchmark_id"], row["model_id"]): row for row in dated}.values()),
        source_id="exams",
        board_id="exam",
        path="exam.json",
        observed_at=datetime(2024, 12, 20),
        models=[model(f"m-{index}", name=NAMES[index]) for index in numbers],
        benchmarks=[benchmark(f"b-{index}", NAMES[index], domain=NAMES[index]) for index in numbers],
    )
    curated = registry(
        [
            {
                **benchmark(f"b-{index}", NAMES[index]),
                "domain": NAMES[index],
                "floor": 0.0,
                "ceiling": 1.0,
                "released_on": date(2024, 1, 1),
            }
            for index in numbers
        ]
    )
    with Store.open(home) as store:
        store.write_sources(sources("exams"))
        store.ledger.start_run("run-1", "nightly", NOW)
        store.write(made)
        store.ledger.end_run("run-1", NOW, "ok", "")
    facts = load(home, curated, NOW)
    tables = with_prose(assess(facts, NOW.date(), np.random.default_rng(0)).tables)
    return publish(home, curated, facts, tables, NOW)
