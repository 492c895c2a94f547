"""Section II.B of Thai-Nghe, Gantner & Schmidt-Thieme (2011): Beta distributions of the cost ratio."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from sympy import Integer, Matrix, Rational, diff, expand_power_base, factor, gamma, integrate, powsimp, symbols

from symmetrics.curves.hmeasure_proofs import Step, beta_density, h_at_point, h_proof, least_cost
from symmetrics.papers.claims import PaperClaim, Ruling, at_least, by_computation, by_number, equal, with_reading

from .shared import C, D, S, six_digits, statement, symmetry_ruling


def _beta_distributions() -> Iterator[PaperClaim]:
    place = "section II.B"
    yield statement(
        "b42_is_asymmetric", place, "words", "B42 is asymmetric", lambda: symmetry_ruling(4, 2, symmetric=False)
    )
    yield statement(
        "beta_by_gamma", place, "two forms", "∫(0 to 1) c^(α-1) (1-c)^(β-1) dc = Γ(α)Γ(β)/Γ(α+β)", _gamma_form
    )
    yield statement(
        "incomplete_beta",
        place,
        "special case",
        "B(x; α, β) = ∫(0 to x) c^(α-1) (1-c)^(β-1) dc is B(1; α, β) at x = 1",
        _incomplete,
    )
    yield statement(
        "density_two_forms",
        place,
        "two forms",
        "1/B(1; α, β)·x^(α-1)(1-x)^(β-1) = Γ(α+β)/(Γ(α)Γ(β))·x^(α-1)(1-x)^(β-1)",
        _gamma_form,
    )
    for a, b in ((2, 2), (4, 2), (6, 2), (8, 2)):
        yield statement(
            f"density_normalised_{a}_{b}",
            place,
            "equation",
            f"f(x; {a}, {b}) is a probability density",
            partial(_density_is_normalised, a, b),
        )
    yield from with_reading(
        statement("mode_of_beta", place, "equation", "a Beta distribution has its mode at (α-1)/(α+β-2)", _mode),
        "for α > 1 and β > 1, as all of those that the paper uses",
        _mode_above_one,
    )
    yield statement(
        "mode_of_symmetric",
        place,
        "number",
        "the symmetric Beta places most probability at 0.5",
        lambda: by_number(Rational(2 - 1, 2 + 2 - 2), "0.5", "(2 - 1)/(2 + 2 - 2)"),
    )
    yield statement(
        "cost_ratio_above_half",
        place,
        "inequality",
        "if c1 > c0, then c1/(c0 + c1) > 0.5",
        _cost_ratio_above_half,
    )
    yield statement(
        "b42_is_not_uniform", place, "words", "the distribution has to be, and B42 is, non-uniform", _uniform
    )
    yield from _b42()


def _cost_ratio_above_half() -> Ruling:
    c0, gap = over = symbols("c0 gap", real=True)
    c1 = c0 + gap
    return at_least(c1 / (c0 + c1), Rational(1, 2), strict=True, over=over, note="proved")


def _b42() -> Iterator[PaperClaim]:
    place = "section II.B"
    yield statement(
        "mode_of_b42",
        place,
        "number",
        "B42 has its mode at 0.75",
        lambda: by_number(Rational(4 - 1, 4 + 2 - 2), "0.75", "(4 - 1)/(4 + 2 - 2)"),
    )
    yield statement("b42_is_unimodal", place, "words", "B42 is unimodal", _unimodal)
    yield statement("b42_weight", place, "words", "B42 places higher weight on the minority class", _weight)
    yield statement("b42_errors", place, "inequality", "under B42 errors on the minority count more", _minority_errors)
    yield statement(
        "symmetric_errors", place, "equation", "under the symmetric Beta of H they count alike", _equal_errors
    )
    yield statement("larger_alpha", place, "words", "with α = 6 or 8 instead of 4 values can be higher", _larger_alpha)
    yield statement(
        "larger_alpha_relative",
        place,
        "words",
        "with α = 6 or 8 instead of 4 the relative values are not significantly different",
        _relative_values,
    )


def _gamma_form() -> Ruling:
    """Γ(α)Γ(β) is the integral of x^(α-1) y^(β-1) e^(-x-y); put x = u·v, y = u·(1 - v), and it falls apart."""
    alpha, beta, u, v, rest = symbols("alpha beta u v rest", positive=True)  # rest stands for 1 - v
    jacobian = abs(Matrix([[v, u], [1 - v, -u]]).det().expand())
    left = (u * v) ** (alpha - 1) * (u * rest) ** (beta - 1) * u
    right = u ** (alpha + beta - 1) * v ** (alpha - 1) * rest ** (beta - 1)
    return by_computation(
        jacobian == u and powsimp(expand_power_base(left / right)) == 1,
        "for all α, β > 0: in Γ(α)Γ(β) = ∫∫ x^(α-1) y^(β-1) e^(-x-y) dx dy put x = u·v, y = u·(1-v), dx dy = u du dv; "
        "the integrand is u^(α+β-1) e^(-u) · v^(α-1) (1-v)^(β-1) (compared with symbols as exponents), so that the "
        "integral is Γ(α+β)·B(α, β) (Fubini)",
    )


def _incomplete() -> Ruling:
    """Compare both for B42: the integrands are one, and so are the limits at x = 1."""
    incomplete = integrate(C**3 * (1 - C), (C, 0, S))
    whole = integrate(C**3 * (1 - C), (C, 0, 1))
    return by_computation(incomplete.subs(S, 1) == whole, f"the same integrand, with 1 for x; for B42 {whole}")


def _density_is_normalised(a: int, b: int) -> Ruling:
    density = gamma(a + b) / (gamma(a) * gamma(b)) * C ** (a - 1) * (1 - C) ** (b - 1)
    return by_computation(integrate(density, (C, 0, 1)) == 1, f"∫(0 to 1) {density} dc = 1")


def _mode() -> Ruling:
    a, b = Rational(1, 2), Integer(3)
    value = (a - 1) / (a + b - 2)
    return by_computation(
        bool(0 <= value <= 1),
        f"α = 1/2, β = 3: (1/2 - 1)/(1/2 + 3 - 2) = {value}, outside of [0, 1]; α = β = 1: 0/0; α = β = 1/2: 1/2, "
        "where the density 1/(π·sqrt(c(1-c))) is least: 0.637, but 1.061 at 0.1",
        "the condition α > 1, β > 1",
    )


def _mode_above_one() -> Ruling:
    first, second, c = over = symbols("alpha_less_1 beta_less_1 c", real=True)
    return equal(
        first * (1 - c) - second * c,
        (first + second) * (first / (first + second) - c),
        over=over,
        note="the slope of the density has the sign of (α-1)(1-c) - (β-1)c, which is (α+β-2)·((α-1)/(α+β-2) - c): "
        "positive before and negative after",
    )


def _uniform() -> Ruling:
    u = beta_density(C, 4, 2)
    first, second = u.subs(C, Rational(1, 2)), u.subs(C, Rational(3, 4))
    return by_computation(first != second, f"20c³(1-c) is {first} at 1/2 and {second} at 3/4")


def _unimodal() -> Ruling:
    slope = factor(diff(beta_density(C, 4, 2), C))
    return by_computation(
        slope == -20 * C**2 * (4 * C - 3),
        "the derivative of 20c³(1-c) is 20c²(3 - 4c): positive up to 3/4, negative after",
    )


def _weight() -> Ruling:
    u = beta_density(C, 4, 2)
    mean, above = integrate(C * u, (C, 0, 1)), integrate(u, (C, Rational(1, 2), 1))
    return by_computation(
        mean > Rational(1, 2) and above > Rational(1, 2),
        f"the mean of c = c1/(c0 + c1) is {mean}, and c is above 1/2 with probability {above}",
    )


def _minority_errors() -> Ruling:
    """A perfect classifier but for a share x of one class, at equal priors: only the group with both classes costs."""
    missed, alarms = least_cost(S + D, S, 4, 2), least_cost(S, S + D, 4, 2)
    half, tenth = Rational(1, 2), Rational(1, 10)
    values = [h_at_point(1, tenth, half, 4, 2), h_at_point(1 - tenth, 0, half, 4, 2)]
    return by_computation(
        Step("a missed share costs more", missed, ">", alarms).holds and values[0] > values[1],
        "at equal priors, a share x of class 1 missed gives a lower H than the same share of class 0 called class 1: "
        "with x = s/(s + d) the difference of the costs has positive coefficients alone; at x = 1/10 H is "
        f"{six_digits(values[1])} and {six_digits(values[0])}",
    )


def _equal_errors() -> Ruling:
    return by_computation(
        h_proof("exchange", 2, 2).holds,
        "H(TPr, FPr, π1; a, b) = H(1 - FPr, 1 - TPr, π0; b, a), proved (proof exchange of "
        "symmetrics.curves.hmeasure_proofs); with a = b and π0 = π1 the two kinds of errors can be exchanged",
    )


def _larger_alpha() -> Ruling:
    values = [h_at_point("9/10", "2/5", "1/4", a, 2) for a in (4, 6, 8)]
    shown = ", ".join(six_digits(value) for value in values)
    return by_computation(
        values[0] < values[1] < values[2], f"TPr = 9/10, FPr = 2/5, π1 = 1/4: {shown} for α = 4, 6, 8"
    )


def _relative_values() -> Ruling:
    """Show two classifiers that B42 and Beta(8, 2) order differently; the data of the sentence are not there."""
    points = (("9/10", "1/2"), ("3/5", "1/5"))
    values = {a: [h_at_point(*point, "1/4", a, 2) for point in points] for a in (4, 6, 8)}
    shown = "; ".join(f"α = {a}: {six_digits(first)} and {six_digits(second)}" for a, (first, second) in values.items())
    turned = (values[4][0] - values[4][1]) * (values[8][0] - values[8][1]) < 0
    return Ruling(
        "open",
        "it is about differences on the paper's data, which are not at hand.  Of two classifiers with TPr, FPr = 9/10, "
        f"1/2 and 3/5, 1/5 the order {'is reversed' if turned else 'stays'} at π1 = 1/4 ({shown})",
    )


def claims() -> Iterator[PaperClaim]:
    """Yield the claims, in the paper's order."""
    yield from _beta_distributions()
