"""The version of Orca. tools/check-tree compares it with the file VERSION."""

ORCA_VERSION = "0.1.0"
