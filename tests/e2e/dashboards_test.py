#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The dashboards of deploy/grafana and the rules of deploy/prometheus in a real Prometheus, which scrapes `nettoll serve` under
traffic, and beside it what was recorded in guests that have a PMU and a NIC with four queues (tests/data/metrics).

Exit status 77, naming what is missing, where this host lacks Prometheus, root or the built helpers.
"""

import contextlib
import math
import os
import pathlib
import re
import shutil
import socket
import sys
import threading
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "live")]

import dashboards  # noqa: E402
import serve_suite  # noqa: E402
from prometheus_server import Prometheus, wait_until  # noqa: E402
from prometheus_test import OWN_SYS, Serve, inside  # noqa: E402
from replay import Replay  # noqa: E402
from veth_pair import VethPair  # noqa: E402

ROOT = pathlib.Path(HERE).parents[1]
RULES = [str(file) for file in sorted((ROOT / "deploy" / "prometheus" / "rules").glob("*.yml"))]
RECORDED = {name: ROOT / "tests" / "data" / "metrics" / f"{name}.txt" for name in ("arm64", "riscv64", "nic")}


class FullSocket:
    """A socket that nobody reads and somebody writes to, some fifty times a second: losses that diagnosis finds. And local sockets that
    end unread, which are noise."""

    def __init__(self, address):
        self._address = address

    def __enter__(self):
        self._end = threading.Event()
        self._sockets = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2)]
        full, sender = self._sockets
        full.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        full.bind((self._address, 0))
        where = full.getsockname()
        self._thread = threading.Thread(target=self._send, args=(sender, where), daemon=True)
        self._thread.start()
        return self

    def _send(self, sender, where):
        while not self._end.wait(0.02):
            sender.sendto(b"", where)
            here, there = socket.socketpair()
            here.send(b"unread")
            here.close()
            there.close()

    def __exit__(self, *_):
        self._end.set()
        self._thread.join()
        for one in self._sockets:
            one.close()


class DashboardsTest(unittest.TestCase):
    arguments = None
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        with contextlib.ExitStack() as stack:
            cls.pair = stack.enter_context(VethPair(cls.arguments.helpers))
            stack.enter_context(inside(cls.pair.b["netns"]))
            cls.serve = stack.enter_context(Serve(OWN_SYS + cls.arguments.serve_command))
            cls.replays = {name: stack.enter_context(Replay(path)).address for name, path in RECORDED.items()}
            cls.prometheus = stack.enter_context(
                Prometheus(cls.arguments.prometheus, cls.serve.address, cls.replays.values(), RULES))
            # 2000 packets a second; 40 of them to a closed port, too few for an alert.
            traffic = cls.pair.start_blast(2000 * 900, closed=40 * 900, rate=2000, limit=1000)
            stack.callback(traffic.cancel)
            stack.enter_context(FullSocket(cls.pair.b["ipv4"]))
            cls.addClassCleanup(stack.pop_all().close)
        cls.traffic = traffic

    def values(self, panel, target, variables):
        """Numbers that a query of a panel shows."""
        expression = dashboards.fill(target["expr"], variables)
        if target["instant"]:
            found = [row["value"] for row in self.prometheus.query(expression)]
        else:
            found = [value for row in self.prometheus.range(expression, 60, 5) for value in row["values"]]
        return [float(value) for _, value in found if not math.isnan(float(value))]

    def instances_for(self, panel):
        """Regular expression of the targets that have what the panel needs."""
        if dashboards.NEEDS_PMU in panel["title"]:
            names = [self.replays["arm64"], self.replays["riscv64"]]
        elif dashboards.NEEDS_QUEUES in panel["title"]:
            names = [self.replays["nic"]]
        else:
            return dashboards.escape(self.serve.address)
        return "(" + "|".join(map(dashboards.escape, names)) + ")"

    def test_every_query_has_data(self):
        left = [(name, panel, target, dashboards.all_values(board) | {"job": "nettoll", "instance": self.instances_for(panel)})
                for name, board in dashboards.load().items() for panel, target in dashboards.queries(board)]
        self.assertGreater(len(left), 60)
        self.assertTrue(any(dashboards.NEEDS_PMU in panel["title"] for _, panel, _, _ in left))

        def nothing_left():
            left[:] = [query for query in left if not self.values(*query[1:])]
            return not left

        with contextlib.suppress(RuntimeError):
            wait_until(nothing_left, 150, "no data")
        self.assertTrue(self.traffic.running(), "the traffic ended early")
        self.assertEqual([f"{name}: {panel['title']}: {target['expr']}" for name, panel, target, _ in left], [])

    def test_panels_that_need_a_pmu_are_empty_here(self):
        if any(value for value in self.values(*self.of_events())):
            self.skipTest("this host has a PMU")
        for name, board in dashboards.load().items():
            for panel, target in dashboards.queries(board):
                if dashboards.NEEDS_PMU in panel["title"]:
                    variables = dashboards.all_values(board) | {"instance": dashboards.escape(self.serve.address)}
                    self.assertEqual(self.values(panel, target, variables), [], f"{name}: {panel['title']}")

    def of_events(self):
        """The query that tells how many hardware events this host samples."""
        board = dashboards.load()["host-network-cost"]
        panel, target = next(pair for pair in dashboards.queries(board) if pair[0]["title"] == "Hardware events sampled")
        return panel, target, dashboards.all_values(board) | {"instance": dashboards.escape(self.serve.address)}

    def test_queries_take_any_choice_of_variables(self):
        for name, board in dashboards.load().items():
            every = dashboards.all_values(board)
            choices = [every, every | {"instance": "(" + "|".join(map(dashboards.escape, [self.serve.address, *self.replays.values()])) + ")"},
                       every | {"job": "nettoll", "instance": dashboards.escape(self.serve.address), "device": self.pair.b["device"]}]
            for panel, target in dashboards.queries(board):
                for variables in choices:
                    with self.subTest(f"{name}: {panel['title']}", **variables):
                        self.values(panel, target, variables)  # an error of Prometheus is raised

    def test_variables_and_annotations_have_values(self):
        for name, board in dashboards.load().items():
            for variable in board["templating"]["list"]:
                if variable["type"] != "query":
                    continue
                query = dashboards.fill(variable["query"]["query"], dashboards.all_values(board))
                selector, label = re.fullmatch(r"label_values\((.*), (\w+)\)", query).groups()
                with self.subTest(f"{name}: {variable['name']}"):
                    wait_until(lambda: self.prometheus.label_values(label, selector), 30, query)  # noqa: B023
            (findings,) = [one for one in board["annotations"]["list"] if one["name"] == "Findings"]
            query = dashboards.fill(findings["target"]["expr"],
                                    dashboards.all_values(board) | {"instance": dashboards.escape(self.serve.address)})
            wait_until(lambda: self.prometheus.range(query, 60, 5), 90, f"no finding of the full socket in {query}")  # noqa: B023

    def test_recorded_costs_are_there(self):
        for name in ("instance_path:nettoll_cpu_seconds_per_packet:rate5m", "instance:nettoll_network_cpu:ratio_rate5m",
                     "instance:nettoll_own_cpu:ratio_rate5m", "instance:nettoll_rx_packets:rate2m",
                     "instance_cpu:nettoll_network_softirq:ratio_rate2m", "instance:nettoll_rx_cpu_imbalance:ratio_rate2m",
                     "instance_reason:nettoll_drops:rate2m", "instance_layer_device_netns:nettoll_layer_drops:rate5m",
                     "instance:nettoll_drops:ratio_rate5m", "instance_protocol:nettoll_ip_dropped:ratio_rate5m"):
            wait_until(lambda: self.prometheus.query(f'{name}{{instance="{self.serve.address}"}}'), 60, f"no {name}")  # noqa: B023
        for replay, name in (("arm64", "instance:nettoll_instructions_per_cycle:rate5m"),
                             ("riscv64", "instance_path_event:nettoll_events_per_packet:rate5m")):
            wait_until(lambda: self.prometheus.query(f'{name}{{instance="{self.replays[replay]}"}}'), 60, f"no {name}")  # noqa: B023

    def test_a_storm_of_drops_fires_its_alerts_and_clears(self):
        def state():
            firing = self.prometheus.query(f'ALERTS{{alertname=~"NettollDrop.*",alertstate="firing",instance="{self.serve.address}",'
                                           'reason="NO_SOCKET"}')
            return {row["metric"]["alertname"] for row in firing}

        self.assertEqual(state(), set())
        storm = self.pair.start_blast(100_000_000, closed=100_000_000, limit=600, open_port=9010)
        self.addCleanup(storm.cancel)
        wait_until(lambda: state() == {"NettollDropSpike", "NettollDropStorm"}, 120, "no alert within two minutes")
        self.assertTrue(storm.running(), "the storm ended early")
        storm.cancel()
        wait_until(lambda: not state(), 240, "the alerts stay")

    def test_a_quiet_exporter_has_no_alert_on_itself(self):
        time.sleep(20)
        firing = self.prometheus.query(f'ALERTS{{alertstate="firing",instance="{self.serve.address}"}}')
        self.assertEqual([row["metric"]["alertname"] for row in firing if "Drop" not in row["metric"]["alertname"]], [])


def missing(arguments):
    """What this host lacks, or None."""
    if not shutil.which(arguments.prometheus):
        return f"{arguments.prometheus} is missing (Debian package prometheus)"
    for path in RECORDED.values():
        if not path.is_file():
            return f"{path} is missing: tests/vm/record_metrics makes it"
    return None


def main():
    parser = serve_suite.options(__doc__)
    parser.add_argument("--prometheus", default="prometheus")
    return serve_suite.run(parser, DashboardsTest, missing=missing)


if __name__ == "__main__":
    sys.exit(main())
