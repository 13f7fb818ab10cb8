"""GoogleTest tests of C code."""

load("@rules_cc//cc:cc_test.bzl", "cc_test")
load("//tests:threads.bzl", "THREADS")
load("//tools:cc.bzl", "CXX", "NOT_WHOLE")

# Linker options of tests/support/other_user.h and doomed.h.
OTHER_USER = ["-Wl,--wrap=geteuid"]
DOOMED = ["-Wl,--wrap=" + name for name in ["ftruncate", "link", "open", "rename", "unlink", "write"]]

def _starts_threads(name):
    return "//%s:%s" % (native.package_name(), name) in THREADS

def unit_test(name, deps, size = "small", linkopts = [], tags = [], **kwargs):
    """Defines a GoogleTest test of NAME.cc. The test of text.c is text_test.cc, so NAME is text_test.

    Args:
      name: the name of the target.
      deps: what is tested, and the support of the test.
      size: see cc_test.
      linkopts: see cc_test.
      tags: "java": the test starts JVMs. "plain": it runs only without sanitizers. Any other test
        gets one more tag. .ci/run uses it to run the test less often, since sanitizers check more:
        - "unit", without "java": .ci/run runs the test only with sanitizers.
        - "jvm", with "java": with sanitizers on the newest JDK, without them on the other JDKs.
        The tests of threads.bzl get the tag "threads".
        "apart": a test of unit_tests, see there.
      **kwargs: passed on to cc_test.
    """
    usual = [] if "plain" in tags else ["jvm" if "java" in tags else "unit"]
    threads = ["threads"] if usual and _starts_threads(name) else []
    is_one_thread = usual == ["unit"] and not threads
    cc_test(
        name = name,
        size = size,
        srcs = [name + ".cc"],
        copts = CXX + ["-include", "tests/support/precompiled.h"],
        linkopts = NOT_WHOLE + linkopts,
        tags = tags + usual + threads,
        deps = deps + [
            "//tests/support:precompiled",
            "@googletest//:gtest_main",
        ] + (["//tests/support:one_thread"] if is_one_thread else []),
        **kwargs
    )

def unit_tests(name, nouns, deps):
    """Defines a unit_test NOUN_test for each noun, and the test NAME, which has all of their cases.

    The compiler needs 0.5 s for the headers of a test, and mostly less for the rest. So CI runs NAME,
    which is one file, and leaves out the others, which have the tag "apart". Everything else leaves out
    NAME, which has the tag "together" (.bazelrc). In NAME, the unnamed namespace of NOUN_test.cc is the
    namespace NOUN_test, so that two files may use the same names.

    Args:
      name: the name of the test of all cases.
      nouns: the test of text.c is text_test.cc, and its noun is text.
      deps: of each test.
    """
    joined = []
    for noun in nouns:
        is_joined = not _starts_threads(noun + "_test")
        if is_joined:
            joined.append(noun + "_test.cc")
        unit_test(
            name = noun + "_test",
            tags = ["apart"] if is_joined else [],
            deps = deps,
        )
    native.genrule(
        name = name + "_cc",
        testonly = True,
        srcs = joined,
        outs = [name + ".cc"],
        cmd = "for file in $(SRCS); do echo \"#line 1 \\\"$$file\\\"\"; " +
              "sed \"s/^namespace {/namespace $$(basename $$file .cc) {/\" $$file; done >$@",
        tags = ["together"],
    )
    unit_test(
        name = name,
        size = "medium",
        tags = ["together"],
        deps = deps,
    )
