#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The dashboards and rules on a fleet: hosts made of one that is scraped here under traffic, and of one with a PMU that was recorded in a
guest, in a real Prometheus. Prints what deploy/docs/fleet.md tells of size and time.

Exit status 77, naming what is missing, where this host lacks Prometheus, root or the built helpers.
"""

import contextlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "live")]

import dashboards  # noqa: E402
import exposition  # noqa: E402
import fleet_hosts  # noqa: E402
import serve_suite  # noqa: E402
from prometheus_server import Prometheus  # noqa: E402
from prometheus_test import Serve  # noqa: E402
from replay import scrapes  # noqa: E402
from veth_pair import VethPair  # noqa: E402

try:
    import yaml
except ImportError:
    yaml = None

ROOT = pathlib.Path(HERE).parents[1]
RULES = ROOT / "deploy" / "prometheus" / "rules"
# Of tests/vm/record_metrics. How far its scrapes are apart is not in it, so that the rates of these hosts are made up.
RECORDED, RECORDED_SECONDS = ROOT / "tests" / "data" / "metrics" / "riscv64.txt", 10
STEP = 60
# No query may take longer, as Prometheus's own default has it.
TIMEOUT = 120
BLOCK = 2 * 3600
SECONDS_OF = {"s": 1, "m": 60, "h": 3600}


def scraped_host(arguments, cpus):
    """A template of this host, under traffic for as long as functions take to appear."""
    with VethPair(arguments.helpers) as pair, Serve(arguments.serve_command) as serve:
        traffic = pair.start_blast(100_000_000, closed=1_000_000, rate=20_000, limit=arguments.seconds + 60)
        try:
            time.sleep(arguments.seconds)
            first, began = serve.series(), time.monotonic()
            time.sleep(20)
            second, ended = serve.series(), time.monotonic()
        finally:
            traffic.cancel()
    return fleet_hosts.Host(first, second, ended - began, cpus)


def recorded_host(cpus):
    first, second = [exposition.parse(text) for text in scrapes(RECORDED)[-2:]]
    return fleet_hosts.Host(first, second, RECORDED_SECONDS, cpus)


def anonymous_memory(pid):
    """Bytes that are the process's own, files not among them; 0 once it has ended."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/status", encoding="ascii") as file:
        for line in file:
            if line.startswith("RssAnon:"):
                return int(line.split()[1]) * 1024
    return 0


def make_block(text, folder):
    """Has promtool write the block of the samples in `text`. Returns the largest memory of its head, which is that of Prometheus."""
    largest = 0
    with subprocess.Popen(["promtool", "tsdb", "create-blocks-from", "openmetrics", text, folder], stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        while process.poll() is None:
            largest = max(largest, anonymous_memory(process.pid))
            time.sleep(0.1)
        said = process.stderr.read().decode()
    if process.returncode != 0:
        raise RuntimeError(f"promtool: {said[-2000:]}")
    return largest


def bytes_below(folder):
    return {path.name: path.stat().st_size for path in pathlib.Path(folder).rglob("*") if path.is_file()}


def interval_of(group):
    """Seconds between evaluations, with the configuration that is shipped."""
    config = yaml.safe_load((RULES.parent / "prometheus.yml").read_text(encoding="utf-8"))
    text = group.get("interval", config["global"]["evaluation_interval"])
    return int(text[:-1]) * SECONDS_OF[text[-1]]


class FleetTest(unittest.TestCase):
    arguments = None

    @classmethod
    def setUpClass(cls):
        folder = tempfile.mkdtemp(prefix="nettoll-fleet-")
        cls.addClassCleanup(shutil.rmtree, folder)
        hosts, cpus = cls.arguments.hosts, cls.arguments.cpus
        with_pmu, without = recorded_host(cpus), scraped_host(cls.arguments, cpus)
        cls.fleet = [("web", without, hosts - hosts // 5 * 2), ("db", without, hosts // 5), ("edge", with_pmu, hosts // 5)]
        # Within one block of Prometheus's, which begin at multiples of two hours: the last one that is over.
        begin = (int(time.time()) // BLOCK - 1) * BLOCK
        cls.end = begin + cls.arguments.minutes * 60
        cls.times = range(begin, cls.end + 1, STEP)
        text = os.path.join(folder, "samples")
        cls.series = fleet_hosts.write(text, cls.fleet, cls.times)
        data = os.path.join(folder, "data")
        began = time.monotonic()
        memory = make_block(text, data)
        took = time.monotonic() - began
        os.unlink(text)
        sizes = bytes_below(data)
        samples = cls.series * len(cls.times)
        print(f"\n{hosts:,} hosts of {cpus} CPUs, a fifth with a PMU: {len(without):,} and {len(with_pmu):,} series each, "
              f"{cls.series:,} in all\n{samples:,} samples, {len(cls.times)} of each series: promtool took {took:.0f} s and at most "
              f"{memory / 1e9:.2f} GB, {memory / cls.series:,.0f} bytes a series\nblock: {sum(sizes.values()) / 1e6:,.0f} MB, of which "
              f"index {sizes['index'] / 1e6:,.0f} MB: {(sum(sizes.values()) - sizes['index']) / samples:.2f} bytes a sample, "
              f"{sizes['index'] / cls.series:,.0f} bytes a series", file=sys.stderr)
        with contextlib.ExitStack() as stack:
            cls.prometheus = stack.enter_context(Prometheus(cls.arguments.prometheus, data=data, timeout=TIMEOUT))
            cls.addClassCleanup(stack.pop_all().close)

    def timed(self, target, variables):
        """Seconds that a query of a panel takes, and how many series it answers with."""
        expression = dashboards.fill(target["expr"], variables, rate_interval="4m", whole_range=f"{self.arguments.minutes}m")
        began = time.monotonic()
        if target["instant"]:
            found = self.prometheus.query(expression, self.end)
        else:
            found = self.prometheus.range(expression, self.end - self.times[0], STEP, self.end)
        return time.monotonic() - began, len(found)

    def test_dashboards(self):
        """Every query answers within Prometheus's limits, for one host and for all at once; those of one host have data where the
        template has."""
        choices = {"one host": "host00000:10435", "a fifth": None, "all hosts": ".*"}
        last = self.arguments.hosts - 1
        choices["a fifth"] = "(" + "|".join(dashboards.escape(f"host{number:05}:10435")
                                             for number in range(last - self.arguments.hosts // 5 + 1, last + 1)) + ")"
        print(f"\n{'dashboard':18} {'queries':>7}  {'of':9} {'all, s':>7} {'slowest, s':>10}  panel", file=sys.stderr)
        for name, board in dashboards.load().items():
            queries = list(dashboards.queries(board))
            for choice, instance in choices.items():
                total, slowest, answered = 0, (0, ""), 0
                for panel, target in queries:
                    with self.subTest(f"{name}: {panel['title']}", choice=choice):
                        took, series = self.timed(target, dashboards.all_values(board) | {"job": "nettoll", "instance": instance})
                        total, slowest, answered = total + took, max(slowest, (took, panel["title"])), answered + bool(series)
                self.assertGreater(answered, 3, f"{name}: too few queries have data for {choice}")
                print(f"{name:18} {len(queries):7}  {choice:9} {total:7.2f} {slowest[0]:10.2f}  {slowest[1]}", file=sys.stderr)

    def test_rules_keep_up(self):
        """A group of rules that takes longer than its interval falls behind. Alerts take what was recorded, so they have nothing to read
        here."""
        print(f"\n{'group of rules':26} {'rules':>5} {'series':>9} {'seconds':>8} {'interval':>9}", file=sys.stderr)
        for file in sorted(RULES.glob("*.yml")):
            for group in yaml.safe_load(file.read_text(encoding="utf-8"))["groups"]:
                rules = [rule for rule in group["rules"] if "record" in rule]
                if not rules:
                    continue
                began, made = time.monotonic(), 0
                for rule in rules:
                    made += len(self.prometheus.query(rule["expr"], self.end))
                took = time.monotonic() - began
                print(f"{group['name']:26} {len(rules):5} {made:9,} {took:8.2f} {interval_of(group):9}", file=sys.stderr)
                self.assertLess(took, interval_of(group), group["name"])

    def test_roles_are_sums(self):
        (hosts,) = [rule["expr"] for rule in self.fleet_rules() if rule["record"] == "role:nettoll_hosts:count"]
        found = {row["metric"]["role"]: int(row["value"][1]) for row in self.prometheus.query(hosts, self.end)}
        self.assertEqual(found, {role: count for role, _, count in self.fleet})
        (packets,) = [rule["expr"] for rule in self.fleet_rules() if rule["record"] == "role_path:nettoll_packets:rate5m"]
        single = {(row["metric"]["role"], row["metric"]["path"]): 0.0 for row in self.prometheus.query(packets, self.end)}
        for row in self.prometheus.query("rate(nettoll_path_packets_total[5m])", self.end):
            single[row["metric"]["role"], row["metric"]["path"]] += float(row["value"][1])
        self.assertEqual(set(role for role, _ in single), {"web", "db", "edge"})
        for row in self.prometheus.query(packets, self.end):
            self.assertAlmostEqual(float(row["value"][1]) / single[row["metric"]["role"], row["metric"]["path"]], 1, places=6)

    @staticmethod
    def fleet_rules():
        for group in yaml.safe_load((RULES / "nettoll-fleet.yml").read_text(encoding="utf-8"))["groups"]:
            yield from group["rules"]


def missing(arguments):
    """What this host lacks, or None."""
    if yaml is None:
        return "PyYAML is missing (Debian package python3-yaml)"
    for tool in (arguments.prometheus, "promtool"):
        if not shutil.which(tool):
            return f"{tool} is missing (Debian package prometheus)"
    if not RECORDED.is_file():
        return f"{RECORDED} is missing: tests/vm/record_metrics makes it"
    return None


def main():
    parser = serve_suite.options(__doc__)
    parser.add_argument("--prometheus", default="prometheus")
    parser.add_argument("--hosts", type=int, default=1000)
    parser.add_argument("--cpus", type=int, default=16, help="of each host")
    parser.add_argument("--minutes", type=int, default=15, help="of data, a sample of each series a minute; up to 115")
    parser.add_argument("--seconds", type=int, default=60, help="of traffic before the scrape")
    return serve_suite.run(parser, FleetTest, missing=missing)


if __name__ == "__main__":
    sys.exit(main())
