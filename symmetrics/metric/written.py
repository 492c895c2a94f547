"""Metrics as code: expressions of SQL and of data frames, functions in other languages, cells of a spreadsheet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from symmetrics.tools.errors import UnknownNameError

if TYPE_CHECKING:
    from sympy import Expr

__all__ = ["WrittenElsewhere"]


class WrittenElsewhere:
    """The same values as those of ``from_counts``, computed by other programs."""

    name: str
    title: str
    expr: Expr
    value_formula: Expr

    def to_code(self, language: str) -> str:
        """Return the source of a function of TP, FN, FP and TN in another language.

        Its values are those of :meth:`from_counts`, limits at zeros and poles included, up to 1e-9, absolute below 1
        and relative above; plain double precision is enough for that.  Where the metric is undefined, and on cells that
        are negative, nan, or so large or small that products of them would overflow or underflow (the code says which),
        the value is nan.

        :param language: "c", "javascript", "julia", "r" or "rust"
        :raises UnknownNameError: on any other language
        :raises DefinitionError: if a parameter has neither a value nor a default
        :raises UnsupportedError: on a formula that cannot be computed so

        >>> from symmetrics.library import metrics
        >>> print(metrics["precision"].to_code("javascript"))
        // Precision
        function precision(tp, fn, fp, tn) {
            if (!(tp >= 0 && tp <= 1e+300 && fn >= 0 && fn <= 1e+300 && ... && tn <= 1e+300)) {
                return NaN;
            }
            if (tp == 0 && fp == 0) {
                return NaN;
            }
            return tp / (tp + fp);
        }
        """
        from symmetrics.numeric.elsewhere.languages import LANGUAGES
        from symmetrics.numeric.elsewhere.recipe import recipe_of
        from symmetrics.numeric.elsewhere.scripts import function_name, script

        if language not in LANGUAGES:
            raise UnknownNameError("language", str(language), LANGUAGES)
        recipe = recipe_of(self.value_formula)
        return script(recipe, LANGUAGES[language], function_name(self.name), self.title)
