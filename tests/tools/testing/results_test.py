"""Tests tools/testing/results.py with events and test.xml files as Bazel and GoogleTest write them."""

import json
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../../tools/testing"))
import results  # noqa: E402 (the path has to be set first)

PASSED = '<testcase name="Works" status="run" classname="Queue"/>'
FAILED = '<testcase name="Waits/jdk17" status="run" classname="Jvm/Queue"><failure message="a != b"/></testcase>'
SKIPPED = ('<testcase name="Skips" status="run" classname="Queue">'
           '<skipped message="a.cc:7&#x0A;no JDK"/></testcase>')
DISABLED = '<testcase name="DISABLED_Off" status="notrun" classname="Queue"/>'
# Bazel writes this if the program wrote no test.xml.
CRASHED = '<testcase name="tests/queue_test" status="run"><error message="exited with error code 139"/></testcase>'


class ResultsTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder, self.events = scratch.name, []

    def add_part(self, target, shard, *cases, status="PASSED"):
        """Adds the result of a shard with this status and these cases. Returns the folder of its files."""
        folder = os.path.join(self.folder, target.strip("/").replace("/", "-").replace(":", "-"), f"shard {shard}")
        os.makedirs(folder)
        path = os.path.join(folder, "test.xml")
        with open(path, "w") as file:
            file.write("<testsuites><testsuite>" + "".join(cases) + "</testsuite></testsuites>")
        output = {"name": "test.xml", "uri": "file://" + path.replace(" ", "%20")}
        self.events.append({"id": {"testResult": {"label": target, "run": 1, "shard": shard}},
                            "testResult": {"status": status, "testActionOutput": [output]}})
        return folder

    def add_summary(self, target, status):
        self.events.append({"id": {"testSummary": {"label": target}}, "testSummary": {"overallStatus": status}})

    def read(self, end="TESTS_FAILED"):
        self.events.append({"id": {"buildFinished": {}}, "finished": {"exitCode": {"name": end}}})
        path = os.path.join(self.folder, "events")
        with open(path, "w") as file:
            file.write("\n".join(json.dumps(event) for event in self.events))
        return results.read_results(path)

    def test_counts_the_cases_of_each_shard_that_ran(self):
        self.add_part("//a:t", 1, PASSED, SKIPPED)
        self.add_part("//a:t", 2, PASSED, DISABLED)
        self.add_summary("//a:t", "PASSED")
        found = self.read("SUCCESS")
        self.assertEqual(found.passed, [("//a:t", "Queue.Works")] * 2)
        self.assertEqual(found.skipped, [("//a:t", "no JDK")])
        self.assertEqual(found.failures, [])

    def test_names_a_failed_case_with_its_message_and_folder(self):
        self.add_part("//a:t", 1, PASSED)
        folder = self.add_part("//a:t", 2, FAILED, status="FAILED")
        self.add_summary("//a:t", "FAILED")
        found = self.read()
        self.assertEqual(found.passed, [("//a:t", "Queue.Works")])
        self.assertEqual(found.failures, [results.Failure("//a:t", "Jvm/Queue.Waits/jdk17", "a != b", folder)])

    def test_a_crash_has_no_case(self):
        folder = self.add_part("//a:t", 1, CRASHED, status="FAILED")
        self.add_summary("//a:t", "FAILED")
        self.assertEqual(self.read().failures, [results.Failure("//a:t", "", "exited with error code 139", folder)])

    def test_a_program_that_dies_after_its_cases_fails_beside_a_failed_shard(self):
        folder = self.add_part("//a:t", 1, PASSED, status="FAILED")
        self.add_part("//a:t", 2, FAILED, status="FAILED")
        self.add_summary("//a:t", "FAILED")
        self.assertIn(results.Failure("//a:t", "", "FAILED", folder), self.read().failures)

    def test_a_failed_case_does_not_hide_that_bazel_failed(self):
        self.add_part("//a:t", 1, FAILED, status="FAILED")
        self.add_summary("//a:t", "FAILED")
        self.assertIn(results.Failure("bazel test", "", "PARSING_FAILURE", ""), self.read("PARSING_FAILURE").failures)

    def test_events_that_end_in_the_middle_fail(self):
        path = os.path.join(self.folder, "events")
        with open(path, "w") as file:
            file.write('{"id": {"testSummary": {"label": "//a:t"}}, "aborted": {}}\n{"id": {"buildFin')
        found = results.read_results(path)
        self.assertEqual([failure.message for failure in found.failures], ["no status", "did not finish"])

    def test_a_target_that_ran_out_of_time_fails_even_if_a_shard_failed_too(self):
        folder = self.add_part("//a:t", 1, FAILED, status="TIMEOUT")
        self.add_summary("//a:t", "TIMEOUT")
        self.assertIn(results.Failure("//a:t", "", "TIMEOUT", folder), self.read().failures)

    def test_a_target_that_was_not_built_fails(self):
        self.events.append({"id": {"targetCompleted": {"label": "//a:t"}}, "completed": {}})
        self.assertEqual(self.read("BUILD_FAILURE").failures, [results.Failure("//a:t", "", "not built", "")])

    def test_a_command_that_ends_without_results_fails(self):
        self.assertEqual(self.read("COMMAND_LINE_ERROR").failures,
                         [results.Failure("bazel test", "", "COMMAND_LINE_ERROR", "")])
        missing = results.read_results(os.path.join(self.folder, "no events"))
        self.assertEqual(missing.failures, [results.Failure("bazel test", "", "did not start", "")])


if __name__ == "__main__":
    unittest.main()
