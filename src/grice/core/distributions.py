"""Quantiles of Student's t and chi-square for intervals, without scipy."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from statistics import NormalDist


@lru_cache(maxsize=4096)
def student_quantile(df: int, share: float) -> float:
    """Return the `share` quantile of Student's t with `df` degrees of freedom.

    >>> round(student_quantile(9, 0.975), 4)
    2.2622
    """
    if share < 0.5:
        return -student_quantile(df, 1 - share)
    low = NormalDist().inv_cdf(share) if share > 0.5 else 0.0
    return _where(lambda value: student_cdf(df, value), share, low, max(2.0, 2 * low))


def _where(cdf: Callable[[float], float], share: float, low: float, high: float) -> float:
    """Return where `cdf` reaches `share`, above `low`, by bisection; `high` is a first guess."""
    while cdf(high) < share:
        low, high = high, 2 * high
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if cdf(middle) < share else (low, middle)
    return (low + high) / 2


def student_cdf(df: int, value: float) -> float:
    """Return the probability that Student's t with `df` degrees of freedom is at most `value`."""
    tail = 0.5 * _incomplete_beta(df / 2, 0.5, df / (df + value * value))
    return 1 - tail if value >= 0 else tail


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """Return the regularised incomplete beta function, by continued fraction (Lentz's method)."""
    if x in (0.0, 1.0):
        return x
    if x > (a + 1) / (a + b + 2):
        return 1 - _incomplete_beta(b, a, 1 - x)
    log_front = (
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )
    tiny = 1e-300
    c, d = 1.0, 1 / _away_from_zero(1 - (a + b) * x / (a + 1), tiny)
    fraction = d
    for m in range(1, 100_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for step in (even, odd):
            d = 1 / _away_from_zero(1 + step * d, tiny)
            c = _away_from_zero(1 + step / c, tiny)
            fraction *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return math.exp(log_front) * fraction / a


def _away_from_zero(value: float, tiny: float) -> float:
    return value if abs(value) > tiny else tiny


@lru_cache(maxsize=4096)
def chi_square_quantile(df: float, share: float) -> float:
    """Return the `share` quantile of chi-square with `df` degrees of freedom.

    >>> round(chi_square_quantile(3, 0.975), 4)
    9.3484
    """
    if df > 500:
        # Wilson and Hilferty's cube, exact to five digits here.
        part = 2 / (9 * df)
        return df * (1 - part + NormalDist().inv_cdf(share) * math.sqrt(part)) ** 3
    return _where(lambda value: _chi_square_cdf(df, value), share, 0.0, max(1.0, df))


def _chi_square_cdf(df: float, value: float) -> float:
    """Return the regularised lower incomplete gamma function of df/2 and value/2 by its series."""
    a, x = df / 2, value / 2
    if x <= 0:
        return 0.0
    term = total = 1 / a
    for n in range(1, 100_000):
        term *= x / (a + n)
        total += term
        if term < total * 1e-16:
            break
    return min(1.0, total * math.exp(a * math.log(x) - x - math.lgamma(a)))
