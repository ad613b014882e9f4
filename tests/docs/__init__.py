"""Pages of docs that are written from code and tests, and the check that they are up to date.

rows             what a row is; every seed together
seed_screen      rows of the first seed: the recruiting screen
seed_agent       rows of the second seed: a run whose next step a model chooses
seed_atlas       rows of the third seed: the Atlas job
markers          which test claims which row, read from the tests' source
seeds            docs/seeds.md
include          code files shown inside a page
schema           docs/schema.md, where it exists
"""
