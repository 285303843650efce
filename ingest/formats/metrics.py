"""What a published metric's name says: whether more is better, and whether its scale has an end.

Tables collected from papers name hundreds of metrics and state neither. A name is read by the words that leave no
doubt; one that none of them fits is unknown, and its scores are not used. Whether a bounded column holds fractions or
percentages shows in its numbers, taken together.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from benchhealth.ingest.formats.numbers import UnreadableError, number_or_none, read_number
from benchhealth.ingest.rows import RawRow

SHARE = "share"
"""The scale of a metric from 0 to 1, or to 100."""


class Metric(NamedTuple):
    """`scale` is SHARE or the name of an unbounded unit."""

    higher_is_better: bool
    scale: str


class Column(NamedTuple):
    """How a column of scores is read; `reject` says why its scores must not be used, or is empty."""

    unit: str
    higher_is_better: bool
    reject: str


def _words(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(rf"(?<![a-z0-9])(?:{pattern})(?![a-z0-9])" for pattern in patterns))


_COST = _words(
    r"params?|parameters?|#?params?\.?|g?flops?|macs?|fps|epochs?|(?:model )?size|memory|latency|dimension|notes?",
    r"(?:training |inference )?time|(?:training |extra )?data|pre-?train(?:ing)?|#images|runtime",
    r"train(?:ing)? accuracy",
)
_RULES: tuple[tuple[re.Pattern[str], Metric], ...] = (
    (_words(r"(?:[a-z]+ )?perplexity|ppl"), Metric(higher_is_better=False, scale="perplexity")),
    (_words(r"bpc|bpb|bpd", r"bits? per \w+"), Metric(higher_is_better=False, scale="bits")),
    (_words(r"loss|entropy|nll|negll|nats|log-likelihood"), Metric(higher_is_better=False, scale="loss")),
    (
        _words(
            r"fid|fvd|kid|lpips|rmse|mse|mae|mpjpe|pa-mpjpe|nme|mean rank|median rank|chamfer(?: distance)?|epe|niqe",
            r"\w+ distance|mce|[\w ]*reconstruction error|angular error|end-point error|absolute relative error",
        ),
        Metric(higher_is_better=False, scale="distance"),
    ),
    (
        _words(r"errors?|err", r"error rate", r"wer|cer|ter|eer|acer|der", r"miss rate", r"hallucination rate"),
        Metric(higher_is_better=False, scale=SHARE),
    ),
    (
        _words(
            r"accuracy|accuracies|acc|macc|oa|wa|correct|exact(?: match)?|em|joint goal|success rate",
            r"[\w-]*f-?[012](?:\.5)?|f-?(?:score|measure)|[fg]-?\d(?:\.5)?[- ]?score|f_[\w.]+|dice",
            r"(?:sacre)?bleu(?:-?\d)?|rouge(?:-\w+)?\*?|meteor|gleu|sari|chrf|spice|bleurt|bertscore",
            r"precision|recall|m?ap(?:\d+)?|map|mrr|n?dcg(?:@|-at-)?\d*|auc|auroc|auprc|auc-roc|roc-auc|roc",
            r"(?:p|r\d*|r_\d+|hits|recall|precision|map|mrr|hit|rank|top)(?:@|-at-|_)\d+%?",
            r"top[- ]?\d+|rank-\d+",
            r"[ul]as|smatch|ndcg|iou|miou|3diou|jaccard|nmi|ari|pck|pckh|v-measure|mota|idf1|pq|ssim|ms-ssim",
            r"pearson|spearman|kendall|correlation|mcc|matthews",
            r"muc|ceafe?|b3|kappa|uar|ua",
        ),
        Metric(higher_is_better=True, scale=SHARE),
    ),
    (_words(r"cider(?:-d)?"), Metric(higher_is_better=True, scale="cider")),
    (_words(r"psnr"), Metric(higher_is_better=True, scale="decibels")),
    (_words(r"elo(?: rating)?"), Metric(higher_is_better=True, scale="rating")),
    (_words(r"inception score|nist|pesq|mos|(?:overall |average |test |mean )?scores?"), Metric(True, "points")),
)


UNKNOWN_COST = "a cost of 0: free or not recorded, the file does not say"
LONGEST_NAME = 500
"""Characters that the name of a metric has at most: what is longer says nothing certain."""


def is_cost(name: str) -> bool:
    """Whether the name is of what a model costs or was given (parameters, time, data), not of how well it does."""
    return len(name) <= LONGEST_NAME and _COST.search(name.casefold()) is not None


def metric_of(name: str) -> Metric | None:
    """What the name says; None where it says nothing certain. The first rule that fits holds: an error is an error."""
    if len(name) > LONGEST_NAME:
        return None
    spelt = name.casefold()
    return next((metric for pattern, metric in _RULES if pattern.search(spelt)), None)


def read_column(name: str, cells: Iterable[str]) -> Column:
    """How to read a column of that name and those cells.

    A bounded column is one of fractions where no number is above 1 or, if more is better, where most are not: the odd
    one out is then rejected as outside its scale.
    """
    if is_cost(name):
        return Column("", higher_is_better=True, reject="excluded: not a score")
    measured = metric_of(name)
    if measured is None:
        return Column("", higher_is_better=True, reject=f"unknown whether more is better: {name[:60]!r}")
    if measured.scale != SHARE:
        return Column(measured.scale, measured.higher_is_better, "")
    numbers = list(_numbers(cells))
    below = sum(number <= 1 for number in numbers)
    fractions = below > len(numbers) / 2 if measured.higher_is_better else below == len(numbers)
    return Column("fraction" if fractions else "percent", measured.higher_is_better, "")


def cost_of(row: RawRow, address: str, cost: str, part: str = "cost", of_nothing: str = UNKNOWN_COST) -> RawRow:
    """The cost, in dollars, of the run whose score is in the row; `of_nothing` is why a cost of 0 is refused."""
    reject = row.reject or (of_nothing if number_or_none(cost) == 0 else "")
    return row._replace(row=address, benchmark=f"{row.benchmark}/{part}", score=cost, unit="dollars", reject=reject)


def cell_problem(column: Column, score: str) -> str:
    """Why one score of a usable column is not: a fraction among percentages, where a model would be at 1 in 100."""
    if column.reject or column.unit != "percent" or not column.higher_is_better:
        return column.reject
    if any(0 < number <= 1 for number in _numbers([score])) and "%" not in score:
        return "1 or less in a column of percentages"
    return ""


def _numbers(cells: Iterable[str]) -> Iterable[float]:
    for cell in cells:
        try:
            yield read_number(cell, percent_sign=True)
        except UnreadableError:
            continue
