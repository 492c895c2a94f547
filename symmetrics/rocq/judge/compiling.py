"""The compiler of the kernel, and the hand-written files that theories require."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Final

from symmetrics.tools.errors import InputError
from symmetrics.tools.workers import pool, run_program

COMPILER: Final = "coqc"
INSTALL: Final = "apt-get install coq"
PRELUDE: Final = Path(__file__).parents[1] / "prelude"
CONFINED: Final = Path(__file__).with_name("confined.py")
ENVIRONMENT: Final = ("PATH", "LANG", "LC_ALL", "COQLIB", "COQCORELIB", "OCAMLRUNPARAM", "SYSTEMROOT")
"""Environment variables for the compiler: no library search path, no settings."""
LIBRARY: Final = "Symmetrics"
COLLECTOR: Final = "o=400"
"""Garbage collector settings: with more memory the (OCaml) compiler is an eighth faster."""
_REQUIREMENT: Final = re.compile(rf"^From {LIBRARY} Require (?:Import|Export) (?P<names>[^.]*)\.", re.MULTILINE)


def require_kernel() -> str:
    """Return the path of the compiler.

    :raises InputError: if it is not installed
    """
    found = shutil.which(COMPILER)
    if found is None:
        raise InputError(f"no {COMPILER} on the path; install the Rocq prover, in Debian with: {INSTALL}")
    return found


@contextmanager
def compiled_prelude(*names: str) -> Iterator[Path]:
    """Context with a folder of the compiled hand-written files.

    :param names: the files that are needed, with all that they require; without any, all of them
    :raises InputError: if the compiler is missing, or does not accept one of the files
    """
    require_kernel()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for source in prelude_files(*names):
            shutil.copy(source, folder)
        _compile_all(folder)
        yield folder


def prelude_files(*names: str) -> set[Path]:
    """Return hand-written files with their transitive requirements; all of them by default."""
    if not names:
        return {*PRELUDE.glob("*.v")}
    found, waiting = set[Path](), [PRELUDE / f"{name}.v" for name in names]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += [PRELUDE / f"{name}.v" for name in required(path.read_text(encoding="utf-8"))]
    return found


def _compile_all(folder: Path) -> None:
    """Compile the files of a folder in order of their requirements, in parallel."""
    files = {path.stem: path for path in sorted(folder.glob("*.v"))}
    needs = {name: required(path.read_text(encoding="utf-8")) & files.keys() for name, path in files.items()}
    sorter = TopologicalSorter(needs)
    sorter.prepare()
    running = dict[Future[subprocess.CompletedProcess[str]], str]()
    with pool(threads=True) as compilers:
        while sorter.is_active():
            for name in sorter.get_ready():
                running[compilers.submit(compile_file, files[name], (folder, LIBRARY))] = name
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                name, output = running.pop(future), future.result()
                if output.returncode:
                    raise InputError(f"the kernel does not accept {name}.v: {complaint(output.stderr)}")
                sorter.done(name)


def requirements(text: str) -> list[str]:
    """Return the sentences in a file that require hand-written files."""
    return [found.group() for found in _REQUIREMENT.finditer(text)]


def required(text: str) -> set[str]:
    """Return the hand-written files that a file requires, by their names."""
    return {name for found in _REQUIREMENT.finditer(text) for name in found["names"].split()}


def compile_file(file: Path, *folders: tuple[Path, str]) -> subprocess.CompletedProcess[str]:
    """Compile a file in a process that can only write to the file's folder.

    :param folders: those that it may require files of, each with its name in the requirement
    """
    mapped = [part for folder, name in folders for part in ("-R", str(folder), name)]
    kept = {name: value for name, value in os.environ.items() if name in ENVIRONMENT}
    return run_program(
        [sys.executable, "-I", "-S", str(CONFINED), str(file.parent), require_kernel(), "-q", *mapped, str(file)],
        cwd=file.parent,  # the compiler writes caches to its working folder
        env={"OCAMLRUNPARAM": COLLECTOR, **kept, "HOME": str(file.parent), "TMPDIR": str(file.parent)},
    )


def complaint(errors: str) -> str:
    """Return the compiler's error message, on one line."""
    lines = [line for line in errors.splitlines() if line and not line.startswith("File ")]
    return " ".join(lines)[:300]


# -- Vocabulary of theories --------------------------------------------------------------------------------------------

# Statements use few words, so that a reader knows what each means, and no file may redefine them.
# Proofs use more, including the lemmas and tactics of the hand-written files; none of them does anything
# but prove.


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


LOGIC: Final = _words("forall exists fun Prop True False Q R Z")
FUNCTIONS: Final = _words("sqrt root ln Rabs Rmin Rmax PI")
NOTIONS: Final = _words(
    """
    affine_at_margins bounded closed_lower_end closed_upper_end constant_baseline constant_if_independent
    defined_everywhere everywhere falls_along grows_along has_free_move has_free_scaling has_symmetry
    largest_at_agreement limit_along linear_relation linked lower_end moves_freely no_lower_end no_upper_end
    open_lower_end open_upper_end opposite_order ratio_of_linear_forms same_order scales_freely
    smallest_at_disagreement symmetry_group upper_end
    AtTP AtFN AtFP AtTN Same Complement Negative Reciprocal
    """
)
"""Definitions in the hand-written files that statements use."""
STATEMENT: Final = LOGIC | FUNCTIONS | NOTIONS
"""Words of statements, besides the names of formulas, propositions, cells and parameters."""
KEYWORDS: Final = _words("Set Type cofix else end fix if let match struct then where")
"""Keywords that theories do not use; neither these, nor those of proofs that Python has as well, can be names of
variables."""
SCOPES: Final = _words("Z nat")
"""Allowed number scopes, after a percent sign."""
TACTICS: Final = _words(
    """
    all apply assert cbn clear clearbody destruct eapply exact exfalso exists field first intro intros intuition left
    pose repeat replace revert rewrite right specialize split unfold
    """
)
"""First words of proof steps, besides the tactics of the hand-written files."""
PROOF: Final = _words(
    """
    as assumption auto beta by cbv conj constr discriminate do eq_refl eqn etransitivity idtac iff_refl iff_trans in
    lra ltac nat nra proof reflexivity remember ring ring_simplify simpl solve symmetry transitivity try with
    I INR Q_dec Rcase_abs Req_le Rlt_le ln_1 ln_increasing ln_mult pow2_ge_0 sqrt_1 sqrt_sqrt
    """
)
"""Other words of proofs, besides names defined in the theory and the hand-written files."""
LOCAL: Final = re.compile(
    r"[A-Za-z]|[A-Z][a-z]?\d+|[a-z]\d+|(along|at|case|part|zero|(positive_|square_)?atom)\d+|other_\w+|E(TP|FN|FP|TN)"
    r"|TP|FN|FP|TN|_|apart_from_zero|below_v|below_w|e_positive|everywhere|found|given|held|limit|link|s_positive|s_small"
    r"|together|value"
)
"""Names of hypotheses and variables in proofs."""
EFFECTS: Final = _words(
    """
    abstract admit csdp exact_no_check fail give_up infoH ltac2 native_cast_no_check native_compute optimize_heap psatz
    restart_timer show time transparent_abstract unshelve vm_cast_no_check vm_compute
    """
)
"""Forbidden tactics: those with side effects, or not needed; nothing in a theory may have such a name."""
_DECLARED: Final = re.compile(r"^ *(Lemma|Theorem|Definition|Fixpoint|Ltac) (?P<name>\w+)", re.MULTILINE)


@cache
def first_words() -> frozenset[str]:
    """Return the allowed first words of a proof step."""
    return TACTICS | _declared()


@cache
def proof_words() -> frozenset[str]:
    """Return the words of proofs, except names of hypotheses and variables."""
    return TACTICS | PROOF | STATEMENT | _declared()


@cache
def _declared() -> frozenset[str]:
    """Return the names defined in the hand-written files."""
    texts = (path.read_text(encoding="utf-8") for path in PRELUDE.glob("*.v"))
    return frozenset(found["name"] for text in texts for found in _DECLARED.finditer(text))
