"""How Epoch AI writes what belongs to a row: effort behind a name, settings, errors, days, and who reports on whom."""

import re
from collections.abc import Iterable, Iterator, Mapping

from benchhealth.ingest.formats.bodies import Record, slug
from benchhealth.ingest.formats.numbers import Z95, UnreadableError, error_of_ratio, is_nothing, read_number
from benchhealth.ingest.rows import ModelFact

_EFFORT = re.compile(r"(.+)_(?:(none|minimal|low|medium|high|xhigh|max)|(\d+)[Kk]|unknown)")
_IN_BRACKETS = re.compile(r"\(([^()]*)\)?\W*$")
_LEVEL = re.compile(r"(?:thinking )?(none|minimal|low|medium|high|xhigh|max)")
_BUDGET = re.compile(r"(?:thinking )?(\d+)k")
_SHOTS = re.compile(r"(\d+|few)(?:\.0)?(?:-shot)?")
_STEPS = re.compile(r"(.+?) \((\d+) steps\)")
_INTERVAL = re.compile(r"=?\+([\d.]+)/-([\d.]+)")
_WORDS = {
    "Environment model": "environment={}",
    "Prompt": "prompt={}",
    "SWE-Agent Release Version": "scaffold=mini-SWE-agent {}",
    "Tools": "tools={}",
    "Frames": "frames={}",
}
_WORD = re.compile(r"[a-z]{3,}")
_NO_FAMILY = frozenset(
    {"code", "few", "language", "large", "open", "shot", "text", "the", "video", "vision", "preview", "latest", "base"}
)
_PLAIN_NAMES = frozenset({"preview", "thinking", "", "new", "beta"})
"""What stands in brackets behind a model's name without saying how it was run."""


def cell_text(cells: Mapping[str, str], header: str) -> str:
    """The cell with single spaces; empty where there is no such column or it says nothing."""
    text = " ".join(cells.get(header, "").split())
    return "" if is_nothing(text) else text


def effort_of(version: str) -> tuple[str, str]:
    """A model version without its suffix, and what that says: `o3_high` is o3 at high effort, `_16K` a budget."""
    match = _EFFORT.fullmatch(version.strip())
    if match is None:
        return version, ""
    if match[2]:
        return match[1], f"{match[2]} effort"
    return match[1], f"thinking {match[3]}k" if match[3] else ""


def spellings(records: Iterable[Record], version: str) -> list[ModelFact]:
    """The names that a table prints (`Name`) beside its model versions, where they spell the version, each once.

    Less effort and what stands in brackets; a name of another form may be that of a family or of a snapshot.
    """
    facts: dict[str, ModelFact] = {}
    for record in records:
        name = _IN_BRACKETS.sub("", cell_text(record.cells, "Name")).strip()
        model = effort_of(record.cells.get(version, ""))[0].strip()
        if name and name != model and slug(name).replace("-", "") == slug(model).replace("-", ""):
            facts.setdefault(name, ModelFact(f"line {record.line}, column Name", name, is_spelling=True))
    return list(facts.values())


def named_settings(name: str) -> Iterator[str]:
    """What a board writes in brackets behind a name: `GPT 5.2 (xHigh)`, `Claude Opus 4.6 (120K, Low)`."""
    match = _IN_BRACKETS.search(name)
    for setting in match[1].split(",") if match else ():
        words = " ".join(setting.casefold().split())
        if level := _LEVEL.fullmatch(words):
            yield f"{level[1]} effort"
        elif budget := _BUDGET.fullmatch(words):
            yield f"thinking {budget[1]}k"
        elif words not in _PLAIN_NAMES:
            yield words


def settings_of(cells: Mapping[str, str], headers: Iterable[str], model: str) -> Iterator[str]:
    """The columns that say how a model was run, as one setting; an agent named after the model is left out."""
    for header in headers:
        text = cell_text(cells, header)
        if not text:
            continue
        if header in ("Agent", "Scaffold"):
            yield from _agent(text, model)
        elif header in ("Name", "Model"):
            agent, plus, _ = text.partition(" + ")
            yield f"scaffold={agent}" if plus else ""
        elif header == "Shots":
            shots = _SHOTS.fullmatch(text)
            yield f"{shots[1]}-shot" if shots else text
        else:
            yield _WORDS.get(header, "{}").format(text.removesuffix(".0") if header == "Frames" else text)


def _agent(text: str, model: str) -> Iterator[str]:
    steps = _STEPS.fullmatch(text)
    agent = steps[1] if steps else text
    if slug(agent) != slug(model):
        yield f"scaffold={agent}"
    if steps:
        yield f"{steps[2]} steps"


def error_of(text: str, low: str = "", high: str = "", *, divisor: float = 1.0) -> str:
    """A published error as a standard error, `divisor` times too large; an interval (`=+9/-9`) and bounds are of 95%.

    An error of 0 is below what is printed, so it is not known. What cannot be read is passed on to be rejected.
    """
    interval = _INTERVAL.fullmatch(text.strip())
    try:
        if interval:
            return f"{(read_number(interval[1]) + read_number(interval[2])) / 2 / Z95:.6g}"
        if not is_nothing(low) and not is_nothing(high):
            return f"{(read_number(high) - read_number(low)) / 2 / Z95:.6g}"
        if is_nothing(text) or read_number(text) == 0:
            return ""
        return text if divisor == 1.0 else f"{read_number(text) / divisor:.6g}"
    except UnreadableError:
        return text or f"{low} to {high}"


def log_error_of(estimate: str, low: str, high: str) -> str:
    """The standard error of an estimate whose 95% interval is even on the logarithm; empty where there is none."""
    return "" if any(map(is_nothing, (estimate, low, high))) else error_of_ratio(estimate, low, high)


def day_of(text: str) -> str:
    """The UTC day of an instant as the hub writes it (`2026-04-24T14:20:22.000Z`); other text as it is."""
    day, separator, time_of_day = text.strip().partition("T")
    return day if separator and time_of_day.endswith("Z") else text.strip()


def reports_on_itself(source: str, model: str) -> bool:
    """Whether the source's title names the model's family: `Qwen Technical Report` on Qwen-7B, `Grok 4 Model Card`.

    A maker's card may name the line alone (`Opus 4.6 System Card`), so there every word of the name counts.
    """
    words = [word for word in _WORD.findall(model.strip().casefold()) if word not in _NO_FAMILY]
    named = words if re.search(r"\b(?:system|model) card\b", source.casefold()) else words[:1]
    return any(re.search(rf"\b{word}(?![a-z])", source.casefold()) for word in named)
