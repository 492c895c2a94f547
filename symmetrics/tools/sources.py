"""Hashes of meaning: they change when the behaviour of code may change, but not with comments.

A docstring, a comment, an annotation, the order of definitions, the name of a private function and the module that
holds it say nothing about what is computed, so none of them is part of a key.  What is: the syntax tree of every
statement, in which each name that this package defines is replaced by what it stands for.
"""

from __future__ import annotations

import ast
import builtins
import hashlib
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, Final, NamedTuple

PACKAGE: Final = __name__.partition(".")[0]
FOLDER: Final = Path(__file__).parents[1]
WITHOUT_MEANING: Final = {"annotation", "returns", "type_comment", "kind", "ctx", "type_params"}
"""Fields of syntax trees that do not affect behaviour."""
BUILT_IN: Final = frozenset(dir(builtins))
COMPREHENSIONS: Final = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
SCOPES: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, *COMPREHENSIONS)
"""Nodes that open a scope."""
OF_FIELDS: Final = re.compile("ClassVar|InitVar|KW_ONLY")
"""Annotations that affect a dataclass."""
_FOUND_BY_NAME: Final = re.compile(r"""f['"]\{(?P<package>[\w.]+)\}\.""")


class Name(NamedTuple):
    """A resolved name: a module, and a name in it (empty for the module itself)."""

    module: str
    name: str


@dataclass(eq=False)
class Statement:
    """A top-level statement of a module.

    :param defines: the names that it binds
    :param acts: whether it may have other effects, so that its order matters
    :param shape: its syntax tree, with a mark wherever a name stands that the module defines or imports
    :param uses: the names at these marks, in order
    :param mentions: further names, in annotations, and modules that it loads by their names
    """

    defines: frozenset[str]
    acts: bool
    shape: str = ""
    uses: list[Name] = field(default_factory=list)
    mentions: list[Name] = field(default_factory=list)


@dataclass
class Module:
    """A module of this package.

    :param imports: meaning of the imported names
    :param needs: the modules of this package that it imports
    :param statements: all but imports and docstrings
    """

    imports: dict[str, Name]
    needs: frozenset[str]
    statements: list[Statement]


@cache
def fingerprint(module: str) -> str:
    """Return a hash of the behaviour of a module, including everything of the package that it uses.

    A statement that finds modules by their names, as ``import_module(f"{package.__name__}.{name}")`` does, counts as
    one that uses all modules of the package.

    >>> fingerprint("symmetrics.tools.errors") == fingerprint("symmetrics.language.cells")
    False
    """
    modules: dict[str, Module] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in modules:
            modules[name] = _read(name)
            waiting.extend(modules[name].needs)
    return _meaning(modules, _used(module, modules))


def meaning_of_rooms(rooms: Iterable[str]) -> str:
    """Return a hash of the behaviour of the modules in some folders of this package; takes a second.

    >>> meaning_of_rooms(["claims"]) == meaning_of_rooms(["language"])
    False
    """
    modules = {_module_at(path): _read(_module_at(path)) for path in _files(rooms)}
    return _meaning(modules, [statement for content in modules.values() for statement in content.statements])


def bytes_of_rooms(rooms: Iterable[str]) -> str:
    """Return a hash of the files in some folders of this package, and of this module; takes milliseconds.

    >>> bytes_of_rooms(["claims"]) == bytes_of_rooms(["language"])
    False
    """
    digests = [f"{path.relative_to(FOLDER).as_posix()} {_hash(path.read_bytes())}" for path in _files(rooms)]
    digests.append(_hash(Path(__file__).read_bytes()))  # the hash of meaning depends on this module
    return _hash("\n".join(digests).encode())


def _files(rooms: Iterable[str]) -> list[Path]:
    return sorted(path for room in rooms for path in (FOLDER / room).rglob("*.py"))


def _module_at(path: Path) -> str:
    parts = path.relative_to(FOLDER).with_suffix("").parts
    return ".".join((PACKAGE, *parts)).removesuffix(".__init__")


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


# -- from statements to one hash ---------------------------------------------------------------------------------------


def _used(root: str, modules: Mapping[str, Module]) -> list[Statement]:
    """Return all statements that a module uses, directly or indirectly.

    What a statement uses is what its names stand for, those of annotations too: whoever is given an object of a class
    calls its methods.  A statement that acts counts where it uses one of these, or nothing of the package.
    """
    # Direct uses of each statement.
    defining = _defining(modules)
    parts = {
        id(statement): [
            part for name in (*statement.uses, *statement.mentions) for part in _parts(name, modules, defining)
        ]
        for content in modules.values()
        for statement in content.statements
    }
    acting = [statement for content in modules.values() for statement in content.statements if statement.acts]
    used: dict[int, Statement] = {}
    # Transitive closure; then statements that modify a reached object, until nothing is new.
    waiting = list(modules[root].statements)
    while waiting:
        while waiting:
            statement = waiting.pop()
            if id(statement) not in used:
                used[id(statement)] = statement
                waiting.extend(parts[id(statement)])
        waiting = [
            statement
            for statement in acting
            if id(statement) not in used
            and (not parts[id(statement)] or any(id(part) in used for part in parts[id(statement)]))
        ]
    return [statement for content in modules.values() for statement in content.statements if id(statement) in used]


def _defining(modules: Mapping[str, Module]) -> dict[Name, list[Statement]]:
    """Map names to the statements that define them."""
    defining: dict[Name, list[Statement]] = {}
    for module, content in modules.items():
        for statement in content.statements:
            for name in statement.defines:
                defining.setdefault(Name(module, name), []).append(statement)
    return defining


def _parts(name: Name, modules: Mapping[str, Module], defining: Mapping[Name, list[Statement]]) -> list[Statement]:
    """Return the statements behind a name; all of them for a module."""
    if not name.name:
        return modules[name.module].statements if name.module in modules else []
    return defining.get(_resolved(name, modules), [])


def _meaning(modules: Mapping[str, Module], statements: list[Statement]) -> str:
    """Hash statements by colour refinement, as in the minimisation of automata (Moore 1956).

    The first colour of a statement is its shape.  In each round its colour becomes the hash of its shape and of the
    colours of the statements that its names stand for, until no round tells apart statements that had one colour.
    Statements with the same colours compute the same, wherever they stand, and however often they are repeated.

    :param modules: all modules in which the names of the statements have a meaning
    """
    defining = _defining(modules)
    # Initial colours: the shapes, with external names spelled out.
    shapes, uses = {}, {}
    for statement in statements:
        meant = [_resolved(name, modules) for name in statement.uses]
        # An external name stands for itself, and so does one of several names that a statement defines.
        texts = [
            ".".join(name) if name not in defining else name.name if len(defining[name][0].defines) > 1 else ""
            for name in meant
        ]
        shapes[id(statement)] = "\n".join((statement.shape, *texts))
        uses[id(statement)] = [id(other) for name in meant for other in defining.get(name, ())]
    for content in modules.values():
        acting = [statement for statement in content.statements if statement.acts and id(statement) in uses]
        for before, statement in pairwise(acting):
            uses[id(statement)].append(id(before))
    # Refine until no round separates statements of one colour.
    colours = {place: _hash(shape.encode()) for place, shape in shapes.items()}
    while True:
        refined = {
            place: _hash("\n".join((shape, *(colours[other] for other in uses[place]))).encode())
            for place, shape in shapes.items()
        }
        if len(set(refined.values())) == len(set(colours.values())):
            return _hash("\n".join(sorted(set(refined.values()))).encode())[:16]
        colours = refined


def _resolved(name: Name, modules: Mapping[str, Module]) -> Name:
    """Follow a name through re-exports to the module that defines it."""
    seen = set()
    while name not in seen and name.module in modules and name.name in modules[name.module].imports:
        seen.add(name)
        name = modules[name.module].imports[name.name]
    return name


# -- from source to statements -----------------------------------------------------------------------------------------


@cache
def _read(module: str) -> Module:
    path = _path(module)
    tree = ast.parse(b"" if path is None else path.read_bytes())
    # Imports first, wherever they are: they give names their meaning.
    imports: dict[str, Name] = {}
    needs: set[str] = set()
    nodes = list(ast.walk(tree))
    for node in nodes:
        if isinstance(node, ast.Import):
            imports |= {alias.asname: Name(alias.name, "") for alias in node.names if alias.asname is not None}
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                ours = node.module.partition(".")[0] == PACKAGE
                is_module = ours and _path(whole) is not None
                imports[alias.asname or alias.name] = Name(whole, "") if is_module else Name(node.module, alias.name)
                needs |= {node.module, whole} if is_module else {node.module} if ours else set()
    for node in nodes:
        needs |= set(_found_by_name(node, module, imports))
    statements = [found for node in tree.body if (found := _statement(node, imports)) is not None]
    # Then the shape of each statement, with marks for known names.
    known = imports.keys() | {name for _, statement in statements for name in statement.defines}
    for node, statement in statements:
        shape = _Shape(module, imports, known, statement.uses)
        shape.add(node)
        statement.shape = "".join(shape.pieces)
        statement.mentions = sorted(set(shape.mentioned(node)))
        found_by_name = (found for part in ast.walk(node) for found in _found_by_name(part, module, imports))
        statement.mentions += [Name(found, "") for found in found_by_name]
    return Module(imports, frozenset(needs), [statement for _, statement in statements])


def _statement(node: ast.stmt, imports: Mapping[str, Name]) -> tuple[ast.stmt, Statement] | None:
    if _says_nothing(node) or _is_bare_annotation(node) or _defines_all(node):
        return None
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        # Decorators of this package may register the object in a table.
        roots = {part.id for each in node.decorator_list for part in ast.walk(each) if isinstance(part, ast.Name)}
        ours = any(
            name not in imports or imports[name].module.partition(".")[0] == PACKAGE for name in roots - BUILT_IN
        )
        return node, Statement(frozenset({node.name}), acts=ours)
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    defines = bool(targets) and all(isinstance(target, ast.Name | ast.Tuple) for target in targets)
    return node, Statement(frozenset(_assigned(node)), acts=not defines)


def _defines_all(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and any(isinstance(at, ast.Name) and at.id == "__all__" for at in node.targets)


def _assigned(node: ast.AST) -> Iterator[str]:
    """Yield the names that a top-level statement binds."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    elif not isinstance(node, ast.Lambda | ast.comprehension):
        for part in ast.iter_child_nodes(node):
            yield from _assigned(part)


def _own_names(scope: ast.AST) -> set[str]:
    """Return the names that are local to a function or a comprehension."""
    own: set[str] = set()
    shared: set[str] = set()
    waiting = [part.target for part in getattr(scope, "generators", ())] or list(ast.iter_child_nodes(scope))
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Global):
            shared |= set(node.names)
        elif isinstance(node, ast.arg):
            own.add(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            own.add(node.id)
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs) and node.name is not None:
            own.add(node.name)
        if not isinstance(node, SCOPES):
            waiting.extend(ast.iter_child_nodes(node))
    return own - shared


def _says_nothing(node: Any) -> bool:
    """Whether a node has no effect: an import, a string expression, or code for type checkers only."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        return True
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _is_bare_annotation(node: Any) -> bool:
    return isinstance(node, ast.AnnAssign) and node.value is None


@dataclass
class _Shape:
    """Canonical pieces of a syntax tree, independent of the Python version.

    :param imports: meaning of the imported names of the module
    :param known: all names that the module imports or defines, without those that have another meaning at hand, such as
        the parameters of a function
    :param uses: meaning of the names met so far
    """

    module: str
    imports: Mapping[str, Name]
    known: Set[str]
    uses: list[Name]
    pieces: list[str] = field(default_factory=list)

    def add(self, node: Any, depth: int = 0, *, in_class: bool = False) -> None:
        """Append the pieces of a node.

        :param depth: 0 for a statement of a module
        :param in_class: whether the node stands in the body of a class
        """
        if isinstance(node, list):
            self.pieces.append("[")
            for item in node:
                if not _says_nothing(item) and (in_class or not _is_bare_annotation(item)):
                    self.add(item, depth, in_class=in_class)
            self.pieces.append("]")
        elif isinstance(node, ast.Name) and node.id in self.known:
            self._use(self.imports.get(node.id) or Name(self.module, node.id))
        elif isinstance(node, ast.Attribute) and (home := self._module_of(node.value)) is not None:
            self._use(Name(home, node.attr))
        elif isinstance(node, ast.AnnAssign):
            # At module level it is an assignment; in a class an annotated field, unlike a plain assignment.
            matters = OF_FIELDS.findall(ast.unparse(node.annotation))
            self.pieces.append(f"(field{matters} targets[" if in_class else "(Assign targets[")
            self.add(node.target, depth + 1)
            self.pieces.append("] value")
            self.add(node.value, depth + 1)
            self.pieces.append(")")
        elif isinstance(node, SCOPES):
            known = self.known
            self.known = known - _own_names(node)
            self._add_fields(node, depth)
            self.known = known
        elif isinstance(node, ast.AST):
            self._add_fields(node, depth)
        else:
            self.pieces.append(f"{type(node).__name__}:{node!r}")

    def _add_fields(self, node: ast.AST, depth: int) -> None:
        self.pieces.append(f"({type(node).__name__}")
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(node, ast.JoinedStr):  # Python 3.12 adds empty strings
                value = [part for part in node.values if not (isinstance(part, ast.Constant) and part.value == "")]
            is_private = depth == 0 and name == "name" and str(value).startswith("_")
            if value is not None and value != [] and name not in WITHOUT_MEANING and not is_private:
                self.pieces.append(f" {name}")
                self.add(value, depth + 1, in_class=name == "body" and isinstance(node, ast.ClassDef))
        self.pieces.append(")")

    def mentioned(self, node: ast.AST) -> Iterator[Name]:
        """Yield the meaning of all names in a node, annotations included."""
        home = self._module_of(node.value) if isinstance(node, ast.Attribute) else None
        if home is not None and isinstance(node, ast.Attribute):
            yield Name(home, node.attr)
        elif isinstance(node, ast.Name) and node.id in self.known:
            yield self.imports.get(node.id) or Name(self.module, node.id)
        else:
            for part in ast.iter_child_nodes(node):
                yield from self.mentioned(part)

    def _use(self, name: Name) -> None:
        self.pieces.append("@")
        self.uses.append(name)

    def _module_of(self, node: ast.expr) -> str | None:
        """Return the module of this package that a name denotes, None if it denotes something else."""
        found = self.imports.get(node.id) if isinstance(node, ast.Name) and node.id in self.known else None
        is_ours = found is not None and not found.name and found.module.startswith(f"{PACKAGE}.")
        return found.module if found is not None and is_ours else None


def _found_by_name(node: ast.AST, module: str, imports: Mapping[str, Name]) -> Iterator[str]:
    """Yield the modules that a call ``import_module(f"{package}.…")`` may import."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "import_module"):
        return
    found = _FOUND_BY_NAME.match(ast.unparse(node.args[0]))
    if found is None:
        return
    holder = found["package"].removesuffix("__name__").removesuffix(".")
    package = imports[holder].module if holder else module
    yield from (f"{package}.{each.name}" for each in iter_modules(_folders(package)))


@cache
def _path(module: str) -> Path | None:
    """Return the file of a module of this package without importing anything, None if there is none."""
    package, _, name = module.rpartition(".")
    places = [
        at for folder in _folders(package) for at in (Path(folder, name, "__init__.py"), Path(folder, f"{name}.py"))
    ]
    return next((path for path in places if path.is_file()), None)


def _folders(package: str) -> list[str]:
    """Return the folders of a package's modules; empty if it is not a package."""
    if not package:
        return [str(FOLDER.parent)]
    if package in sys.modules:
        return list(getattr(sys.modules[package], "__path__", ()))
    above, _, name = package.rpartition(".")
    return [str(Path(folder, name)) for folder in _folders(above)]
