"""How orca's own C and C++ is compiled."""

load("@rules_cc//cc:cc_library.bzl", "cc_library")

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

def orca_library(name, srcs = [], exclude = [], **kwargs):
    """A library of C that holds every .c, .h and .def file of its folder.

    It is static: hidden symbols cannot cross into a shared library.

    Args:
      name: the name of the target.
      srcs: further sources, such as generated headers.
      exclude: patterns of files that belong to another target.
      **kwargs: passed on to cc_library.
    """
    cc_library(
        name = name,
        srcs = native.glob(["*.c"], exclude = exclude) + srcs,
        hdrs = native.glob(["*.h"], exclude = exclude, allow_empty = True),
        copts = C,
        linkstatic = True,
        textual_hdrs = native.glob(["*.def"], exclude = exclude, allow_empty = True),
        **kwargs
    )
