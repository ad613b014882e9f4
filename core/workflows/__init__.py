"""The workflows that ship. They import the vocabulary of core.steps and nothing else of core."""
