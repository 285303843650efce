"""A report on many benchmarks at once, two pages in all: which still measure, what to ask for, and why."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from urllib.parse import quote

from benchhealth.analytics.record.tables import STAGES
from benchhealth.dashboard.pages.benchmark.instead import alternatives, reservations
from benchhealth.dashboard.published.deciding.question import DOMAIN, ROLE, decision_words, domains, question_of
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.report import words
from benchhealth.dashboard.report.case import Case, Facts, case, withheld_sources
from benchhealth.dashboard.report.evidence import citing_section, link
from benchhealth.dashboard.report.tree import Cell, Part, Section, Table
from benchhealth.dashboard.words.answers.instead import NO_ALTERNATIVE
from benchhealth.dashboard.words.answers.sentences import REPLY_WORDS, TITLES
from benchhealth.dashboard.words.desk import domain_report as words_of_desk
from benchhealth.dashboard.words.desk.question import ROLES
from benchhealth.dashboard.words.first import in_use
from benchhealth.dashboard.words.measurers.houses import head_of
from benchhealth.dashboard.words.numbers import UNKNOWN, day_of, month_of
from benchhealth.dashboard.words.stages import FLAG_MEANING, FLAG_WORDS, ORDER, STAGE_WORDS, stage_label
from benchhealth.dashboard.words.text import count, listed, short, shorten, words_within

ROWS = 24
"""The most benchmarks that a field's table names; what is left out is counted."""
SOURCES, SOURCE = 8, 60
"""The most sources that are listed, and the most characters of a title."""
NAME_CHARACTERS = 60
"""Names are cut after this many characters."""
UNSEEN_NAMED = 3
"""The most benchmarks that are named as not looked at lately."""
NO_OTHER = "none known"
QUESTION_HEADS: Mapping[str, str] = {
    "order": "Top differs", "second": "Second agrees", "seen": "Items seen", "labels": "Labels right",
}  # fmt: skip
"""The questions whose replies stand beside one another, each with the head of its column."""


def field_part(  # noqa: PLR0913 - what a part is about and how it is cited
    view: View, subject: str, benchmark_ids: Sequence[str], origin: str, address: str, *, domain: str = ""
) -> Part:
    """The two pages about these benchmarks; `subject` is what they are called together, `domain` the id of theirs."""
    rank = {stage: index for index, stage in enumerate(ORDER)}
    ordered = sorted(
        (case(view, benchmark_id) for benchmark_id in benchmark_ids),
        key=lambda listed_case: (rank[listed_case.verdict["stage"]], listed_case.name),
    )
    cases = _told_apart(ordered)
    rows = _rows(view, cases)
    title = in_use.title(Counter(row["named"] for row in rows if row["in_use"]), "benchmark", subject)
    days = [until for listed_case in cases if (until := listed_case.verdict["known_until"])]
    data_to = f"data to {day_of(max(days))} at the latest" if days else "until when this is known is not on record"
    return Part(
        key="field",
        title=title,
        stage=None,
        line=f"{count(len(cases), 'curated benchmark')} · {data_to}",
        front=(_verdict(rows), _advice(view, cases, domain, address.rpartition("report?")[0]), _table(view, cases)),
        back=(_evidence(cases), _unknown(cases), _sources(view, cases), citing_section(title, address, origin)),
    )


def _rows(view: View, cases: Sequence[Case]) -> list[Facts]:
    """What is known of each in numbers, under the name that it has here."""
    by_id = {row["benchmark_id"]: row for row in reservations(view).iter_rows(named=True)}
    return [
        {**by_id[listed_case.id], "name": listed_case.name, "between": listed_case.verdict["between"]}
        for listed_case in cases
    ]


def _staged(rows: Sequence[Facts], *stages: str) -> list[Facts]:
    return [row for row in rows if row["stage"] in stages]


def _told_apart(cases: Sequence[Case]) -> list[Case]:
    """The cases under short names; those that would have the same one keep the whole."""
    names = [short(listed_case.name) for listed_case in cases]
    return [
        replace(
            listed_case,
            facts={**listed_case.facts, "name": name if names.count(name) == 1 else _bracketed(listed_case.name)},
        )
        for listed_case, name in zip(cases, names, strict=True)
    ]


def _bracketed(name: str) -> str:
    """The name with the text after its comma in brackets, so that it does not read as two names in a list."""
    first_part, _, suffix = name.partition(", ")
    return f"{first_part} ({words_within(suffix, NAME_CHARACTERS)})" if suffix else words_within(name, NAME_CHARACTERS)


def _verdict(rows: Sequence[Facts]) -> str:
    numbers = {stage: len(_staged(rows, stage)) for stage in ORDER}
    by_stage = [
        f"{number} {'is' if number == 1 else 'are'} {STAGE_WORDS[stage].lower()}"
        for stage, number in numbers.items()
        if number and stage != STAGES[0]
    ]
    counted = f"Of {count(len(rows), 'benchmark')}, {listed(by_stage)}." if by_stage else ""
    between = sum(bool(row["between"]) and row["stage"] != STAGES[0] for row in rows)
    counted += f" The stage of {between} of these is not sure." if between else ""
    lacking = numbers[STAGES[0]]
    unknown = f" Not enough is known of {lacking} of {count(len(rows), 'benchmark')}." if lacking else ""
    self_reported = sum("self_reported" in row["flags"] for row in rows)
    makers = f" On {self_reported} of all {len(rows)} {FLAG_MEANING['self_reported']}."
    return f"{counted}{unknown}{_left_out(rows)}{makers if self_reported else ''}".strip()


def _left_out(rows: Sequence[Facts]) -> str:
    """Those still measuring that the title leaves out, with a blank before; empty where it counts all."""
    measuring = _staged(rows, "discriminating")
    unseen = [f"{row['name']} since {month_of(row['known_until'])}" for row in measuring if not row["fresh"]]
    dormant = sum(row["fresh"] and not row["in_use"] for row in measuring)
    unsure = sum(row["in_use"] and not row["alive"] for row in measuring)
    clauses = (
        (len(unseen), "had no source read for six months or more", f" ({_first_names(unseen, UNSEEN_NAMED)})"),
        (dormant, f"{'is' if dormant == 1 else 'are'} reported by nobody any more", ""),
        (unsure, f"{'is' if unsure == 1 else 'are'} too near the limit to another stage", ""),
    )
    lacking = [clause for clause in clauses if clause[0]]
    if not lacking:
        return ""
    if len(measuring) == 1:
        return f" The one still measuring {''.join(lacking[0][1:])}: the title leaves it out."
    counted = [f"{number} {predicate}{names}" for number, predicate, names in lacking]
    return f" Of the {len(measuring)} still measuring, {listed(counted)}: the title leaves them out."


def _advice(view: View, cases: Sequence[Case], domain: str, base: str) -> Section:
    """What the desk recommends in the domain for each use, and its first reason against each of the others.

    Of a choice of benchmarks, which may be of many domains, each is judged as for a paper in its own.
    """
    names = {listed_case.id: listed_case.name for listed_case in cases}
    domain_ids = [domain] if domain else list(dict.fromkeys(listed_case.facts["domain_group"] for listed_case in cases))
    papers = [
        decision_words(view, question)
        for domain_id in domain_ids
        if domain_id in domains(view) and (question := question_of(view, {DOMAIN: domain_id}))
    ]
    against: dict[str, list[str]] = {}
    for line in (line for answer in papers for line in answer.others if line.benchmark_id in names):
        against.setdefault(line.reason, []).append(names[line.benchmark_id])
    recommended = [names[card.benchmark_id] for answer in papers for card in answer.cards if card.benchmark_id in names]
    judged = {*recommended, *(name for failing in against.values() for name in failing)}
    not_judged = [name for name in names.values() if name not in judged]
    if domain:
        first = [_for_use(view, domain, role, names) for role in ROLES if domain in domains(view)]
    else:
        first = [words_of_desk.of_choice(recommended)]
    ruled_out = [words_of_desk.first_reason_against(reason, failing) for reason, failing in against.items()]
    note = words_of_desk.rules(f"{base}decide?domain={quote(domain)}" if domain else f"{base}decide")
    lines = [*first, *ruled_out, *([words_of_desk.not_judged(not_judged)] if not_judged else [])]
    return Section("What this means for a decision", points=tuple(lines), note=note, framed=True)


def _for_use(view: View, domain: str, role: str, names: Mapping[str, str]) -> str:
    """The answer of the desk for one use, with what it recommends."""
    question = question_of(view, {DOMAIN: domain, ROLE: role})
    answer = decision_words(view, question) if question else None
    return (
        ""
        if answer is None
        else words_of_desk.for_use(answer.title, [names[card.benchmark_id] for card in answer.cards])
    )


def _table(view: View, cases: Sequence[Case]) -> Section:
    rows = tuple(_benchmark_row(listed_case) for listed_case in cases[:ROWS])
    heads = ("Benchmark", "Verdict", "Room left", "Best", "Data to", "Ask for instead, or beside it")
    notes = [
        f"{count(len(cases) - ROWS, 'further benchmark')} on the dashboard." if len(cases) > ROWS else "",
        f"{NO_OTHER.capitalize()}: {NO_ALTERNATIVE[:1].lower()}{NO_ALTERNATIVE[1:]}."
        if any(row[-1] == NO_OTHER for row in rows)
        else "",
        _withheld(
            view, [listed_case for listed_case, row in zip(cases, rows, strict=False) if row[3] == words.WITHHELD]
        ),
    ]
    note = " ".join(note for note in notes if note)
    return Section("Benchmark by benchmark", table=Table(heads, rows, (23, 16, 15, 9, 11, 26)), note=note)


def _withheld(view: View, cases: Sequence[Case]) -> str:
    """A sentence that names the sources whose terms keep best scores back; empty where none does."""
    if not cases:
        return ""
    whose = listed(withheld_sources(view, [listed_case.id for listed_case in cases])) or "their sources"
    return f"{words.WITHHELD} by the terms of {whose}; {words.INFERRED}."


def _benchmark_row(listed_case: Case) -> tuple[Cell, ...]:
    return (
        listed_case.name,
        stage_label(listed_case.verdict["stage"], listed_case.verdict["between"]),
        listed_case.tile("room"),
        words.best(listed_case),
        month_of(listed_case.verdict["known_until"]).replace(UNKNOWN.lower(), UNKNOWN),
        _successors(listed_case),
    )


def _successors(listed_case: Case) -> str:
    names = alternatives(listed_case.view, listed_case.facts["benchmark_id"]).filter("fits")["label"].to_list()
    return ", ".join(words_within(name, 40) for name in names[:2]) or NO_OTHER


def _evidence(cases: Sequence[Case]) -> Section:
    rows = tuple(
        (
            listed_case.name,
            f"{listed_case.row['models']:,}",
            _by_makers(listed_case),
            listed_case.tile("order"),
            listed_case.reply("second"),
            listed_case.reply("seen"),
            listed_case.reply("labels"),
            ", ".join(FLAG_WORDS[flag] for flag in listed_case.verdict["flags"]) or "none",
        )
        for listed_case in cases[:ROWS]
    )
    heads = (
        "Benchmark",
        "Models",
        "By makers",
        *(QUESTION_HEADS[key] for key in ("order", "second", "seen", "labels")),
        "Flags",
    )
    return Section(
        "Evidence",
        table=Table(heads, rows, (22, 8, 11, 17, 11, 11, 10, 20), right=(1,)),
        note=(
            "By makers: models whose best score its maker reports; unsaid: nobody says who measured the best. The "
            f"replies are to the questions {listed([f'“{TITLES[key]}”' for key in QUESTION_HEADS])}; the page and the "
            "report of each benchmark say what they rest on."
        ),
    )


def _by_makers(listed_case: Case) -> str:
    row = listed_case.computed("self_reported_share")
    if not row or not row["n"]:
        return UNKNOWN.lower()
    unsaid = f"; {number:,} unsaid" if (number := listed_case.unsaid) else ""
    return f"{round(row['value'] * int(row['n'])):,} of {int(row['n']):,}{unsaid}"


def _unknown(cases: Sequence[Case]) -> Section:
    """Which facts nobody states, and to which questions the answer is unknown, with the benchmarks."""
    lacking = [
        ("No verdict", [listed_case for listed_case in cases if listed_case.verdict["stage"] == STAGES[0]]),
        ("Chance is not known", [listed_case for listed_case in cases if listed_case.facts["floor"] is None]),
        ("How people score is not known", [listed_case for listed_case in cases if listed_case.facts["human"] is None]),
        *((f"{TITLES[key]} {REPLY_WORDS['unknown']}", _without_answer(cases, key)) for key in QUESTION_HEADS),
    ]
    return Section(
        "What is not known",
        points=tuple(
            f"{fact}: {len(affected)} of {len(cases)} ({_first_names([listed_case.name for listed_case in affected])})."
            for fact, affected in lacking
            if affected
        ),
    )


def _without_answer(cases: Sequence[Case], key: str) -> list[Case]:
    return [
        listed_case
        for listed_case in cases
        if key in listed_case.answered and listed_case.answered[key]["reply"] == "unknown"
    ]


def _first_names(names: list[str], most: int = 6) -> str:
    return listed([*names[:most], f"{len(names) - most} more"] if len(names) > most + 1 else names)


def _sources(view: View, cases: Sequence[Case]) -> Section:
    """Whose results these are, those known latest first."""
    counted = view.query(
        "SELECT s.source_id, count(DISTINCT r.benchmark_id)::BIGINT AS benchmarks FROM result r "
        "JOIN snapshot s USING (snapshot_id) WHERE r.benchmark_id = ANY($ids) GROUP BY ALL",
        ids=[case.id for case in cases],
    )
    titled = counted.join(view.table("source"), on="source_id", how="left")
    ordered = titled.sort("benchmarks", "source_id", descending=[True, False])
    heads = [head_of(title or "", SOURCE) for title in titled["title"]]
    rows: list[tuple[Cell, ...]] = [
        (
            link(_source(row["title"] or row["source_id"], heads), row["homepage"]),
            shorten(row["licence"] or "unknown", 30),
            f"{row['benchmarks']:,}",
            day_of(row["known_until"]),
        )
        for row in ordered.head(SOURCES).iter_rows(named=True)
    ]
    left = f"{count(ordered.height - SOURCES, 'further source')} on the dashboard." if ordered.height > SOURCES else ""
    columns = ("Source", "Licence", "Of these", "Data to")
    return Section("Sources", table=Table(columns, tuple(rows), (46, 22, 12, 20), right=(2,)), note=left)


def _source(title: str, heads: Sequence[str]) -> str:
    """The head of a title, or all of it where another source has the same."""
    head = head_of(title, SOURCE)
    return shorten(title, SOURCE) if heads.count(head) > 1 else head
