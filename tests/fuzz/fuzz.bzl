"""Fuzz targets."""

load("@rules_cc//cc:cc_binary.bzl", "cc_binary")
load("@rules_cc//cc:cc_library.bzl", "cc_library")
load("//tests:cc.bzl", "unit_test")
load("//tools:cc.bzl", "CXX")

def fuzz_target(name, deps, test_deps = [], linkopts = [], data = []):
    """Defines a fuzz target in NOUN_fuzz.cc, and the programs that use it.

    - NOUN_fuzz_test runs the target on a few inputs, so that it stays usable.
    - NOUN_fuzzer runs it with libFuzzer; only --config=fuzz can link it.
    - NOUN_seeds is that test with another target, which stores its inputs: see store_input.cc.

    Args:
      name: the noun in the names of the files.
      deps: of the target.
      test_deps: of NOUN_fuzz_test.cc, in addition to `deps`.
      linkopts: of the programs.
      data: files that NOUN_fuzz_test.cc reads.
    """
    cc_library(
        name = name + "_fuzz",
        testonly = True,
        srcs = [name + "_fuzz.cc"],
        copts = CXX,
        linkopts = linkopts,
        linkstatic = True,
        deps = deps,
        alwayslink = True,
    )
    unit_test(
        name = name + "_fuzz_test",
        data = data,
        deps = deps + test_deps + [name + "_fuzz"],
    )
    cc_binary(
        name = name + "_fuzzer",
        testonly = True,
        linkopts = ["-fsanitize=fuzzer"],
        tags = ["manual"],
        deps = [name + "_fuzz"],
    )
    cc_binary(
        name = name + "_seeds",
        testonly = True,
        srcs = [name + "_fuzz_test.cc"],
        copts = CXX,
        data = data,
        tags = ["manual"],
        deps = deps + test_deps + [
            ":store_input",
            "@googletest//:gtest_main",
        ],
    )
