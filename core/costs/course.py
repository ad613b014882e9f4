"""The course's arithmetic: one conversation for a whole role against one thread for each applicant.

Everything is computed from the inputs that are shown; none of the text's sums stands here. Amounts are whole
picodollars, sizes are bytes (1 KB is 1,000).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal

from core.ports import Rates

# $2 and $8 a million tokens, and no cache: the first seed's own assumption.
COURSE_RATES = Rates(0, 2_000_000, 2_000_000, 2_000_000, 2_000_000, 8_000_000)


@dataclass(frozen=True, slots=True)
class CourseInputs:
    """What the arithmetic rests on, as the first seed gives it.

    `bytes_per_word`, `look_share` and `seconds_each` are not in its text and are ours: how long a word of a CV is, how
    many of a hundred applicants fall into the band of 12 to 17, and how long a founder takes for one of them.
    """

    applicants: int = 150
    words: int = 1_100
    tokens_per_word: Decimal = Decimal("1.3")
    form_tokens: int = 270
    answer_tokens: int = 300  # what scores and calls add to a conversation
    fixed_tokens: int = 2_000  # system prompt, rubric and job description
    output_tokens: int = 250
    output_reserve: int = 8_000
    window: int = 200_000
    rates: Rates = COURSE_RATES
    checkpoint_bytes: int = 2_000
    checkpoints: int = 8
    bytes_per_word: Decimal = Decimal("6.3")
    look_share: Decimal = Decimal("0.30")
    seconds_each: int = 15

    def at(self, applicants: int) -> CourseInputs:
        """Answer the same inputs for another number of applicants."""
        return replace(self, applicants=applicants)

    @property
    def cv_tokens(self) -> int:
        """The tokens of a CV and its cover note."""
        return round(self.words * self.tokens_per_word)

    @property
    def applicant_tokens(self) -> int:
        """What one applicant brings: CV, cover note, form and rule results."""
        return self.cv_tokens + self.form_tokens

    @property
    def growth(self) -> int:
        """What one applicant adds to a conversation."""
        return self.applicant_tokens + self.answer_tokens


@dataclass(frozen=True, slots=True)
class Course:
    """What comes of the inputs. Conversation figures cover the applicants that fit."""

    inputs: CourseInputs
    room: int
    fits: int
    covered: int
    left_out: int
    conversation_tokens: int
    conversation: int  # of its input, as the text counts it
    conversation_output: int
    threads_input_tokens: int
    threads_output_tokens: int
    threads_input: int
    threads_output: int
    bytes_per_thread: int
    bytes_total: int
    copies: int
    copied_bytes: int
    queue: int
    queue_seconds: int

    @property
    def threads(self) -> int:
        """What all threads cost."""
        return self.threads_input + self.threads_output


def course(inputs: CourseInputs) -> Course:
    """Compute everything from the inputs."""
    count, rates = inputs.applicants, inputs.rates
    room = inputs.window - inputs.fixed_tokens - inputs.output_reserve
    fits = max(0, room // inputs.growth)
    covered = min(count, fits)
    read = conversation_tokens(inputs, covered)
    thread_tokens = inputs.fixed_tokens + inputs.applicant_tokens
    copies = count * inputs.checkpoints
    looked_at = round(count * inputs.look_share)
    return Course(
        inputs=inputs,
        room=room,
        fits=fits,
        covered=covered,
        left_out=count - covered,
        conversation_tokens=read,
        conversation=read * rates.fresh,
        conversation_output=covered * inputs.output_tokens * rates.output,
        threads_input_tokens=count * thread_tokens,
        threads_output_tokens=count * inputs.output_tokens,
        threads_input=count * thread_tokens * rates.fresh,
        threads_output=count * inputs.output_tokens * rates.output,
        bytes_per_thread=inputs.checkpoint_bytes * inputs.checkpoints,
        bytes_total=copies * inputs.checkpoint_bytes,
        copies=copies,
        copied_bytes=copies * (inputs.checkpoint_bytes + _transcript_bytes(inputs)),
        queue=looked_at,
        queue_seconds=looked_at * inputs.seconds_each,
    )


def conversation_tokens(inputs: CourseInputs, applicants: int) -> int:
    """Answer what is read in all: the k-th applicant's call reads everything before it again."""
    return applicants * inputs.fixed_tokens + inputs.growth * applicants * (applicants + 1) // 2


def _transcript_bytes(inputs: CourseInputs) -> int:
    """Answer how long the text is that one applicant adds to a conversation, at the words' own length."""
    return round(inputs.growth * inputs.bytes_per_word / inputs.tokens_per_word)
