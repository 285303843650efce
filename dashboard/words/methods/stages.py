"""What the Methods page says of how sure a verdict is, and of the errors of ceilings and human lines."""

from collections.abc import Iterable, Mapping
from typing import Any

from benchhealth.analytics.saturation.headroom import ANSWERS, CHECKED, EACH, PERSON_CORRELATION
from benchhealth.analytics.verdict.probability.board_draws import BEST, SHARED_VARIANCE
from benchhealth.analytics.verdict.probability.calibration import SOURCE, SURE, YEAR
from benchhealth.analytics.verdict.probability.stages import DRAWS
from benchhealth.analytics.verdict.probability.table import FEWEST_DATED, NAMED_ALONE
from benchhealth.analytics.verdict.thresholds import LIMITS
from benchhealth.dashboard.words.numbers import percent, percent_interval
from benchhealth.dashboard.words.stages import STAGE_WORDS
from benchhealth.dashboard.words.text import count

LINES = f"""
An audit that checked *n* items for label errors estimates the ceiling with the error of a share of *n* items, \
sqrt(c(1 − c)/n); where no source says how many were checked, *n* is taken as {CHECKED}. What auditors judged \
otherwise than others would is not in it. A ceiling that is the metric's maximum, because nobody audited, is no \
estimate and has no error: it can only be too high, which the limits of the rules allow for.

A human line of *m* answers by *k* people has the variance h(1 − h)({PERSON_CORRELATION:g}/k + \
{1 - PERSON_CORRELATION:g}/m): answers of one person correlate by {PERSON_CORRELATION:g} (design effect, Kish 1965, \
Survey Sampling, 5.4). Where no source says how many answered what, the line is taken as {ANSWERS} answers, {EACH} of \
each person. That gives the error that was seen where two groups took the same test: of the lines of MMMU, GPQA \
Diamond, SQuAD 1.1, ARC-AGI-2 and DROP the standard deviation between groups is .13 of sqrt(h(1 − h)), \
the default's is .14.

Both add to the error of the best score: distances from the value on one side are added as squares (MOVER, Zou \
and Donner 2008, doi:10.1002/sim.3095; with normal errors the delta method). People and models answered the same \
items, or some of them, and the audit checked them too, so that the sum is rather too wide than too narrow. A \
ceiling below the best score by more than the errors of both is refuted, and headroom is counted to the metric's \
maximum.

Before, ceilings and human lines counted as known without error: with an audit of 100 items intervals of \
headroom covered the true one in half of the cases, and MATH was saturated for being level with one person on 20 \
problems.
"""

DRAWN = f"""
A verdict reads measured numbers. **{DRAWS} simulations**, called draws, ask what it would say if all were measured \
again. Each draw has

- true scores of the best {BEST} models, given those there are: normal scores of unknown mean and spread, pulled \
towards their mean by as much as their errors explain their spread (Morris 1983, doi:10.2307/2287098), and a new \
measurement of each that is as large as the old one. {SHARED_VARIANCE:.0%} of an error's variance is one for all \
models, as they answer the same items;
- one of these {BEST} places left out, as if its result were withdrawn or did not count;
- an audited ceiling and a human line as another audit and other people would find them, each with its error;
- every stated condition under which five models have a result and that measures the same, the whole test in one \
attempt, as the one that the benchmark is judged by; each weighs as much as it has models.

The indicators are computed of each draw by the functions that compute the published ones, and the rules read \
them. What a draw has in common with today is the day, the documents, and what the rules remember of earlier \
months. Drawn are curated benchmarks, and others with {FEWEST_DATED} dated results; where the error of the best \
score is not known nobody can say how probable the stage is, and nothing is said. Below {NAMED_ALONE:.0%} no stage is \
named: it is *unclear whether* it is the one or the other of the two likeliest. That the limits of the rules could \
be others is another question, which [moving them](?topic=thresholds#thresholds) answers.

Tried on simulated boards of twelve models with unequal gaps, measured twice: with 100 to 400 items stages are found \
again as often as they say; with 1,600 and more, those that say 75 to 90% in 60 to 75%, as gaps at the top are no \
normal ones.

Before, a verdict was a bare word: one at a limit read like one that no measurement could change.
"""


def calibration_lists(rows: Iterable[Mapping[str, Any]]) -> str:
    """The rows of table `stage_calibration` as two lists in markdown; empty where there are none."""
    by_basis: dict[str, list[str]] = {SOURCE: [], YEAR: []}
    for row in rows:
        stage = "" if row["stage"] is None else f"{STAGE_WORDS[row['stage']]}, "
        by_basis[row["basis"]].append(
            f"- {stage}probability {row['p_least']:.0%} to {row['p_most']:.0%} ({percent(row['p'])} on average): found "
            f"again in {percent(row['again'])} of {count(row['n'], 'case')} of {count(row['benchmarks'], 'benchmark')} "
            f"(95% interval {percent_interval(row['low'], row['high'])}, as if cases were independent)"
        )
    heads = {
        SOURCE: "**Measured by somebody else.** Where two sources have the same five models or more under one "
        "condition, with numbers of their own, the likeliest stage by the one is looked up in the other:",
        YEAR: f"**A year later.** Stages with a probability of {SURE:.0%} or more, on results dated until one, two and "
        "three years ago. Between the two days lies a year of results: another stage is no error of the first:",
    }
    return "\n\n".join("\n".join([heads[basis], "", *lines]) for basis, lines in by_basis.items() if lines)


def saturated_and_apart(n_apart: int, with_errors: int) -> str:
    """How many saturated benchmarks still order their best models, of those of which it is known."""
    return (
        f"**Saturated is not tied.** Of {with_errors} saturated benchmarks whose top five have known errors, {n_apart} "
        f"still tell more than {LIMITS.crowded_pairs:.0%} of the top pairs apart: a large test orders models in what "
        "little is left. Where no room is left, the answer says so."
    )
