"""Runs Bazel, judges what fails, and keeps the evidence."""

import collections
import json
import os
import re
import shutil
import subprocess
import tempfile
import time

import results
import verdict

HOME = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "orca", "failed-tests")

# A test that fails in many cases has one cause, and to run each of them again would take long.
MOST_RERUNS = 10
KEPT_RUNS = 20
RERUN = ("--runs_per_test=3 --jobs=1 --local_test_jobs=1 --nocache_test_results --test_sharding_strategy=disabled "
         "--test_tag_filters= --build_tag_filters= --noshow_progress").split()


def make_folder():
    """Returns a new folder for the evidence of this run. Deletes the oldest ones."""
    os.makedirs(HOME, exist_ok=True)
    runs = sorted(name for name in os.listdir(HOME) if os.path.isdir(os.path.join(HOME, name)))
    for old in runs[:-KEPT_RUNS]:
        shutil.rmtree(os.path.join(HOME, old), ignore_errors=True)
    return tempfile.mkdtemp(prefix=time.strftime("%Y%m%d-%H%M%S-"), dir=HOME)


def last_failures_file():
    """Returns the file that names what failed last in this checkout."""
    return os.path.join(HOME, "last" + os.getcwd().replace("/", "-") + ".json")


def read_last_failures():
    """Returns {step: [target]}: what failed when the suite ran last in this checkout."""
    try:
        with open(last_failures_file()) as file:
            return json.load(file)
    except (OSError, ValueError):
        return {}


class Bazel:
    """Runs commands of Bazel in the current folder.

    cases:    the number of passed cases.
    failed:   the failures.
    unsteady: the failures that passed alone.
    Both are lists of (step, results.Failure), whose `part` is the folder with the kept files.
    skipped:  the number of skipped cases by reason.
    """

    def __init__(self):
        self.cases, self.failed, self.unsteady, self.skipped = 0, [], [], collections.Counter()
        self.folder = None

    def run(self, command, options, targets):
        """Runs `bazel COMMAND`. Returns its exit status, and the Results of its events."""
        with tempfile.TemporaryDirectory() as scratch:
            events = os.path.join(scratch, "events")
            words = ["bazel", command, "--build_event_json_file=" + events, *options, "--", *targets]
            status = subprocess.run(words, stdin=subprocess.DEVNULL).returncode
            return status, results.read_results(events)

    def test(self, step, options, targets):
        """Builds the targets, tests them, and judges what failed. Builds first: no test runs beside a compiler."""
        status, built = self.run("build", options, targets)
        if status != 0:
            print(f"{step}: the build failed")
        _, found = self.run("test", options, targets)
        self.cases += len(found.passed)
        self.skipped.update(reason for _, reason in found.skipped)
        reruns = 0
        for failure in [failure._replace(part=self.keep(step, failure)) for failure in found.failures]:
            log = verdict.read_log(failure)
            reruns += 1

            def rerun(case):
                return reruns <= MOST_RERUNS and self.passes_alone(case, options)

            if verdict.is_unsteady(failure, log, rerun):
                self.unsteady.append((step, failure))
            else:
                self.failed.append((step, failure))

    def save_last_failures(self):
        """Saves the failures for read_last_failures."""
        last = {}
        for step, failure in self.failed:
            if failure.target.startswith("//"):
                last.setdefault(step, set()).add(failure.target)
        os.makedirs(HOME, exist_ok=True)
        with open(last_failures_file(), "w") as file:
            json.dump({step: sorted(targets) for step, targets in last.items()}, file)

    def passes_alone(self, failure, options):
        """Runs the case alone, three times. Returns whether it passed each time."""
        print(f"=== again, alone: {failure.target} {failure.name}", flush=True)
        options = [word for word in options if "_tag_filters=" not in word and not word.startswith("--jobs")]
        status, found = self.run("test", [*options, *RERUN, "--test_filter=" + failure.name], [failure.target])
        return status == 0 and len(found.passed) > 0

    def keep(self, step, failure):
        """Copies the log and the undeclared outputs of the run, which the next run deletes.

        Returns the folder, "" if there is none.
        """
        if not os.path.isdir(failure.part):
            return ""
        self.folder = self.folder or make_folder()
        name = f"{step}-{failure.target.strip('/')}-{os.path.basename(failure.part)}"
        kept = os.path.join(self.folder, re.sub("[/: ]", "-", name))
        try:
            if not os.path.exists(kept):
                shutil.copytree(failure.part, kept, symlinks=True)
        except (OSError, shutil.Error) as error:
            print(f"{failure.part}: not all files are kept: {error}")
        return kept
