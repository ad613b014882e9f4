"""The reconciliation workflow: its steps, first to last."""

from core.steps import Step, Workflow
from core.workflows.reconciliation import steps
from core.workflows.reconciliation.packet import SLOTS, context
from core.workflows.reconciliation.state import Reconciliation

RECONCILIATION = Workflow(
    name="reconciliation",
    version=1,
    state=Reconciliation,
    steps=(
        Step("read", "Read the export", steps.read),
        Step("compare", "Compare with what was approved", steps.compare),
        Step("review", "Ask about what differs", steps.review),
        Step("close", "Close the job", steps.close),
    ),
    slots=SLOTS,
    context=context,
)
