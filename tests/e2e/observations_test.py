#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Observations of `nettoll report` on captures that perf makes here: of traffic under many rules and a packet socket, and of
the same traffic without both.

Exit status 77, naming what is missing, where this host lacks root, a tool, nftables, perf's clock or kernel symbols.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "live")]

import child  # noqa: E402
import perf_tool  # noqa: E402
from prometheus_server import wait_until  # noqa: E402
from veth_pair import MissingError, VethPair  # noqa: E402

SKIPPED = 77
PACKETS = 200000
RULES = "\n".join(["table inet observed {", "chain input {", "type filter hook input priority 0",
                   *(f"udp dport {20000 + i} drop" for i in range(400)), "}", "}", ""])
# Hears every packet, and says so once it does.
TAP = """
import socket
tap = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
print("listening", flush=True)
while True: tap.recv(2048)
"""


class ObservationsTest(unittest.TestCase):
    program = None
    pair = None

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="nettoll-observations-")
        self.addCleanup(shutil.rmtree, self.folder)

    def inside(self, *command, **options):
        subprocess.run(["nsenter", f"--net={self.pair.b['netns']}", *command], capture_output=True, text=True, check=True,
                       **options)

    def listen(self):
        """A packet socket that sees what comes to b."""
        tap = child.start(["nsenter", f"--net={self.pair.b['netns']}", sys.executable, "-c", TAP], subprocess.PIPE, text=True)
        self.addCleanup(tap.stdout.close)
        self.addCleanup(child.stop, tap)
        self.assertEqual(tap.stdout.readline(), "listening\n")

    def capture(self):
        """Of the whole host, while packets go from a to b."""
        path = os.path.join(self.folder, "capture.data")
        perf = child.start(["perf", "record", "-q", "-a", "-g", "-F", "2000", "-e", "cpu-clock", "-o", path],
                           subprocess.DEVNULL)
        try:
            wait_until(lambda: os.path.exists(path) and os.path.getsize(path) > 0, 30, "perf to record")
            self.pair.blast(PACKETS)
        finally:
            child.stop(perf, signal.SIGINT)
        return path

    def report(self, path, *arguments):
        done = subprocess.run([self.program, "report", *arguments, path], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_rules_and_a_tap_are_observed(self):
        self.inside("nft", "-f", "-", input=RULES)
        self.addCleanup(self.inside, "nft", "delete", "table", "inet", "observed")
        self.listen()
        path = self.capture()
        observed = json.loads(self.report(path, "--json"))["observations"]
        findings = {finding["id"]: finding for finding in observed["findings"]}
        self.assertIn("filter_cost", findings)
        self.assertIn("packet_taps", findings)
        rules = findings["filter_cost"]
        share = rules["evidence"][0]
        self.assertEqual((share["what"], share["unit"]), ("part of network time (cpu-clock)", "%"))
        self.assertGreater(share["value"] - 2 * share["standard_error"], 5)
        self.assertGreater(share["samples"], 16)
        self.assertIn("in nft_do_chain", [one["what"] for one in rules["evidence"]])
        self.assertIn(rules["confidence"], ("medium", "high"))
        self.assertEqual({check["id"]: check["outcome"] for check in observed["checks"]}["filter_cost"], "found")
        text = self.report(path)
        self.assertRegex(text, r"\nObservations\n(.*\n)*\w+: network work: walking rules of iptables or nftables takes \d+%")

    def test_without_both_neither_is(self):
        observed = json.loads(self.report(self.capture(), "--json"))["observations"]
        outcomes = {check["id"]: check["outcome"] for check in observed["checks"]}
        for other in ("filter_cost", "packet_taps", "tax_sanitizer", "memory_compaction"):
            self.assertEqual(outcomes[other], "fine", other)
        self.assertEqual(outcomes["receive_cache_misses"], "unknown")


def missing():
    for tool in ("nft", "nsenter"):
        if not shutil.which(tool):
            return f"{tool} is missing"
    tried = subprocess.run(["unshare", "-n", "nft", "add", "table", "inet", "probe"], capture_output=True, text=True, check=False)
    if tried.returncode:
        return f"nft does not work here: {tried.stderr.strip()}"
    return perf_tool.missing()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nettoll", required=True, help="the program to test")
    parser.add_argument("--helpers", required=True, help="the folder with netns_pair and udp_blast")
    arguments, rest = parser.parse_known_args()
    if reason := missing():
        print(f"skipped: {reason}")
        return SKIPPED
    try:
        with VethPair(arguments.helpers) as pair:
            ObservationsTest.program, ObservationsTest.pair = os.path.abspath(arguments.nettoll), pair
            program = unittest.main(argv=[sys.argv[0], *rest], exit=False, verbosity=2)
            return 0 if program.result.wasSuccessful() else 1
    except MissingError as reason:
        print(f"skipped: {reason}")
        return SKIPPED


if __name__ == "__main__":
    sys.exit(main())
