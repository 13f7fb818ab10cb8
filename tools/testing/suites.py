"""The steps of the two suites: what tools/test runs, in this order."""

import collections
import os
import re
import sys

import jdks

# A step is a command, or targets that Bazel tests (command is None) with these options.
# suites: "gate" or "long", or both.
Step = collections.namedtuple("Step", "name suites command options targets")

CPUS = os.cpu_count() or 2
# Tests of JVMs wait for nearly half of their time, so two of them keep one CPU busy.
WAITING = [f"--jobs={CPUS * 2}", f"--local_cpu_resources={CPUS * 2}"]
SANITIZERS = ["--config=asan", "--config=ubsan"]
# What the long suite does more: see "Some tests do more" in CONTRIBUTING.md.
MORE = [f"--test_env={setting}" for setting in ("ORCA_KILLS=10", "ORCA_PROGRAMS=200", "ORCA_EVERY_VIEW=1")]
# The gate leaves out the tests with these tags: see tests/cc.bzl.
GATE = "-timed,-real,-slow"
# Values of ORCA_JDKS for the tests. If it is set, all tests run on its JDKs; "" stands for all of the machine.
ALL = os.environ.get("ORCA_JDKS") or ""
FOUND = [] if ALL else jdks.find_jdks()
ENDS = ALL or jdks.join(jdks.choose_ends(FOUND))
NEWEST = ALL or jdks.join(FOUND[-1:])
BETWEEN = jdks.join(jdks.choose_between(FOUND))


def command(name, suites, *words):
    return Step(name, suites, words, [], [])


def scripts(name, folder):
    """Returns the step that runs the tests of Python in the folder."""
    return command(name, "gate long", "python3", "-m", "unittest", "discover", "-q", "-s", folder, "-p", "*_test.py")


def tests(name, suites, tags, options, targets=("//...",)):
    """Returns the step that tests the targets with these tags.

    It runs the programs that join the cases of several folders, in place of the tests with the tag `apart` (tests/cc.bzl).
    """
    filters = [f"--test_tag_filters={tags},-apart", f"--build_tag_filters={tags},-apart", "--build_tests_only"]
    return Step(name, suites, None, ["--keep_going", "--config=suites", *filters, *options], list(targets))


def jvms(homes, engines=""):
    """The options for tests of JVMs: on these JDKs, and with this engine; "" stands for all."""
    return [*WAITING, f"--test_env=ORCA_JDKS={homes}", f"--test_env=ORCA_ENGINES={engines}"]


def between(homes):
    """Returns the step for the JDKs that are neither the oldest nor the newest; no step if there are none."""
    targets = [f"//tests/e2e:{noun}_test" for noun in ("attach", "workloads")]
    return [tests("between", "gate", "jvm", jvms(homes, "weave"), targets)] if homes else []


def chosen(words):
    """Returns the step for the options and targets of the command line."""
    targets = [word for word in words if re.match("-?(//|@|:)", word)]
    options = [word for word in words if word not in targets]
    for word in options:
        if not word.startswith("-") or word == "--":
            sys.exit(f"tools/test: '{word}' is no target; write an option and its value as one word: --test_filter=Text*")
    homes = [f"--test_env=ORCA_JDKS={ALL}"] if ALL else []
    return Step("tests", "", None, ["--keep_going", "--config=suites", *WAITING, *homes, *options], targets or ["//..."])


STEPS = [
    command("tree", "gate long", "tools/check-tree"),
    scripts("scripts", "tests/tools/testing"),
    scripts("bench", "tests/tools/bench"),
    scripts("services-scripts", "tests/services"),
    command("lint", "gate", "tools/lint", "shell", "python", "build"),
    command("lint", "long", "tools/lint"),
    tests("units", "gate", "unit,-plain," + GATE, SANITIZERS),
    tests("races", "gate long", "threads," + GATE, ["--config=tsan"]),
    tests("jvms", "gate", "jvm,plain," + GATE, jvms(ENDS, "weave")),
    tests("callbacks", "gate", "jvm", jvms(NEWEST, "callbacks"), ["//tests/e2e:workloads_test"]),
    *between(BETWEEN),
    command("cpus", "gate", "tools/test-cpus", "--quick"),
    tests("units", "long", "unit,-plain,-timed,-real", SANITIZERS),
    tests("jvms", "long", "jvm,plain,-timed,-real", [*jvms(ALL), *MORE]),
    tests("sanitized-jvms", "long", "jvm,-plain,-timed,-real", [*SANITIZERS, *jvms(NEWEST, "weave")]),
    tests("timed", "long", "timed", [*jvms(ALL), "--local_test_jobs=1"]),
    # Bazel does not know which servers the machine has.
    tests("real", "long", "real", [*jvms(ALL), "--local_test_jobs=1", "--nocache_test_results"]),
    command("optimised", "long", "bazel", "build", "-c", "opt", "--keep_going", "--noshow_progress", "//..."),
    command("cpus", "long", "tools/test-cpus"),
    command("rewriter", "long", "tools/rewrite-all"),
    command("hook", "long", "tools/bench/run", "--case", "hook", "--quick"),
    command("whatif", "long", "tools/bench/whatif", "--check"),
    command("consumer", "gate", "tests/consumer/run", "--quick"),
    command("consumer", "long", "tests/consumer/run"),
    command("fuzzers", "long", "tests/fuzz/run", "--all", "120"),
]
