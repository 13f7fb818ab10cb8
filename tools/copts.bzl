"""Compiler options of orca's own C and C++."""

_WARNINGS = ["-Wall", "-Wextra"]

# The agent shares a process with a JVM: nothing but its entry points may be visible.
C = ["-std=gnu11", "-D_GNU_SOURCE", "-fvisibility=hidden"] + _WARNINGS + [
    "-Wmissing-prototypes",
    "-Wshadow",
    "-Wstrict-prototypes",
    "-Wvla",
]

CXX = ["-std=c++17"] + _WARNINGS
