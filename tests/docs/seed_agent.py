"""Rows of the second seed: a run whose next step a model chooses, resumed from state."""

from __future__ import annotations

from tests.docs.rows import Seed, group

AGENT = Seed(
    "Second seed: agent memory, checkpointing state for long-running work",
    (
        group(
            "Three kinds of state",
            "agent.kind",
            (
                "execution",
                "Plan, completed and pending steps, tool results: durable, what a run resumes from.",
                "`thread`",
            ),
            (
                "working",
                "The context window is a rendering of state, built when needed, never authoritative.",
                "`context`, Runs",
            ),
            (
                "long-term",
                "Facts worth keeping across tasks are stored so that they can be found again.",
                "`memory list`, Memory",
            ),
        ),
        group(
            "What a checkpoint holds",
            "agent.checkpoint",
            ("run-id", "`runId`: which run.", "`thread`"),
            ("step", "`step`: its number.", "`thread`"),
            ("plan", "`plan`: the steps in order.", "`thread`, Runs"),
            ("completed", "`completed`: per step what was called and one summary.", "`thread`, Runs"),
            ("working-facts", "`workingFacts`: distilled, never raw transcript.", "`context`, Runs"),
            ("next-action", "`nextAction`: the step that comes next.", "`thread`, Runs"),
            ("every-step", "It is saved after every completed step.", "`thread`"),
        ),
        group(
            "Resume from state, not transcript",
            "agent.resume",
            ("crash", "A crash, a deploy or a person's pause resumes from the checkpoint.", "`worker`"),
            (
                "render",
                "The context is rendered afresh: goal, plan with checkmarks, summaries, next action.",
                "`context`, Runs",
            ),
            ("no-replay", "No conversation is replayed.", "Runs"),
            ("step-5-85", "It is as clean at step 85 as at step 5.", "`python -m tests.benchmarks agent`"),
        ),
        group(
            "Receipts",
            "agent.receipt",
            ("blob", "Raw output goes to blob storage under an id.", "`thread`"),
            ("summary", "The checkpoint gets one summary and the reference (details: blob:a41f).", "`thread`, Runs"),
            ("re-read", "A later step can fetch the details again.", "`context`"),
            ("small", "Checkpoints stay small whatever came before.", "`make bench`"),
        ),
        group(
            "The run page",
            "agent.page",
            ("plan", "The plan with checkmarks.", "Runs"),
            ("summaries", "One summary a step, read as an activity log.", "Runs"),
        ),
        group(
            "Durable engines",
            "agent.engine",
            ("temporal", "Steps as activities, checkpoints as workflow state (Temporal and kin)."),
            ("model-chooses", "The agent is a workflow whose next step a model chooses.", "`demo --migration`"),
        ),
    ),
)
