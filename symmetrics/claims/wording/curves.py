"""Tables, curves and the ends of ranges in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from symmetrics.claims.families.limits import STEP


def cells_text(table: Iterable[Any]) -> str:
    """Write a table.

    >>> cells_text((1, 2, 3, "1/2"))
    '(1, 2, 3, 1/2)'
    """
    return f"({', '.join(map(str, table))})"


def curve_text(path: Iterable[str]) -> str:
    """Write the curve along which a formula is looked at, and where it ends."""
    return f"{_point_text(path)} as s -> 0+"


def _point_text(path: Iterable[str]) -> str:
    return cells_text(path).replace(STEP.name, "s")


def growth_text(data: Mapping[str, Any]) -> str:
    """Write the leading term ``c * s**e * log(1/s)**j`` of a formula that is unbounded on a curve."""
    powers = [f"s**({data['exponent']})"] if data["exponent"] != "0" else []
    powers += [f"log(1/s)**({data['logarithms']})"] if data["logarithms"] != "0" else []
    return f"its leading term is ({data['coefficient']})*{'*'.join(powers)}"


def is_attained(end: Mapping[str, Any]) -> bool | None:
    """Whether one end of a range is attained at positive cells; None if that is not decided."""
    if end["bound"] in ("oo", "-oo"):
        return False
    if not any(STEP.name in cell for cell in end["path"]):
        return True
    return False if end["strict"] is True else None


def ends_sentence(data: Mapping[str, Any]) -> str:
    """Return what is known of both ends of a range."""
    return "; ".join(_end(name, data[name]) if name in data else f"{name} end: open" for name in ("lower", "upper"))


def known_ends(data: Mapping[str, Any]) -> list[str]:
    """Return what is known of each end of a range that is not open."""
    return [_end(name, data[name]) for name in ("lower", "upper") if name in data]


def _end(name: str, end: Mapping[str, Any]) -> str:
    bound, path = end["bound"], end["path"]
    if bound in ("oo", "-oo"):
        return f"M tends to {bound} at {curve_text(path)}"
    stated = f"M {'>=' if name == 'lower' else '<='} {bound}"
    attained = is_attained(end)
    if attained:
        return f"{stated}, attained at {_point_text(path)}"
    missing = "whether it is attained is not decided" if attained is None else "not attained"
    corner = f" but at {cells_text(end['corner'])}" if "corner" in end else ""
    return f"{stated}, approached at {curve_text(path)}, {missing} at positive cells{corner}"
