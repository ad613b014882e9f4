"""Versioned configuration: roles, rubrics, rules, letters, and how their texts are read."""
