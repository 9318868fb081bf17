#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bash's completion, asked as bash asks it, against what --help prints.

usage: completion_test.py NETTOLL
"""

import os
import re
import subprocess
import sys
import tempfile
import unittest

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
SCRIPT = os.path.join(TOP, "deploy", "completion", "nettoll.bash")
ASK = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _nettoll; printf "%s\\n" "${COMPREPLY[@]}"'


class CompletionTest(unittest.TestCase):
    program = None

    def offered(self, *words, cwd="/"):
        """What is offered for the last of `words`; of nettoll's arguments."""
        done = subprocess.run(["bash", "-c", ASK, "bash", SCRIPT, self.program, *words], capture_output=True, text=True,
                              check=True, cwd=cwd)
        self.assertEqual(done.stderr, "")
        return set(done.stdout.split())

    def help(self, *words):
        return subprocess.run([self.program, *words, "--help"], capture_output=True, text=True, check=True).stdout

    def commands(self):
        found = re.findall(r"(?m)^  ([a-z]+) ", self.help().split("Subcommands:")[1])
        self.assertGreaterEqual(len(found), 10)
        return found

    @staticmethod
    def options(text):
        """Each that stands at the head of a line of the section Options, short and long."""
        heads = re.findall(r"(?m)^  (-\S+)", text.split("Options:")[1].split("\n\n")[0])
        return {name for head in heads for name in re.findall(r"(?:^|,)(--?[A-Za-z][a-z.-]*)", re.sub(r"\{.*?\}", "", head))}

    def test_every_command(self):
        self.assertEqual(self.offered(""), set(self.commands()))
        self.assertEqual(self.offered("d"), {name for name in self.commands() if name.startswith("d")})
        self.assertEqual(self.offered("-v", "rec"), {"record"})

    def test_every_option(self):
        self.assertEqual(self.offered("-"), self.options(self.help()))
        for command in self.commands():
            expected = self.options(self.help(command))
            self.assertGreater(len(expected), 1, command)
            self.assertEqual(self.offered(command, "-"), expected, command)
        self.assertIn("--web.config.file", self.offered("serve", "--web"))

    def test_every_value_that_help_lists(self):
        listed = 0
        for command in self.commands():
            for names, values in re.findall(r"(?m)^  (-\S+) \S*?:\{([a-z,.]+)\}", self.help(command)):
                listed += 1
                for option in self.options(f"Options:\n  {names}\n\n"):
                    self.assertEqual(self.offered(command, option, ""), set(values.split(",")), (command, option))
            for name, values in re.findall(r"(?m)^  (--\S+) ([a-z.]+(?:\|[a-z.]+)+)", self.help(command)):
                listed += 1
                self.assertEqual(self.offered(command, name, ""), set(values.split("|")), (command, name))
        self.assertGreater(listed, 8)
        self.assertEqual(self.offered("record", "--set", "=", "c"), {"core"})
        self.assertEqual(self.offered("record", "--set", "="), {"core", "wide"})

    def test_files_and_programs(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "some.data"), "w", encoding="utf-8"):
                pass
            self.assertEqual(self.offered("report", "-i", "so", cwd=folder), {"some.data"})
            self.assertEqual(self.offered("report", "so", cwd=folder), {"some.data"})
            self.assertEqual(self.offered("record", "-d", "so", cwd=folder), set())
        self.assertIn("bash", self.offered("record", "-d", "1", "--", "bas"))


if __name__ == "__main__":
    CompletionTest.program = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
