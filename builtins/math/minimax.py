# SPDX-FileCopyrightText: The Weft authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Derives the polynomial coefficients of builtins/math, close to minimax, in mpmath.

Not part of the build. `python3 minimax.py [name...]` prints the coefficients of the named entries
of TABLE (all by default) with the largest relative error of the rounded polynomial.
"""

import sys

from mpmath import (mp, mpf, matrix, lu_solve, log, exp, sin, cos, atan, asin, sqrt, pi, atanh, erf,
                    erfc, loggamma, gamma)

mp.prec = 260


def nearest(target, powers, low, high, scale, rounds=8):
    """Coefficients c that nearly minimise max |sum c_i x^p_i - target(x)| * scale(x).

    Lawson's iteration: least squares whose weights grow where the error is large. Unlike Remez
    exchange it does not mind bases that vanish inside the interval.
    """
    nodes = max(48, 5 * len(powers))
    grid = [(low + high) / 2 - (high - low) / 2 * cos(pi * (2 * k + 1) / (2 * nodes))
            for k in range(nodes)]
    rows = [[scale(x) * x ** p for p in powers] for x in grid]
    values = [scale(x) * target(x) for x in grid]
    weights = [mpf(1) / nodes] * nodes
    best, best_error = None, None
    for _ in range(rounds):
        count = len(powers)
        system, right = matrix(count, count), matrix(count, 1)
        for weight, row, value in zip(weights, rows, values):
            for i in range(count):
                right[i] += weight * row[i] * value
                for j in range(i, count):
                    system[i, j] += weight * row[i] * row[j]
        for i in range(count):
            for j in range(i):
                system[i, j] = system[j, i]
        solution = lu_solve(system, right)
        errors = [abs(sum(c * r for c, r in zip(solution, row)) - value)
                  for row, value in zip(rows, values)]
        if best is None or max(errors) < best_error:
            best, best_error = list(solution), max(errors)
        weights = [weight * (error + mpf(10) ** -50) for weight, error in zip(weights, errors)]
        total = sum(weights)
        weights = [weight / total for weight in weights]
    return best


def round_to(value, bits):
    if value == 0:
        return mpf(0)
    with mp.workprec(bits):
        return +value


def fit(target, powers, low, high, bits, scale=None, fixed=()):
    """Rounds one coefficient after the other, the lowest power first, refitting the rest.

    `fixed` holds (coefficient, power) pairs that belong to the polynomial as they are; `scale`
    weighs the error, by default relative to the target. `bits` may be a function of the power.
    """
    low, high = mpf(low), mpf(high)
    if scale is None:
        def scale(x):
            return 1 / target(x)
    done = [(mpf(c), p) for c, p in fixed]
    rest = list(powers)
    while rest:
        def remaining(x):
            return target(x) - sum(c * x ** p for c, p in done)
        coefficients = nearest(remaining, rest, low, high, scale)
        power = rest.pop(0)
        length = bits(power) if callable(bits) else bits
        done.append((round_to(coefficients[0], length), power))
    worst = max(abs((sum(c * x ** p for c, p in done) - target(x)) * scale(x))
                for x in (low + (high - low) * k / 1999 for k in range(2000)))
    return done, worst


def show(name, bits, done, worst):
    suffix = "f" if bits == 24 else ""
    print(f"{name}: error 2^{float(log(worst, 2)):.2f}")
    for coefficient, power in done:
        value = float(coefficient)
        text = value.hex()
        print(f"  x^{power}: {text}{suffix}")


F, D = 24, 53
TINY = mpf(2) ** -60
R4 = pi / 4 * mpf("1.0001")
LN2 = log(mpf(2))


def odd(function):
    """g(z) = function(sqrt z) / sqrt z, for fits in the square."""
    return lambda z: function(sqrt(z)) / sqrt(z)


def inverse_cube_root(terms):
    def function(h):
        return ((1 - h) ** (-mpf(1) / 3) - 1) / h if abs(h) > mpf(2) ** -60 else mpf(1) / 3
    return fit(function, list(range(terms)), -0.11021, 0.09668, F,
               scale=lambda h: h * (1 - h) ** (mpf(1) / 3))


def erfc_part(centre):
    """(1 + 2 a) e^(a^2) erfc(a) as a function of t = (a - centre) / (a + centre)."""
    def function(t):
        a = centre * (1 + t) / (1 - t)
        return (1 + 2 * a) * exp(a * a) * erfc(a)
    return function


def turned(a, centre):
    return (mpf(a) - centre) / (mpf(a) + centre)


def lgamma_at_two(d):
    return loggamma(2 + d) / d if d else 1 - mp.euler


def stirling(s):
    """What is missing from Stirling's formula for lgamma z, times z; s = 1 / z^2."""
    with mp.workprec(400):
        z = 1 / sqrt(s)
        return z * (loggamma(z) - ((z - mpf(1) / 2) * log(z) - z + log(2 * pi) / 2))


def lanczos(count=10, g=mpf(7)):
    """P of tgamma, lowest power first: Gamma(z) t^(1/2 - z) e^t, t = z + g - 1/2, over [-1/2, 200] as
    c0 + sum ck / (z + k - 1), brought to the denominator z (z + 1) ... (z + count - 2)."""
    def scaled(z):
        t = z + g - mpf(1) / 2
        return gamma(z) * t ** (mpf(1) / 2 - z) * exp(t)
    nodes = [-mpf(1) / 2 + 4 * u / (1 - u) for u in
             ((1 - cos(pi * (2 * k + 1) / (10 * count))) / 2 * mpf(201) / 205
              for k in range(5 * count))]
    rows = [[(1 if k == 0 else 1 / (z + k - 1)) / scaled(z) for k in range(count)] for z in nodes]
    weights = [mpf(1)] * len(nodes)
    best, least = None, None
    for _ in range(12):
        system, right = matrix(count, count), matrix(count, 1)
        for weight, row in zip(weights, rows):
            for i in range(count):
                right[i] += weight * row[i]
                for j in range(count):
                    system[i, j] += weight * row[i] * row[j]
        parts = lu_solve(system, right)
        errors = [abs(sum(c * r for c, r in zip(parts, row)) - 1) for row in rows]
        if least is None or max(errors) < least:
            best, least = list(parts), max(errors)
        weights = [weight * (error + mpf(10) ** -60) for weight, error in zip(weights, errors)]
        total = sum(weights)
        weights = [weight / total for weight in weights]

    def product(without):
        polynomial = [mpf(1)]
        for k in range(1, count):
            if k != without:
                polynomial = [(polynomial[i - 1] if i else 0) +
                              (polynomial[i] * (k - 1) if i < len(polynomial) else 0)
                              for i in range(len(polynomial) + 1)]
        return polynomial + [mpf(0)] * (count - len(polynomial))
    terms = [product(k) for k in range(count)]
    return [(round_to(sum(best[k] * terms[k][i] for k in range(count)), D), i)
            for i in range(count)], least


TABLE = {
    # sin x = x + x z S(z), cos x = 1 - z/2 + z^2 C(z), z = x^2
    "sinf": lambda: (F, *fit(odd(sin), [1, 2, 3], TINY, R4 ** 2, F, fixed=[(1, 0)])),
    "cosf": lambda: (F, *fit(lambda z: cos(sqrt(z)), [2, 3, 4], TINY, R4 ** 2, F,
                             fixed=[(1, 0), (mpf(-0.5), 1)])),
    "sin half turn": lambda: (D, *fit(odd(sin), list(range(1, 9)), TINY, (2.0001 * R4) ** 2, D,
                                      fixed=[(1, 0)])),
    "sin": lambda: (D, *fit(odd(sin), [1, 2, 3, 4, 5, 6], TINY, R4 ** 2, D, fixed=[(1, 0)])),
    "cos": lambda: (D, *fit(lambda z: cos(sqrt(z)), [2, 3, 4, 5, 6, 7], TINY, R4 ** 2, D,
                            fixed=[(1, 0), (mpf(-0.5), 1)])),
    "expf": lambda: (F, *fit(exp, [2, 3, 4, 5, 6], -LN2 * 0.502, LN2 * 0.502, F,
                             fixed=[(1, 0), (1, 1)])),
    "exp2f": lambda: (F, *fit(lambda x: exp(x * LN2), [1, 2, 3, 4, 5, 6], -0.502, 0.502, F,
                              fixed=[(1, 0)])),
    "exp10f": lambda: (F, *fit(lambda x: exp(x * log(mpf(10))), [1, 2, 3, 4, 5, 6], -0.1513,
                               0.1513, F, fixed=[(1, 0)])),
    "exp": lambda: (D, *fit(exp, list(range(2, 12)), -LN2 * 0.5002, LN2 * 0.5002, D,
                            fixed=[(1, 0), (1, 1)])),
    "exp2": lambda: (D, *fit(lambda x: exp(x * LN2), list(range(1, 12)), -0.5002, 0.5002, D,
                             fixed=[(1, 0)])),
    # log(1+f)/f over [sqrt 1/2 - 1, sqrt 2 - 1]
    "logf": lambda: (F, *fit(lambda f: log(1 + f) / f if f else mpf(1), list(range(1, 10)),
                             -0.29290, 0.41423, F, fixed=[(1, 0)])),
    "log2f": lambda: (F, *fit(lambda f: log(1 + f) / f / LN2 if f else 1 / LN2,
                              list(range(0, 10)), -0.29290, 0.41423, F)),
    "log10f": lambda: (F, *fit(lambda f: log(1 + f) / f / log(mpf(10)) if f else 1 / log(mpf(10)),
                               list(range(0, 10)), -0.29290, 0.41423, F)),
    "powlog2": lambda: (D, *fit(lambda f: log(1 + f) / f / LN2 if f else 1 / LN2,
                                list(range(0, 12)), -0.29290, 0.41423, D)),
    # (atanh s - s) / s^3 in z = s^2, for log(1+f) = 2 atanh(f / (2 + f))
    "log": lambda: (D, *fit(lambda z: (atanh(sqrt(z)) / sqrt(z) - 1) / z, list(range(0, 8)), TINY,
                            mpf("0.02945"), D)),
    # (atanh s / s - 1 - z / 3) / z^2, where powers need more than double carries
    "logtail": lambda: (D, *fit(lambda z: ((atanh(sqrt(z)) / sqrt(z) - 1) / z - mpf(1) / 3) / z,
                                list(range(0, 8)), TINY, mpf("0.02945"), D)),
    # ((1 - h)^(-1/3) - 1) / h, for an estimate of the inverse cube root
    "cbrtf": lambda: (F, *inverse_cube_root(3)),
    "cbrt": lambda: (F, *inverse_cube_root(4)),
    "atanf": lambda: (F, *fit(odd(atan), list(range(1, 9)), TINY, 1, F, fixed=[(1, 0)])),
    "atan": lambda: (D, *fit(odd(atan), list(range(1, 14)), TINY, mpf("0.1716"), D, fixed=[(1, 0)])),
    "asinf": lambda: (F, *fit(odd(asin), list(range(1, 6)), TINY, 0.25, F, fixed=[(1, 0)])),
    "asin": lambda: (D, *fit(odd(asin), list(range(1, 13)), TINY, 0.25, D, fixed=[(1, 0)])),
    # erf x = x + x P(z)
    "erff": lambda: (F, *fit(odd(erf), list(range(0, 7)), TINY, 1, F, fixed=[(1, 0)])),
    "erf": lambda: (D, *fit(odd(erf), list(range(0, 13)), TINY, 1, D, fixed=[(1, 0)])),
    "erfcf": lambda: (F, *fit(erfc_part(2), list(range(0, 11)), -1, turned("10.2", 2), F)),
    "erfc": lambda: (D, *fit(erfc_part(4), list(range(0, 23)), -1, turned("27.4", 4), D)),
    "lgamma": lambda: (D, *fit(lgamma_at_two, list(range(0, 19)), -0.5, 0.5001, D)),
    "stirling": lambda: (D, *fit(stirling, list(range(0, 7)), mpf(10) ** -12, mpf(1) / 64, D)),
    "tgamma": lambda: (D, *lanczos()),
    # The shorter ones of native_ functions.
    "native_cosf": lambda: (F, *fit(lambda z: cos(sqrt(z)), [1, 2, 3], TINY, R4 ** 2, F,
                                    fixed=[(1, 0)])),
    "native_exp2f": lambda: (F, *fit(lambda x: exp(x * LN2), [1, 2, 3, 4, 5], -0.502, 0.502, F,
                                     fixed=[(1, 0)])),
    "native_log2f": lambda: (F, *fit(lambda f: log(1 + f) / f / LN2 if f else 1 / LN2,
                                     list(range(0, 9)), -0.29290, 0.41423, F)),
    # For powers: all but the first four are added up in float.
    "native_powlog2": lambda: (D, *fit(lambda f: log(1 + f) / f / LN2 if f else 1 / LN2,
                                       list(range(0, 11)), -0.29290, 0.41423,
                                       lambda power: D if power < 4 else F)),
}

if __name__ == "__main__":
    for entry in sys.argv[1:] or TABLE:
        show(entry, *TABLE[entry]())
