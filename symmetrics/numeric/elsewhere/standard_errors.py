"""Standard errors by the delta method as functions in JavaScript: the same operations as here, printed."""

from __future__ import annotations

from collections import Counter
from typing import Final

from sympy import Expr

from symmetrics.numeric.elsewhere.arithmetic import texts
from symmetrics.numeric.elsewhere.languages import JAVASCRIPT
from symmetrics.numeric.expressions import LETTERS
from symmetrics.numeric.intervals.estimators import GROUPS
from symmetrics.numeric.intervals.tangents import error_program
from symmetrics.numeric.precision import Signs
from symmetrics.tools.errors import UnsupportedError

__all__ = ["standard_error_code"]

_FUNCTIONS: Final = {**JAVASCRIPT.functions, "sign": "Math.sign({})"}


def standard_error_code(expression: Expr, name: str) -> str:
    """Return the source of a function of four positive cells: the standard error of a formula's value there.

    The table is multinomial; what is to be added to the cells, so that none is zero, is added before.

    :param expression: a formula over the cells, without free parameters
    :param name: of the function
    :raises UnsupportedError: on a formula that cannot be computed in plain arithmetic

    >>> from symmetrics.language.cells import TP
    >>> print(standard_error_code(TP**2, "error").splitlines()[1])
        const t1 = tp + tp;
    """
    found = error_program(expression, GROUPS["multinomial"])
    if found is None:
        raise UnsupportedError("its standard error cannot be computed in plain arithmetic; ask for it in Python")
    program, place = found
    uses = Counter([place])
    for used in program.needed([place]):
        uses.update(program.arguments(used))
    signs, known, lines = Signs(program), dict[int, str](), []
    write = texts(program, signs, LETTERS, _FUNCTIONS, known)
    for used in program.needed([place]):
        if uses[used] > 1 and program.operations[used][0] not in ("cell", "number"):
            text = write(used).text
            known[used] = f"t{len(known) + 1}"
            lines.append(f"    const {known[used]} = {text};")
    lines.append(f"    return {write(place).text};")
    return "\n".join([f"function {name}({', '.join(LETTERS)}) {{", *lines, "}", ""])
