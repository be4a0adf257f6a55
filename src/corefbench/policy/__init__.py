"""The recorded choices about singletons, repeated mentions and twinless mentions, one file each."""
