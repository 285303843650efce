"""Charts by address: what is drawn, as files, a citation and a frame, and nothing of it that may not leave."""

import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import pytest
from starlette.applications import Starlette

from benchhealth.dashboard.figures.chart import Chart, ChartSpec
from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.guard.headers import EMBEDDED
from benchhealth.dashboard.pages import PAGES
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.serving.charts import routes
from benchhealth.dashboard.serving.responses import WITHHELD
from benchhealth.warehouse.sharing.csv import neutral_csv
from tests.support import asgi_client, board_tables, small_generation
from tests.support import mixed_generation as mixed
from tests.support.mixed_generation import told_of
from tests.support.small_generation import FORMULA
from tests.support.soaking import some

CHARTS = {spec.name: spec for page in PAGES for spec in page.charts}
SMALL: Mapping[str, Mapping[str, str]] = {
    "map": {},
    "years": {"at": "2024-06"},
    "years-strip": {},
    "curve": {"benchmark": "hard-exam"},
    "top": {"benchmark": "hard-exam"},
    "reporters": {"benchmark": "exam"},
    "measurers": {"benchmark": "exam"},
    "compared": {"benchmarks": "exam,hard-exam"},
    "lives": {"benchmarks": "exam,hard-exam"},
    "standstill": {},
    "standing": {"model": "model-30"},
    "difference": {"model": "model-30", "other": "model-3"},
    "two-scores": {"benchmark": "hard-exam", "first": "60", "second": "66", "n": "400", "shots": "5"},
    "reign": {"board": "arena/arena"},
    "board-day": {"board": "arena/arena", "day": "2024-10-15"},
    "turnover": {"board": "arena/arena", "k": "5"},
    "movement": {"board": board_tables.BOARD},
    "left-out": {"tasks": board_tables.MANY},
    "best-scores": {},
    "evidence": {},
    "twin": {"twin": "exam-to-fresh"},
    "twin-groups": {"twin": "exam-to-fresh"},
    "twin-ages": {"twin": "exam-to-fresh"},
    "order-transfer": {},
    "contamination-excess": {"benchmark": "exam"},
    "contamination-calibration": {},
    "advances": {},
    "pressure": {},
}
"""Parameters with which each chart can be drawn of the small generation."""

PLAIN = ("map", "years", "curve", "difference", "left-out", "evidence", "twin")
"""Charts that are least like one another; of what all charts have from the same place the soak asks all."""

LACKING: Mapping[str, Mapping[str, str]] = {
    "past-forecasts": {"benchmark": "hard-exam"},
    "story": {"story": "imagenet", "frame": "3"},
    "forecast-held": {},
    "desk-panel": {"domain": "language"},
    **{name: {"benchmark": "exam"} for name in ("items-solved", "items-information", "items-subjects")},
    **{
        name: {}
        for name in (
            "order-census", "order-rerun", "ten-points", "concentration",
            "open-weights", "survival", "cohorts", "fates", "hazards", "item-age", "ceilings", "self-reports",
            "reproduction", "static-dynamic", "best-of-several", "own-family", "cheapest", "proxy-frontier",
            "claims", "blind-spots", "successors",
        )
    },
}  # fmt: skip
"""Charts that need more than the small generation has, or than may leave of it: they say so. Tests of their pages draw
them."""

SILENT = (
    *("model-tests", "twin-ages", "pressure", "two-scores"),
    *("advances", "evidence", "order-transfer"),
    *("years", "years-strip"),
)
"""Charts of which the generation of mixed sources may let nothing leave that could be drawn."""

WRONG = [
    ("two-scores", {"benchmark": "nope", "first": "60", "second": "66"}),
    ("two-scores", {"benchmark": "hard-exam", "first": "60", "second": "much"}),
    ("two-scores", {"benchmark": "hard-exam", "first": "60", "second": "660"}),
    ("two-scores", {"benchmark": "hard-exam", "first": "60", "second": "66", "n": "1,2,3"}),
    ("evidence", {"evidence": "guilt"}),
    ("twin", {}),
    ("twin", {"twin": "nobody-to-none"}),
    ("twin", {"twin": "exam-to-fresh", "scale": "square"}),
    ("model-tests", {"model": "nobody"}),
    ("order-transfer", {"from": "nope"}),
    ("survival", {"by": "nothing"}),
    ("desk-panel", {}),
    ("desk-panel", {"domain": "cooking"}),
    ("desk-panel", {"domain": "language", "models": "nobody"}),
    ("desk-panel", {"domain": "language", "for": "eat"}),
    ("desk-panel", {"domain": "language", "construct": "songs"}),
    ("desk-panel", {"domain": "language", "since": "yesterday"}),
    ("desk-panel", {"domain": "language", "budget": "much"}),
    ("curve", {}),
    ("curve", {"benchmark": "nope"}),
    ("top", {"benchmark": "nope"}),
    ("top", {"benchmark": "exam", "board": "no/exam"}),
    ("top", {"benchmark": "exam", "weights_of": "half"}),
    ("top", {"benchmark": "exam", "condition": "on the moon"}),
    ("curve", {"benchmark": "exam", "curve": "sideways"}),
    ("reporters", {"benchmark": "nope"}),
    ("compared", {"benchmarks": "nope"}),
    ("standing", {"model": "nope"}),
    ("standing", {"model": "model-30", "clock": "sundial"}),
    ("difference", {"model": "model-30"}),
    ("difference", {"model": "model-30", "other": "nope"}),
    ("compared", {"benchmarks": "exam", "clock": "sundial"}),
    ("reign", {"board": "nobody/nothing"}),
    ("board-day", {"board": "arena/arena", "day": "yesterday"}),
    ("turnover", {"board": "arena/arena", "k": "many"}),
    ("movement", {"board": "nobody/nothing"}),
    ("left-out", {"tasks": "nobody/nothing"}),
    ("best-scores", {"period": "ever"}),
    ("years", {"at": "1999-06"}),
    ("years", {"at": "now"}),
    ("story", {}),
    ("story", {"story": "nope"}),
]
COLOUR_STOP = "0.4444444444444444"
"""Stands in Plotly's own colour scales, which an embedded chart brings along, and looks like a number of a source."""

FORMS = ("csv", "json", "txt")

APP = Starlette(routes=routes(tuple(CHARTS.values())))
get, get_once = partial(asgi_client.get, APP), asgi_client.asked_once(APP)
every_chart = pytest.mark.parametrize("spec", [CHARTS[name] for name in SMALL], ids=list(SMALL))
some_charts = pytest.mark.parametrize(
    "spec", some([CHARTS[name] for name in SMALL], [CHARTS[name] for name in PLAIN]), ids=list(SMALL)
)


@pytest.fixture(scope="module")
def mixed_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("mixed")
    mixed.build(made)
    return made


@pytest.fixture(scope="module")
def rich_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small generation with two more boards and a change."""
    home = tmp_path_factory.mktemp("rich")
    small_generation.build(home, {**board_tables.tables(), "change": board_tables.changed()})
    return home


@pytest.fixture(autouse=True)
def _served(rich_home: Path) -> None:
    generation.use(rich_home)


def built(spec: ChartSpec, params: Mapping[str, str]) -> Chart:
    """The chart of what may leave."""
    chart = spec.of(generation.current().shared(), params, LIGHT)
    assert isinstance(chart, Chart)
    return chart


def test_names_of_charts_are_unique_and_each_is_asked_for_here() -> None:
    assert len(CHARTS) == sum(len(page.charts) for page in PAGES)
    assert {*SMALL, *LACKING, "model-tests"} == set(CHARTS)
    assert not set(SMALL) & set(LACKING)


@pytest.mark.parametrize(("name", "params"), LACKING.items(), ids=list(LACKING))
def test_a_chart_that_lacks_what_it_takes_says_so(name: str, params: Mapping[str, str]) -> None:
    answer = get(f"/chart/{name}.csv", params)
    assert answer.status == 404
    assert answer.body.startswith("no chart: ") and answer.body.strip().endswith(".")


@every_chart
def test_the_csv_is_what_is_drawn_and_no_cell_is_a_formula(spec: ChartSpec) -> None:
    params = SMALL[spec.name]
    answer = get(f"/chart/{spec.name}.csv", params)
    assert answer.status == 200
    assert answer.headers["content-type"].startswith("text/csv")
    assert answer.headers["content-disposition"] == f'attachment; filename="benchhealth-{spec.name}.csv"'
    rows = built(spec, params).rows
    assert rows.height > 0
    assert answer.body == neutral_csv(rows).decode()
    assert len(answer.body.splitlines()) == rows.height + 1
    assert answer.headers[WITHHELD.lower()] == "0"
    for line in answer.body.splitlines():
        assert not line.startswith(("=", '"='))


def test_a_formula_in_a_name_is_defused() -> None:
    assert f"'{FORMULA}".replace('"', '""') in get("/chart/curve.csv", {"benchmark": "hard-exam"}).body


@every_chart
def test_the_json_says_all_that_stands_around_the_chart(spec: ChartSpec) -> None:
    params = SMALL[spec.name]
    chart, served = built(spec, params), json.loads(get(f"/chart/{spec.name}.json", params).body)
    assert (served["chart"], served["title"], served["subtitle"]) == (spec.name, chart.title, chart.subtitle)
    assert served["known_until"] == (None if chart.known_until is None else f"{chart.known_until}")
    assert [source["title"] for source in served["sources"]] == [source.title for source in chart.sources]
    assert served["sources"] and all(source["url"].startswith("https://") for source in served["sources"])
    assert served["generation"] == generation.current().name
    assert len(served["rows"]) == chart.rows.height
    assert served["title"] and served["subtitle"] and chart.alt


@every_chart
def test_the_text_is_a_citation(spec: ChartSpec) -> None:
    params = SMALL[spec.name]
    chart, answer = built(spec, params), get(f"/chart/{spec.name}.txt", params)
    assert answer.headers["content-type"].startswith("text/plain")
    for part in (
        "benchhealth: ",
        chart.title,
        "Data to",
        generation.current().name,
        *(s.url for s in chart.sources),
    ):
        assert part in answer.body


@some_charts
def test_the_embedded_chart_may_be_framed_and_runs_only_what_this_host_has(spec: ChartSpec) -> None:
    answer = get(f"/embed/{spec.name}", {**SMALL[spec.name], "theme": "dark"})
    assert answer.status == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["content-security-policy"] == EMBEDDED
    assert "x-frame-options" not in answer.headers
    assert 'src="../plotly.js"' in answer.body
    assert "http://" not in answer.body.split("<script ")[0]
    assert answer.body.count("</script>") == 3


@some_charts
def test_an_unchanged_generation_is_not_sent_twice(spec: ChartSpec) -> None:
    for path in (*(f"/chart/{spec.name}.{form}" for form in FORMS), f"/embed/{spec.name}"):
        tag = get(path, SMALL[spec.name]).headers["etag"]
        assert tag == f'"{generation.current().name}"'
        again = get(path, SMALL[spec.name], If_None_Match=tag)
        assert (again.status, again.body) == (304, "")


@pytest.mark.parametrize(("name", "params"), WRONG)
def test_parameters_that_name_nothing_are_refused_in_words(name: str, params: Mapping[str, str]) -> None:
    for path in (*(f"/chart/{name}.{form}" for form in FORMS), f"/embed/{name}"):
        answer = get(path, params)
        assert answer.status == 400
        assert answer.headers["content-type"].startswith("text/plain")


@pytest.mark.parametrize("path", ["/chart/nothing.csv", "/embed/nothing", "/chart/map.xlsx"])
def test_what_is_no_chart_or_no_form_is_not_found(path: str) -> None:
    assert get(path).status == 404


def test_a_chart_with_nothing_to_draw_says_so() -> None:
    answer = get("/chart/curve.csv", {"benchmark": "silent-exam"})
    assert answer.status == 404
    assert answer.body.startswith("no chart: None of the sources loaded here has a result of it")


def test_plotly_is_sent_from_here() -> None:
    assert get("/plotly.js").headers["content-type"].startswith("text/javascript")


@pytest.mark.parametrize("kind", ["alike", "shut", "import"])
def test_no_chart_tells_what_may_not_leave(kind: str, mixed_home: Path) -> None:
    generation.use(mixed_home)
    exams = (f"{kind}-exam", "common-exam", "open-exam")
    silent = []
    for name, spec in CHARTS.items():
        answered = 0
        for exam in exams:
            model = f"{mixed.WORDS[kind if exam == exams[0] else 'open']}-7b"
            board = f"{exam.split('-')[0]}/{exam}"
            params = {
                "benchmark": exam,
                "benchmarks": exam,
                "uncurated": "1",
                "month": f"{mixed.AS_OF:%Y-%m}",
                "model": model,
                **dict.fromkeys(("other", "b"), "alder-7b"),
                "a": model,
                "board": board,
                "tasks": board,
                "twin": f"{exam.split('-')[0]}-twin",
                "k": "7",
            }
            for path in (*(f"/chart/{name}.{form}" for form in FORMS), f"/embed/{name}"):
                answer = get_once(path, {key: value for key, value in params.items() if key in spec.params})
                assert answer.status in {200, 400, 404}, (path, answer.body)
                answered += answer.status == 200
                body = answer.body.replace(COLOUR_STOP, "") if answer.status == 200 else ""
                assert not told_of(kind, body), (path, exam)
        silent += [] if answered else [name]
    assert sorted(set(silent) - {*LACKING, *SILENT}) == []


def test_rows_that_may_not_leave_are_counted(mixed_home: Path) -> None:
    generation.use(mixed_home)
    view, params = generation.current(), {"uncurated": "1"}
    full_map, shared = (CHARTS["map"].of(one, params, LIGHT) for one in (view, view.shared()))
    assert isinstance(full_map, Chart) and isinstance(shared, Chart)
    assert 0 < shared.rows.height < full_map.rows.height
    answer = get("/chart/map.csv", params)
    assert int(answer.headers[WITHHELD.lower()]) == full_map.rows.height - shared.rows.height
    assert len(answer.body.splitlines()) == 1 + shared.rows.height
