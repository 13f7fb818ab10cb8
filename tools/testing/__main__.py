"""The program behind tools/test; `tools/test --help` says what it does."""

import argparse
import os
import subprocess
import sys
import time

import bazel
import suites
import verdict

MOST_UNSTEADY = 2
LOG_LINES = 200

HELP = """\
tools/test                      the gate, which every change has to pass; 15 to 20 minutes on two CPUs
tools/test --long               the long suite: measured times, real servers, all JDKs, and the rest; it may take hours
tools/test OPTIONS TARGETS      these targets, with these options of `bazel test`; an option and its value are one word
tools/test --repeat N           the gate's tests of JVMs, N times; with --burner beside programs that use all CPUs

A case that fails runs again alone, three times. If it passes each time, and its failure is no crash, no report
of a sanitizer, no timeout, no fault of `orca check` and no lost event, then it is unsteady. Up to two unsteady
cases do not fail the gate. --strict fails for one, as --long and --repeat do.
ORCA_JDKS=/opt/jdk tools/test   on these JDKs instead (folders, separated by colons)
The last line is "N passed, N failed". It counts each GoogleTest case; any other test or step is one case."""


class Suite:
    """One run of tools/test: runs steps, and says what they found."""

    def __init__(self, strict):
        self.bazel, self.strict = bazel.Bazel(), strict
        self.passed, self.failed_steps = 0, []

    def run_step(self, step):
        """Runs one step of suites.STEPS, and prints how long it took."""
        start = time.monotonic()
        print(f"=== {step.name}: {' '.join(step.command or step.options + step.targets)}", flush=True)
        if step.command is None:
            quiet = [] if sys.stdout.isatty() else ["--noshow_progress"]
            self.bazel.test(step.name, step.options + quiet, step.targets)
        elif subprocess.run(step.command, stdin=subprocess.DEVNULL).returncode == 0:
            self.passed += 1
        else:
            self.failed_steps.append(step.name)
        print(f"=== {step.name}: {time.monotonic() - start:.0f} s", flush=True)

    def run_last_failures(self, steps):
        """Runs first what failed last time, so that it fails early if it still fails.

        Returns whether all of it passes now. Passed cases do not count here: the steps run them again, from
        Bazel's cache. A target that does not exist any more is ignored.
        """
        last = bazel.read_last_failures()
        for step in steps:
            if step.command is None and last.get(step.name):
                self.run_step(step._replace(targets=last[step.name]))
        if any(failure.target.startswith("//") for _, failure in self.bazel.failed):
            return False
        unsteady, self.bazel = self.bazel.unsteady, bazel.Bazel()
        self.bazel.unsteady = unsteady
        return True

    def run_suite(self, name):
        """Runs the steps of the suite."""
        steps = [step for step in suites.STEPS if name in step.suites.split()]
        if self.run_last_failures(steps):
            for step in steps:
                self.run_step(step)
        self.bazel.save_last_failures()

    def print_case(self, word, step, failure):
        name = failure.name or f"({failure.message})"
        print(f"{word}: step {step}: {failure.target} {name}")
        for line in failure.message.splitlines()[:20]:
            print("    " + line)
        if failure.part:
            print(f"    kept in {failure.part}")
        if os.environ.get("CI") == "true":
            for line in verdict.read_log(failure).splitlines()[-LOG_LINES:]:
                print("  | " + line)

    def finish(self):
        """Prints the failed and the unsteady cases, and the last line. Returns the exit status."""
        failed, unsteady = self.bazel.failed, self.bazel.unsteady
        for reason, number in self.bazel.skipped.most_common():
            print(f"skipped ({number}): {reason or 'no reason given'}")
        for step, failure in failed:
            self.print_case("failed", step, failure)
        for name in self.failed_steps:
            print(f"failed: step {name}")
        if unsteady:
            print(f"unsteady ({len(unsteady)}): failed once, and passed three times alone; see tests/UNSTEADY.md")
        for step, failure in unsteady:
            self.print_case("unsteady", step, failure)
        passed, bad = self.passed + self.bazel.cases, len(failed) + len(self.failed_steps)
        if len(unsteady) > (0 if self.strict else MOST_UNSTEADY):
            bad += len(unsteady)
        else:
            passed += len(unsteady)
        print(f"{passed} passed, {bad} failed")
        return 1 if bad or not passed else 0


def start_burners():
    """Starts a program for each CPU that uses all of it, and ends when this one does. Returns the processes."""
    loop = "import os\nparent = os.getppid()\nwhile os.getppid() == parent:\n    for _ in range(10**6): pass"
    return [subprocess.Popen([sys.executable, "-c", loop]) for _ in range(suites.CPUS)]


def repeat(suite, times, has_burner):
    """Runs the gate's tests of JVMs so often, and fails for each case that ever failed."""
    step = next(step for step in suites.STEPS if step.name == "jvms" and step.suites == "gate")
    step = step._replace(options=[*step.options, "--nocache_test_results"])
    status, _ = suite.bazel.run("build", step.options, step.targets)
    if status != 0:
        sys.exit("tools/test: the build failed")
    burners = start_burners() if has_burner else []
    try:
        for round_ in range(times):
            suite.run_step(step._replace(name=f"round {round_ + 1}"))
    finally:
        for burner in burners:
            burner.kill()


def main():
    parser = argparse.ArgumentParser(prog="tools/test", usage=HELP, add_help=True, allow_abbrev=False)
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--repeat", type=int, metavar="N")
    parser.add_argument("--burner", action="store_true")
    known, words = parser.parse_known_args()
    if known.burner and known.repeat is None:
        sys.exit("tools/test: --burner needs --repeat")
    if words and (known.long or known.repeat is not None):
        sys.exit("tools/test: --long and --repeat take no targets and no other options")
    suite = Suite(known.strict or known.long or known.repeat is not None)
    if known.repeat is not None:
        repeat(suite, known.repeat, known.burner)
    elif words:
        suite.run_step(suites.chosen(words))
    else:
        suite.run_suite("long" if known.long else "gate")
    return suite.finish()


sys.exit(main())
