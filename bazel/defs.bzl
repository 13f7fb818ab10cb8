"""Loads the Orca agent into Java tests and programs.

    load("@orca//bazel:defs.bzl", "orca_profiled")
    load("@rules_java//java:defs.bzl", "java_test")

    orca_profiled(
        java_test,
        name = "cache_test",
        srcs = ["CacheTest.java"],
    )

`bazel test :cache_test --@orca//bazel:profile` then writes a recording into the
test's undeclared outputs.  This file does not depend on the Java rules: it works
with any rule or macro that has the attributes `jvm_flags` and `data`.

orca_contention_test() is a test that fails if the locks of a program cost more than a file of budgets allows.
"""

load(":contention.bzl", "contention_test", "contention_update")

_AGENT = str(Label("//tools:agent"))
_LINUX = str(Label("//bazel:linux"))
_OS_LINUX = str(Label("@platforms//os:linux"))
_PROFILING = str(Label("//bazel:profiling"))

# The start script of the Java rules sets $RUNPATH to the folder of the runfiles. Under `bazel test`
# and `bazel run` it is empty, as the program starts in that folder.
def _agent_flag(options):
    return "-agentpath:$${RUNPATH}$(rootpath %s)%s" % (_AGENT, "=" + options if options else "")

def orca_jvm_flags(options = ""):
    """Returns the jvm_flags that load the agent. Add orca_data() to the data of the same target.

    Args:
      options: the agent's options: the prefix of its files (default: orca-PID), then key=value
        pairs. Example: "cache,interval=5ms".

    Returns:
      A list of one flag; on systems other than Linux an empty list.
    """
    return select({
        _LINUX: [_agent_flag(options)],
        "//conditions:default": [],
    })

def orca_data():
    """Returns the data dependencies that the flags of orca_jvm_flags() need: on Linux, the agent."""
    return select({
        _LINUX: [_AGENT],
        "//conditions:default": [],
    })

def orca_profiled(rule, name, options = "", jvm_flags = [], data = [], **kwargs):
    """Defines a target of `rule` that loads the agent if --@orca//bazel:profile is set.

    On systems other than Linux, the flag changes nothing.

    Args:
      rule: java_test, java_binary, or another rule or macro with jvm_flags and data.
      name: the name of the target.
      options: the agent's options, see orca_jvm_flags().
      jvm_flags: further flags of the JVM.
      data: further data dependencies.
      **kwargs: passed to the rule.
    """
    rule(
        name = name,
        jvm_flags = jvm_flags + select({
            _PROFILING: [_agent_flag(options)],
            "//conditions:default": [],
        }),
        data = data + select({
            _PROFILING: [_AGENT],
            "//conditions:default": [],
        }),
        **kwargs
    )

# The path in the workspace of a file that the BUILD file names as "x", ":x", "//a:x" or "//a/x".
def _find_path(file):
    if file.startswith("@"):
        fail("orca_contention_test: budget = %r is in another repository; it has to be in this one" % file)
    if file.startswith("//"):
        if ":" not in file:
            fail("orca_contention_test: budget = %r names a package; write //PACKAGE:FILE" % file)
        package, file = file[2:].split(":", 1)
    else:
        package, file = native.package_name(), file.lstrip(":")
    return (package + "/" if package else "") + file

def orca_contention_test(
        name,
        target,
        budget,
        packages,
        runs = 2,
        retries = 3,
        args = [],
        data = [],
        tags = [],
        visibility = None,
        **kwargs):
    """Defines a test that runs a Java program under the agent and checks the budgets of its locks.

    The test runs the program `runs` times with monitors=all and locks=all, and checks the recordings by
    `orca budget`. A deadlock, a new lock-order inversion and the other exact budgets fail the test in any
    run. A time fails it only if every run breaks it: as long as only times are broken, the test runs the
    program again, up to `retries` times. A program that fails by itself fails the test.

    Also defines NAME.update: `bazel run :NAME.update` runs the program `runs` + `retries` times, and writes
    `budget` into the source tree. `bazel run :NAME.update -- --accept` accepts new problems.

    Args:
      name: the name of the test.
      target: the program: a java_test, java_binary, or another executable target that starts a JVM.
      budget: the file of budgets. NAME.update makes it if it does not exist.
      packages: the classes in which each use of a monitor is recorded, such as ["com.acme.*"].
      runs: how often the program runs.
      retries: how often it runs again at most if only times are broken.
      args: arguments of the program.
      data: files that `args` names by $(location).
      tags: of the test and of NAME.update, which is also "manual".
      visibility: of both.
      **kwargs: further attributes of the test, such as size and timeout, which is for all runs together.
    """
    if runs < 1 or retries < 0:
        fail("orca_contention_test: runs = %d, retries = %d; runs has to be at least 1, retries 0" % (runs, retries))
    attributes = {
        "arguments": args,
        "data": data,
        "packages": packages,
        "retries": retries,
        "runs": runs,
        "target": target,
        "target_compatible_with": [_OS_LINUX],
        "visibility": visibility,
    }
    contention_test(
        name = name,
        budget = budget,
        tags = tags,
        **dict(kwargs, **attributes)
    )
    contention_update(
        name = name + ".update",
        tags = tags + ["manual"],
        testonly = True,
        update = _find_path(budget),
        **attributes
    )
