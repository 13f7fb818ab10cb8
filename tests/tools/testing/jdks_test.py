"""Tests tools/testing/jdks.py with folders that look like JDKs."""

import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../../tools/testing"))
import jdks  # noqa: E402 (the path has to be set first)


def name(versions):
    """Returns JDKs of these versions, as find_jdks does."""
    return [(version, f"/jdk{version}") for version in versions]


class JdksTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = os.path.realpath(scratch.name)

    def add(self, name, release=None, answer="", library="lib/server/libjvm.so"):
        """Adds a folder with a JVM. `answer` is what `java -version` prints on stderr. Returns the folder."""
        home = os.path.join(self.folder, name)
        for path, text in ((library, ""), ("bin/java", f"#!/bin/sh\necho '{answer}' >&2\n"), ("release", release)):
            if text is None:
                continue
            os.makedirs(os.path.dirname(os.path.join(home, path)), exist_ok=True)
            with open(os.path.join(home, path), "w") as file:
                file.write(text)
        os.chmod(os.path.join(home, "bin/java"), 0o755)
        return home

    def test_finds_each_jdk_once_and_the_oldest_first(self):
        new = self.add("a", 'IMPLEMENTOR="Debian"\nJAVA_VERSION="21.0.2"\n')
        early = self.add("b", 'JAVA_VERSION="28"\n')
        old = self.add("c", answer='openjdk version "1.8.0_392"', library="jre/lib/amd64/server/libjvm.so")
        link = os.path.join(self.folder, "default-java")
        os.symlink(new, link)
        self.assertEqual(jdks.find_jdks([early, link, new, old]), [(8, old), (21, new), (28, early)])

    def test_ignores_folders_without_a_jvm(self):
        home = self.add("a", 'JAVA_VERSION="17"\n', library="lib/client/libjvm.so")
        self.assertEqual(jdks.find_jdks([home, self.folder, self.folder + "/none", ""]), [])

    def test_a_jvm_that_names_no_version_is_the_oldest(self):
        homes = [self.add("a", 'JAVA_VERSION="17"\n'), self.add("b", "IMPLEMENTOR=x\n"), self.add("c", answer="what?")]
        homes.append(self.add("d"))
        with open(os.path.join(homes[-1], "bin/java"), "wb") as java:
            java.write(b"\x7FELF of another CPU")
        self.assertEqual([version for version, _ in jdks.find_jdks(homes)], [0, 0, 0, 17])

    def test_the_ends_are_the_oldest_and_the_newest(self):
        self.assertEqual(jdks.choose_ends(name([8, 11, 17, 28])), name([8, 28]))
        self.assertEqual(jdks.choose_ends(name([17])), name([17]))
        self.assertEqual(jdks.choose_ends([]), [])

    def test_between_are_8_11_and_21_without_the_ends(self):
        for found, between in [
            ([8, 11, 17, 21, 25, 28], [11, 21]),
            ([7, 8, 11, 17, 21, 25], [8, 11, 21]),
            ([17, 21, 25], [21]),
            ([17, 21], []),
            ([17, 25], []),
            ([11], []),
            ([], []),
        ]:
            self.assertEqual(jdks.choose_between(name(found)), name(between))

    def test_a_second_jdk_of_an_end_is_not_between(self):
        found = [(11, "/a"), (11, "/b"), (21, "/c"), (21, "/d"), (25, "/e")]
        self.assertEqual(jdks.choose_between(found), found[2:4])

    def test_joins_folders_for_orca_jdks(self):
        self.assertEqual(jdks.join(name([8, 21])), "/jdk8:/jdk21")


if __name__ == "__main__":
    unittest.main()
