"""GoogleTest tests of C code."""

load("@rules_cc//cc:cc_library.bzl", "cc_library")
load("@rules_cc//cc:cc_test.bzl", "cc_test")
load("//tests:joined.bzl", "JOINED")
load("//tests:threads.bzl", "THREADS")
load("//tools:cc.bzl", "CXX", "NOT_WHOLE")

# Linker options of tests/support/other_user.h, doomed.h, instead_of_sleep.h and virtual_time.h.
OTHER_USER = ["-Wl,--wrap=geteuid"]
DOOMED = ["-Wl,--wrap=" + name for name in ["ftruncate", "link", "open", "rename", "unlink", "write"]]
NO_SLEEP = ["-Wl,--wrap=nanosleep"]
VIRTUAL_TIME = ["-Wl,--wrap=" + name for name in [
    "clock_monotonic_ns",
    "pthread_cond_broadcast",
    "pthread_cond_timedwait",
    "semaphore_post",
    "semaphore_wait",
]]

def _starts_threads(name):
    return "//%s:%s" % (native.package_name(), name) in THREADS

def unit_test(name, deps, size = "medium", linkopts = [], tags = [], **kwargs):
    """Defines a GoogleTest test of NAME.cc. The test of text.c is text_test.cc, so NAME is text_test.

    Args:
      name: the name of the target.
      deps: what is tested, and the support of the test.
      size: see cc_test.
      linkopts: see cc_test.
      tags: "jvm": the test starts JVMs; any other test gets the tag "unit". Without one of the next three
        tags, the test is in the gate: it cannot fail because something was slow, and it is quick.
        - "slow": it takes long, or other tests of the gate cover most of it.
        - "timed": it compares times, CPU times, shares or memory, or needs something to happen soon. Bazel runs
          no other test beside it.
        - "real": it starts servers or a browser that a machine may not have.
        "plain": it runs only without sanitizers, to save time or because they disturb it.
        "apart": a test of unit_tests, see joined_tests.
        The tests of threads.bzl get the tag "threads".
      **kwargs: passed on to cc_test.
    """
    is_unit = "jvm" not in tags
    threads = ["threads"] if _starts_threads(name) else []
    is_one_thread = is_unit and not threads and "plain" not in tags
    more = threads + (["unit"] if is_unit else []) + (["exclusive"] if "timed" in tags else [])
    cc_test(
        name = name,
        size = size,
        srcs = [name + ".cc"],
        copts = CXX + ["-include", "tests/support/precompiled.h"],
        linkopts = NOT_WHOLE + linkopts,
        tags = tags + more,
        deps = deps + [
            "//tests/support:precompiled",
            "//tests/support:text",
            "@googletest//:gtest_main",
        ] + (["//tests/support:one_thread"] if is_one_thread else []),
        **kwargs
    )

def _rest_of_folder():
    """Returns the nouns of all tests of the folder that no rule above in the BUILD file defines."""
    names = [file[:-len(".cc")] for file in native.glob(["*_test.cc"])]
    return [name[:-len("_test")] for name in names if native.existing_rule(name) == None]

def unit_tests(name, deps, nouns = None, data = [], tags = []):
    """Defines a unit_test NOUN_test for each noun, and a group of their files, which joined.bzl puts into a program.

    Tests that start threads are not in the group.

    Args:
      name: the name of the group.
      nouns: the test of text.c is text_test.cc, and its noun is text. Without nouns: all other tests of the folder.
        These unit_tests are the last rule of tests, so that a new test needs no change of the BUILD file.
      deps: the dependencies of each test.
      data: the data of each test.
      tags: the tags of each test, see unit_test. joined_tests needs them too.
    """
    label = "//%s:%s" % (native.package_name(), name)
    if not [True for groups in JOINED.values() if label in groups]:
        fail("add the group %s to a program of tests/joined.bzl" % label)
    joined = []
    for noun in _rest_of_folder() if nouns == None else nouns:
        is_joined = not _starts_threads(noun + "_test")
        if is_joined:
            joined.append(noun + "_test.cc")
        unit_test(
            name = noun + "_test",
            data = data,
            tags = tags + (["apart"] if is_joined else []),
            deps = deps,
        )
    native.filegroup(
        name = name,
        testonly = True,
        srcs = joined,
        visibility = ["//tests:__pkg__"],
    )
    cc_library(
        name = name + "_deps",
        testonly = True,
        data = data,
        visibility = ["//tests:__pkg__"],
        deps = deps,
    )

def joined_tests(name, groups, tags = []):
    """Defines the test NAME, which has all cases of the groups.

    The compiler needs 0.5 s for the headers of a test, and mostly less for the rest. So tools/test without
    targets runs NAME, which is one file, and leaves out the tests of the groups, which have the tag "apart".
    Everything else leaves out NAME, which has the tag "together" (.bazelrc). In NAME, the unnamed namespace of
    tests/X/NOUN_test.cc is the namespace tests_X_NOUN_test, so that two files may use the same names.

    Args:
      name: the name of the test of all cases.
      groups: labels of unit_tests.
      tags: see unit_test.
    """
    native.genrule(
        name = name + "_cc",
        testonly = True,
        srcs = groups,
        outs = [name + ".cc"],
        cmd = "for file in $(SRCS); do echo \"#line 1 \\\"$$file\\\"\"; name=$${file%.cc}; " +
              "sed \"s/^namespace {/namespace $$(echo $$name | tr / _) {/\" $$file; done >$@",
        tags = ["together"],
    )
    unit_test(
        name = name,
        size = "medium",
        tags = tags + ["together"],
        deps = [group + "_deps" for group in groups],
    )
