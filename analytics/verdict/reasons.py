"""The reasons of a verdict: the sentences of the rules that hold."""

from itertools import groupby

import polars as pl

from benchhealth.analytics.verdict.rule import Rule
from benchhealth.analytics.verdict.rules import RULES
from benchhealth.analytics.verdict.thresholds import Thresholds


def reasons(limits: Thresholds) -> list[pl.Expr]:
    """Sentences in the order of the rules, null where one does not apply; they read the columns that a `Rule` names.

    For each thing that rules are about there is one, and one for every rule that only its margin keeps from holding.
    """
    sentences = []
    for _, same in groupby(RULES, key=lambda rule: rule.about):
        rules = list(same)
        sentences.append(_one_of(rules, limits))
        sentences += [pl.when(rule.is_kept_out).then(rule.kept_out(limits)) for rule in rules if rule.has_margin]
    return sentences


def _one_of(rules: list[Rule], limits: Thresholds) -> pl.Expr:
    """The sentence of the first rule that holds; where none does, what the last says then, if anything."""
    last = rules[-1]
    sentence = pl.when(~last.is_kept_out).then(last.denial(limits)) if last.otherwise else pl.lit(None, dtype=pl.String)
    for at, rule in reversed(list(enumerate(rules))):
        stricter = rules[at - 1] if at else None
        sentence = pl.when(f"is_{rule.name}").then(rule.sentence(limits, stricter)).otherwise(sentence)
    return sentence
