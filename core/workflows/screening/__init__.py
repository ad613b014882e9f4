"""Screening: one applicant from the files they sent to a booked slot, an expired invite, or a decline.

state.py      what a thread keeps, and until when
assess.py     the steps before a person: intake, rules, recall, score, route
rules.py      yes, no or not stated, from the form and the visible text (pure)
score.py      the packet, the reply, and where each quote stands (pure)
quotes.py     finding a quote in visible text (pure)
route.py      total, band, proposal (pure)
review.py     the step in which a person answers
letters.py    the letters and the effects that carry them (pure)
follow.py     the steps after: invite, reminder, booking
retract.py    the question whether to take an invite back
resend.py     the question whether to send an invite once more
events.py     what the outside may tell a thread
history.py    what later threads may recall
workflow.py   SCREENING, the steps in their order; SCORING, those that score anew
"""

from core.workflows.screening.events import check_event
from core.workflows.screening.letters import preview
from core.workflows.screening.state import Screening
from core.workflows.screening.workflow import SCORING, SCREENING

__all__ = ["SCORING", "SCREENING", "Screening", "check_event", "preview"]
