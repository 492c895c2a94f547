"""Commands for the repository: ``build`` and ``check``."""

from __future__ import annotations

import argparse
from pathlib import Path

from symmetrics.cli.parsing import Commands, add_command

__all__ = ["add_commands"]


def add_commands(commands: Commands) -> None:
    """Add the commands of this module."""
    build = add_command(commands, "build", _build, "regenerate what is generated in proofs/ and in the README")
    build.add_argument(
        "--fresh", action="store_true", help="decide everything anew, instead of what has changed since the last time"
    )
    check = add_command(commands, "check", _check, "re-verify certificates, by other code than wrote them")
    check.add_argument(
        "paths",
        nargs="*",
        type=Path,
        metavar="PATH",
        help="files or folders (default: proofs/certificates of the root)",
    )
    check.add_argument(
        "--claim", metavar="KEY", help="judge one claim of a paper anew, such as tan2006.equation_5_76; or all of them"
    )
    check.add_argument(
        "--kernel", choices=["coq"], help="give the lemmas in proofs/coq to the kernel of the Rocq prover (package coq)"
    )
    for command in (build, check):
        command.add_argument(
            "--root", type=Path, default=Path(), metavar="FOLDER", help="root of the repository (default: here)"
        )


def _build(options: argparse.Namespace) -> str:
    from symmetrics.repository.building import build

    changed = build(options.root, fresh=options.fresh)
    lines = [f"{'wrote' if path.exists() else 'removed'} {path}" for path in changed]
    return "\n".join([*lines, f"{len(changed)} file{'' if len(changed) == 1 else 's'} changed"])


def _check(options: argparse.Namespace) -> str:
    from collections import Counter

    if options.claim is not None:
        return _claims(options)
    if options.kernel is not None:
        return _kernel(options)
    from symmetrics.language.formula import shortened
    from symmetrics.repository.building import CERTIFICATES, check_certificates

    verdicts = list(check_certificates(options.paths or [options.root / CERTIFICATES]))
    counts = Counter(verdict.status for verdict in verdicts)
    listed = ", ".join(f"{counts[status]} {status}" for status in ("proved", "refuted", "conditional", "open"))
    unknown = dict.fromkeys((verdict.metric, verdict.formula) for verdict in verdicts if verdict.formula is not None)
    notes = [
        f"note: {shortened(name)!r} is no name that the library knows; what was re-verified is about M = {formula}"
        for name, formula in unknown
    ]
    return "\n".join([f"{counts.total()} verdicts re-verified: {listed}", *notes])


def _claims(options: argparse.Namespace) -> str:
    from symmetrics.papers.claims.writing import ruling_text, summary_line
    from symmetrics.repository.building import check_claims
    from symmetrics.tools.errors import InputError

    if options.paths:
        raise InputError(f"--claim judges a claim of a paper and takes no path; leave out {options.paths[0]}")
    heard = check_claims(options.root, options.claim)
    texts = [ruling_text(one) for one in heard]
    return "\n\n".join([*texts, summary_line(heard)] if options.claim == "all" else texts)


def _kernel(options: argparse.Namespace) -> str:
    from symmetrics.repository.building import check_with_kernel
    from symmetrics.rocq.theories.inventory import judged_text
    from symmetrics.tools.errors import CertificateError

    entries, judgements, unknown = check_with_kernel(options.root, options.paths)
    text = judged_text(entries, list(judgements.values()))
    for path in unknown:
        count = len(judgements[path].accepted)
        text += f"\n\n{path}: the library knows no metric, relations or paper of this name, so that what its "
        text += f"{count} accepted lemmas say was not compared with anything; they say what stands there, and no more"
    rejected = {name: why for judgement in judgements.values() for name, why in judgement.rejected.items()}
    axioms = {path: judgement.unknown_axioms for path, judgement in judgements.items() if judgement.unknown_axioms}
    if rejected or axioms:
        print(text)
        name, why = next(iter(rejected.items()), ("", ""))
        what = f"{len(rejected)} lemmas, the first {name}: {why}"
        if not rejected:
            path, found = next(iter(axioms.items()))
            what = f"lemmas of {path} that rest on {min(found)}"
        raise CertificateError(f"the kernel rejects {what}; regenerate the theories with 'symmetrics build'")
    return text
