"""Reported scores checked: which tables of counts agree with them; no metric is defined here."""

from __future__ import annotations

from symmetrics.auditing.audits import Audit, Audits, audit
from symmetrics.auditing.reported import Reported

__all__ = ["Audit", "Audits", "Reported", "audit"]
