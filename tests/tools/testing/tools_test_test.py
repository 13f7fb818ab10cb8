"""Runs the program behind tools/test with a program in place of Bazel."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../.."))

# Takes the next answer of the file $FOLDER/answers for each `bazel test`: {case: message, or null if it passed}.
# Writes the test.xml, test.log and build events that Bazel would write, and appends the command to $FOLDER/commands.
BAZEL = '''#!/usr/bin/python3
import json, os, sys, tempfile
folder = os.environ["FOLDER"]
with open(folder + "/commands", "a") as file:
    file.write(" ".join(sys.argv[1:]) + "\\n")
if sys.argv[1] != "test":
    sys.exit(0)
with open(folder + "/answers") as file:
    answers = json.load(file)
answer = answers.pop(0)
with open(folder + "/answers", "w") as file:
    json.dump(answers, file)
part = tempfile.mkdtemp(dir=folder)
log = answer.pop("log", "")
cases = ""
for name, message in answer.items():
    suite, _, case = name.partition(".")
    failure = "" if message is None else '<failure message="%s"/>' % message
    cases += '<testcase classname="%s" name="%s" status="run">%s</testcase>' % (suite, case, failure)
with open(part + "/test.xml", "w") as file:
    file.write("<testsuites>" + cases + "</testsuites>")
with open(part + "/test.log", "w") as file:
    file.write("the log " + log)
bad = any(answer.values())
target = sys.argv[-1] if sys.argv[-1] != "//..." else "//a:t"
events = [
    {"id": {"testResult": {"label": target, "run": 1}},
     "testResult": {"status": "FAILED" if bad else "PASSED", "testActionOutput": [{"name": "test.xml", "uri": "file://" + part + "/test.xml"}]}},
    {"id": {"testSummary": {"label": target}}, "testSummary": {"overallStatus": "FAILED" if bad else "PASSED"}},
    {"id": {"buildFinished": {}}, "finished": {"exitCode": {"name": "TESTS_FAILED" if bad else "SUCCESS"}}},
]
with open(next(word for word in sys.argv if "event_json" in word).partition("=")[2], "w") as file:
    file.write("\\n".join(json.dumps(event) for event in events))
sys.exit(3 if bad else 0)
'''


class ToolsTestTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name
        path = os.path.join(self.folder, "bazel")
        with open(path, "w") as file:
            file.write(BAZEL)
        os.chmod(path, 0o755)

    def run_tests(self, answers, *words):
        """Runs `tools/test WORDS //a:t`; each `bazel test` takes one of the answers. Returns status and output."""
        with open(os.path.join(self.folder, "answers"), "w") as file:
            json.dump(answers, file)
        environment = dict(os.environ, PATH=self.folder + ":" + os.environ["PATH"], FOLDER=self.folder,
                           XDG_CACHE_HOME=os.path.join(self.folder, "cache"), CI="true")
        command = [sys.executable, os.path.join(ROOT, "tools/testing"), *words, "//a:t"]
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, universal_newlines=True)
        with open(os.path.join(self.folder, "commands")) as file:
            self.commands = file.read().splitlines()
        return done.returncode, done.stdout

    def last_line(self, out):
        return out.splitlines()[-1]

    def test_builds_before_it_tests_and_counts_the_cases(self):
        status, out = self.run_tests([{"Q.A": None, "Q.B": None}])
        self.assertEqual((status, self.last_line(out)), (0, "2 passed, 0 failed"))
        self.assertEqual([command.split()[0] for command in self.commands], ["build", "test"])

    def test_a_case_that_fails_again_has_failed(self):
        status, out = self.run_tests([{"Q.A": None, "Q.B": "3 != 4"}, {"Q.B": "3 != 4"}])
        self.assertEqual((status, self.last_line(out)), (1, "1 passed, 1 failed"))
        self.assertIn("failed: step tests: //a:t Q.B\n    3 != 4\n", out)
        self.assertIn("--test_filter=Q.B", self.commands[2])
        self.assertIn("--runs_per_test=3", self.commands[2])

    def test_a_case_that_passes_alone_is_unsteady_and_keeps_its_log(self):
        status, out = self.run_tests([{"Q.A": None, "Q.B": "3 != 4", "log": "of the failure"}, {"Q.B": None}])
        self.assertEqual((status, self.last_line(out)), (0, "2 passed, 0 failed"))
        self.assertIn("unsteady: step tests: //a:t Q.B\n    3 != 4\n", out)
        self.assertIn("  | the log of the failure", out)
        kept = next(line.split("kept in ")[1] for line in out.splitlines() if "kept in" in line)
        with open(os.path.join(kept, "test.log")) as log:
            self.assertEqual(log.read(), "the log of the failure")

    def test_three_unsteady_cases_fail_and_one_with_strict(self):
        three = [{"Q.A": "bad", "Q.B": "bad", "Q.C": "bad"}, {"Q.A": None}, {"Q.B": None}, {"Q.C": None}]
        status, out = self.run_tests(three)
        self.assertEqual((status, self.last_line(out)), (1, "0 passed, 3 failed"))
        status, out = self.run_tests([{"Q.A": "bad"}, {"Q.A": None}], "--strict")
        self.assertEqual((status, self.last_line(out)), (1, "0 passed, 1 failed"))

    def test_a_report_of_a_sanitizer_is_not_run_again(self):
        status, out = self.run_tests([{"Q.A": "bad", "log": "ERROR: AddressSanitizer: use-after-free"}])
        self.assertEqual((status, self.last_line(out)), (1, "0 passed, 1 failed"))

    def test_many_failures_are_not_run_again(self):
        answers = [{f"Q.A{i}": "bad" for i in range(30)}] + [{"Q.A": None}] * 10
        status, out = self.run_tests(answers)
        self.assertEqual(self.last_line(out), "0 passed, 30 failed")
        self.assertEqual(len(self.commands), 12)

    def test_nothing_tested_is_no_success(self):
        status, out = self.run_tests([{}])
        self.assertEqual((status, self.last_line(out)), (1, "0 passed, 0 failed"))


if __name__ == "__main__":
    unittest.main()
