"""Tests tools/testing/verdict.py: which failures another run may excuse."""

import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../../tools/testing"))
import results  # noqa: E402 (the path has to be set first)
import verdict  # noqa: E402


def make_failure(name="Queue.Waits", message="3 != 4", part=""):
    return results.Failure("//a:t", name, message, part)


class VerdictTest(unittest.TestCase):
    def is_unsteady(self, failure, log="", passes_alone=True):
        """Returns the verdict; `self.reruns` is how often the case ran again."""
        self.reruns = 0

        def rerun(case):
            self.assertEqual(case, failure)
            self.reruns += 1
            return passes_alone

        return verdict.is_unsteady(failure, log, rerun)

    def test_a_case_that_passes_alone_is_unsteady(self):
        self.assertTrue(self.is_unsteady(make_failure()))
        self.assertEqual(self.reruns, 1)

    def test_a_case_that_fails_again_has_failed(self):
        self.assertFalse(self.is_unsteady(make_failure(), passes_alone=False))

    def test_a_crash_and_a_timeout_are_not_run_again(self):
        for message in ("exited with error code 139", "TIMEOUT"):
            self.assertFalse(self.is_unsteady(make_failure(name="", message=message)))
            self.assertEqual(self.reruns, 0)

    def test_the_report_of_a_sanitizer_is_a_proof(self):
        for line in ("WARNING: ThreadSanitizer: data race (pid=7)", "x.c:3:1: runtime error: null pointer"):
            self.assertFalse(self.is_unsteady(make_failure(), log="[ RUN ]\n" + line))
            self.assertEqual(self.reruns, 0)

    def test_a_fault_of_the_recording_is_a_proof(self):
        for message in verdict.MESSAGE_PROOFS:
            self.assertFalse(self.is_unsteady(make_failure(message=f"Expected: {message}: 1")))
            self.assertEqual(self.reruns, 0)

    def test_each_proof_is_a_message_of_the_tests(self):
        root = os.path.join(os.path.dirname(__file__), "../../..")
        text = ""
        for name in ("session.cc", "compare.h", "signals_test.cc"):
            with open(os.path.join(root, "tests/e2e", name)) as file:
                text += file.read()
        for proof in verdict.MESSAGE_PROOFS:
            self.assertIn(proof, text)

    def test_reads_the_log_of_a_failure(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "test.log"), "wb") as file:
                file.write(b"one \xff line")
            self.assertIn("one", verdict.read_log(make_failure(part=folder)))
        self.assertEqual(verdict.read_log(make_failure(part="/no/folder")), "")


if __name__ == "__main__":
    unittest.main()
