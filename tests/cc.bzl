"""GoogleTest tests of C code."""

load("@rules_cc//cc:cc_test.bzl", "cc_test")
load("//tools:cc.bzl", "CXX", "NOT_WHOLE")

# Linker options of tests/support/other_user.h and doomed.h.
OTHER_USER = ["-Wl,--wrap=geteuid"]
DOOMED = ["-Wl,--wrap=" + name for name in ["ftruncate", "link", "open", "rename", "unlink", "write"]]

def unit_test(name, deps, size = "small", linkopts = [], **kwargs):
    """Defines a GoogleTest test of NAME.cc. The test of text.c is text_test.cc, so NAME is text_test."""
    cc_test(
        name = name,
        size = size,
        srcs = [name + ".cc"],
        copts = CXX,
        linkopts = NOT_WHOLE + linkopts,
        deps = deps + ["@googletest//:gtest_main"],
        **kwargs
    )
