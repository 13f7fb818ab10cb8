"""Tests tools/jdks: the rows of its table, and which packages it installs."""

import importlib.machinery
import importlib.util
import os
import pathlib
import tempfile
import unittest

PATH = os.path.join(os.path.dirname(__file__), "../../../tools/jdks")
LOADER = importlib.machinery.SourceFileLoader("jdks", PATH)
jdks = importlib.util.module_from_spec(importlib.util.spec_from_loader("jdks", LOADER))
LOADER.exec_module(jdks)

REPORT = """<testsuites><testsuite>
<testcase name="DoesNotCrash/jdk8_0" classname="Jvm/Torture" status="run" result="completed"/>
<testcase name="DoesNotCrash/jdk8_1" classname="Jvm/Torture" status="run" result="skipped"><skipped/></testcase>
<testcase name="DoesNotCrash/Virtual_jdk8" classname="Jvm/Torture" status="run" result="completed"/>
<testcase name="DoesNotCrash/jdk11_0" classname="Jvm/Torture" status="run" result="skipped"><skipped/></testcase>
<testcase name="DoesNotCrash/jdk17_0" classname="Jvm/Torture" status="run"><failure message="1 != 2"/></testcase>
<testcase name="DoesNotCrash/jdk17_1" classname="Jvm/Torture" status="run" result="completed"/>
<testcase name="DumpMatchesTheAccount/Waits_jdk8_weave" classname="Basic/WorkloadTest" status="run" result="completed"/>
<testcase name="DumpMatchesTheAccount/Waits_jdk8_callbacks" classname="Basic/WorkloadTest" status="run"><failure/></testcase>
<testcase name="AtLeastOneIsFound" classname="Jdks" status="run" result="completed"/>
</testsuite></testsuites>"""

# A program in place of the one that runs a command in the chroot.
ENTRY = """#!/bin/sh
printf 'openjdk-8-jdk-headless installed\\nopenjdk-21-jdk-headless unpacked\\n'
exit 1
"""


class JdksTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, text):
        path = pathlib.Path(self.folder.name) / "file"
        path.write_text(text)
        path.chmod(0o755)
        return path

    def test_a_row_joins_cases_and_a_cell_the_engines(self):
        cells = {}
        failed = jdks.add_cases(cells, "//tests/e2e:torture_test", self.write(REPORT))
        texts = {place: jdks.format_cell(outcomes) for place, outcomes in cells.items()}
        row = "torture: DoesNotCrash"
        self.assertEqual(
            texts,
            {
                (row, 8): "exact",
                (row + ", virtual", 8): "exact",
                (row, 11): "not there",
                (row, 17): "differs",
                ("Waits", 8): "callbacks differs",
            },
        )
        self.assertEqual(len(failed), 2)

    def test_a_package_that_is_not_configured_is_not_installed(self):
        self.assertEqual(jdks.find_installed(self.write(ENTRY)), {"openjdk-8-jdk-headless"})


if __name__ == "__main__":
    unittest.main()
