#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What nettoll makes of other hosts' captures adds up to what a reader of a few lines (raw_capture.py) counts in each file: samples
and weights of every event in the report, in its column self, in folded stacks and in pprof.

Exit status 77 where the captures are not at hand.
"""

import argparse
import collections
import gzip
import json
import os
import subprocess
import sys
import unittest

from raw_capture import PerfData, PerfScript

SKIPPED = 77


def varint(data, at):
    """The number that begins there, and where it ends."""
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return value, at


def fields(message):
    """Field numbers and values of a protobuf message of numbers and of what has a length."""
    at = 0
    while at < len(message):
        key, at = varint(message, at)
        value, at = varint(message, at)
        if key & 7 == 2:
            value, at = message[at:at + value], at + value
        yield key >> 3, value


def numbers(packed):
    """Those of a packed list."""
    at = 0
    while at < len(packed):
        value, at = varint(packed, at)
        yield value


class LeafSumsTest(unittest.TestCase):
    nettoll = captures = None

    def run_nettoll(self, *arguments):
        return subprocess.run([self.nettoll, *arguments], capture_output=True, check=False)

    def files(self, folder):
        for entry in sorted(os.scandir(os.path.join(self.captures, folder)), key=lambda entry: entry.name):
            if not entry.name.endswith(".txt") or folder == "perf-script":
                yield entry.path

    def check(self, path, expected):
        """The samples and weights of all events are those, wherever they are told; gives the report."""
        report = json.loads(self.run_nettoll("report", "--json", path).stdout)
        events = {event["name"]: (event["samples"], round(event.get("total_ns", event.get("total_events"))))
                  for event in report["events"] if event.get("samples")}
        self.assertEqual(sorted(events.values()), expected)
        totals = {name: total for name, (_, total) in events.items()}
        selves = collections.Counter({name: 0 for name in totals})
        for function in report["functions"]:
            for cost in function["costs"]:
                selves[cost["event"]] += cost.get("self_ns", cost.get("self_events", 0))
        self.assertEqual({name: round(total) for name, total in selves.items()}, totals)
        for name, total in totals.items():
            lines = self.run_nettoll("export", "--format", "folded", "-e", name, path).stdout.splitlines()
            self.assertEqual(sum(int(line.rpartition(b" ")[2]) for line in lines), total, name)
        self.assertEqual({name: total for name, total in self.pprof(path).items() if total and name != "samples"},
                         {name: total for name, total in totals.items() if total})
        return report

    def pprof(self, path):
        """The sums of each type of samples."""
        types, strings, sums = [], [], collections.Counter()
        for number, value in fields(gzip.decompress(self.run_nettoll("export", "--format", "pprof", path).stdout)):
            if number == 1:
                types.append(dict(fields(value))[1])
            elif number == 6:
                strings.append(value.decode())
            elif number == 2:
                sums.update(dict(enumerate(numbers(dict(fields(value))[2]))))
        return {strings[kind]: sums[place] for place, kind in enumerate(types)}

    def test_perf_data(self):
        read = 0
        for path in self.files("perf-data"):
            with self.subTest(os.path.basename(path)):
                try:
                    raw = PerfData(path)
                except ValueError:
                    done = self.run_nettoll("report", path)
                    self.assertEqual((done.returncode, done.stdout), (1, b""))
                    self.assertIn(b"is no capture that nettoll knows", done.stderr)
                    continue
                report = self.check(path, raw.weights)
                self.assertEqual("ending" not in report["foreign"], raw.whole)
                read += 1
        self.assertGreater(read, 40)

    def test_perf_script(self):
        read = 0
        for path in self.files("perf-script"):
            with self.subTest(os.path.basename(path)):
                if "-D-hexdump" in path:
                    done = self.run_nettoll("report", path)
                    self.assertEqual((done.returncode, done.stdout), (1, b""))
                    self.assertIn(b"is the hex dump of 'perf script -D'", done.stderr)
                    continue
                self.check(path, PerfScript(path).weights)
                read += 1
        self.assertGreater(read, 20)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nettoll", required=True, help="the program to test")
    parser.add_argument("--captures", required=True, help="the folder with perf-data and perf-script")
    arguments, rest = parser.parse_known_args()
    if not os.path.isdir(os.path.join(arguments.captures, "perf-data")):
        print(f"skipped: no {arguments.captures}/perf-data")
        return SKIPPED
    LeafSumsTest.nettoll, LeafSumsTest.captures = os.path.abspath(arguments.nettoll), arguments.captures
    program = unittest.main(argv=[sys.argv[0], *rest], exit=False, verbosity=2)
    return 0 if program.result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
