"""The real server and the system's Chromium."""
