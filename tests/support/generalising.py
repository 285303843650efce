"""The one rule about sentences: what generalises says of how many of what, and until when it is known.

A sentence **generalises** where it has a share (`54%`), a word for one (`half of`, `most`, `on average`), a rate (`a
year`, `times as much`), a trend (`later models`, `went from`) or a statistic (`tau`, `median`, `Gini`, `p =`), and a
number that was computed. It then names

- how many of what: a number before what is counted (`46 benchmarks`, `9 of 17`), and
- a date that it is known until, or is about: a month or a day, or a year after a word for time (`in 2025`). One date
  is enough for a paragraph.

A score (`the best score went from 45% to 88%`) needs its date alone. Fixed numbers of a method (the 95% of an interval,
the 5% of a test) are no shares, what is left of one benchmark's scale is a size, a fact of the registry has its own
source, and what a test *would* show is about the test. Explanations without any other number do not generalise, and
neither does a claim of others that is quoted with its source.
"""

import re
from collections.abc import Iterable

FIXED = re.compile(
    r"95% (?:interval|error|bands?)[^.;,]*|\(95%(?!:)|at 95%|intervals are 95%|80% interval|should be 80%"
    r"|with (?:probability 80%|80% probability)|(?:rate of|at|of|single tests at) 5%|\(5% is stated\)"
    r"|which 5% of the \w+ are expected to be|false discoveries\W+5%|5% false discoveries|at 0% nothing"
    r"|\d%(?: \[[^\]]*\])?(?: of the (?:scale|range|way from chance to the ceiling))? (?:is )?left"
    r"|; (?:others measured|makers report|handed in:) [\d.]+%|(?<=misses a leak of )\d+%"
    r"|at least \d+% of the \S+grams|\((?:ceiling|chance level unknown).*|^(?:ceiling|chance|human): .*"
    r"|\(tau below [\d.]+\)|1\.96 standard errors|(?<![\w.,$-])[012](?!\d|[.,]\d|%| of \d)\b",
    re.IGNORECASE,
)
SHARE = re.compile(r"\d%(?<!\(95%)|\bpercent\b")
SHARE_WORDS = re.compile(
    r"\b(?:half of|(?<!at )(?<!the )most (?!first|alike|robust|at once|recent|likely|common)|majority|usually"
    r"|typically|generally|on average|average|nearly all|hardly any)\b",
    re.IGNORECASE,
)
RATES = re.compile(
    r"(?<!than )(?<!half )\b(?:a|per|each) (?:year|month|point)\b|\btimes (?:as|that)\b|\bwithin a (?:month|year)\b",
    re.IGNORECASE,
)
TRENDS = re.compile(
    r"\b(?:later|younger|newer|older) (?:models?|benchmarks?)\b|\bmodels released later\b|\bwent from\b"
    r"|\b(?:moves? from|grows?|rises?|rose|falls?|fell|shrinks?|widens?|narrows?|fade|gathers?)\b"
    r"|\b(?:wider|narrower|faster|slower) where\b|\bafter (?:\d[\d.]* in )?(?:19|20)\d\d\b",
    re.IGNORECASE,
)
STATISTICS = re.compile(
    r"\btau\b|(?i:\b(?:median|mean|gini|correlation|coefficient|ratio|hazard|slope|skill|turnover|half-life"
    r"|noise alone)\b|\b[pqr] (?:=|below))|\(95%|\[[-+\u2212]?\d[\d.]*, [-+\u2212]?\d"
    r"|\([-\u2212]?\d+\.\d+ to [-\u2212]?\d"
)
KINDS: dict[str, re.Pattern[str]] = {
    "a share": SHARE,
    "a word for a share": SHARE_WORDS,
    "a rate": RATES,
    "a trend": TRENDS,
    "a statistic": STATISTICS,
}
"""What makes a sentence one that generalises, by what it is called."""

COUNTED = (
    "advance|benchmark|board|cell|claim|cohort|comparison|death|document|draw|entr|file|forecast|group|indicator|item|judge"
    "|leaderboard|life|maker|measurement|mention|model|number|organisation|pair|place|problem|question|rating|report|result"
    "|row|run|score|self-report|share|simulation|snapshot|source|statement|stay|step|submission|task|test|twin|version"
)
"""What can be counted. A number before one of these, at most four words in between, names a population."""

POPULATION = re.compile(
    r"(?<![\d.,%$])\b(?:\d[\d,]*|none|no)(?: of \d[\d,]*)?(?: (?!%)[\w'-]+){0,4}? "
    rf"(?:{COUNTED})(?:s|y|ies|es)?\b|\b\d[\d,]* of \d[\d,]*\b",
    re.IGNORECASE,
)
MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
DATE = re.compile(
    rf"\b(?:{MONTHS})[a-z]* \d{{4}}\b|\b(?:19|20)\d\d-\d\d(?:-\d\d)?\b"
    r"|\b(?:in|by|until|since|from|to|of|between|released|end of|that of) (?:19|20)\d\d\b"
    r"|not on record",
)
"""A date. A name with a year in it (`AIME 2024`) is none; that a day is not on record is said where it is not."""

TWO_YEARS = re.compile(r"\b(?:in|by|of) ((?:19|20)\d\d)\b.*\b(?:in|by|of) ((?:19|20)\d\d)\b")
SAME = re.compile(r"\bsame (?:sources?|pair|board|benchmarks?|models?|items?)\b", re.IGNORECASE)
NEVER: dict[str, re.Pattern[str]] = {
    "a p-value as a power of ten": re.compile(r"\de-\d"),
    "a test that rejects nothing, read as evidence": re.compile(r"nothing speaks against", re.IGNORECASE),
    "facts called checked": re.compile(r"checked by hand|hand-checked", re.IGNORECASE),
    "`as of` for what is known": re.compile(r"(?<!assessed )\bas of\b", re.IGNORECASE),
    "an accusation": re.compile(r"\bcheat", re.IGNORECASE),
}
"""What no sentence says."""

OPPOSITES = ((re.compile(r"looks like that"), re.compile(r"speaks against")),)
"""Two readings that one paragraph does not give of one number."""

A_SCORE = "a score"
SCORE = re.compile(r"\b(?:best score,? (?:went|of|\d|is expected)|leads with|is expected at)")
"""What is said of one result of one model."""

QUOTED = re.compile(r"published \*\*|\[Source\] \(")
CONDITIONAL = re.compile(r"\bwould (?:be (?:shown|flagged)|have shown)\b")
NOTHING_KNOWN = re.compile(r"no two comparable snapshots|Not compared: .*too few events")
"""A claim of others, what a test could show, and that a number could not be computed: none says something of many."""

_LINK = re.compile(r"\]\(<?[^)\s]*>?\)")
_NAMED = re.compile(r"`[^`]*`")
_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z*\[“])|\n+")


def sentences(text: str) -> list[str]:
    """The sentences of a paragraph of markdown, without its addresses and code."""
    plain = _NAMED.sub("code", _LINK.sub("]", _read(text)))
    return [part.strip(" -*") for part in _END.split(plain) if part.strip(" -*")]


def _read(text: str) -> str:
    """The text as a reader sees it: without what keeps published names from being markup."""
    return text.replace("\\", "").replace("\u2060", "")


def kinds(sentence: str) -> list[str]:
    """What makes it one that generalises; none where no number in it was computed."""
    if QUOTED.search(sentence) or CONDITIONAL.search(sentence) or NOTHING_KNOWN.search(sentence):
        return []
    rest = FIXED.sub("", sentence)
    if not re.search(r"\d", rest):
        return ["a word for a share"] if re.match(r"half of", rest, re.IGNORECASE) else []
    if not SCORE.search(rest):
        return [kind for kind, pattern in KINDS.items() if pattern.search(rest)]
    beside = TRENDS.sub("", re.sub(r"[\d.,]+%", "", rest))
    return [A_SCORE, *(kind for kind, pattern in KINDS.items() if pattern.search(beside))]


def faults(text: str) -> list[str]:
    """What a reviewer would reject in a paragraph, each with the sentence that it is in; names in code are others'."""
    text = _read(text)
    ours = _NAMED.sub("code", text)
    wrong = [f"{what}: {text}" for what, pattern in NEVER.items() if pattern.search(ours)]
    wrong += [
        f"two readings of one number: {text}" for one, other in OPPOSITES if one.search(text) and other.search(text)
    ]
    for sentence in sentences(text):
        claims = kinds(sentence)
        if not claims:
            continue
        if claims != [A_SCORE] and not POPULATION.search(sentence):
            wrong.append(f"{', '.join(claims)} without how many of what: {sentence}")
        if not DATE.search(text):
            wrong.append(f"{', '.join(claims)} without a date: {sentence}")
        years = TWO_YEARS.search(sentence)
        if years and years[1] != years[2] and not SAME.search(sentence):
            wrong.append(f"two years compared, not said to be of the same: {sentence}")
    return wrong


def all_faults(texts: Iterable[str]) -> list[str]:
    """The faults of all these paragraphs, each once."""
    return list(dict.fromkeys(fault for text in texts for fault in faults(text)))
