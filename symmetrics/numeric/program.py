"""Programs: formulas as a list of operations with common subexpressions shared.

A tree is a nested tuple, so that equal parts are equal and can be shared:

- ``("cell", i)``: the cell at place i
- ``("number", c)``: an exact Fraction, or an expression of SymPy without symbols, such as ``log(2)``
- ``("sum", items)``: items are pairs (tree, Fraction), in a sorted tuple
- ``("product", factors)``: factors are pairs (tree, exponent), in a sorted tuple
- ``("abs", tree)``, ``("minimum" | "maximum", items)``
- ``("log", argument)``, and any other function of one argument, with its scale
- ``("log_ratio", arguments)``: the logarithm of a quotient, from dividend, divisor and their difference
- ``("log_slope", argument)``: the slope log(w)/(w - 1), with its scale
- ``("product_difference", arguments)``: one product less another, of four cells, rounded once
- ``("kept", arguments)``: the one argument, a sum that no other sum takes apart
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import reduce
from typing import Any, Final

from symmetrics.numeric.operations import OPERATIONS

# ----------------------------------------------------------------------------------------------------------------------
# Pairs of parts that several sums or products share, each computed once: the most frequent pair first.


Item = Any
"""A term or factor: hashable, with a unique text for sorting."""


def share_pairs(lists: Iterable[list[Item]], pair_of: Callable[[Item, Item], Item]) -> None:
    """Repeatedly replace a pair of parts that occurs in several lists by one new part.

    Greedy elimination of common subexpressions of two terms.

    The pair that most lists hold comes first, of several the one whose text is first: the order of the lists does not
    matter, and the result is the same in every run.

    :param pair_of: returns the part that stands for two parts, in this order

    >>> sums = [["a", "b", "c"], ["b", "a"], ["c", "d"]]
    >>> share_pairs(sums, lambda left, right: "+".join(sorted([left, right])))
    >>> sums
    [['c', 'a+b'], ['a+b'], ['c', 'd']]
    """
    _Sharing(lists, pair_of).run()


class _Sharing:
    """Parts and pairs are numbered, so that each is hashed once."""

    def __init__(self, lists: Iterable[list[Item]], pair_of: Callable[[Item, Item], Item]) -> None:
        self.pair_of = pair_of
        self.items: list[Item] = []
        self.texts: list[str] = []
        self.numbers: dict[Item, int] = {}
        self.pairs: dict[tuple[int, int], int] = {}
        self.originals = list(lists)
        self.lists = [[self.number(item) for item in items] for items in self.originals]
        self.held: list[set[int]] = [set() for _ in self.lists]
        self.holders: dict[int, set[int]] = {}
        self.queue: list[tuple[int, str, int]] = []

    def run(self) -> None:
        for place in range(len(self.lists)):
            self.note(place)
        while self.queue:
            count, _, pair = heapq.heappop(self.queue)
            holders = self.holders.get(pair, set())
            if len(holders) != -count or len(holders) < 2:
                continue  # its count has changed since it was queued
            for place in sorted(holders):
                self.replace(place, pair)
        for original, numbers in zip(self.originals, self.lists, strict=True):
            original[:] = [self.items[number] for number in numbers]

    def number(self, item: Item) -> int:
        if item not in self.numbers:
            self.numbers[item] = len(self.items)
            self.items.append(item)
            self.texts.append(repr(item))
        return self.numbers[item]

    def pair(self, left: int, right: int) -> int:
        if (left, right) not in self.pairs:
            self.pairs[left, right] = self.number(self.pair_of(self.items[left], self.items[right]))
        return self.pairs[left, right]

    def note(self, place: int) -> None:
        """Record the pairs that a list contains now."""
        now = {self.pair(left, right) for left, right in itertools.combinations(self.lists[place], 2)}
        before = self.held[place]
        for pair in before - now:
            self.holders[pair].discard(place)
        for pair in now - before:
            self.holders.setdefault(pair, set()).add(place)
        for pair in before ^ now:
            if len(self.holders[pair]) > 1:
                heapq.heappush(self.queue, (-len(self.holders[pair]), self.texts[pair], pair))
        self.held[place] = now

    def replace(self, place: int, pair: int) -> None:
        """Replace the two members of a pair in a list by the part that stands for the pair."""
        parts = self.lists[place]
        left, right = next(two for two in itertools.combinations(parts, 2) if self.pair(*two) == pair)
        parts.remove(left)
        parts.remove(right)
        parts.append(pair)
        self.note(place)


# ----------------------------------------------------------------------------------------------------------------------


Tree = tuple[Any, ...]
Scaled = tuple[Fraction, Tree]
"""A number times a tree."""
ONE: Final[Tree] = ("number", Fraction(1))

Placed = tuple[Any, ...]
"""Name and arguments of an operation: indices of operations; for a cell its index, for a number its exact value."""


class Program:
    """A list of operations on earlier ones, without duplicates (static single assignment).

    >>> program = Program()
    >>> tp, fn = program.add("cell", 0), program.add("cell", 1)
    >>> program.add("add", tp, fn) == program.add("add", fn, tp)
    True
    """

    def __init__(self, operations: Iterable[Placed] = ()) -> None:
        self.operations: list[Placed] = list(operations)
        self._places: dict[Placed, int] = {operation: place for place, operation in enumerate(self.operations)}

    def add(self, name: str, *arguments: Any) -> int:
        """Return the index of an operation, added unless it exists."""
        if name in OPERATIONS and OPERATIONS[name].is_commutative:
            arguments = tuple(sorted(arguments))
        operation = (name, *arguments)
        if operation not in self._places:
            self._places[operation] = len(self.operations)
            self.operations.append(operation)
        return self._places[operation]

    def arguments(self, place: int) -> tuple[int, ...]:
        """Return the indices of an operation's arguments."""
        name, *rest = self.operations[place]
        return tuple(rest[: OPERATIONS[name].arguments]) if name in OPERATIONS else ()

    def parts(self, place: int) -> tuple[str, tuple[int, ...], tuple[Any, ...]]:
        """Return an operation's name, its arguments, and its constant: index of the cell, number or exponent."""
        name, *rest = self.operations[place]
        arguments = self.arguments(place)
        return name, arguments, tuple(rest[len(arguments) :])

    def log_slope(self, place: int) -> int:
        """Return the index of log(w)/(w - 1), nan where w is 1."""
        less = self.add("subtract", place, self.add("number", Fraction(1)))
        return self.add("divide", self.add("log", place), less)

    def base_of_slope(self, place: int) -> int | None:
        """Return the index of w if an operation is log(w)/(w - 1), None otherwise."""
        name, *arguments = self.operations[place]
        if name != "divide":
            return None
        above, below = (self.operations[argument] for argument in arguments)
        is_slope = (above[0], below[0]) == ("log", "subtract") and above[1] == below[1]
        return int(above[1]) if is_slope and self.operations[below[2]] == ("number", Fraction(1)) else None

    def needed(self, outputs: Iterable[int]) -> list[int]:
        """Return the indices of the operations that some others depend on, in order."""
        found, pending = set[int](), list(outputs)
        while pending:
            place = pending.pop()
            if place not in found:
                found.add(place)
                pending.extend(self.arguments(place))
        return sorted(found)

    def cost(self, outputs: Iterable[int]) -> float:
        """Return the cost of some operations, in passes over the cells."""
        names = (self.operations[place][0] for place in self.needed(outputs))
        return sum(OPERATIONS[name].cost for name in names if name in OPERATIONS)


def is_positive(tree: Tree, *, strictly: bool = True) -> bool:
    """Whether a tree is positive by its syntax, for positive cells.

    >>> tp, fn = ("cell", 0), ("cell", 1)
    >>> [is_positive(("sum", ((fn, Fraction(sign)), (tp, Fraction(1))))) for sign in (-1, 1)]
    [False, True]
    """
    match tree:
        case ("cell" | "log_slope", _):
            return True
        case ("number", value):
            return bool(value > 0)
        case ("sum", items):
            return all(c > 0 and is_positive(part, strictly=strictly) for part, c in items)
        case ("product", factors):
            return all(
                is_positive(base, strictly=strictly) or (not strictly and exponent % 2 == 0)
                for base, exponent in factors
            )
        case ("minimum" | "maximum", arguments):
            return all(c > 0 and is_positive(part, strictly=strictly) for part, c in arguments)
        case ("kept", ((_, inner),)):
            return is_positive(inner, strictly=strictly)
        case ("abs", _):
            return not strictly
    return False


def compiled_trees(program: Program, trees: list[tuple[Fraction, Tree]]) -> list[int]:
    """Compile scaled trees: add their operations to a program and return their indices.

    Sums and products that have two parts in common compute these once: the pair that most of them share first.
    """
    builder = _Builder(program)
    for _, tree in trees:
        builder.collect(tree)
    builder.share()
    return [builder.scaled(scale, tree) for scale, tree in trees]


class _Builder:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.sums: dict[tuple[Item, ...], list[Item]] = {}
        self.products: dict[tuple[Item, ...], list[Item]] = {}
        self.seen: set[Tree] = set()
        self.places: dict[Item, int] = {}

    def collect(self, tree: Tree) -> None:
        """Collect all sums and products in a tree."""
        if tree in self.seen:
            return
        self.seen.add(tree)
        match tree:
            case ("sum", items):
                for part in _signed(items):
                    self.sums[part] = list(part)
            case ("product", factors):
                for part in _parts_of_product(factors):
                    self.products[part] = list(part)
        for part in _children(tree):
            self.collect(part)

    def share(self) -> None:
        for pool, key in ((self.sums, _pair_of_terms), (self.products, _pair_of_factors)):
            share_pairs(pool.values(), key)

    def scaled(self, scale: Fraction, tree: Tree) -> int:
        """Return the index of a number times a tree."""
        if tree == ONE:
            return self.number(scale)
        if tree[0] == "sum" and scale < 0 and all(c in (1, -1) for _, c in tree[1]):
            flipped = ("sum", tuple((part, -c) for part, c in tree[1]))
            for part in _signed(flipped[1]):  # the parts are those of the sum, with opposite signs
                self.sums.setdefault(part, self.sums.get(part, list(part)))
            return self.times(-scale, self.tree(flipped))
        # c/x and c*y/x take one operation less than c*(1/x) and c*(y/x).
        if tree[0] == "product" and abs(scale) != 1 and all(e < 0 for _, e in tree[1]):
            return self.product(tree[1], scale)
        if tree[0] == "product" and abs(scale) != 1:
            first = [base for base, e in tree[1] if e == 1]
            if len(first) == 1 and sum(e > 0 for _, e in tree[1]) == 1:
                return self.product(tree[1], scale)
        return self.times(scale, self.tree(tree))

    def times(self, scale: Fraction, place: int) -> int:
        if scale == 1:
            return place
        if scale == -1:
            return self.program.add("negative", place)
        if scale == 2:
            return self.program.add("add", place, place)
        return self.program.add("multiply", place, self.number(scale))

    def number(self, value: Any) -> int:
        return self.program.add("number", value)

    def tree(self, tree: Tree) -> int:
        if tree not in self.places:
            self.places[tree] = self.made(tree)
        return self.places[tree]

    def made(self, tree: Tree) -> int:
        match tree:
            # Leaves.
            case ("cell", place):
                return self.program.add("cell", place)
            case ("number", value):
                return self.number(value)
            # Sums and products, whose common parts are shared.
            case ("sum", items):
                return self.sum(items)
            case ("product", factors):
                return self.product(factors, Fraction(1))
            # Functions of one argument, with the scale inside.
            case ("abs", inner):
                return self.program.add("abs", self.tree(inner))
            case ("log_slope", (scale, inner)):
                return self.program.log_slope(self.scaled(scale, inner))
            case (name, (Fraction() as scale, inner)):
                return self.program.add(name, self.scaled(scale, inner))
            case ("kept", ((scale, inner),)):
                return self.scaled(scale, inner)
            # Functions of several arguments; minima and maxima are folded pairwise.
            case ("log_ratio" | "product_difference" as name, arguments):
                return self.program.add(name, *(self.scaled(c, part) for c, part in arguments))
            case (name, arguments):
                places = [self.scaled(c, part) for part, c in arguments]
                return reduce(lambda left, right: self.program.add(name, left, right), places)
        raise AssertionError(tree)

    def sum(self, items: tuple[Item, ...]) -> int:
        positive, negative = (self.sums.get(part) or list(part) for part in _signed(items))
        if not positive:
            return self.program.add("negative", self.total(negative))
        if not negative:
            return self.total(positive)
        return self.program.add("subtract", self.total(positive), self.total(negative))

    def total(self, items: list[Item]) -> int:
        places = [self.term(item) for item in sorted(items, key=_pairs_first)]
        return reduce(lambda left, right: self.program.add("add", left, right), places)

    def term(self, item: Item) -> int:
        if item[0] == "pair":
            return self.program.add("add", self.term(item[1]), self.term(item[2]))
        return self.scaled(item[1], item[0])

    def product(self, factors: tuple[Item, ...], scale: Fraction) -> int:
        plain, rooted = (self.products.get(part) or list(part) for part in _parts_of_product(factors))
        above, below = self.side(plain, 1), self.side(plain, -1)
        if rooted:
            up, down = self.side(rooted, 1), self.side(rooted, -1)
            power = _shared_root(factors)
            if up and down:
                above.append(self.power(self.quotient(up, down), power))
            else:
                (above if up else below).append(self.power(self.multiplied(up or down), power))
        if not above:
            return self.program.add("divide", self.number(scale), self.multiplied(below))
        top = self.multiplied(above)
        if scale != 1 and len(above) == 1:
            top, scale = self.times(scale, top), Fraction(1)
        result = self.program.add("divide", top, self.multiplied(below)) if below else top
        return self.times(scale, result)

    def quotient(self, above: list[int], below: list[int]) -> int:
        return self.program.add("divide", self.multiplied(above), self.multiplied(below))

    def side(self, items: list[Item], sign: int) -> list[int]:
        return [self.factor(item) for item in sorted(items, key=_pairs_first) if _sign(item) == sign]

    def multiplied(self, places: list[int]) -> int:
        return reduce(lambda left, right: self.program.add("multiply", left, right), places)

    def factor(self, item: Item) -> int:
        if item[0] == "pair":
            name = "multiply" if _sign(item[1]) == _sign(item[2]) else "divide"
            return self.program.add(name, self.factor(item[1]), self.factor(item[2]))
        base, _, power = item
        place = self.tree(base)
        return place if power == 1 else self.power(place, power)

    def power(self, place: int, power: Fraction) -> int:
        # Square roots are correctly rounded; other powers depend on the platform.
        if power.denominator in (2, 4):
            root = self.program.add("sqrt", place)
            if power == Fraction(1, 2):
                return root
            quarter = self.program.add("sqrt", root)
            return quarter if power == Fraction(1, 4) else self.program.add("multiply", root, quarter)
        return self.program.add("power", place, power)


def _children(tree: Tree) -> Iterator[Tree]:
    match tree:
        case ("sum" | "product" | "minimum" | "maximum", parts):
            yield from (part for part, _ in parts)
        case ("abs", inner):
            yield inner
        case (_, (Fraction(), inner)):  # a function of one argument
            yield inner
        case ("log_ratio" | "product_difference" | "kept", arguments):
            yield from (part for _, part in arguments)


def _signed(items: Iterable[Item]) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
    """Return the positive terms of a sum, and the negative ones with opposite signs."""
    positive: list[Item] = []
    negative: list[Item] = []
    for part, c in items:
        (positive if c > 0 else negative).append((part, abs(c)))
    return tuple(sorted(positive, key=repr)), tuple(sorted(negative, key=repr))


def _parts_of_product(factors: Sequence[tuple[Tree, Fraction]]) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
    """Split a product into integer powers, and bases with exponent 1 or -1 under one common root.

    Of equal products of counts the roots are equal, too, which roots of the counts, multiplied, need not be.
    """
    plain: list[Item] = []
    rooted: list[Item] = []
    root = _shared_root(factors)
    for base, exponent in factors:
        sign = 1 if exponent > 0 else -1
        whole, rest = divmod(abs(exponent), 1)
        plain += [(base, sign, Fraction(1))] * int(whole)
        if rest == root and is_positive(base, strictly=False):
            rooted.append((base, sign, Fraction(1)))
        elif rest:
            plain.append((base, sign, rest))
    return tuple(sorted(plain, key=repr)), tuple(sorted(rooted, key=repr))


def _shared_root(factors: Sequence[tuple[Tree, Fraction]]) -> Fraction:
    """Return the fractional part that all exponents in a product share; else that of square roots."""
    rests = {abs(exponent) % 1 for _, exponent in factors} - {0}
    return rests.pop() if len(rests) == 1 else Fraction(1, 2)


def _sign(item: Item) -> int:
    """Whether a factor belongs to the numerator or the denominator."""
    return max(_sign(item[1]), _sign(item[2])) if item[0] == "pair" else int(item[1])


def _pairs_first(item: Item) -> tuple[bool, str]:
    return item[0] != "pair", repr(item)


def _pair_of_terms(left: Item, right: Item) -> Item | None:
    return ("pair", *sorted((left, right), key=repr))


def _pair_of_factors(left: Item, right: Item) -> Item | None:
    """Return the operation for two factors: a product, or a quotient with the numerator first."""
    if _sign(left) != _sign(right):
        return ("pair", left, right) if _sign(left) > 0 else ("pair", right, left)
    return ("pair", *sorted((left, right), key=repr))
