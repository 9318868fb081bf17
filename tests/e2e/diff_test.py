#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""nettoll diff: of recordings of one load nothing is significant, an added filter is named first, and the exit
status is what a build can go by.

Exit status 77, naming what is missing, where this host lacks root, a packet filter, or cannot record.
"""

import argparse
import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), "live")]

from veth_pair import MissingError, VethPair  # noqa: E402

SKIPPED = 77
DONE, FAILED, USAGE, BEYOND = 0, 1, 2, 3
RULES = 500
# What evaluates rules, of nf_tables and of the older ip_tables.
EVALUATORS = ("nft_do_chain", "ipt_do_table")
# What one load costs depends on the host's speed, which its neighbours change where it is a virtual one: then `diff` is right
# to find differences. So recordings count whose load ran at one speed, as the device's counters tell; and of those with and
# without the filter the pair in which everything else changed least.
ATTEMPTS = 5
MOST_UNSTEADY = 1.15
FILTER_PREFIXES = ("nft_", "nf_", "ipt_", "ip_packet_match", "xt_", "__nft", "__nf")


def is_steady(rates):
    return max(rates) <= MOST_UNSTEADY * min(rates)


def add_rules(netns):
    """Rules that match no packet, so that each packet is held against all of them."""
    if shutil.which("nft"):
        rules = "\n".join(f"ip saddr 192.0.2.{i % 250} udp dport {i + 1} counter drop" for i in range(RULES))
        text = f"table ip nettoll_test {{ chain c {{ type filter hook input priority 0; policy accept;\n{rules}\n}}\n}}\n"
        command = ["nft", "-f", "-"]
    else:
        text = "*filter\n" + "".join(f"-A INPUT -s 192.0.2.{i % 250} -j DROP\n" for i in range(RULES)) + "COMMIT\n"
        command = ["iptables-legacy-restore"]
    done = subprocess.run(["nsenter", f"--net={netns}", *command], input=text, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise MissingError(f"{command[0]} does not work here: {done.stderr.strip()}")


class DiffTest(unittest.TestCase):
    nettoll = None
    helpers = None

    folder = None

    @classmethod
    def record_all(cls):
        """The recordings that the tests share; raises MissingError where this host cannot make them."""
        for attempt in range(ATTEMPTS):
            with VethPair(cls.helpers) as pair:
                cls.same, same_rates = zip(*(cls.record(pair, f"same{i}.data") for i in range(3)))
                add_rules(pair.b["netns"])
                filtered, filtered_rates = zip(*(cls.record(pair, f"filtered{i}.data") for i in range(2)))
            print(f"packets a second: {same_rates}, filtered {filtered_rates}", flush=True)
            if is_steady(same_rates) and is_steady(filtered_rates):
                cls.before, cls.filtered = min(itertools.product(cls.same, filtered), key=lambda pair: cls.spread(*pair))
                return
        raise MissingError(f"a steady host is missing: in {ATTEMPTS} attempts one load never had one speed")

    @classmethod
    def record(cls, pair, name):
        """Gives the recording and how many packets a second came meanwhile, as the device counts them."""
        path = os.path.join(cls.folder, name)
        # More than can be sent in the time; the limit ends it where a host is faster.
        blast = pair.start_blast(1_000_000_000, limit=120)
        try:
            before, begin = pair.device_counters("b")["rx_packets"], time.monotonic()
            done = subprocess.run([cls.nettoll, "record", "-F", "499", "-d", "8", "-o", path], capture_output=True,
                                  text=True, check=False)
            rate = (pair.device_counters("b")["rx_packets"] - before) / (time.monotonic() - begin)
            if not blast.running():
                raise RuntimeError("the traffic ended before the recording")
        finally:
            blast.cancel()
        if done.returncode != 0:
            raise MissingError(f"nettoll cannot record here: {done.stderr.strip()}")
        return path, round(rate)

    @classmethod
    def spread(cls, a, b):
        """By how much the typical function moved: of code that both ran, where the filter is code that one ran."""
        return json.loads(cls.run_diff("--json", a, b).stdout)["events"][0]["spread"]

    @classmethod
    def run_diff(cls, *arguments):
        return subprocess.run([cls.nettoll, "diff", *arguments], capture_output=True, text=True, check=False)

    def diff(self, *arguments):
        done = self.run_diff("--json", *arguments)
        self.assertEqual((done.returncode, done.stderr), (DONE, ""))
        return json.loads(done.stdout)

    def path(self, name, content):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(content)
        return path

    @staticmethod
    def named(diff):
        return [row["function"] for event in diff["events"] for row in event["functions"]
                if row["self"]["significant"] or row["inclusive"]["significant"]]

    def test_same_load_does_not_differ(self):
        """Of three pairs at most one may name a function: the rate of false ones is not 0."""
        found = {(a, b): self.named(self.diff(a, b)) for a, b in itertools.combinations(self.same, 2)}
        self.assertLessEqual(sum(bool(names) for names in found.values()), 1, found)

    def test_filter_is_named_first(self):
        diff = self.diff(self.before, self.filtered)
        self.assertEqual(diff["per"], "packet")
        names = self.named(diff)
        self.assertTrue(names, "nothing is significant")
        self.assertTrue(names[0].startswith(FILTER_PREFIXES), names)
        self.assertTrue(set(names) & set(EVALUATORS), names)
        row = next(row for row in diff["events"][0]["functions"] if row["function"] in EVALUATORS)
        self.assertIn(row["in"], ("b", "both"))
        self.assertGreater(row["self"]["difference"], 0)
        # And the other way round it is what went.
        back = self.diff(self.filtered, self.before)
        self.assertTrue(self.named(back)[0].startswith(FILTER_PREFIXES))
        self.assertLess(back["events"][0]["functions"][0]["self"]["difference"], 0)

    def test_fail_on_a_named_function(self):
        functions = [row["function"] for row in self.diff(self.before, self.filtered)["events"][0]["functions"]]
        self.assertTrue(set(functions) & set(EVALUATORS), functions)
        evaluator = next(function for function in functions if function in EVALUATORS)
        worse = self.run_diff("--fail-on", "+5%", "--function", evaluator, self.before, self.filtered)
        self.assertEqual(worse.returncode, BEYOND, worse.stderr)
        self.assertIn(evaluator, worse.stderr)
        better = self.run_diff("--fail-on", "+5%", "--function", evaluator, self.filtered, self.before)
        self.assertNotIn(evaluator, better.stderr)

    def test_one_recording_twice(self):
        diff = self.diff(self.same[0], self.same[0])
        self.assertEqual(self.named(diff), [])
        self.assertFalse(diff["events"][0]["total"]["significant"])
        self.assertEqual(diff["events"][0]["total"]["difference"], 0)
        self.assertIn("A and B hold the same recording", diff["notes"])
        done = self.run_diff("--fail-on", "+0%", self.same[0], self.same[0])
        self.assertEqual((done.returncode, done.stderr), (DONE, ""))

    def test_divisors(self):
        for per in ("packet", "call", "second", "share"):
            self.assertEqual(self.diff("--per", per, *self.same[:2])["per"], per)
        done = self.run_diff("--per", "mile", *self.same[:2])
        self.assertEqual((done.returncode, done.stdout), (USAGE, ""))

    def test_wrong_usage(self):
        for arguments in ((), (self.same[0],), (*self.same[:3],), ("--fail-on", "5", *self.same[:2]),
                          ("--sort", "x", *self.same[:2]), ("--path", "x", *self.same[:2]),
                          ("--fail-on", "nosuch+5%", *self.same[:2]),
                          ("--fail-on", "+5%", "--function", "nosuch", *self.same[:2]),
                          ("--per", "second", "--fail-on", ":packet+5%", *self.same[:2])):
            done = self.run_diff(*arguments)
            self.assertEqual((done.returncode, done.stdout), (USAGE, ""), arguments)

    def test_files_that_fail(self):
        with open(self.same[0], "rb") as file:
            whole = file.read()
        for path in (self.path("empty", b""), self.path("cut", whole[:len(whole) // 2]),
                     self.path("noise", bytes(range(256)) * 20), os.path.join(self.folder, "absent")):
            for pair in ((self.same[0], path), (path, self.same[0])):
                done = self.run_diff(*pair)
                self.assertEqual((done.returncode, done.stdout), (FAILED, ""), path)
                self.assertRegex(done.stderr, r"\Anettoll: [^\n]+\n\Z")

    def test_no_common_event(self):
        """Text of perf script with another event: nothing of it is compared with cpu-clock."""
        text = "".join(f"swapper 0 [000] {i}.000000: 1000 cycles:k: \n\tffffffff81000000 ip_rcv+0x10 ([kernel.kallsyms])\n\n"
                       for i in range(1, 50)).encode()
        other = self.path("cycles.txt", text)
        done = self.run_diff("--json", self.same[0], other)
        self.assertEqual(done.returncode, FAILED)
        self.assertIn("nothing that compares", done.stderr)
        diff = json.loads(done.stdout)
        self.assertEqual(diff["events"], [])
        self.assertTrue(any("cpu-clock is in A alone" in note for note in diff["notes"]), diff["notes"])
        self.assertNotIn("drops", diff)
        judged = self.run_diff("--fail-on", "+5%", self.same[0], other)
        self.assertEqual(judged.returncode, FAILED)
        self.assertIn("no event in common", judged.stderr)
        # Two of them compare, by seconds.
        same = self.diff(other, other)
        self.assertEqual((same["per"], same["events"][0]["event"]), ("second", "cycles"))
        self.assertEqual(self.named(same), [])


def missing():
    if os.geteuid() != 0:
        return "root is missing: recording needs it"
    if not shutil.which("nft") and not shutil.which("iptables-legacy-restore"):
        return "a packet filter is missing: Debian's nftables or iptables"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nettoll", required=True, help="the program to test")
    parser.add_argument("--helpers", required=True, help="folder of netns_pair and udp_blast")
    arguments, rest = parser.parse_known_args()
    if reason := missing():
        print(f"skipped: {reason}")
        return SKIPPED
    DiffTest.nettoll = os.path.abspath(arguments.nettoll)
    DiffTest.helpers = arguments.helpers
    with tempfile.TemporaryDirectory(prefix="nettoll-diff-") as DiffTest.folder:
        try:
            DiffTest.record_all()
        except MissingError as lacking:
            print(f"skipped: {lacking}")
            return SKIPPED
        program = unittest.main(argv=[sys.argv[0], *rest], exit=False, verbosity=2)
    return 0 if program.result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
