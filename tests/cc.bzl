"""GoogleTest tests of C code."""

load("@rules_cc//cc:cc_test.bzl", "cc_test")
load("//tools:cc.bzl", "CXX")

def unit_test(name, deps, size = "small", **kwargs):
    """NAME.cc, with GoogleTest; NAME mirrors the file under test: text_test.cc for text.c."""
    cc_test(
        name = name,
        size = size,
        srcs = [name + ".cc"],
        copts = CXX,
        deps = deps + ["@googletest//:gtest_main"],
        **kwargs
    )
