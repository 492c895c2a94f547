"""Lemmas for the kernel of the Rocq prover: what verdicts say, with scripts that prove it; nothing is believed here
because it was proved elsewhere.

What the exporter shares with the prover and the checker, and what would show a mistake there:

* the reader of formulas, the records of metrics and properties, and the claims that these make.  A statement is made
  from the claim that was decided, so that a property which says something else than it is meant to is stated as it is;
  a reader finds it in the theory, where the statement stands in full;
* SymPy's automatic simplification of what is typed.  Where it makes both sides of a comparison one formula, the lemma
  says t = t and is called weaker;
* what verdicts found: ranges, limits, groups, bases, counterexamples and signs.  They are taken from certificates and
  not believed: the kernel rejects the lemma if one is wrong;
* the reading of certificates and of conditions on parameters (:mod:`symmetrics.language.formula`,
  :mod:`symmetrics.language.condition`, :mod:`symmetrics.claims`);
* some functions of the prover, the checker and the algebra that find proofs or tell whether one is to be looked for,
  and write nothing of a statement but the two sides of a link between orders, which the kernel verifies: in
  ``baselines``, ``links``, ``logarithms``, ``quotients``, ``radicals`` and ``slopes``.  A mistake there is a lemma that
  is rejected.

What it shares with neither is the printer of formulas as terms of Rocq (:mod:`symmetrics.rocq.engine.terms`) and the
hand-written files.  A mistake in the printer would certify another formula.  Two things would show it: below each
definition the kernel computes its values at three tables, and they have to be those that the library computes from its
own formula; and the tests read the definitions with an evaluator of their own.

On the way to the kernel a theory is read sentence by sentence and holds nothing but what the exporter writes
(:mod:`symmetrics.rocq.judge.gate`); it is compiled where it can write nothing (:mod:`symmetrics.rocq.judge.confined`);
and the kernel is asked, outside of the theory, whether each lemma says what the library means by its name
(:mod:`symmetrics.rocq.theories.meanings`, :mod:`symmetrics.rocq.judge.judging`).
"""
