"""Finds the JDKs of this machine, and chooses those that a step of the gate tests."""

import glob
import os
import re
import subprocess

# Versions with long-term support that many programs still run on, besides those of `ends`.
MIDDLE = (8, 11, 21)


def parse_version(text):
    """Parses "17.0.15", "25", "28-ea" or "1.8.0_392". Returns 0 if the text is no version."""
    found = re.match(r"(?:1\.)?(\d+)", text)
    return int(found.group(1)) if found else 0


def run_java(home):
    """Returns what `java -version` prints; "" if it does not run here."""
    try:
        return subprocess.run([os.path.join(home, "bin/java"), "-version"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, universal_newlines=True).stdout
    except OSError:
        return ""


def read_version(home):
    """Returns the version of the JDK. Debian's JDK 8 has no file `release`: then its java says it. 0 if unknown."""
    try:
        with open(os.path.join(home, "release")) as release:
            text = release.read()
    except OSError:
        text = run_java(home)
    found = re.search(r'(?:JAVA_VERSION=|version )"([^"]*)"', text)
    return parse_version(found.group(1)) if found else 0


def is_jdk(home):
    """Returns whether the folder has a HotSpot with a server compiler, as in tests/support/jvm.cc."""
    libraries = [os.path.join(home, part, "server/libjvm.so") for part in ("lib", "jre/lib/amd64")]
    return os.access(os.path.join(home, "bin/java"), os.X_OK) and any(map(os.path.exists, libraries))


def find_jdks(candidates=None):
    """Returns [(version, folder)] of each JDK once, the oldest first. By default, it searches where jvm.cc does."""
    if candidates is None:
        candidates = os.environ.get("JAVA_HOME", "").split(":") + glob.glob("/usr/lib/jvm/*")
    homes = {os.path.realpath(home) for home in candidates if home}
    return sorted((read_version(home), home) for home in homes if is_jdk(home))


def join(found):
    """Returns the value of ORCA_JDKS for these JDKs."""
    return ":".join(home for _, home in found)


def choose_ends(found):
    """Returns the oldest and the newest of the JDKs that find_jdks found."""
    return found if len(found) < 2 else [found[0], found[-1]]


def choose_between(found):
    """Returns those of MIDDLE that are neither the oldest nor the newest version."""
    ends = {version for version, _ in choose_ends(found)}
    return [(version, home) for version, home in found if version in MIDDLE and version not in ends]
