"""Thin screens: each reads a view, draws it and sends one command."""
