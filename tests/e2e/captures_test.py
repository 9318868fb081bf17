#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Captures that perf makes here: nettoll report must agree with perf report function by function.

Exit status 77, naming what is missing, where this host lacks root, perf, or readable kernel symbols.
"""

import argparse
import collections
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SKIPPED = 77
SEND = """
import socket
s = socket.socket(type=socket.SOCK_DGRAM); s.bind(('127.0.0.1', 0))
c = socket.socket(type=socket.SOCK_DGRAM)
for _ in range(60000): c.sendto(b'x' * 500, s.getsockname()); s.recv(1000)
"""


class CapturesTest(unittest.TestCase):
    nettoll = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="nettoll-captures-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.clock = cls.record("clock.data", "-F", "2000", "-e", "cpu-clock")
        cls.tracepoints = cls.record("tracepoints.data", "-e", "net:netif_receive_skb", "-e", "napi:napi_poll")

    @classmethod
    def record(cls, name, *arguments):
        path = os.path.join(cls.folder, name)
        subprocess.run(["perf", "record", "-q", "-a", "-g", "-o", path, *arguments, "--", sys.executable, "-c", SEND],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return path

    def report(self, path, *arguments):
        done = subprocess.run([self.nettoll, "report", "--json", *arguments, path], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout)

    @staticmethod
    def perf_functions(path, *arguments):
        """Samples by event and kernel function, from perf report's table."""
        text = subprocess.run(["perf", "report", "-i", path, "--stdio", "-F", "sample,sym", "-g", "none", "-t", "|",
                               "--percent-limit", "0", *arguments], capture_output=True, text=True, errors="replace",
                              check=True).stdout
        tables = collections.defaultdict(collections.Counter)
        event = None
        for line in text.splitlines():
            if match := re.match(r"# Samples: .* of event '(.*)'", line):
                event = match[1]
            elif match := re.match(r" *(\d+) *\|\[k\] (\S+)", line):
                tables[event][match[2]] += int(match[1])
        return tables

    @staticmethod
    def our_functions(report, scope):
        tables = collections.defaultdict(collections.Counter)
        for function in report["functions"]:
            for cost in function["costs"]:
                if function["kind"] in ("kernel", "bpf") and cost.get(f"{scope}_samples"):
                    tables[cost["event"]][function["function"]] += cost[f"{scope}_samples"]
        return tables

    def assert_same(self, ours, theirs):
        """Equal but for names of one address: perf and nettoll choose differently among aliases."""
        self.assertEqual(set(ours), set(theirs))
        with open("/proc/kallsyms", encoding="ascii", errors="replace") as kallsyms:
            address = {}
            for line in kallsyms:
                where, _, name = line.split()[:3]
                address.setdefault(name, where)
        for event in theirs:
            def by_address(table):
                merged = collections.Counter()
                for name, samples in table.items():
                    merged[address.get(name, name)] += samples
                return merged
            self.assertEqual(by_address(ours[event]), by_address(theirs[event]), event)
            self.assertGreater(sum(theirs[event].values()), 100)

    def test_flat_profile(self):
        for path in (self.clock, self.tracepoints):
            with self.subTest(os.path.basename(path)):
                self.assert_same(self.our_functions(self.report(path), "self"),
                                 self.perf_functions(path, "--no-children"))

    def test_totals(self):
        done = subprocess.run(["perf", "script", "-i", self.clock, "-G", "-F", "event,period"], capture_output=True, text=True,
                              errors="replace", check=True)
        periods = [int(line.split()[0]) for line in done.stdout.splitlines()]
        event = self.report(self.clock)["events"][0]
        self.assertEqual((event["samples"], event["total_ns"]), (len(periods), sum(periods)))

    def test_text_is_the_same(self):
        """The text of perf script holds what the perf.data does."""
        text = os.path.join(self.folder, "clock.txt")
        with open(text, "wb") as out:
            subprocess.run(["perf", "script", "-i", self.clock, "--header"], stdout=out, stderr=subprocess.DEVNULL, check=True)
        report = self.report(text)
        self.assertEqual(report["foreign"]["tool"], "perf script")
        self.assert_same(self.our_functions(report, "self"), self.perf_functions(self.clock, "--no-children"))

    def test_packed_is_the_same(self):
        packed = os.path.join(self.folder, "clock.gz")
        with open(self.clock, "rb") as plain, gzip.open(packed, "wb", compresslevel=1) as out:
            shutil.copyfileobj(plain, out)
        self.assertEqual(self.report(packed), self.report(self.clock))

    def test_given_kallsyms(self):
        """A copy of this host's serves as this host's does; zeros are refused."""
        copy = os.path.join(self.folder, "kallsyms")
        shutil.copyfile("/proc/kallsyms", copy)
        ours = self.report(self.clock)
        self.assertEqual(self.report(self.clock, "--kallsyms", copy)["functions"], ours["functions"])
        with open(copy, "w", encoding="ascii") as zeros:
            zeros.write("0000000000000000 T _text\n0000000000000000 T ip_rcv\n")
        done = subprocess.run([self.nettoll, "report", "--kallsyms", copy, self.clock], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("copy /proc/kallsyms as root", done.stderr)


def missing():
    if os.geteuid() != 0:
        return "root is missing: perf record -a needs it"
    if not shutil.which("perf"):
        return "perf is missing: Debian's linux-perf"
    tried = subprocess.run(["perf", "record", "-q", "-a", "-e", "cpu-clock", "-o", "/dev/null", "--", "true"],
                           capture_output=True, text=True, check=False)
    if tried.returncode:
        return f"perf record does not work here: {tried.stderr.strip()}"
    with open("/proc/kallsyms", encoding="ascii", errors="replace") as kallsyms:
        if set(next(kallsyms).split()[0]) == {"0"}:
            return "/proc/kallsyms hides its addresses"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nettoll", required=True, help="the program to test")
    arguments, rest = parser.parse_known_args()
    if reason := missing():
        print(f"skipped: {reason}")
        return SKIPPED
    CapturesTest.nettoll = os.path.abspath(arguments.nettoll)
    program = unittest.main(argv=[sys.argv[0], *rest], exit=False, verbosity=2)
    return 0 if program.result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
