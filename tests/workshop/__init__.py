"""The workshop: what it computes, from rows and processes; and a class at it."""
