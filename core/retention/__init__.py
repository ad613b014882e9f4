"""What is kept, of what kind, whose, until when, and what erases it (contract C9)."""
