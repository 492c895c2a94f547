"""Numbers in words."""

from __future__ import annotations


def number_of(number: float, noun: str, form: str = "") -> str:
    """Return a number of things in words, in the singular for one.

    :param number: how many
    :param noun: what one of them is called
    :param form: how the number is written, as in a format string

    >>> number_of(1, "verdict"), number_of(2, "class"), number_of(0, "property"), number_of(1940, "example", ",")
    ('1 verdict', '2 classes', '0 properties', '1,940 examples')
    """
    return f"{number:{form}} {noun if number == 1 else _plural(noun)}"


def _plural(noun: str) -> str:
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun[:-2]}ices" if noun.endswith("matrix") else f"{noun}{'es' if noun.endswith('s') else 's'}"


def p_value_in_words(p_value: float, is_bound: bool = False) -> str:
    """Return a p-value to three digits, with what is known if that is only a bound.

    >>> p_value_in_words(0.03125), p_value_in_words(1e-4, is_bound=True), p_value_in_words(0.99999), p_value_in_words(1)
    ('0.0312', '<= 0.0001', '> 0.999', '1')
    """
    return f"<= {p_value:.3g}" if is_bound else probability_in_words(p_value) if p_value > 0.9 else f"{p_value:.3g}"


def probability_in_words(probability: float) -> str:
    """Return a probability to three digits, which are 0 and 1 for nothing else.

    >>> probability_in_words(0.25), probability_in_words(0.99999), probability_in_words(2e-7), probability_in_words(1.0)
    ('0.25', '> 0.999', '< 0.001', '1')
    """
    if 0 < probability < 0.001:
        return "< 0.001"
    return "> 0.999" if 0.999 < probability < 1 else f"{probability:.3g}"
