#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The commands that draw on a terminal, `top` and `drops`, in one of 80x24 with keys and with traffic.

Exit status 77, naming what is missing, where this host lacks root, tmux or cannot run nettoll's main job.
"""

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "live")]

from tmux import Tmux  # noqa: E402
from veth_pair import MissingError, VethPair  # noqa: E402

SKIPPED = 77
# Software events, which every host has.
EVENTS = "cpu-clock,context-switches"
PANES = {"1": "Functions", "2": "Paths", "3": "CPUs", "4": "Drops", "5": "Findings"}


def numbers(text, pattern):
    return re.findall(pattern, text)


class TerminalTest(unittest.TestCase):
    """With packets under way from one namespace to another, one in ten to a closed port."""

    program = None
    helpers = None

    @classmethod
    def setUpClass(cls):
        pair = VethPair(cls.helpers)
        cls.pair = pair.__enter__()
        cls.addClassCleanup(pair.__exit__, None, None, None)
        cls.traffic = cls.pair.start_blast(50_000_000, closed=5_000_000, rate=20_000, limit=1000)
        cls.addClassCleanup(cls.traffic.cancel)

    def setUp(self):
        self.assertTrue(self.traffic.running(), "the traffic ended")
        terminal = Tmux()
        self.tmux = terminal.__enter__()
        self.addCleanup(terminal.__exit__, None, None, None)
        self.write_before()

    def write_before(self):
        """Clears the screen but for a line that has to be there again, and waits for the shell to be done with it."""
        self.tmux.command("clear; echo what was before")
        self.tmux.wait_for(lambda text: text.startswith("what was before\n$"), "the shell")

    def start(self, line, shown):
        self.tmux.command(f"{line}; echo status=$?")
        return self.tmux.wait_for(shown, f"{line} draws")

    def start_top(self, *options, delay="500ms"):
        line = " ".join([self.program, "top", "-d", delay, "-e", EVENTS, *options])
        return self.start(line, lambda text: text.startswith("nettoll top") and "packets  rx" in text)

    def assert_restored(self, status=0):
        """The screen of before is there again, and the shell."""
        text = self.tmux.wait_for(f"\nstatus={status}", "the end")
        self.assertRegex(text, r"(?m)^what was before$")
        self.assertNotIn("packets  rx", text)
        self.tmux.command("echo typed after")
        self.tmux.wait_for("\ntyped after", "an echo of what is typed: the terminal's modes are back")

    def process(self):
        """The program's process id."""
        found = subprocess.run(["pgrep", "-f", f"^{re.escape(self.program)} "], capture_output=True, text=True,
                               check=False).stdout.split()
        self.assertEqual(len(found), 1, found)
        return int(found[0])


class TopTest(TerminalTest):
    def names(self, text):
        """Functions in the order of the list."""
        rows = text.split("\n")
        begin = next(i for i, row in enumerate(rows) if row.startswith("function"))
        return [row.split()[0] for row in rows[begin + 1:-2] if row.strip()]

    def test_panes(self):
        text = self.start_top()
        rows = self.tmux.lines()
        self.assertEqual(len(rows), 24)
        self.assertTrue(all(len(row) <= 80 for row in rows), text)
        self.assertIn("own cost ", self.tmux.wait_for(r"a refresh (", "the cost of a refresh"))
        rx = re.search(r"packets  rx (\S+)/s", text)
        self.assertNotIn(rx[1], ("-", "0"), text)
        self.tmux.wait_for("net_rx_action", "functions of the receive path")
        for key, name in PANES.items():
            self.tmux.keys(key)
            self.tmux.wait_for(lambda text, word=f" {key} {name} ": word in text, name)
            with self.subTest(name):
                if name == "Paths":
                    self.assertRegex(self.tmux.wait_for("network%", name), r"(?m)^rx ")
                elif name == "CPUs":
                    self.assertRegex(self.tmux.wait_for("softirq net_rx", name), r"(?m)^ +\d+ ")
                elif name == "Drops":
                    self.tmux.wait_for(lambda text: re.search(r"(?m)^NO_SOCKET .* __udp4_lib_rcv .*lost", text), name)
                elif name == "Findings":
                    self.tmux.wait_for(lambda text: "no findings in" in text or re.search(r"(?m)^ *(note|warning|critical) ", text), "a judgement")
        self.tmux.keys("q")
        self.assert_restored()

    @staticmethod
    def fits(text, columns, rows):
        """Whether a frame of this size is there, from the first line to the last."""
        lines = text.split("\n")
        return (len(lines) == rows and all(len(line) <= columns for line in lines) and "\nfunction" in text and
                lines[0].startswith("nettoll top") and lines[-1].startswith("q quit"))

    def test_sort_and_reverse(self):
        self.start_top(delay="60s")
        first = self.tmux.wait_for("by self%", "the order")
        self.tmux.keys("p", "<")
        by_name = self.tmux.wait_for("by function", "the other order")
        names = self.names(by_name)
        self.assertEqual(names, sorted(names))
        self.assertNotEqual(names, self.names(first))
        self.tmux.keys("r")
        reverse = self.names(self.tmux.wait_for("reversed by", "the reverse order"))
        self.assertEqual(reverse, sorted(reverse, reverse=True))
        self.assertNotEqual(reverse, names)

    def test_filter(self):
        self.start_top()
        self.tmux.keys("/")
        self.tmux.type("udp")
        self.tmux.wait_for("\nfilter: udp", "the filter as it is typed")
        text = self.tmux.wait_for(lambda text: "udp" in (self.names(text) or [""])[0], "functions that match")
        self.assertTrue(all("udp" in name.lower() for name in self.names(text)), text)
        self.tmux.keys("Enter")
        self.tmux.wait_for('"udp"', "the filter is kept")
        self.tmux.keys("Escape")
        self.tmux.wait_for(lambda text: '"udp"' not in text and "net_rx_action" in text, "the filter is gone")

    def test_pause(self):
        self.start_top()
        self.tmux.keys("p")
        frozen = self.tmux.wait_for("PAUSED", "the pause")
        time.sleep(3)
        self.assertEqual(self.tmux.text(), frozen)
        self.tmux.keys("j")
        self.assertEqual(self.tmux.text(), frozen, "the cursor alone moves, which is a colour")
        self.tmux.keys("p")
        self.tmux.wait_for(lambda text: "PAUSED" not in text and text.split("\n")[0] != frozen.split("\n")[0],
                           "new numbers")

    def test_event(self):
        self.start_top()
        self.tmux.wait_for("cpu-clock, by self%", "the first event")
        self.tmux.keys("e")
        self.tmux.wait_for("context-switches, by self%", "the next event")
        self.tmux.keys("e")
        self.tmux.wait_for("cpu-clock, by self%", "the first event again")

    def test_detail_help_and_information(self):
        # Enough samples that one is in any function of the path.
        self.start_top("-F", "997", delay="2s")
        self.tmux.wait_for("net_rx_action", "functions of the receive path")
        self.tmux.keys("p", "/")
        self.tmux.type("net_rx_action")
        self.tmux.keys("Enter", "Enter")
        text = self.tmux.wait_for("calls, of ", "all about a function")
        self.assertIn("net_rx_action (vmlinux)", text)
        self.tmux.keys("q", "h")
        self.tmux.wait_for("Shift-Tab", "the keys")
        self.tmux.keys("i")
        self.tmux.wait_for("counting  set core", "the information")
        self.tmux.keys("Escape")
        self.tmux.wait_for("net_rx_action  ", "the list")

    def test_resize(self):
        self.start_top()
        for columns, rows in ((60, 15), (200, 50), (20, 5), (80, 24)):
            self.tmux.resize(columns, rows)
            # Until it is drawn anew tmux shows a part of the frame before.
            self.tmux.wait_for(lambda text, size=(columns, rows): self.fits(text, *size), f"{columns}x{rows}")
        self.tmux.resize(200, 50)
        self.tmux.wait_for("module", "columns that only a wide screen has")

    def test_signals(self):
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            with self.subTest(number.name):
                self.start_top()
                os.kill(self.process(), number)
                self.assert_restored()
                self.write_before()
        self.start_top()
        self.tmux.keys("C-c")
        self.assert_restored()

    def test_stop_and_continue(self):
        self.start_top()
        self.tmux.keys("C-z")
        self.tmux.wait_for("what was before", "the shell")
        self.tmux.command("fg")
        self.tmux.wait_for(lambda text: text.startswith("nettoll top"), "the screen again")
        self.tmux.keys("q")
        self.tmux.wait_for("what was before", "the shell")

    def test_iterations(self):
        self.start_top("-n", "2")
        self.assert_restored()

    def test_terminals_that_cannot(self):
        for term, word in (("dumb", "cannot move its cursor"), ("nosuchterm", "'nosuchterm'"), ("", "TERM is not set")):
            with self.subTest(term):
                self.tmux.command(f"clear; echo what was before; TERM={term} {self.program} top; echo status=$?")
                # The screen still has the last one's for a moment.
                self.tmux.wait_for(lambda text: "\nstatus=2" in text and word in text.replace("\n", ""), f"the error of {term}")  # noqa: B023

    def test_no_color(self):
        colors = re.compile(r"\033\[[0-9;]*3[0-7]m")
        for setting, colored in (("", True), ("NO_COLOR=1", False)):
            with self.subTest(setting):
                self.start(f"{setting} TERM=xterm-256color {self.program} top -d 500ms -e {EVENTS}", "packets  rx")
                shown = self.tmux._run("capture-pane", "-p", "-e")
                self.assertEqual(bool(colors.search(shown)), colored)
                self.tmux.keys("q")
                self.assert_restored()
                self.write_before()


class BatchTest(TerminalTest):
    def test_plain_text(self):
        done = subprocess.run([self.program, "top", "-b", "-n", "2", "-d", "1s", "-e", EVENTS], capture_output=True,
                              text=True, check=False, timeout=100, stdin=subprocess.DEVNULL)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout.count("nettoll top "), 2)
        for name in PANES.values():
            self.assertEqual(len(re.findall(rf"(?m)^{name}\b", done.stdout)), 2, name)
        self.assertNotIn("\033", done.stdout)
        self.assertRegex(done.stdout, r"(?m)^NO_SOCKET ")


class DropsTest(TerminalTest):
    def test_redraws_and_ends(self):
        self.start(f"{self.program} drops --samples 2", "nettoll drops, ")
        text = self.tmux.wait_for("NO_SOCKET", "the reason")
        self.assertTrue(text.startswith("nettoll drops, "), text)
        before = re.search(r"Lost: ([\d,]+) packets", text)[1]
        text = self.tmux.wait_for(lambda text: (found := re.search(r"Lost: ([\d,]+) packets", text)) and found[1] != before, "another second")
        self.assertEqual(text.count("nettoll drops, "), 1, "each table takes the place of the one before")
        self.assertEqual(len(text.split("\n")), 24)
        self.tmux.keys("C-c")
        self.tmux.wait_for("\nstatus=0", "the end")


    def test_every_section_has_its_share(self):
        """Stacks are taller than the screen; examples are on it all the same."""
        self.start(f"{self.program} drops --stacks 20", "nettoll drops, ")
        text = self.tmux.wait_for(lambda text: re.search(r"(?m)^Examples \(", text), "examples")
        self.assertEqual(len(text.split("\n")), 24)
        self.assertRegex(text, r"(?m)^NO_SOCKET ")
        self.assertRegex(text, r"(?m)^Stacks of the samples ")
        self.assertRegex(text, r"(?m)^\d\d:\d\d:\d\d\.\d{6} ")
        self.assertIn("more lines than the terminal has room for", text)
        self.assertRegex(text, r"(?m)^Samples: ")
        self.tmux.keys("C-c")
        self.tmux.wait_for("\nstatus=0", "the end")


def missing(program):
    """What this host lacks, or None."""
    if os.geteuid() != 0:
        return "root is missing: tracing needs it"
    if not shutil.which("tmux"):
        return "tmux is missing (package tmux)"
    done = subprocess.run([program, "doctor", "--json"], capture_output=True, text=True, check=False)
    fails = [f"{check['name']}: {check['detail']}" for check in json.loads(done.stdout)["checks"]
             if check["required"] and not check["works"]]
    return "; ".join(fails) or None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nettoll", required=True, help="the program to test")
    parser.add_argument("--helpers", required=True, help="the folder of netns_pair and udp_blast")
    arguments, rest = parser.parse_known_args()
    if reason := missing(arguments.nettoll):
        print(f"skipped: {reason}")
        return SKIPPED
    TerminalTest.program = os.path.abspath(arguments.nettoll)
    TerminalTest.helpers = arguments.helpers
    try:
        program = unittest.main(argv=[sys.argv[0], *rest], exit=False, verbosity=2)
    except MissingError as error:
        print(f"skipped: {error}")
        return SKIPPED
    return 0 if program.result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
