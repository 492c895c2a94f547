"""Reported scores checked: which tables of counts agree with them; no metric is defined here."""

from __future__ import annotations

from symmetrics.auditing.answers import Audit, Audits
from symmetrics.auditing.audits import audit
from symmetrics.auditing.classes import MatrixAudit
from symmetrics.auditing.means import MeanAudit
from symmetrics.auditing.reported import Reported

__all__ = ["Audit", "Audits", "MatrixAudit", "MeanAudit", "Reported", "audit"]
