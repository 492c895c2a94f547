"""Formulas built to fool a prover, each with a property and the verdict that its construction gives.

``GROUPS`` maps what the formulas of a group have in common to their cases.  A case is a formula, a property and the
expected verdict: ``proved``, ``refuted``, or the condition on the parameters as a text.
"""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["GROUPS", "Case"]


@dataclass(frozen=True)
class Case:
    """One question whose answer is known.

    :param formula: the metric as a text
    :param property: the key of the property
    :param expected: ``proved``, ``refuted``, or the condition under which it holds
    :param parameters: declarations of parameters
    :param may_be_open: whether ``open`` is acceptable too
    :param value: the value of the verdict, where it is known
    """

    formula: str
    property: str
    expected: str
    parameters: tuple[str, ...] = ()
    may_be_open: bool = False
    value: str | None = field(default=None)


GROUPS: dict[str, list[Case]] = {}


def _group(construction: str, *cases: Case) -> None:
    GROUPS[construction] = list(cases)


def _yes(formula: str, key: str, *parameters: str, may_be_open: bool = False, value: str | None = None) -> Case:
    return Case(formula, key, "proved", parameters, may_be_open, value)


def _no(formula: str, key: str, *parameters: str, may_be_open: bool = False, value: str | None = None) -> Case:
    return Case(formula, key, "refuted", parameters, may_be_open, value)


def _if(condition: str, formula: str, key: str, *parameters: str, may_be_open: bool = False) -> Case:
    return Case(formula, key, condition, parameters, may_be_open)


UNIT = "w in [0, 1]"
SIX = "*".join(f"({{}} - {i})" for i in range(1, 7))
"""A product that vanishes at 1, 2, ..., 6."""


def _six(argument: str) -> str:
    return SIX.replace("{}", argument)


_group(
    "a difference with a tiny coefficient",
    *(_no(f"TP/(TP + FN) + TN/(TN + FP)/10**{k}", "p2") for k in (3, 6, 9, 12, 30)),
    *(_no(f"(TP + TN + TN/10**{k})/(TP + FN + FP + TN)", "p1") for k in (3, 9, 15, 40)),
    *(_no(f"TP/(TP + FN + FP/10**{k})", "p3") for k in (4, 12, 24)),
    _no("(10**12*TP + FN)/(10**12*TP + FN + FP) - (10**12*TN + FP)/(10**12*TN + FP + FN)", "p1"),
    _yes("(10**12*TP + FN)*(10**12*TN + FP)/(TP + FN + FP + TN)", "p1"),
    _no("(10**12*TP + FN)*((10**12 + 1)*TN + FP)/(TP + FN + FP + TN)", "p1"),
    _no("TP*FN/(TP + FN) - TP*FP/(TP + FP) + 1/(TN + 10**9)", "p2"),
)
_group(
    "a difference that vanishes at the whole numbers up to 6",
    _no(f"FN + {_six('TP')}", "p4"),
    _no(f"FN + {_six('TN')}", "p2"),
    _no(f"(FN + {_six('FP')})/(TP + FN)", "p3"),
    _no(f"TP*{_six('FN')} + FP", "p5"),
    _no(f"TP + TN + {_six('TP')}", "p1"),
    _yes(f"TP + TN + {_six('TP')} + {_six('TN')}", "p1"),
    _yes(f"{_six('TP')}*{_six('TN')} + FN*FP", "p1"),
    _no(f"{_six('TP')}*{_six('TN')} + FN", "p1"),
    _no(f"FN + FP + {_six('FN')}", "transpose"),
    _yes(f"{_six('(FN + FP)')}*TP", "transpose"),
    _no(f"TP/(TP + FN) + {_six('(TP - FN)')}*(TP - FN)/(TN + 1)**9", "p2"),
    _no(f"TN + {_six('TN')}", "increasing_tn"),
    _yes(f"FN + {_six('TP')} - {_six('TP')}*TP/TP", "p4"),
)
_group(
    "a factor that cancels",
    _yes("TP*FN/FN", "p5"),
    _yes("(TP - TN)*FN/(TP - TN)", "p2"),
    _yes("(TP**2 - TN**2)/(TP - TN) - TN", "p2"),
    _yes("(TP**2 - TN**2)/(TP - TN)", "p1"),
    _yes("(TP**3 - TN**3)/(TP - TN) - TP**2 - TP*TN - TN**2 + FP", "p4"),
    _yes("(TP**2 - TN**2)/(TP - TN)", "increasing_tp"),
    _yes("(TP**3 - TN**3)/(TP - TN)", "increasing_tp"),
    _yes("(TP**5 - TN**5)/(TP - TN)", "increasing_tp", may_be_open=True),
    _no("(TP**2 - TN**2)/(TP - TN) - 2*TN", "p2"),
    _yes("(TP**2*FN - FN**3)/(TP*FN - FN**2) - TP", "p4"),
    _yes("(sqrt(TP) - sqrt(FN))*(sqrt(TP) + sqrt(FN))/(TP - FN) + FP", "p4"),
    _yes("(TP - TN)/(sqrt(TP) - sqrt(TN))", "p1"),
    _yes("(TP - TN)/(sqrt(TP) - sqrt(TN)) - sqrt(TN)", "p2"),
    _yes("w*TN/w", "increasing_tn", "w in (0, 1]"),
)
_group(
    "a root of a square",
    _yes("sqrt((TP - TN)**2)", "p1"),
    _no("sqrt((TP - TN)**2) - (TP - TN)", "p1"),
    _no("sqrt((TP - TN)**2) - (TP - TN)", "p2"),
    _yes("sqrt((TP + TN)**2) - TP - TN + FP", "p2"),
    _yes("sqrt(TP**2 - 2*TP*TN + TN**2) - Abs(TP - TN) + FN", "p4"),
    _no("sqrt(TP**2 - 2*TP*TN + TN**2) + TP - TN + FN", "p4"),
    _yes("sqrt(TP**2)*FN/TP", "p4"),
    _yes("sqrt((TP*TN - FN*FP)**2)", "p1"),
    _yes("sqrt((TP*TN - FN*FP)**2)", "transpose"),
    _yes("Abs(TP*TN - FN*FP)/sqrt((TP*TN - FN*FP)**2) + FN", "p4"),
    _no("(TP*TN - FN*FP)/sqrt((TP*TN - FN*FP)**2)", "p4"),
    _yes("(TP*TN - FN*FP)/sqrt((TP*TN - FN*FP)**2)", "homogeneous"),
    _no("sqrt((TP - 7*TN)**2) - (7*TN - TP)", "p2"),
    _yes("((TP - TN)**4)**(1/4) - Abs(TP - TN) + FP", "p2"),
    _no("sqrt((TP - 10*TN)**2) + 9*TP - TN", "increasing_tn"),
)
_group(
    "a lattice identity of Min and Max",
    _yes("Max(TP, TN) + Min(TP, TN) - TP - TN + FP", "p2"),
    _yes("Max(TP, TN)*Min(TP, TN)", "p1"),
    _yes("Max(TP, TN)*Min(TP, TN) - TP*TN + FN", "p4"),
    _yes("Max(TP, TN)*Min(TP, TN)", "increasing_tp", may_be_open=True),
    _yes("Max(Max(TP, TN), FN) - Max(TP, Max(TN, FN)) + FP", "p4"),
    _yes("Min(TP, Max(TP, TN))", "p2"),
    _yes("Max(TP, Min(TP, TN))", "p2"),
    _yes("Min(TP, Max(TP, TN))", "increasing_tp"),
    _no("Min(TP, Max(TP/2, TN))", "p2"),
    _no("Max(TP, TN)", "increasing_tp"),
    _no("Min(TP, TN)", "increasing_tp"),
    _yes("Max(TP, TN) + TP", "increasing_tp"),
    _no("Min(TP, FN)", "transpose"),
    _yes("Max(FN, FP)/Min(FN, FP)", "transpose"),
    _yes("Max(FN, FP)/Min(FN, FP)", "homogeneous"),
    _yes("Min(TP, TN)/Max(TP, TN)", "p1"),
    _no("Max(TP, TN) - Max(TP, TN + 1/10**6) + FN", "p4"),
    _no("Max(FN, 1000*TP) - 1000*TP", "p5", may_be_open=True),
    _yes("Max(Abs(TP - TN), TN - TP) - Abs(TN - TP) + FP", "p2", may_be_open=True),
    _yes("Abs(Abs(TP - TN) - Abs(TN - TP)) + FP", "p2"),
    _no("Abs(Abs(TP - TN) - FN)", "p2"),
    _no("Abs(Abs(TP - TN) - FN)", "p1"),
    _yes("Abs(Abs(TP - TN) - Abs(FN - FP))", "p1"),
    _no("Min(TP, TN) - FN - FP", "strongly_monotone"),
    _yes("Min(TP/(TP + FN), TN/(TN + FP))", "range", value="(0, 1)"),
)
_group(
    "logarithms of products and powers",
    _yes("log(TP*FN) - log(TP) - log(FN) + FP", "p4"),
    _yes("log(TP**2) - 2*log(TP) + FP", "p4"),
    _yes("log((TP + FN)**3/(TP + FP)) - 3*log(TP + FN) + log(TP + FP) + TN", "p5"),
    _no("log((TP + FN)**3/(TP + FP)) - 2*log(TP + FN) + log(TP + FP) + TN", "p5"),
    _no("log(TP/TN) + log(TN/TP) + FN", "p1"),
    _yes("log(TP/TN) + log(TN/TP) + FN", "p2"),
    _yes("log(TP*TN/(FN*FP))", "scaling"),
    _yes("log(TP*TN/(FN*FP))", "antisymmetric"),
    _no("log(TP*TN/(FN*FP) + 1/10**9)", "antisymmetric"),
    _yes("log(6)*TP - log(2)*TP - log(3)*TP + FN", "p4"),
    _no("log(6)*TP - log(2)*TP - log(4)*TP + FN", "p4"),
    _yes("log(TP**2 - TN**2) - log(TP - TN) - log(TP + TN) + FP", "p2"),
    _yes("log((TP - TN)**2)", "p1"),
    _no("log((TP - TN)**2) - 2*log(TP - TN) + TP", "p4"),
    _yes("log(sqrt(TP)) - log(TP)/2 + FN", "p4"),
    _yes("log(TP + FN)", "increasing_tp"),
    _yes("log(TP) - log(TP + FN)", "increasing_tp"),
    _no("log(TP) - TP/10**3", "increasing_tp"),
    _no("TP*log(TP)", "increasing_tp", may_be_open=True),
    _no("log(TN)", "tn_limit", value="oo"),
    _yes("log(TN)/TN", "tn_limit", value="0"),
)
_group(
    "large exponents",
    _yes("(TP/(TP + FN))**60", "increasing_tp"),
    _yes("(TP/(TP + FN))**60", "decreasing_fn"),
    _yes("(TP/(TP + FN))**100", "p2"),
    _no("(TP/(TP + FN))**100", "p5"),
    _yes("TP**50 + TN**50", "p1"),
    _no("TP**50 + TN**49", "p1"),
    _no("TP**50 + TN**50 + TN/10**30", "p1"),
    _yes("(TP**40 - TN**40)/(TP**20 - TN**20) - TP**20 - TN**20 + FP", "p2"),
    _yes("TP**99", "increasing_tp"),
    _no("TP**99 - TP**98", "increasing_tp"),
    _no("TP**30 - TP**31/10**6", "increasing_tp", may_be_open=True),
    _yes("(TP**7*TN**11)**(1/9)", "increasing_tn"),
    _yes("((TP + FN)**20)**(1/20) - TP - FN + FP", "p4"),
)
_group(
    "cube roots and other roots",
    _yes("((TP + TN)**3)**(1/3) - TP - TN + FP", "p2"),
    _yes("(TP**3 + 3*TP**2*TN + 3*TP*TN**2 + TN**3)**(1/3) - TN", "p2"),
    _no("(TP**3 + 3*TP**2*TN + 3*TP*TN**2 + TN**3 + 1/10**6)**(1/3) - TN", "p2"),
    _yes("(TP*TN)**(1/3)", "p1"),
    _yes("(TP*TN)**(1/3)", "increasing_tp"),
    _yes("TP**(1/3)*TN**(1/3) - (TP*TN)**(1/3) + FN", "p4"),
    _no("TP**(1/3) + TN**(1/2)", "p1"),
    _yes("(TP/(TP + FN))**(1/3)*(TN/(TN + FP))**(1/3)", "actual_scaling"),
    _yes("sqrt(TP + FN)*sqrt(TP + FP) - sqrt((TP + FN)*(TP + FP)) + TN", "p4"),
    _yes("sqrt(8)*TP - 2*sqrt(2)*TP + FN", "p4"),
    _no("sqrt(2)*TP - 1414213562/1000000000*TP + FN", "p4"),
    _no("sqrt(TP) + sqrt(TN) - sqrt(TP + TN)", "p2"),
    _yes("sqrt(TP + TN + 2*sqrt(TP*TN)) - sqrt(TP) - sqrt(TN) + FN", "p4", may_be_open=True),
    _yes("1/(sqrt(TP) + sqrt(TN)) - (sqrt(TP) - sqrt(TN))/(TP - TN) + FN", "p4"),
    _yes("(TP/(TP + FN))**(2/3)", "increasing_tp"),
    _yes("sqrt(TP)", "increasing_tp"),
    _no("sqrt(TP) - TP/1000", "increasing_tp"),
)
_group(
    "an inequality that fails only far out",
    *(_no(f"TN - TN**2/10**{k}", "increasing_tn") for k in (2, 4, 6, 9)),
    *(_no(f"TP/(TP + FN) + FN/10**{k}", "decreasing_fn") for k in (2, 6, 12)),
    *(_no(f"TP/(TP + 1) - TP/10**{k}", "increasing_tp") for k in (3, 6, 9)),
    _no("-FN + FN**3/10**9", "decreasing_fn"),
    _no("TP/(TP + FP) + FP**2/10**8/(FP + 1)", "decreasing_fp"),
    _no("(TP + TN)/(TP + TN + FN + FP) - TP*TN/10**9", "monotone"),
    _no("TP - TP*FP/10**6", "increasing_tp"),
    _no("TP - TP*FP*FN*TN/10**12", "increasing_tp"),
    _no("log(TP + 1) - TP/10**4", "increasing_tp"),
    _no("TP/(TP + FN) + 10**6*FN/(FN + 10**12)", "decreasing_fn", may_be_open=True),
)
_group(
    "an inequality that fails only near the boundary",
    *(_no(f"TP**2 - TP/10**{k}", "increasing_tp", may_be_open=k > 3) for k in (1, 3, 6)),
    *(_no(f"TP + 1/(10**{k}*TP)", "increasing_tp") for k in (1, 3, 6)),
    _no("TP - sqrt(TP)/100", "increasing_tp"),
    _no("TN + 1/(10**4*(TN + FP))", "increasing_tn"),
    _no("-FN - 1/(10**4*FN)", "decreasing_fn"),
    _no("TP*FN*FP - TP/1000", "increasing_tp"),
    _no("TP*(FN + FP + TN - 1/100)", "increasing_tp"),
    _no("TP**2/(TP + FN) - TP**2*FN/(TP + FN)/10**6 - TP/10**6", "increasing_tp", may_be_open=True),
    _yes("TP + 1/(TP + 1)", "increasing_tp"),
    _no("TP + 1/(TP + 9/10)", "increasing_tp"),
)
_group(
    "equality on a surface or at a point inside",
    _no("TP*(FN - FP)**2", "increasing_tp"),
    _no("TP*(2*FN - 1)**2", "increasing_tp", may_be_open=True),
    _no("TP*(3*FN - 2)**2", "increasing_tp", may_be_open=True),
    _no("TP*(7*FN - 22)**2", "increasing_tp", may_be_open=True),
    _no("TP*((FN - 1)**2 + (FP - 2)**2)", "increasing_tp", may_be_open=True),
    _no("TP*((3*FN - 1)**2 + (5*FP - 2)**2)", "increasing_tp", may_be_open=True),
    _no("TP*((FN - FP)**2 + (FP - TN)**2)", "increasing_tp", may_be_open=True),
    _no("TP*(FN*FP - TN)**2", "increasing_tp", may_be_open=True),
    _no("TP*Abs(FN - FP)", "increasing_tp"),
    _no("TP*Max(0, FN - FP)", "increasing_tp"),
    _no("TP*(FN**2 - 2)**2", "increasing_tp", may_be_open=True),
    _yes("TP*((FN - FP)**2 + FN*FP)", "increasing_tp", may_be_open=True),
    _yes("TP*((FN - 1)**2 + 1/10**6)", "increasing_tp", may_be_open=True),
    _yes("TP*(FN**2 + FP**2 - FN*FP)", "increasing_tp"),
    _no("TP*(FN**2 + FP**2 - 2*FN*FP)", "increasing_tp"),
    _no("TP*(FN**2 + FP**2 - (2 + 1/10**6)*FN*FP)", "increasing_tp"),
    _yes("TP*(FN**3 + FP**3 + TN**3 - 3*FN*FP*TN + FN/10**6)", "increasing_tp", may_be_open=True),
    _no("TP*(FN**3 + FP**3 + TN**3 - 3*FN*FP*TN)", "increasing_tp", may_be_open=True),
)
_group(
    "a derivative with isolated zeros, strictly monotone all the same",
    _yes("(TP - TN)**3", "increasing_tp", may_be_open=True),
    _yes("(TP - 1)**3", "increasing_tp", may_be_open=True),
    _yes("(2*TP - 1)**5", "increasing_tp", may_be_open=True),
    _yes("TP**3 - 3*TP**2 + 3*TP", "increasing_tp", may_be_open=True),
    _yes("(TP - FN)**3 + TP/10**9", "increasing_tp"),
    _no("(TP - FN)**3 - TP/10**9", "increasing_tp"),
    _yes("(TP - TN)*Abs(TP - TN)", "increasing_tp", may_be_open=True),
    _yes("(TP - TN)**3 + TN", "p3"),
    _no("(TP - TN)**2", "increasing_tp"),
    _no("(TP - TN)**4 - (TP - TN)**2/10**6", "increasing_tp"),
)
_group(
    "a pole between two tables, rising on both sides of it",
    _no("-1/(TP - TN)", "increasing_tp"),
    _no("-1/(TP - 3*TN)", "increasing_tp"),
    _no("-1/(2*TP - 2*FN - 1)", "increasing_tp"),
    _no("TP - 1/(TP - TN)", "increasing_tp"),
    _no("TP + 1/(TN - TP)", "increasing_tp"),
    _no("-1/(TP - 100)", "increasing_tp"),
    _no("-1/(TP - 1/100)", "increasing_tp", may_be_open=True),
    _no("-1/(TP**3 - TN**3)", "increasing_tp"),
    _no("TP/(TN - TP)", "increasing_tp"),
    _no("log(TP) - 1/(TP - FN)", "increasing_tp"),
    _no("-1/(TP*TN - FN*FP)", "increasing_tp"),
    _no("1/(TP*TN - FN*FP)", "decreasing_fn"),
    _no("TP*TN/(FN*FP - TP*TN)", "agreement_increases"),
    _yes("-1/(TP + TN)", "increasing_tp"),
    _no("1/(TP - TN)**2", "increasing_tp"),
    _yes("-1/(TP - TN)", "p3"),
)
_group(
    "a jump downwards, rising on both sides of it",
    _no("TP - Abs(TP - TN)/(TP - TN)", "increasing_tp"),
    _no("TP/1000 - Abs(TP - 3*TN)/(TP - 3*TN)", "increasing_tp"),
    _no("TP - (Max(TP, TN) - TN)/(TP - TN)", "increasing_tp"),
    _no("TP - Max(0, TP - TN)/(TP - TN)", "increasing_tp"),
    _no("TP + Min(0, TP - TN)/(TP - TN)", "increasing_tp"),
    _no("FN*Abs(TP - TN)/(TN - TP) + TP", "increasing_tp"),
    _no("log(TP) - Abs(TP - FP)/(TP - FP)", "increasing_tp"),
    _no("sqrt(TP) - Abs(TP - FP)/(TP - FP)", "increasing_tp"),
    _no("TN - Abs(TN - FN)/(TN - FN)", "increasing_tn"),
    _no("-FN - Abs(TP - FN)/(TP - FN)", "decreasing_fn"),
    _no("-FP + Abs(TP - FP)/(FP - TP)", "decreasing_fp"),
    _no("TP - FN - Abs(TP - FN)/(TP - FN)", "monotone"),
    _no("TP + TN - FN - FP - 3*Abs(TP + TN - FN - FP)/(TP + TN - FN - FP)", "agreement_increases"),
    _no("TP - Abs(2*TP - 1)/(2*TP - 1)", "increasing_tp"),
    _no("TP - Abs(TP**2 - 2*TN**2)/(TP**2 - 2*TN**2)", "increasing_tp"),
    _yes("TP + Abs(TP - TN)/(TP - TN)", "increasing_tp", may_be_open=True),
    _yes("Abs(TP - TN)/(TP - TN) - FN", "decreasing_fn", may_be_open=True),
    _no("Abs(TP - TN)/(TP - TN)", "increasing_tp"),
    _yes("Abs(TP - TN)/(TP - TN)", "homogeneous"),
    _yes("Abs(TP - TN)/(TP - TN)", "range", value="[-1, 1]"),
)
_group(
    "a parameter that makes a coefficient or a denominator vanish",
    _if("w != 0", "w*TP + (1 - w)*TN", "increasing_tp", UNIT),
    _if("w != 0", "sqrt(w)*TP", "increasing_tp", UNIT, may_be_open=True),
    _if("w != 0", "sqrt(w*TP)", "increasing_tp", UNIT, may_be_open=True),
    _if("w != 0", "log(1 + w)*TP", "increasing_tp", UNIT, may_be_open=True),
    _if("w != 0", "log(1 + w*TP)", "increasing_tp", UNIT, may_be_open=True),
    _if("w != 1", "sqrt(1 - w)*TP", "increasing_tp", UNIT, may_be_open=True),
    _if("w != 0 and w != 1", "sqrt(w*(1 - w))*TP", "increasing_tp", UNIT, may_be_open=True),
    _if("w != 0", "w**(1/3)*TP**2", "increasing_tp", UNIT, may_be_open=True),
    _if("w != 0", "sqrt(w*TP*FN) + FP", "increasing_tp", UNIT, may_be_open=True),
    _if("w != 0 and v != 0", "sqrt(w*v)*TP", "increasing_tp", UNIT, "v in [0, 1]", may_be_open=True),
    _if("w != 0", "TP/(TP + w*FN)", "decreasing_fn", UNIT),
    _if("w != 0", "TP/sqrt((TP + w*FN)*(TP + FP))", "decreasing_fn", UNIT),
    _if("w != 0 and w != 1", "TP*w*(1 - w)", "increasing_tp", UNIT),
    _if("w != 1/2", "(w - 1/2)**2*TP", "increasing_tp", UNIT),
    _if("w != 0", "w**2*TP", "increasing_tp", "w in [-1, 1]"),
    _no("-w**2*TP", "increasing_tp", "w in [-1, 1]"),
    _if("w >= 1/2", "TP/((w - 1/2)*TP + FN)", "increasing_tp", UNIT),
    _if("w = 1/2", "TP/(TP + FN + (w - 1/2)*FP)", "p3", UNIT),
    _if("w = -1", "TN*(w**2 - 1)/(w - 1)", "p2", "w"),
    _if("v = 0", "TP/(TP + FN) + v*TN/(w - 1/2)", "p2", UNIT, "v in [0, 1]"),
    _no("TN/(w - 1/2)", "p2", UNIT),
    _yes("sqrt(w)*TP", "increasing_tp", "w in (0, 1]", may_be_open=True),
    _yes("w*TP", "increasing_tp", "w in (0, 1]"),
    _no("w*TP", "increasing_tp", "w in [-1, 0]"),
    _if("w != 0", "w*TP", "increasing_tp", "w in [0, oo)"),
    _yes("TP*(2 - w)", "increasing_tp", "w in [0, 2)"),
    _if("w != 2", "TP*(2 - w)", "increasing_tp", "w in [0, 2]"),
)
_group(
    "a threshold known by hand",
    _if("w <= 0", "(TP + w*TN)/(TP + FN)", "increasing_tp", "w in [-1, 1]"),
    _if("w < 4/3", "(TP + (w - 1/3)*FN)/(TP + FN)", "increasing_tp", "w in [0, 2]"),
    _if("w > 1/3", "(w - 1/3)*TP - FN", "increasing_tp", UNIT),
    _if("w > 1/3", "(3*w - 1)*TP + TN*(w + 1)", "increasing_tp", UNIT),
    _if("w <= 1/3", "TP**2 + (1/3 - w)*TP", "increasing_tp", UNIT),
    _if("w <= 1/3", "TP**2*FN + (1 - 3*w)*TP*TN", "increasing_tp", UNIT),
    _if("w > 1/4 and w < 3/4", "(w - 1/4)*(3/4 - w)*TP", "increasing_tp", UNIT),
    _if("w < 1/4 or w > 3/4", "(w - 1/4)*(w - 3/4)*TP", "increasing_tp", UNIT),
    _if("w <= 0", "TP**2 - w*TP", "increasing_tp", "w in [-1, 1]"),
    _if("w > 1/3", "(w - 1/2)*FN + (1/3 - w)*FP + TP", "monotone", UNIT, may_be_open=True),
    _if("w > 1/3 and w < 1/2", "(w - 1/3)*TP + (1/2 - w)*TN - FN - FP", "strongly_monotone", UNIT),
    _no("(w - 1/2)*TP + (1/3 - w)*TN - FN - FP", "strongly_monotone", UNIT),
    _if("w = 1/2", "w*TP + (1 - w)*TN", "p1", UNIT),
    _if("w = 1/2", "w*TP/(TP + FN) + (1 - w)*TN/(TN + FP)", "p1", UNIT),
    _if("w = 1/3", "(w - 1/2)*TP/(TP + FN) + (w - 1/3)*TP/(TP + FP)", "actual_scaling", UNIT),
    _no("(w - 1/2)*TP/(TP + FN) + (w - 1/3)*TP/(TP + FP)", "scaling", UNIT),
    _yes("TP/(TP + w*FN + FP)", "increasing_tp", UNIT),
    _if("w != 0", "TP/(TP + w*FN + FP)", "decreasing_fn", UNIT),
)
_group(
    "values known by hand",
    _yes("TP/(TP + FN)", "tn_limit", value="TP/(FN + TP)"),
    _yes("TN*(sqrt(TN**2 + 1) - TN)", "tn_limit", value="1/2"),
    _yes("sqrt(TN + 1) - sqrt(TN)", "tn_limit", value="0"),
    _yes("Max(TN, TP) - TN", "tn_limit", value="0"),
    _no("(TP - FN)*TN", "tn_limit"),
    _yes("(TP - FN)/TN", "tn_limit", value="0"),
    _yes("TP/(TP + FP)", "prevalence_limit", value="0"),
    _yes("TP/(TP + FN) + FP/(FP + TN)/10**6", "range", value="(0, 1000001/1000000)"),
    _no("TP**2 - TP", "range", value="[-1/4, oo)"),
    _no("log(TP/(TP + FN))", "range", value="(-oo, 0)"),
    _yes("1/(1 + sqrt(TP - TN))", "range", value="(0, 1]"),
    _yes("1/(1 + (TP - TN)**(1/4))", "range", value="(0, 1]"),
    _yes("TP - FN", "translation_space", value="span{(1, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)}"),
    _yes("TP/10**9 - FN", "translation_space"),
    _yes("TP*TN/(FN*FP)", "scaling_space"),
    _no("TP + TN**2 + FN**3 + FP**4", "translation_space", value="{0}"),
    _no("TP + TN + FN*FP**2 + FP/10**12 + TP**2*TN**3", "symmetry_group"),
    _yes("TP + TN + FN*FP", "symmetry_group"),
    _yes("(TP - TN)/(FN + FP)", "decomposable"),
    _no("TP**2/(FN + FP)", "decomposable"),
    _no("(TP + TN**2/10**9)/(TP + TN + FN + FP)", "decomposable"),
)
_REALITY = "Max(TP - TN, 0) - FN - FP + FN*log(FN/(FN + TN))"
_group(
    "a factor that is not real near the table, beside z*log(z)",
    *(
        Case(f"{_REALITY}*{factor}", "max_agreement", "proved", may_be_open=True)
        for factor in (
            "sqrt(TN - TP)",
            "(TN - TP)**(1/3)",
            "Min(1, sqrt(TN - TP))",
            "sqrt(Min(TN - TP, TN))",
            "sqrt(sqrt(TN) - sqrt(TP))",
            "sqrt(log(TN/TP))",
            "sqrt(TN - TP)*sqrt(TN - TP + FP)",
        )
    ),
    Case("TP + TN - Max(FN - FP, 0) - TP*log(TP/(TP + FP))*sqrt(FP - FN)", "min_agreement", "proved", may_be_open=True),
    # The root is real only where FN > TP + TN, so that no table with FN = FP = 0 has a value, and none is largest.
    Case("-FN - FP - FP*sqrt(FN - TP - TN)", "max_agreement", "refuted", may_be_open=True),
    Case("-FN - FP - FP*sqrt(FN - (TP - TN)**2 - TN**2)", "max_agreement", "refuted", may_be_open=True),
    # Real, with the same value, at every table: here the limits count.
    _no("Max(TP - TN, 0) - FN - FP + FN*log(FN/(FN + TN))*sqrt(TN*TP)", "max_agreement"),
    _no("Max(TP - TN, 0) - FN - FP + FN*log(FN/(FN + TN))*sqrt((TN - TP)**2)", "max_agreement"),
    _no("Max(TP - TN, 0) - FN - FP + FN*log(FN/(FN + TN))*Abs(TN - TP)", "max_agreement"),
)
