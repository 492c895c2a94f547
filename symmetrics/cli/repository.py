"""Commands for the repository: ``build`` and ``check``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from symmetrics.cli.parsing import Parser, verb
from symmetrics.tools.words import number_of

if TYPE_CHECKING:
    from symmetrics.metric import Metric
    from symmetrics.repository.certificates import Checked


MOST_NAMED = 20
"""Of more files in a folder than this only the number is said."""


def _add_build(parser: Parser) -> None:
    parser.add_argument(
        "--fresh", action="store_true", help="decide everything anew, instead of what has changed since the last time"
    )
    parser.add_argument(
        "--kernel",
        choices=["all"],
        help="write all theories for the kernel of the Rocq prover to proofs/coq, those that are not tracked too, and "
        "nothing else",
    )
    parser.add_argument(
        "--root", type=Path, default=Path(), metavar="FOLDER", help="root of the repository (default: here)"
    )


@verb("build", "regenerate what is generated in proofs/ and in the README", _add_build)
def _build(options: argparse.Namespace) -> str:
    from symmetrics.repository.building import build
    from symmetrics.repository.certificates import build_theories

    changed = build_theories(options.root) if options.kernel else build(options.root, fresh=options.fresh)
    return "\n".join([*_told(changed), f"{number_of(len(changed), 'file')} changed"])


def _told(changed: list[Path]) -> list[str]:
    """Return what happened to files, a line each, or a line for a folder in which it happened to many."""
    folders: dict[tuple[str, Path], list[Path]] = {}
    for path in changed:
        folders.setdefault(("wrote" if path.exists() else "removed", path.parent), []).append(path)
    lines = []
    for (done, folder), paths in folders.items():
        many = len(paths) > MOST_NAMED
        lines += (
            [f"{done} {number_of(len(paths), 'file')} in {folder}"] if many else [f"{done} {path}" for path in paths]
        )
    return lines


def _add_check(parser: Parser) -> None:
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="metrics, or files or folders of certificates (default: all of the root); with --kernel files of "
        "theories, or one metric or formula (default: all theories)",
    )
    parser.add_argument(
        "--claim", metavar="KEY", help="judge one claim of a paper anew, such as tan2006.equation_5_76; or all of them"
    )
    parser.add_argument("--kernel", choices=["coq"], help="give lemmas to the kernel of the Rocq prover (package coq)")
    parser.add_argument(
        "--param", action="append", default=[], metavar="DECLARATION", help="with --kernel, a parameter as in 'prove'"
    )
    parser.add_argument(
        "--root",
        type=Path,
        metavar="FOLDER",
        help="root of the repository (default: here, or else what comes with the package)",
    )


@verb("check", "re-verify certificates, by other code than wrote them", _add_check)
def _check(options: argparse.Namespace) -> str:
    from collections import Counter

    if options.claim is not None:
        return _claims(options)
    if options.kernel is not None:
        return _kernel(options)
    from symmetrics.repository.verifying import check_named
    from symmetrics.tools.errors import InputError, shortened

    if options.param:
        raise InputError(f"--param {options.param[0]!r} is for a formula, which only --kernel takes; leave it out")
    verdicts = list(check_named(options.root, options.paths))
    counts = Counter(verdict.status for verdict in verdicts)
    listed = ", ".join(f"{counts[status]} {status}" for status in ("proved", "refuted", "conditional", "open"))
    unknown = dict.fromkeys(own for verdict in verdicts for own in verdict.own)
    notes = [
        f"note: {shortened(name)!r} is no name that the library knows; what was re-verified is about M = {formula}"
        for name, formula in unknown
    ]
    told = [f"{number_of(counts.total(), 'verdict')} re-verified: {listed}", *_parts(verdicts), *notes]
    return "\n".join(told)


def _parts(verdicts: list[Checked]) -> list[str]:
    """Return which verdicts the README does not count, and what of the open ones was verified."""
    from symmetrics.matrices.deciding import is_at_size

    names = {verdict.metric for verdict in verdicts}
    of_matrices = {name for name in names if is_at_size(name)}
    told = []
    if of_matrices and names - of_matrices:
        many = [verdict for verdict in verdicts if verdict.metric in of_matrices]
        open_ones = sum(verdict.status == "open" for verdict in many)
        told.append(
            f"note: {number_of(len(many), 'verdict')}, {open_ones} of them open, about metrics of many classes, which "
            "the README does not count"
        )
    if any(verdict.status == "open" for verdict in verdicts):
        told.append("note: an open verdict decides nothing in general; only what it says at the defaults is verified")
    return told


def _claims(options: argparse.Namespace) -> str:
    from symmetrics.papers.claims.writing import ruling_text, summary_line
    from symmetrics.repository.verifying import check_claims
    from symmetrics.tools.errors import InputError

    if options.paths:
        raise InputError(f"--claim judges a claim of a paper and takes no path; leave out {options.paths[0]}")
    heard = check_claims(options.root, options.claim)
    texts = [ruling_text(one) for one in heard]
    return "\n\n".join([*texts, summary_line(heard)] if options.claim == "all" else texts)


def _kernel(options: argparse.Namespace) -> str:
    from symmetrics.repository.verifying import check_with_kernel, judge_metric, root_of
    from symmetrics.rocq.theories.inventory import judged_text
    from symmetrics.tools.errors import CertificateError, InputError

    metric = _metric_of(options)
    with root_of(options.root) as root:
        judged = check_with_kernel(root, map(Path, options.paths)) if metric is None else judge_metric(root, metric)
    entries, judgements, unknown = judged
    text = judged_text(entries, list(judgements.values()))
    empty = [path for path, judgement in judgements.items() if not (judgement.accepted or judgement.rejected)]
    if empty and len(empty) == len(judgements):
        raise InputError(f"{', '.join(map(str, empty))} states no lemma, so that nothing can be checked; name others")
    text += "".join(f"\n\n{path} states no lemma: nothing in it was checked" for path in empty)
    for path in (path for path in unknown if path not in empty):
        count = len(judgements[path].accepted)
        text += f"\n\n{path}: the library knows no metric, relations or paper of this name, so that what its "
        text += (
            f"{number_of(count, 'accepted lemma')} say was not compared with anything; they say what "
            "stands there, and no more"
        )
    rejected = [(name, why) for judgement in judgements.values() for name, why in judgement.rejected.items()]
    axioms = {path: judgement.unknown_axioms for path, judgement in judgements.items() if judgement.unknown_axioms}
    if rejected or axioms:
        print("\n".join([f"{text}\n", *(f"rejected: {name}: {why}" for name, why in rejected)]))
        if rejected:
            named = ", ".join(name for name, _ in rejected)
            what = f"{number_of(len(rejected), 'lemma')}, {named}; the first of them in {rejected[0][1]}"
        else:
            path, found = next(iter(axioms.items()))
            what = f"lemmas of {path} that rest on {min(found)}"
        advice = "regenerate the theories with 'symmetrics build'"
        if metric is not None:
            advice = "the proofs written for them do not pass, so that these verdicts rest on prover and checker alone"
        raise CertificateError(f"the kernel rejects {what}; {advice}")
    return text


def _metric_of(options: argparse.Namespace) -> Metric | None:
    """Return the metric or the formula that is to be given to the kernel, None if files are."""
    from symmetrics.cli.parsing import metric_or_formula
    from symmetrics.tools.errors import InputError

    named = [text for text in options.paths if not (text.endswith(".v") or Path(text).exists())]
    if len(options.paths) > 1 and named:
        raise InputError(f"{named[0]!r} is no file: name files of theories, or one metric or formula alone")
    if not named:
        if options.param:
            raise InputError(f"--param {options.param[0]!r} is for a formula; leave it out, or name the formula")
        return None
    return metric_or_formula(named[0], options.param)
