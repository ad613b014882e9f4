"""Reconciliation: approved campaign metadata against an analytics export, one question for each discrepancy.

state.py      what a thread keeps, and until when
letters.py    bytes to text: encodings by their marks (pure)
figures.py    figures as exports write them: decimal marks, thousands marks, blanks (pure)
table.py      header below a preamble, rows, the totals row apart (pure)
records.py    approved campaigns and exported lines, added up by campaign (pure)
compare.py    what differs (pure)
packet.py     what a model is sent
steps.py      read, compare, review, close
workflow.py   RECONCILIATION, the steps in their order
"""

from core.workflows.reconciliation.compare import check_files
from core.workflows.reconciliation.state import Reconciliation
from core.workflows.reconciliation.workflow import RECONCILIATION

__all__ = ["RECONCILIATION", "Reconciliation", "check_files"]
