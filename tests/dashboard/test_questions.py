"""Questions that readers bring, each walked from the overview in at most four clicks to an answer in text.

Over the first generation of all bundled facts; no help is read, and every click is counted.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from pypdf import PdfReader

from tests.support.browsing import opened, visit
from tests.support.clicks import Walk

pytestmark = pytest.mark.browser

MONTH = r"(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4}"


@pytest.fixture(scope="module")
def tab(browser: Browser) -> Iterator[Page]:
    """One tab for all questions; nothing may go wrong in it."""
    with opened(browser) as (page, wrong):
        yield page
        assert not wrong


@pytest.fixture
def walk(tab: Page, whole_server: str) -> Walk:
    return Walk(tab, whole_server)


def text_of(place: Locator) -> str:
    """The words of this place, once they are there, without the joiners that keep names literal."""
    expect(place).to_be_visible()
    return place.inner_text().replace("\u2060", "")


def test_is_mmlu_saturated_and_since_when(walk: Walk) -> None:
    walk.search("mmlu", "MMLU")
    title = text_of(walk.page.get_by_role("heading", level=1))
    assert re.fullmatch(r"MMLU: \d+% measured, \d+% claimed", title), title
    answer = text_of(walk.page.locator(".st-key-answers > *").filter(has_text="Does it still measure?"))
    assert re.search(rf"No \(saturated (since|by) {MONTH}", answer), answer


@pytest.mark.soak
def test_which_coding_benchmarks_still_discriminate(walk: Walk) -> None:
    main = walk.page.get_by_test_id("stMain")
    walk.click(main.get_by_role("button", name=re.compile("^Domain")))
    walk.click(walk.page.get_by_role("button", name="Code", exact=True))
    expect(walk.page).to_have_url(re.compile("domain=code"))
    walk.click(main.get_by_role("button", name=re.compile("Still measuring")))
    expect(walk.page).to_have_url(re.compile("stage=discriminating"))
    named = walk.page.locator(".st-key-wide_list").get_by_role("link")
    expect(named.first).to_be_visible()
    expect(named.filter(has_text=re.compile("^HumanEval$"))).to_have_count(0)
    heading = text_of(walk.heading("benchmarks").and_(walk.page.locator("#benchmarks")))
    names = named.all_inner_texts()
    assert heading == f"{len(names)} benchmarks" and "SciCode" in names
    assert "HumanEval" not in names, "it is saturated"


@pytest.mark.soak
def test_did_leaders_of_the_arena_change_through_skill_or_noise(walk: Walk) -> None:
    walk.menu("Leaderboards")
    walk.says("Skill or noise?")
    answer = text_of(walk.page.get_by_text(re.compile(r"In 2026, first place changed hands")))
    assert re.search(r"noise|skill", answer) and re.search(r"within noise|beyond noise", answer), answer


@pytest.mark.soak
def test_how_far_does_imagenet_overstate(walk: Walk) -> None:
    walk.search("imagenet", "ImageNet ILSVRC-2012")
    answer = walk.page.locator(".st-key-answers > *").filter(has_text="Does a second measurement agree?")
    assert re.search(r"\d+ points lower[\s\S]*ImageNetV2", text_of(answer))


@pytest.mark.soak
def test_which_models_fall_on_gsm1k_by_more_than_gsm8k_predicts(walk: Walk) -> None:
    walk.menu("Trust")
    listed = text_of(walk.page.get_by_text(re.compile("tested results score lower on GSM1k than")))
    assert re.search(r"\d+ of \d+ tested results", listed) and "Yi-6B-Chat (" in listed
    assert "at 5% false discoveries" in listed


def test_is_the_difference_of_two_scores_real(walk: Walk) -> None:
    walk.search("mmlu-pro", "MMLU-Pro")
    walk.click(walk.page.get_by_text("Is this difference real?", exact=True).last)
    walk.page.get_by_label("First score, in %").fill("71.2")
    walk.page.get_by_label("Second score, in %").fill("72.4")
    walk.page.get_by_label("Second score, in %").press("Enter")
    answer = text_of(walk.page.locator(".st-key-chart_two-scores"))
    assert "Beyond error on these items, not over their 14 subjects: 1.2 points on MMLU-Pro" in answer
    assert "0.1 to 2.3" in answer and "−2.5 to 4.9" in answer
    assert "It takes other subjects" in text_of(walk.page.locator(".st-key-difference_facts"))
    expect(walk.page.locator(".st-key-live_difference")).to_have_attribute("aria-live", "polite")
    assert "first=71.2" in walk.page.url and "second=72.4" in walk.page.url


@pytest.mark.soak
def test_what_can_be_asked_where_conditions_differ(tab: Page, whole_server: str) -> None:
    models = "a=claude-opus-5&b=claude-opus-4-1-20250805"
    visit(tab, f"{whole_server}/benchmark?benchmark=hle&difference=models&{models}")
    answer = tab.locator(".st-key-live_difference")
    assert "Not compared: 1 thing beside the model differs" in text_of(answer)
    answer.get_by_role("link", name="Compare them there").click()
    expect(answer).to_contain_text("points on Chatbot Arena")


@pytest.mark.soak
def test_what_should_replace_humaneval(walk: Walk) -> None:
    walk.search("humaneval", "HumanEval")
    walk.says("Use instead", "LiveCodeBench", "But:")


@pytest.mark.soak
def test_what_changed_lately(walk: Walk) -> None:
    walk.menu("Changes")
    title = text_of(walk.page.get_by_role("heading", level=1))
    assert re.fullmatch(r"Summer 2026: \d+ of \d+ new best scores are beyond error, .+ measured by others", title), (
        title
    )
    walk.says("our data end on 22 Aug 2026", "Since the last generation: none yet")


def test_where_does_this_very_number_come_from(walk: Walk) -> None:
    walk.search("gpqa diamond", "GPQA Diamond")
    walk.click(walk.page.get_by_role("tab", name="Sources"))
    trace = walk.page.get_by_text(re.compile("was read from")).get_by_role("link")
    assert re.fullmatch(r"\S+\.csv, commit [0-9a-f]{7}, line \d+.*", text_of(trace))
    address = str(trace.get_attribute("href"))
    assert re.search(r"github\.com/.+/blob/[0-9a-f]{7,40}/.+\?plain=1#L\d+$", address), address


@pytest.mark.soak
def test_four_benchmarks_on_one_chart_to_take_along(walk: Walk) -> None:
    walk.menu("Compare")
    chosen = ("MMLU", "GPQA Diamond", "Humanity's Last Exam", "FrontierMath")
    block = walk.page.locator(".st-key-chart_compared")
    for name in chosen:
        walk.says(name)
    for form, starts in (("CSV", b"benchmark"), ("SVG", b"<svg"), ("PNG", b"\x89PNG")):
        with walk.page.expect_download() as download:
            walk.click(block.get_by_role("link", name=form, exact=True))
        body = Path(download.value.path()).read_bytes()
        assert body.removeprefix(b"\xef\xbb\xbf").startswith(starts)
        if form != "PNG":
            assert all(name.split()[0].encode() in body for name in chosen)


@pytest.mark.soak
def test_what_is_known_about_one_model(walk: Walk) -> None:
    walk.search("gpt-4o-2024-05-13", "GPT-4o (2024-05-13)")
    title = text_of(walk.page.get_by_role("heading", level=1))
    assert re.search(r"best of its day on \d+ of \d+ benchmarks", title), title
    walk.says("Where is nobody ahead of it?", "Who measured?", "Gap on fresh or private items")


@pytest.mark.soak
def test_two_pages_on_coding_benchmarks_as_pdf(walk: Walk, whole_server: str, tmp_path: Path) -> None:
    walk.menu("Data", "Report")
    walk.click(walk.page.get_by_role("link", name="coding benchmarks"))
    inside = walk.page.frame_locator("iframe")
    expect(inside.get_by_role("heading", name="What this means for a decision")).to_be_visible()
    take = walk.page.get_by_role("link", name="Take it as PDF")
    answer = walk.page.request.get(f"{whole_server}/{take.get_attribute('href')}")  # the fourth click opens this
    file = tmp_path / "report.pdf"
    file.write_bytes(answer.body())
    pages = PdfReader(file).pages
    assert len(pages) == 2 and "Code: of " in pages[0].extract_text()
    assert walk.clicks < 4


@pytest.mark.soak
def test_a_badge_and_a_feed(walk: Walk) -> None:
    walk.search("mmlu", "MMLU")
    walk.click(walk.page.get_by_role("tab", name="Sources"))
    badge = walk.page.get_by_alt_text("Its stage and until when that is known")
    expect(badge).to_be_visible()
    assert badge.evaluate("image => image.naturalWidth") > 100
    feed = walk.page.get_by_role("link", name="what changes of it, as a feed").evaluate("link => link.href")
    answer = walk.page.request.get(str(feed))
    assert answer.ok and "atom" in answer.headers["content-type"]


def test_which_coding_benchmark_should_my_paper_report(walk: Walk) -> None:
    walk.menu("Decide")
    walk.click(walk.page.get_by_role("link", name="I publish on code"))
    title = walk.page.get_by_role("heading", level=1)
    expect(title).to_have_text(re.compile(r"^(One|Two|Three) of \d+ benchmarks could carry your claim$"))
    first = text_of(walk.page.locator('[class*="st-key-desk_"]').first)
    assert first.startswith("GSO") and "24 of 24 listed models by others" in first
    assert "Why. " in first and "Reservation. " in first
    walk.says("Why not the others")
    walk.click(walk.page.get_by_role("button", name="BibTeX"))
    assert "@misc{benchhealth-decision-publish-code" in text_of(walk.page.get_by_test_id("stPopoverBody"))


@pytest.mark.soak
def test_which_vision_benchmark_is_worth_funding(walk: Walk) -> None:
    walk.click(walk.page.get_by_test_id("stMain").get_by_role("link", name="What should I use?", exact=True))
    walk.click(walk.page.get_by_role("link", name="I fund work on vision"))
    title = walk.page.get_by_role("heading", level=1)
    expect(title).to_have_text(re.compile(r"^(One|Two|Three) of \d+ benchmarks could show progress you fund$"))
    first = text_of(walk.page.locator('[class*="st-key-desk_"]').first)
    assert first.startswith("ImageNet-Sketch") and "by others" in first and "Reservation. " in first
    walk.says("Why not the others")
    walk.click(walk.page.get_by_role("radio", name="publish"))
    expect(title).to_contain_text("benchmarks could carry your claim")
    assert "domain=vision" in walk.page.url and "for=fund" not in walk.page.url


@pytest.mark.soak
def test_the_desk_can_be_asked_by_keyboard_alone(tab: Page, whole_server: str) -> None:
    visit(tab, f"{whole_server}/decide?domain=code")
    fund = tab.get_by_role("radio", name="fund")
    fund.focus()
    fund.press("Enter")
    expect(tab.get_by_role("heading", level=1)).to_contain_text("could show progress you fund")
    assert "for=fund" in tab.url


@pytest.mark.soak
def test_how_benchmarks_aged_as_a_teacher_shows_it(walk: Walk) -> None:
    walk.page.emulate_media(reduced_motion="no-preference")  # who wants no motion gets no button
    walk.click(walk.page.get_by_test_id("stMain").get_by_role("link", name="Play 2012 to now"))
    assert "at=2012-" in walk.page.url
    walk.page.get_by_role("button", name="Play").click()
    walk.clicks += 1
    expect(walk.page.locator(".years")).to_contain_text("2014")
    walk.page.emulate_media(reduced_motion="reduce")


@pytest.mark.soak
def test_is_the_record_on_swe_bench_verified_confirmed(walk: Walk) -> None:
    walk.search("swebench", "SWE-bench Verified")
    title = text_of(walk.page.get_by_role("heading", level=1))
    assert title == "SWE-bench Verified: 83% measured, 96% claimed"
    walk.says("83% measured by others until 24 Apr 2026; 96% claimed by makers until 11 Aug 2026. 24 listed models")


@pytest.mark.soak
def test_how_a_laboratory_learns_whether_its_model_looks_leaked(walk: Walk) -> None:
    walk.menu("Trust")
    walk.click(walk.page.get_by_text("My own model", exact=True))
    walk.says("Is my model contaminated?", "Bring two files", "GSM8K and GSM1k")
    commands = walk.page.get_by_test_id("stCode")
    for command in ("benchhealth import gsm8k.csv", "benchhealth check"):
        expect(commands.filter(has_text=command).first).to_be_visible()


@pytest.mark.soak
def test_which_models_stand_out_on_any_benchmark(walk: Walk) -> None:
    walk.menu("Trust")
    walk.click(walk.page.get_by_text("Models that stand out", exact=True))
    answer = text_of(walk.page.get_by_text(re.compile("tested pairs of a model and a benchmark")))
    assert re.search(r"\d+ of [\d,]+ tested pairs .+ higher than expected", answer), answer


@pytest.mark.parametrize(
    ("common", "name"),
    [
        ("grade school math", "GSM8K"),
        *(
            pytest.param(*names, marks=pytest.mark.soak)
            for names in (
                ("leaked", "Contamination"),
                ("swebench", "SWE-bench Verified"),
                ("gpqa", "GPQA Diamond"),
                ("hle", "Humanity's Last Exam"),
                ("chatbot arena", "Chatbot Arena"),
                ("arc agi", "ARC-AGI"),
                ("headroom", "Headroom"),
                ("coding", "SWE-bench Verified"),
            )
        ),
    ],
)
def test_common_names_lead_to_what_is_meant(walk: Walk, common: str, name: str) -> None:
    walk.click(walk.page.get_by_role("button", name="Search benchmarks, models, leaderboards and sources"))
    walk.type(common)
    first = walk.page.get_by_role("listbox", name="Found").get_by_role("option").first
    expect(first).to_contain_text(name)
