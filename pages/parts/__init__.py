"""What the pages share.

shell.py      navigation, page titles, the style sheet
identity.py   who is here: the guard that is each page's first line
live.py       banners, and the tick that redraws a page when its rows moved
untrusted.py  the one module that shows text which came from outside
wording.py    the words for statuses, verdicts and refusals
times.py      instants and spans as people read them
run_list.py   the list of runs, drawn
run_filters.py  what the list is narrowed to; its pages turned
plan.py       a run's head and headings, drawn
run_plan.py   a run's plan, step by step
run_acts.py   what a person may do to a run
run_history.py  a run at each checkpoint, and what changed there
run_model.py  what a model saw, then and with today's rows
run_next.py   what happens next, as a dry run
run_growth.py  a plan that grew, drawn; run_replan.py what lies ahead of it, written by hand
run_receipt.py  a receipt in a drawer, a slice at a time
acting.py     one command from a page, and the same to be copied
run_fork.py   a fork, previewed and opened; run_compare.py two runs side by side
ledger.py     effects, approvals, events and plumbing of a run, drawn
queue.py      review: the strip, the lanes, the lines, what is held
card.py       review: one question, evidence before number
letters.py    review: what an answer lets out, literally
answering.py  review: the conflict panel, fields, the bar of acts and keys
drawer.py     review: the file, and the keys, over the page
deciding.py   review: what a press of a verdict does
taking_back.py  review: undo and release
front.py      the front page, drawn
ask_box.py    one box to ask the record
funnel.py     roles and their applications, drawn
role_form.py  add a role; role_preview.py shows what was understood of it
intake.py     drop applications: batches, progress, outcomes
role_choice.py  settings: the roles, and which is chosen
role_acts.py  settings: close a role, with a preview; open it again
rubric_versions.py  settings: a rubric's versions side by side, drawn
role_letters.py  settings: a role's letters as a sample person gets them, drawn
rubric_form.py  settings: edit a rubric as text, with a preview
facts.py      settings: what this home runs with, drawn
reading.py    a file beside what was read of it, drawn
failures.py   what a page says when it breaks
style.css     the one style sheet
"""
