"""Runs tools/setup on a machine without the compiler and qemu for arm64, with a program in place of apt-get."""

import os
import tempfile
import unittest

from machine import Machine

OPTIONAL = "g++-aarch64-linux-gnu qemu-user-static"
# Both write what they do into $FOLDER/calls.
APT = """#!/bin/sh
echo "$@" >>"$FOLDER/calls"
case "$*" in
  *--download-only*) ;;
  install*) touch "$FOLDER/bin/aarch64-linux-gnu-g++" "$FOLDER/bin/qemu-aarch64-static" && chmod +x "$FOLDER"/bin/*aarch64* ;;
esac
"""
BROKEN_APT = """#!/bin/sh
echo "$@" >>"$FOLDER/calls"
if [ "$1" = update ]; then exit 0; fi
echo 'E: Unable to locate package' >&2
exit 100
"""


class SetupTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.calls = os.path.join(scratch.name, "calls")
        self.machine = Machine(scratch.name, ["aarch64"])
        self.machine.add("id", "#!/bin/sh\necho 0\n")
        self.machine.add("apt-get", APT)

    def count_calls(self):
        """Returns how often apt-get ran."""
        if not os.path.exists(self.calls):
            return 0
        with open(self.calls) as file:
            return len(file.readlines())

    def test_installs_what_the_gate_prefers(self):
        status, out = self.machine.run("tools/setup", "--gate")
        self.assertEqual(status, 0, out)
        self.assertIn(f"setup: installing {OPTIONAL} (apt-get;", out)
        self.assertTrue(out.endswith("setup: done\n"), out)
        calls = self.count_calls()
        self.assertEqual(self.machine.run("tools/setup", "--gate"), (0, ""))
        self.assertEqual(self.count_calls(), calls)

    def test_a_mirror_without_them_does_not_fail_the_gate(self):
        self.machine.add("apt-get", BROKEN_APT)
        status, out = self.machine.run("tools/setup", "--gate")
        self.assertEqual(status, 0, out)
        line = f"setup: without {OPTIONAL}, tests that need them are skipped: apt-get failed: E: Unable to locate package\n"
        self.assertTrue(out.endswith(line), out)

    def test_a_user_without_rights_does_not_fail_the_gate(self):
        self.machine.add("id", "#!/bin/sh\necho 1000\n")
        status, out = self.machine.run("tools/setup", "--gate")
        self.assertEqual((status, self.count_calls()), (0, 0), out)
        self.assertTrue(out.endswith("are skipped: this is not root\n"), out)

    def test_the_build_does_not_need_them(self):
        self.assertEqual(self.machine.run("tools/setup"), (0, ""))
        self.assertEqual(self.count_calls(), 0)


if __name__ == "__main__":
    unittest.main()
