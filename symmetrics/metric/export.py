"""Export of metrics: SQL, data frame expressions, other languages, spreadsheets."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal

from symmetrics.tools.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from sympy import Expr

    from symmetrics.language.parameter import Parameter


CODE_LANGUAGES: Final = ("c", "javascript", "rust", "excel", "latex")
"""Target languages of :meth:`~symmetrics.metric.metric.Metric.to_code`."""
SQL_DIALECTS: Final = ("duckdb", "postgres", "sqlite", "bigquery", "snowflake", "spark")
"""SQL dialects of :meth:`~symmetrics.metric.metric.Metric.to_sql`."""


class WrittenElsewhere:
    """Methods that export a metric; results equal ``from_counts``.

    They agree up to 1e-9, absolute below 1 and relative above, with the limits at zeros and the poles: plain double
    precision is enough for that in the form that is written.  Where the metric is undefined there is no value; nor on
    cells that are missing, negative or nan, or so large or so small that a product of them would overflow or underflow,
    which the code says.  Two things can still be lost, which ``from_counts`` computes with more digits: a difference
    of sums that agree in ten digits, and whole numbers beyond 2**53.
    """

    name: str
    title: str
    parameters: tuple[Parameter, ...]
    expr: Expr
    value_formula: Expr

    def to_sql(self, dialect: str = "duckdb", tp: str = "tp", fn: str = "fn", fp: str = "fp", tn: str = "tn") -> str:
        """Return the metric as one SQL expression; needs sqlglot: ``pip install "symmetrics[sql]"``.

        It is NULL where the metric has no value.  Whole numbers are not divided as such.  Names of columns are quoted,
        so that a warehouse that folds names to upper case wants ``tp="TP"``.  SQLite needs its mathematical functions.

        :param dialect: "duckdb", "postgres", "sqlite", "bigquery", "snowflake" or "spark"
        :param tp, fn, fp, tn: the names of the columns
        :raises UnknownNameError: on any other dialect
        :raises InputError: on a name that no column has, and without sqlglot
        :raises DefinitionError: if a parameter has neither a value nor a default
        :raises UnsupportedError: on a formula that this dialect cannot compute, with the reason

        >>> from symmetrics.library import metrics
        >>> print(metrics["precision"].to_sql(tp="hits", fp="false alarms"))
        CASE WHEN CAST("hits" AS DOUBLE) BETWEEN 0 AND 1e+300 AND ... THEN CASE WHEN CAST("hits" AS DOUBLE) = 0
        AND CAST("false alarms" AS DOUBLE) = 0 THEN NULL ELSE CAST("hits" AS DOUBLE) / (CAST("hits" AS DOUBLE) +
        CAST("false alarms" AS DOUBLE)) END END
        """
        from symmetrics.codegen.recipe import recipe_of
        from symmetrics.codegen.tables import sql_expression

        if dialect not in SQL_DIALECTS:
            raise UnknownNameError("dialect of SQL", str(dialect), SQL_DIALECTS)
        return sql_expression(recipe_of(self.value_formula), dialect, _columns(tp, fn, fp, tn))

    def to_code(self, language: str) -> str:
        """Return source code that computes the metric in another language.

        That is the source of a function of TP, FN, FP and TN, in this order, which returns nan where the metric has no
        value; for "excel" a formula on the cells A2, B2, C2 and D2, with #N/A where it has none, #DIV/0! for infinity
        and #NUM! for minus infinity; for "latex" the formula with its values at zeros as cases, to be read.

        :param language: "c", "javascript", "rust", "excel" or "latex"
        :raises UnknownNameError: on any other language
        :raises DefinitionError: if a parameter has neither a value nor a default
        :raises UnsupportedError: on a formula that cannot be computed so, with the reason

        >>> from symmetrics.library import metrics
        >>> print(metrics["precision"].to_code("javascript"))
        // Precision
        function precision(tp, fn, fp, tn) {
            if ([tp, fn, fp, tn].some((cell) => typeof cell !== "number")) {
                return NaN;
            }
            if (!(tp >= 0 && tp <= 1e+300 && fn >= 0 && fn <= 1e+300 && ... && tn <= 1e+300)) {
                return NaN;
            }
            if (tp == 0 && fp == 0) {
                return NaN;
            }
            return tp / (tp + fp);
        }
        >>> print(metrics["tpr"].to_code("excel"))
        =IF(AND(COUNT(A2, B2, C2, D2) = 4, MIN(A2, B2, C2, D2) >= 0, MAX(A2, B2, C2, D2) <= 1e+300), IF(AND(A2 = 0,
        B2 = 0), NA(), A2 / (A2 + B2)), NA())
        """
        from symmetrics.codegen.languages import LANGUAGES
        from symmetrics.codegen.recipe import recipe_of
        from symmetrics.codegen.scripts import function_name, latex_cases, script, spreadsheet_formula

        if language not in CODE_LANGUAGES:
            raise UnknownNameError("language", str(language), CODE_LANGUAGES)
        recipe = recipe_of(self.value_formula)
        if language == "excel":
            return spreadsheet_formula(recipe)
        if language == "latex":
            return latex_cases(recipe, self.value_formula)
        values = ", ".join(f"{parameter.name}={parameter.default}" for parameter in self.parameters)
        title = f"{self.title} ({values})" if values else self.title
        return script(recipe, LANGUAGES[language], function_name(self.name), title)

    def to_polars(self, tp: str = "tp", fn: str = "fn", fp: str = "fp", tn: str = "tn") -> Any:
        """Return the metric as a polars expression, null where it is undefined.

        :param tp, fn, fp, tn: the names of the columns
        :raises InputError: without polars
        :raises UnsupportedError: on a formula that cannot be computed so, with the reason

        >>> import polars
        >>> from symmetrics.library import metrics
        >>> frame = polars.DataFrame({"tp": [8, 0], "fn": [1, 3], "fp": [2, 0], "tn": [9, 9]})
        >>> frame.with_columns(metrics["precision"].to_polars().alias("precision"))["precision"].to_list()
        [0.8, None]
        """
        return self._for_frames("polars", _columns(tp, fn, fp, tn))

    def to_narwhals(self, tp: str = "tp", fn: str = "fn", fp: str = "fp", tn: str = "tn") -> Any:
        """Return the metric as a Narwhals expression, for frames of other libraries, like :meth:`to_polars`.

        :raises InputError: without narwhals

        >>> import narwhals, pandas
        >>> from symmetrics.library import metrics
        >>> frame = narwhals.from_native(pandas.DataFrame({"tp": [8, 0], "fn": [1, 3], "fp": [2, 0], "tn": [9, 9]}))
        >>> frame.select(metrics["tnr"].to_narwhals().alias("tnr"))["tnr"].to_list()
        [0.8181818181818182, 1.0]
        """
        return self._for_frames("narwhals", _columns(tp, fn, fp, tn))

    def _for_frames(self, library: str, columns: tuple[str, ...]) -> Any:
        import importlib

        from symmetrics.codegen.recipe import recipe_of
        from symmetrics.codegen.tables import frame_expression

        try:
            module = importlib.import_module(library)
        except ImportError:
            raise InputError(f"an expression of {library} needs it, and it is missing; pip install {library}") from None
        return frame_expression(recipe_of(self.value_formula), columns, module)


def _columns(*names: Any) -> tuple[str, ...]:
    """Return the names of columns.

    :raises InputError: on one that no column has
    """
    for name in names:
        if not isinstance(name, str) or not name or "\0" in name:
            raise InputError(f"{name!r} is no name of a column; pass a text such as 'tp'")
    return names


# -- Plots of one metric; drawn by a package on a higher layer ---------------------------------------------------------


Space = Literal["roc", "precision_recall"]


class Plots(ABC):
    """Plots of one metric, at the defaults of its parameters; each returns the axes that it draws on."""

    @abstractmethod
    def isometrics(
        self,
        ax: Axes | None = None,
        space: Space = "roc",
        prior: object = "1/2",
        *,
        levels: int | Sequence[float] = 9,
        total: float | None = None,
    ) -> Axes:
        """Draw lines of equal value in the ROC or in the precision-recall plane."""

    @abstractmethod
    def prior(
        self,
        ax: Axes | None = None,
        points: Iterable[tuple[float, float]] = ((0.1, 0.9), (0.3, 0.8), (0.05, 0.5)),
        *,
        total: float | None = None,
        tables: Mapping[str, object] | None = None,
        low: object = 0,
        high: object = 1,
    ) -> Axes:
        """Plot the value against prior and imbalance, for classifiers with given rates."""

    @abstractmethod
    def tetrahedron(self, n: int = 10, ax: Axes | None = None) -> Axes:
        """Plot all tables of n examples as points of a tetrahedron, coloured by value."""

    @abstractmethod
    def gradient(self, ax: Axes | None = None, prior: object = "1/2", *, total: float | None = None) -> Axes:
        """Plot the gradient in the ROC plane: direction and rate of steepest increase."""

    @abstractmethod
    def distribution(self, n: int = 20, ax: Axes | None = None) -> Axes:
        """Plot the histogram of values over all tables of n examples."""

    @abstractmethod
    def random_guessing(
        self, ax: Axes | None = None, shares: Iterable[float] = (0.1, 0.5, 0.9), *, n: int | None = None
    ) -> Axes:
        """Plot the expected score of random guessing against the prior."""
