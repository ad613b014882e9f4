"""The screening workflow: its steps, first to last, and all that its threads accept."""

from core.steps import Step, Workflow
from core.workflows.screening import assess, follow, review
from core.workflows.screening.events import ASKED, EVENTS
from core.workflows.screening.score import SLOTS
from core.workflows.screening.state import Screening

SCREENING = Workflow(
    name="screening",
    version=1,
    state=Screening,
    steps=(
        Step("intake", "Read the files", assess.intake),
        Step("rules", "Check the rules", assess.rules),
        Step("recall", "Look up earlier applications", assess.recall),
        Step("score", "Score against the rubric", assess.score),
        Step("route", "Add up and propose", assess.route),
        Step("review", "Ask the reviewer", review.review),
        Step("invite", "Send the invite", follow.invite),
        Step("reminder", "Remind before the deadline", follow.reminder),
        Step("booking", "Wait for the booking", follow.booking),
    ),
    events=EVENTS,
    asked=ASKED,
    slots=SLOTS,
    context=assess.context,
)

# The steps that give a state another total, band and proposal; they ask the model and nobody else.
SCORING = ("score", "route")
