"""GoogleTest tests of C code."""

load("@rules_cc//cc:cc_test.bzl", "cc_test")
load("//tools:cc.bzl", "CXX")

def unit_test(name, deps, size = "small", **kwargs):
    """Defines a GoogleTest test of NAME.cc. The test of text.c is text_test.cc, so NAME is text_test."""
    cc_test(
        name = name,
        size = size,
        srcs = [name + ".cc"],
        copts = CXX,
        deps = deps + ["@googletest//:gtest_main"],
        **kwargs
    )
