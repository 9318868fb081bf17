#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The way of an outsider: in a clean Debian 12, a clone of what is committed here, and the two commands with which README starts.

The first has to end with a report that has costs and drops, the second with no failed test. They are read from README, and run as root
without sudo, as it says. What they print is shown as it comes; the tests' summary comes once more at the end.

Exit status 77, naming what is missing, where this host lacks root, git, debootstrap, a mirror of Debian or a repository.
"""

import argparse
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE]

from debian_root import Root, mirror  # noqa: E402

SKIPPED = 77
# A number with its unit, or without: what each row of costs has.
COST = r"~?[\d.,]+ ?(?:[num]?s|[kMGT])?"
REPORT = {
    "costs of functions": r"(?m)^Functions of the network paths by \S+\n(?:\(.*\n.*\n)?function .*\n.*\d+%",
    "costs of paths": rf"(?m)^path +packets .*\n(?:.*\n)*?\w+ +.* {COST} +±\d+%",
    "drops": r"(?m)^Drops: [\d,]+ packets.*\nreason .*\n\w+ .*\d",
}


def start_commands(readme):
    """Those of the first block of README's section Start, as they stand there, without comments."""
    section = re.search(r"(?ms)^## Start\n(.*?)^## ", readme)[1]
    block = re.search(r"(?ms)^```sh\n(.*?)^```", section)[1]
    return [line.partition("#")[0].strip() for line in block.splitlines()]


def that_ends(command, readme):
    """`command` with the option with which README has it end by itself."""
    return re.search(rf"`{re.escape(command)} (--\S+)` ends", readme)[0].split("`")[1]


def without_sudo(command):
    return command.removeprefix("sudo ")


def tests_summary(output):
    """From ctest's result on, or what there is of the end without one."""
    found = re.search(r"(?ms)^\d+% tests passed, .*", output)
    return found[0] if found else "".join(output.splitlines(keepends=True)[-30:])


def show(text):
    print(text, end="", flush=True)


class OutsiderTest(unittest.TestCase):
    folder = None
    clone = None
    compiler_cache = None
    pass_to_tests = ""

    @classmethod
    def setUpClass(cls):
        show("making a clean Debian 12\n")
        cls.root = Root(os.path.join(cls.folder, "root"), "bookworm")
        subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", TOP, cls.root.path(cls.clone)], check=True)
        with open(cls.root.path(os.path.join(cls.clone, "README.md")), encoding="utf-8") as file:
            cls.readme = file.read()
        cls.environment = {}
        if cls.compiler_cache:
            show("with ccache and what it holds: the build is faster than an outsider's\n")
            cls.root.do("apt-get update && apt-get install -y --no-install-recommends ccache")
            cls.root.bind(cls.compiler_cache, "/root/.cache/ccache")
            cls.environment["CCACHE_BASEDIR"] = cls.clone

    def run_in_clone(self, command):
        show(f"\n$ {command}\n")
        return self.root.stream(f"cd {shlex.quote(self.clone)} && {command}", show, **self.environment)

    def test_main_job(self):
        command, _ = start_commands(self.readme)
        status, output = self.run_in_clone(that_ends(without_sudo(command), self.readme))
        self.assertEqual(status, 0)
        for name, pattern in REPORT.items():
            self.assertRegex(output, pattern, f"the report has no {name}")

    def test_tests(self):
        _, command = start_commands(self.readme)
        status, output = self.run_in_clone(f"{without_sudo(command)} {self.pass_to_tests}".rstrip())
        self.addClassCleanup(show, f"\nAn outsider's tests:\n{tests_summary(output)}")
        self.assertRegex(output, r"(?m)^100% tests passed, 0 tests failed out of [1-9]")
        self.assertEqual(status, 0)


def missing():
    if os.geteuid() != 0:
        return "root is missing: it makes a Debian of its own and traces the kernel"
    for tool in ("debootstrap", "git"):
        if not shutil.which(tool):
            return f"{tool} is missing: apt install {tool}"
    if not mirror():
        return "a mirror of Debian is missing: apt has none here"
    if not os.path.exists(os.path.join(TOP, ".git")):
        return f"a repository is missing: {TOP} is none"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=("main", "tests"), help="the first command, or the second")
    parser.add_argument("--clone", metavar="PATH", default="/root/nettoll", help="where the clone goes, in the root (%(default)s)")
    parser.add_argument("--compiler-cache", metavar="DIR", help="installs ccache too, with this cache: faster than an outsider's build")
    parser.add_argument("--pass-to-tests", metavar="ARGUMENTS", default="", help="for the second command, such as \"-L unit\"")
    arguments, rest = parser.parse_known_args()
    if reason := missing():
        print(f"skipped: {reason}")
        return SKIPPED
    OutsiderTest.clone = arguments.clone
    OutsiderTest.compiler_cache = arguments.compiler_cache
    OutsiderTest.pass_to_tests = arguments.pass_to_tests
    names = {None: "OutsiderTest", "main": "OutsiderTest.test_main_job", "tests": "OutsiderTest.test_tests"}
    # As an interrupt, so that nothing is left.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with tempfile.TemporaryDirectory(prefix="nettoll-outsider-") as OutsiderTest.folder:
        program = unittest.main(argv=[sys.argv[0], *(rest or [names[arguments.only]])], exit=False, verbosity=2)
    return 0 if program.result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
