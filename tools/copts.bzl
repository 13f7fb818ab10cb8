"""Compiler options of orca's own C and C++."""

_WARNINGS = ["-Wall", "-Wextra"]

# A program that is optimised as a whole: the reader of dumps becomes a sixth faster. The objects
# hold both forms, so that whoever links them need not do the same.
_WHOLE = select({
    "//tools:optimised_whole": ["-flto=auto", "-ffat-lto-objects"],
    "//conditions:default": [],
})
LINK = select({
    "//tools:optimised_whole": ["-flto=auto", "-O2"],
    "//conditions:default": [],
})

# The agent shares a process with a JVM: nothing but its entry points may be visible.
C = ["-std=gnu11", "-D_GNU_SOURCE", "-fvisibility=hidden"] + _WARNINGS + [
    "-Wmissing-prototypes",
    "-Wshadow",
    "-Wstrict-prototypes",
    "-Wvla",
] + _WHOLE

CXX = ["-std=c++17"] + _WARNINGS

# Lets tests/support/scarce.c make allocations fail.
SCARCE = ["-Wl,--wrap=" + name for name in ["aligned_alloc", "calloc", "malloc", "realloc"]]
