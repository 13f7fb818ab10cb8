"""A machine that has only some programs, for tests of scripts."""

import os
import subprocess

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../.."))


class Machine:
    """Has the programs of /usr/bin, without those whose names contain one of the words, and those that a test adds."""

    def __init__(self, folder, missing):
        self.folder, self.bin = folder, os.path.join(folder, "bin")
        os.mkdir(self.bin)
        for name in os.listdir("/usr/bin"):
            if not any(word in name for word in missing):
                os.symlink(os.path.join("/usr/bin", name), os.path.join(self.bin, name))

    def add(self, name, text="#!/bin/sh\n"):
        """Adds a program, or replaces one."""
        path = os.path.join(self.bin, name)
        if os.path.islink(path):
            os.unlink(path)
        with open(path, "w") as file:
            file.write(text)
        os.chmod(path, 0o755)

    def run(self, *words, **variables):
        """Returns the exit status and the output of the script with these words."""
        environment = dict(os.environ, PATH=self.bin, FOLDER=self.folder, XDG_CACHE_HOME=self.folder + "/cache", **variables)
        done = subprocess.run([os.path.join(ROOT, words[0]), *words[1:]], env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
        return done.returncode, done.stdout
