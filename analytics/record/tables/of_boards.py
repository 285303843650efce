"""The published tables about leaderboards: ranks through time, and what first place hangs on."""

from collections.abc import Mapping

import polars as pl

from analytics.record.tables.columns import COUNT, DAY, FLAG, INSTANT, NUMBER, TEXT, TEXTS, schema

BOARD_TABLES: Mapping[str, pl.Schema] = {
    "rank": schema(
        board_id=TEXT,
        observed_at=INSTANT,
        model_id=TEXT,
        rank=COUNT,
        rank_low=COUNT,
        rank_high=COUNT,
        score=NUMBER,
        condition=TEXT,
        rank_low_joint=COUNT,
        rank_high_joint=COUNT,
        paired=COUNT,
    ),
    "churn": schema(
        board_id=TEXT,
        from_on=DAY,
        to_on=DAY,
        k=COUNT,
        entered=COUNT,
        left=COUNT,
        renamed=COUNT,
        turnover=NUMBER,
        kendall_tau=NUMBER,
        rbo=NUMBER,
        expected_turnover=NUMBER,
        spans_breakpoint=FLAG,
    ),
    "lead": schema(
        board_id=TEXT,
        from_on=DAY,
        on_date=DAY,
        model_id=TEXT,
        before=TEXT,
        kind=TEXT,
        beyond_noise=FLAG,
        could_be_first=COUNT,
        spans_breakpoint=FLAG,
    ),
    "stability": schema(
        board_id=TEXT,
        n_models=COUNT,
        n_tasks=COUNT,
        diversity=NUMBER,
        ordinal_sensitivity=NUMBER,
        cardinal_sensitivity=NUMBER,
        flips=COUNT,
    ),
    "first_place": schema(
        board_id=TEXT,
        order_by=TEXT,
        first=TEXT,
        flips=COUNT,
        challenger=TEXT,
        left_out=TEXTS,
        of=COUNT,
    ),
    "task_score": schema(board_id=TEXT, task=TEXT, entry=TEXT, merit=NUMBER, ranked=FLAG),
    "diversity": schema(board_id=TEXT, as_published=NUMBER, tie_corrected=NUMBER, tied=NUMBER),
    "dwell": schema(
        board_id=TEXT,
        k=COUNT,
        days=NUMBER,
        share=NUMBER,
        low=NUMBER,
        high=NUMBER,
        at_risk=COUNT,
        events=COUNT,
        left_out=COUNT,
    ),
    "volatility": schema(
        board_id=TEXT,
        rank_from=COUNT,
        rank_to=COUNT,
        move=NUMBER,
        low=NUMBER,
        high=NUMBER,
        reordered=NUMBER,
        gone=NUMBER,
        n=COUNT,
        pairs=COUNT,
    ),
}
"""Tables of one leaderboard each row: name to schema."""
