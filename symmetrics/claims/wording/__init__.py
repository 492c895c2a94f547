"""Words for verdicts: sentences and values, made only from claim, answer and evidence.

Nothing here is stored: a certificate that says something else than what is made here is refused.
"""

from __future__ import annotations

from symmetrics.claims.wording.sentences import sentence_of
from symmetrics.claims.wording.values import value_of, value_text, words_of

__all__ = ["sentence_of", "value_of", "value_text", "words_of"]
