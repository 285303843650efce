"""One question to the desk: at most three benchmarks, and of every other one of the domain the first reason against."""

from dataclasses import dataclass, field
from datetime import date

import polars as pl

from benchhealth.analytics.answers.desk.rules import RULES
from benchhealth.analytics.answers.desk.table import checked_table
from benchhealth.analytics.record.tables.case import first_case

MOST_RECOMMENDED = 3
"""How many benchmarks are recommended at most."""

CHOSEN_CONSTRUCT, FIRST, SAME_CONSTRUCT, SAME_ANSWER = "chosen_construct", "first", "same_construct", "same_answer"
REASONS = (CHOSEN_CONSTRUCT, FIRST, SAME_CONSTRUCT, SAME_ANSWER)
"""Why one is recommended: it asks for what was chosen; where nothing was chosen it comes first for that use, or asks
for the same as that first one, or is of its domain and answered by the same kind of work."""

OF_INDEPENDENCE = "independence"


class QuestionError(ValueError):
    """A role, domain or construct that the table does not have."""


@dataclass(frozen=True)
class Decided:
    """The answer of the desk to one question.

    `chosen` are at most MOST_RECOMMENDED rows of the table in their order, with `reason` (one of REASONS); `ruled_out`
    are all others of the domain in the order of the rules, with `rule` and `why`, the code by which they fail it.
    """

    chosen: pl.DataFrame = field(repr=False)
    ruled_out: pl.DataFrame = field(repr=False)


def decide(  # noqa: PLR0913
    table: pl.DataFrame,
    role: str,
    domain: str,
    since: date | None = None,
    budget: float | None = None,
    *,
    independent: bool = True,
    construct: str = "",
) -> Decided:
    """The answer to a question, from the table `decision`.

    With `independent` the rule of that name counts, and the day that must not lie before `since` is that until which
    others' results are known; without, it is the last day on which anything is. What a run costs is held against the
    `budget` in dollars where it is known. A benchmark is recommended where it asks for the `construct`; without one,
    where it is the first by the role's weights that fails nothing, or like that one. Raises QuestionError for a role,
    a domain or a construct that the table does not have, and DecisionError as `table.checked_table` does.
    """
    rows = table.filter(pl.col("role") == role, pl.col("domain_group") == domain)
    if rows.is_empty():
        raise QuestionError(f"no benchmark for {role!r} in {domain!r}")
    if construct and construct not in set(rows["construct"]):
        raise QuestionError(f"no benchmark of {domain!r} asks for {construct!r}")
    failed = checked_table(rows).sort("place").with_columns(rule_asked=_before_likeness(since, budget, independent))
    passing = failed.filter(pl.col("rule_asked").is_null())
    liked = passing.with_columns(reason=_reason(passing, construct))
    recommendable = liked.drop_nulls("reason")
    chosen = recommendable.head(MOST_RECOMMENDED)
    unlike = ~pl.col("benchmark_id").is_in(recommendable["benchmark_id"].implode())
    passes = pl.col("rule_asked").is_null()
    why = first_case(("other_construct", passes & unlike), ("ranked_after", passes))
    remaining = failed.join(chosen, on="benchmark_id", how="anti", maintain_order="left")
    ruled_out = remaining.with_columns(why=pl.coalesce("rule_asked", why)).with_columns(rule=_rule())
    order = [*RULES, "day", "budget", "likeness", "place"]
    return Decided(
        chosen.drop("rule_asked"),
        ruled_out.drop("rule_asked").sort(
            pl.col("rule").replace_strict({rule: -index for index, rule in enumerate(order)}),
            "place",
            maintain_order=True,
        ),
    )


def _before_likeness(since: date | None, budget: float | None, independent: bool) -> pl.Expr:
    """The code of the first rule that a benchmark fails, but for being of another construct than was asked for."""
    day = pl.col("independent_until" if independent else "known_until")
    earlier = pl.lit(value=False) if since is None else (day < since) | day.is_null()
    dear = pl.lit(value=False) if budget is None else pl.col("run_cost") > budget
    other_rules = [f"rule_{rule}" for rule in RULES if rule not in ("result", OF_INDEPENDENCE)]
    return pl.coalesce(
        "rule_result",
        *([f"rule_{OF_INDEPENDENCE}"] if independent else []),
        *other_rules,
        first_case(("not_since", earlier), ("over_budget", dear)),
    )


def _reason(passing: pl.DataFrame, construct: str) -> pl.Expr:
    """The code of the reason to recommend each row; null where it is not similar to what the question asks for."""
    if construct:
        return first_case((CHOSEN_CONSTRUCT, pl.col("construct") == construct))
    if passing.is_empty():
        return pl.lit(None, dtype=pl.String)
    first = passing.row(0, named=True)
    same = [pl.col(name) == first[name] for name in ("domain", "answer_kind")]
    same_answer = pl.all_horizontal(pl.col("likeness") == "answer", *same)
    return first_case(
        (FIRST, pl.col("benchmark_id") == first["benchmark_id"]),
        (SAME_CONSTRUCT, pl.col("construct") == first["construct"]),
        (SAME_ANSWER, same_answer),
    )


def _rule() -> pl.Expr:
    """An expression for the rule to which the code in column `why` belongs."""
    codes = {code: rule for rule, listed in RULES.items() for code in listed}
    rule_of = {"not_since": "day", "over_budget": "budget", "other_construct": "likeness", "ranked_after": "place"}
    return pl.col("why").replace_strict({**codes, **rule_of}, return_dtype=pl.String)
