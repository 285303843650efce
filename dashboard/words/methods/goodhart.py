"""The measures of Goodhart effects on the Methods page: anchor, title, formula, and whose docstring it is."""

from collections.abc import Callable

from benchhealth.analytics.goodhart.advances import small_advances
from benchhealth.analytics.goodhart.concentration import concentration, gini, herfindahl
from benchhealth.analytics.goodhart.correlation import frontier_correlation
from benchhealth.analytics.goodhart.cost import cost_of_a_point
from benchhealth.analytics.goodhart.decoupling import decoupling
from benchhealth.analytics.goodhart.judges import own_family
from benchhealth.analytics.goodhart.openness import open_frontier
from benchhealth.analytics.goodhart.premium import self_report_premium
from benchhealth.analytics.goodhart.pressure import pressure_and_gap
from benchhealth.analytics.goodhart.same_sources import compared
from benchhealth.analytics.goodhart.selection import best_of_several
from benchhealth.analytics.statistics.best_of_n import expected_best
from benchhealth.analytics.statistics.range_restriction import corrected_correlation
from benchhealth.analytics.statistics.series.break_test import find_break
from benchhealth.analytics.statistics.series.serial import dealt_anew, persistence
from benchhealth.analytics.statistics.units.clustered_share import clustered_share

GOODHART: tuple[tuple[str, str, str | None, Callable[..., object]], ...] = (
    ("proxy", "Proxy against target at the frontier", None, frontier_correlation),
    (
        "range_restriction",
        "Correction for range restriction",
        r"r_c = \frac{r\,u}{\sqrt{1 + r^2(u^2-1)}},\quad u = \frac{s_{\text{all}}}{s_{\text{top}}}",
        corrected_correlation,
    ),
    ("decoupling", "When a target stopped following", None, decoupling),
    (
        "break_date",
        "A break at an unknown date",
        r"\text{target} = a + b\,\text{proxy} - c\,[\,t \ge t_0\,] + e",
        find_break,
    ),
    (
        "persistence",
        "Errors that follow one another",
        r"e_t = \rho\,e_{t-1} + \varepsilon_t",
        persistence,
    ),
    ("dealt_anew", "Residuals dealt anew in blocks", None, dealt_anew),
    ("same_sources", "Which years are compared", None, compared),
    ("pressure", "Pressure against gap", None, pressure_and_gap),
    (
        "small_advances",
        "Advances smaller than their error",
        r"s_{i+1} - s_i \le 1.96\sqrt{e_i^2 + e_{i+1}^2}",
        small_advances,
    ),
    ("clustered_share", "Shares of rows in clusters", None, clustered_share),
    ("premium", "The premium of self-reports", r"\text{self-reported} - \text{third party}", self_report_premium),
    ("best_of_several", "The best of several entries", None, best_of_several),
    (
        "expected_best",
        "The best of equal draws",
        r"\int_{-\infty}^{\infty} x \, n\,\varphi(x)\,\Phi(x)^{n-1}\,dx",
        expected_best,
    ),
    ("own_family", "Judges and their own family", None, own_family),
    ("cost_of_a_point", "The cost of a point", r"\log \text{cost} = a + b \cdot \text{points}", cost_of_a_point),
    ("concentration", "Concentration of attention", None, concentration),
    (
        "gini",
        "Gini coefficient",
        r"G = \frac{n}{n-1}\cdot\frac{\sum_i (2i - n - 1)\,y_{(i)}}{n \sum_i y_i}",
        gini,
    ),
    ("herfindahl", "Herfindahl-Hirschman index", r"\sum_i \left(\frac{y_i}{\sum_j y_j}\right)^2", herfindahl),
    ("openness", "Open weights at the frontier", None, open_frontier),
)
"""The topics on optimising for benchmarks, in the order of the page."""
