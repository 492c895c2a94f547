"""Reported scores checked: which tables of counts agree with them, and what they fix; no metric is defined here."""

from __future__ import annotations

from symmetrics.auditing.answers import Audit, Audits
from symmetrics.auditing.audits import audit
from symmetrics.auditing.determinations import Determination
from symmetrics.auditing.determining import determined
from symmetrics.auditing.forcing import Forces, forces
from symmetrics.auditing.reported import Reported

__all__ = ["Audit", "Audits", "Determination", "Forces", "Reported", "audit", "determined", "forces"]
