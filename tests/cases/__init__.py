"""The public cases, read from the folder that --cases names."""
