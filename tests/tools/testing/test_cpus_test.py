"""Runs tools/test-cpus on a machine without a compiler, a mirror or a JDK for arm64, and with a failed test."""

import os
import tempfile
import unittest

import tools_test_test
from machine import Machine

BROKEN_APT = "#!/bin/sh\necho 'E: Could not resolve deb.example' >&2\nexit 100\n"
NEW_BAZEL = "#!/bin/sh\necho bazel 7.7.1\n"


class TestCpusTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name
        self.machine = Machine(self.folder, ["aarch64", "bazel", "apt-get"])
        self.machine.add("bazel", tools_test_test.BAZEL)
        self.machine.add("apt-get", BROKEN_APT)

    def add_compiler(self):
        for name in ("aarch64-linux-gnu-g++", "aarch64-linux-gnu-gcc", "qemu-aarch64-static"):
            self.machine.add(name)

    def unpack(self, part):
        """What tools/cross has done before."""
        os.makedirs(os.path.join(self.folder, "cross", part))
        with open(os.path.join(self.folder, "cross", part, "complete"), "w"):
            pass

    def run_quick(self, *words, answers="[]"):
        """Returns the exit status and the output of `tools/test-cpus --quick WORDS`."""
        with open(os.path.join(self.folder, "answers"), "w") as file:
            file.write(answers)
        return self.machine.run("tools/test-cpus", "--quick", *words, ORCA_CROSS=os.path.join(self.folder, "cross"))

    def test_a_machine_without_a_compiler_skips(self):
        line = "test-cpus: arm64 is skipped, because aarch64-linux-gnu-g++ is not installed\n"
        self.assertEqual(self.run_quick(), (0, line))
        self.machine.add("aarch64-linux-gnu-g++")
        self.assertEqual(self.run_quick(), (0, line.replace("aarch64-linux-gnu-g++", "qemu-aarch64-static")))

    def test_a_cpu_that_is_named_may_not_be_skipped(self):
        self.assertEqual(self.run_quick("arm64")[0], 1)

    def test_a_newer_bazel_skips(self):
        self.add_compiler()
        self.machine.add("bazel", NEW_BAZEL)
        line = "test-cpus: arm64 is skipped, because --config=arm64 is for Bazel 4 to 6, and this is bazel 7.7.1\n"
        self.assertEqual(self.run_quick(), (0, line))

    def test_a_broken_mirror_skips(self):
        self.add_compiler()
        status, out = self.run_quick()
        self.assertEqual((status, out.count("\n")), (0, 1), out)
        self.assertTrue(out.startswith("test-cpus: arm64 is skipped, because tools/cross arm64 failed: "), out)

    def test_a_mirror_without_the_jdk_skips_the_jvm(self):
        self.add_compiler()
        self.unpack("arm64")
        status, out = self.run_quick(answers='[{"Q.A": null}]')
        self.assertEqual(status, 0, out)
        self.assertEqual(out.count("1 passed, 0 failed"), 1, out)
        self.assertIn("\ntest-cpus: the JVM for arm64 is skipped, because tools/cross arm64 jdk failed: ", out)

    def test_a_failed_test_fails(self):
        self.add_compiler()
        self.unpack("arm64")
        status, out = self.run_quick(answers='[{"Q.A": "3 != 4"}, {"Q.A": "3 != 4"}]')
        self.assertEqual(status, 1, out)
        self.assertIn("failed: step tests: //tests/", out)

    def test_refuses_other_cpus(self):
        self.assertEqual(self.run_quick("pdp11")[0], 2)


if __name__ == "__main__":
    unittest.main()
