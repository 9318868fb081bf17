#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The quickstart where its build is interrupted or fails, and its packages: copies of the scripts, with tools of a few
lines.

Root, since the script asks for it; exit status 77 without.
"""

import os
import pty
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE]

from prometheus_server import wait_until  # noqa: E402

SKIPPED = 77
QUICKSTART = os.path.join(HERE, "..", "..", "deploy", "quickstart")
SLOW_BUILD = 'echo "[1/7] a"; touch "$MARKS/started"; trap \'touch "$MARKS/ended"; exit 1\' TERM; while :; do sleep 0.1; done'


class QuickstartTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="nettoll-quickstart-")
        self.addCleanup(shutil.rmtree, self.folder)
        os.chmod(self.folder, 0o755)
        for name in ("deploy", "bin", "tmp", "marks"):
            os.mkdir(self.path(name))
        os.chmod(self.path("marks"), 0o777)
        self.script = shutil.copy(QUICKSTART, self.path("deploy"))
        self.program("deploy/install-packages", "")
        self.program("deploy/debian-packages.build", "")
        self.program("bin/cmake", "")

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def program(self, name, body):
        with open(self.path(name), "w", encoding="ascii") as file:
            file.write(f"#!/bin/bash\n{body}\n")
        os.chmod(self.path(name), 0o755)

    def start(self, **options):
        environment = {**os.environ, "PATH": f"{self.path('bin')}:{os.environ['PATH']}",
                       "TMPDIR": self.path("tmp"), "MARKS": self.path("marks")}
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
        process = subprocess.Popen([self.script, "--once"], stdin=subprocess.DEVNULL, env=environment, **options)
        self.addCleanup(process.kill)
        return process

    def wait_for_build(self, process):
        wait_until(lambda: os.path.exists(self.path("marks", "started")), 60, "the build does not start", process)

    def assert_nothing_left(self):
        self.assertEqual(os.listdir(self.path("tmp")), [])

    def test_a_signal_ends_the_build_and_leaves_nothing(self):
        self.program("bin/ninja", SLOW_BUILD)
        process = self.start()
        self.wait_for_build(process)
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=60)
        self.assertEqual((process.returncode, errors), (143, b""))
        self.assertTrue(os.path.exists(self.path("marks", "ended")), "the build still runs")
        self.assert_nothing_left()

    def test_a_failed_build_shows_its_end_and_fails(self):
        self.program("bin/ninja", "echo 'it is broken'; exit 4")
        process = self.start()
        _, errors = process.communicate(timeout=60)
        self.assertEqual((process.returncode, errors), (1, b"it is broken\nthe build failed\n"))
        self.assert_nothing_left()

    def test_a_terminal_shows_how_far_the_build_is(self):
        self.program("bin/ninja", SLOW_BUILD)
        ours, theirs = pty.openpty()
        self.addCleanup(os.close, ours)
        process = self.start(stdout=theirs, stderr=subprocess.DEVNULL)
        os.close(theirs)
        shown = b""
        end = time.monotonic() + 60
        while b"[1/7]" not in shown and time.monotonic() < end:
            shown += os.read(ours, 1000)
        self.assertIn(b"building in build/release [1/7]", shown)
        process.terminate()
        self.assertEqual(process.wait(timeout=60), 143)

    def test_packages_are_asked_for_all_at_once(self):
        script = shutil.copy(os.path.join(os.path.dirname(QUICKSTART), "install-packages"), self.path("deploy"))
        self.program("bin/dpkg-query", 'echo asked >>"$MARKS/asked"; printf "%s\\n" "aa installed" "b not-installed"')
        with open(self.path("list"), "w", encoding="ascii") as file:
            file.write("aa # there\n\nb\nc\n")
        environment = {**os.environ, "PATH": f"{self.path('bin')}:{os.environ['PATH']}", "MARKS": self.path("marks")}
        done = subprocess.run([script, self.path("list")], env=environment, capture_output=True, check=False,
                              user="nobody", cwd="/")
        self.assertEqual((done.returncode, done.stderr), (1, b"missing packages: b c; run this with sudo\n"))
        with open(self.path("marks", "asked"), encoding="ascii") as file:
            self.assertEqual(file.read(), "asked\n")


if __name__ == "__main__":
    if os.geteuid() != 0:
        print("skipped: needs root")
        sys.exit(SKIPPED)
    unittest.main(verbosity=2)
