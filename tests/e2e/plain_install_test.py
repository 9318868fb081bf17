#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What deploy/install puts below a folder: the files of the Debian package; what it leaves; what it takes away."""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "live")]

import package_test  # noqa: E402

INSTALL = pathlib.Path(HERE).parents[1] / "deploy" / "install"
CONFIG = "etc/nettoll/nettoll.toml"


class PlainInstallTest(unittest.TestCase):
    build = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="nettoll-install-")
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name, "root")
        self.root.mkdir()

    def install(self, *words):
        return subprocess.run([INSTALL, *words], capture_output=True, text=True, check=False)

    def do(self, *words):
        done = self.install("--root", str(self.root), *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def files(self):
        return {path.relative_to(self.root).as_posix() for path in self.root.rglob("*") if path.is_file()}

    def test_puts_files_where_the_package_has_them(self):
        self.do(self.build)
        # Policy has manual pages compressed in a package.
        self.assertLessEqual({name.removesuffix(".gz") for name in package_test.FILES}, self.files())
        unit = (self.root / package_test.UNIT).read_text()
        program = self.root / unit.partition("ExecStart=/")[2].split()[0]
        done = subprocess.run([program, "serve", "--config", self.root / CONFIG, "--check-config"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_keeps_what_the_administrator_wrote(self):
        self.do(self.build)
        (self.root / CONFIG).write_text("max-functions = 7\n")
        self.do(self.build)
        self.assertEqual((self.root / CONFIG).read_text(), "max-functions = 7\n")

    def test_takes_away_what_it_brought(self):
        other = self.root / "usr/share/man/man8/other.8"
        other.parent.mkdir(parents=True)
        other.write_text("")
        self.do(self.build)
        self.do("--remove")
        self.assertEqual(self.files(), {CONFIG, "usr/share/man/man8/other.8"})
        self.assertFalse((self.root / "usr/sbin").exists())
        done = self.install("--root", str(self.root), "--remove")
        self.assertEqual(done.returncode, 1)
        self.assertIn("nothing was installed", done.stderr)

    def test_refuses_what_it_cannot_do(self):
        done = self.install("--root", str(self.root), str(self.root))
        self.assertEqual(done.returncode, 1)
        self.assertIn("holds no built nettoll", done.stderr)
        self.assertEqual(self.files(), set())
        for words in ((), ("--root",), ("--bogus",), (self.build, self.build)):
            self.assertEqual(self.install(*words).returncode, 2, words)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True, help="the folder of the build")
    arguments, rest = parser.parse_known_args()
    PlainInstallTest.build = os.path.abspath(arguments.build)
    program = unittest.main(argv=[sys.argv[0], *rest], exit=False, verbosity=2)
    return 0 if program.result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
