"""What talks to the world outside: one module per vendor or format, behind the shapes of core.ports."""
