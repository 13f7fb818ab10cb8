"""Compiler options of Orca's own C and C++ code, and the rule for its C libraries."""

load("@rules_cc//cc:cc_library.bzl", "cc_library")

_WARNINGS = ["-Wall", "-Wextra"]

# Link-time optimisation; it makes the orca program a sixth faster. The objects contain machine code
# too, so they can also be linked without it.
_WHOLE = select({
    "//bazel:optimised_whole": ["-flto=auto", "-ffat-lto-objects"],
    "//conditions:default": [],
})
LINK = select({
    "//bazel:optimised_whole": ["-flto=auto", "-O2"],
    "//conditions:default": [],
})

# The agent shares a process with a JVM, so its library exports only its entry points.
C = ["-std=gnu11", "-D_GNU_SOURCE", "-fvisibility=hidden"] + _WARNINGS + [
    "-Wmissing-prototypes",
    "-Wshadow",
    "-Wstrict-prototypes",
    "-Wvla",
] + _WHOLE

CXX = ["-std=c++17"] + _WARNINGS

# Uses the machine code. gcc optimises such objects at link time even without -flto. Then the links of
# some tests fail, because the optimiser adds references after the libraries were searched.
NOT_WHOLE = ["-fno-lto"]

# Linker options with which tests/support/scarce.c can make allocations fail.
SCARCE = NOT_WHOLE + ["-Wl,--wrap=" + name for name in ["aligned_alloc", "calloc", "malloc", "mmap", "realloc"]]

def orca_library(name, srcs = [], exclude = [], **kwargs):
    """Defines a C library of every .c, .h and .def file of the folder.

    The library is static, because a shared library cannot use hidden symbols of another one.

    Args:
      name: the name of the target.
      srcs: further sources, such as generated headers.
      exclude: patterns of files that are not part of this library.
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
