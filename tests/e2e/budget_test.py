#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`nettoll serve --max-overhead` under a load that would exceed it, and after.

Exit status 77, naming what is missing, where this host lacks root or the built helpers.
"""

import contextlib
import json
import os
import statistics
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "live")]

import kernel_names  # noqa: E402
import serve_suite  # noqa: E402
from prometheus_server import wait_until  # noqa: E402
from prometheus_test import Serve  # noqa: E402
from veth_pair import VethPair  # noqa: E402

INTERVAL = 0.5
PACKETS = 100_000_000  # more than are sent before the test ends it, as fast as the host lets them
COMMON = f" --interval {INTERVAL}s --diagnose-interval 0"
FLOOR = COMMON + " --set core -F 12"
# One that each packet sent calls, whatever it is counted by.
SENT = "dev_hard_start_xmit"
SHED = 'nettoll_functions{state="shed",method="samples"}'


def load(series):
    """The part of all CPU time that nettoll took in the last interval."""
    return sum(series[f'nettoll_overhead_ratio{{part="{part}"}}'] for part in ("user", "programs", "sampling"))


def countable(program):
    """Functions of the table that have a hook of their own here."""
    listed = subprocess.run([program, "functions", "--set", "wide", "--json"], capture_output=True, check=True).stdout
    return kernel_names.present([function["function"] for function in json.loads(listed)["functions"] if function.get("own_hook")])


class BudgetTest(unittest.TestCase):
    arguments = None

    @classmethod
    def setUpClass(cls):
        with contextlib.ExitStack() as stack:
            cls.pair = stack.enter_context(VethPair(cls.arguments.helpers))
            cls.addClassCleanup(stack.pop_all().close)

    def start_traffic(self):
        traffic = self.pair.start_blast(PACKETS, limit=400)
        self.addCleanup(traffic.cancel)
        return traffic

    def intervals(self, serve, count):
        """The series of so many intervals that follow one another."""
        for _ in range(count):
            before = serve.series()["nettoll_collections_total"]
            wait_until(lambda: serve.series()["nettoll_collections_total"] > before, 30, "no interval was collected")
            yield serve.series()

    def usual_load(self, options):
        with Serve(self.arguments.serve_command + options + " --max-overhead 100%") as serve:
            list(self.intervals(serve, 4))
            readings = list(self.intervals(serve, 8))
        self.assertEqual({series["nettoll_shedding_level"] for series in readings}, {0})
        return statistics.median(map(load, readings))

    def test_sheds_under_a_load_and_takes_all_back_after_it(self):
        functions = countable(self.arguments.serve_command.split()[0])
        self.assertIn(SENT, functions)
        detail = COMMON + " -F 99" + "".join(f" --function {name}" for name in functions)
        quiet = self.usual_load(detail)
        traffic = self.start_traffic()
        dear, floor = self.usual_load(detail), self.usual_load(FLOOR)
        # Full detail is too much under traffic, and nothing but the core set and few samples is not; nor is full detail without
        # traffic, by more than the margin that taking back asks for.
        least = max(quiet, floor)
        self.assertGreater(dear, 1.5 * least, f"quiet {quiet}, floor {floor}")
        budget = (dear * least) ** 0.5

        with Serve(self.arguments.serve_command + detail + f" --max-overhead {budget * 100:.4f}%") as serve:
            self.assertAlmostEqual(serve.series()["nettoll_overhead_budget_ratio"], budget, places=5)
            seen = {}
            within = 0
            for series in self.intervals(serve, 60):
                self.assert_counters_rise(seen, series)
                within = within + 1 if load(series) <= budget else 0
                if within == 6:
                    break
            self.assertEqual(within, 6, f"{load(series)} of {budget}, {serve.log()}")
            self.assertIn(series["nettoll_shedding_level"], (1, 2))
            self.assertLess(series["nettoll_sampling_rate_ratio"], 1)
            self.assertGreaterEqual(series['nettoll_shedding_changes_total{direction="less"}'], 1)
            self.assertIn("more than --max-overhead", serve.log())
            # What costs are divided by goes on, to the packet.
            rx = 'nettoll_path_packets_total{path="rx"}'
            self.assertGreater(series[rx], seen[rx] - 1)

            traffic.cancel()
            for series in self.intervals(serve, 120):
                self.assert_counters_rise(seen, series)
                if series["nettoll_shedding_level"] == 0:
                    break
            self.assertEqual(series["nettoll_shedding_level"], 0, serve.log())
            self.assertEqual(series["nettoll_sampling_rate_ratio"], 1)
            self.assertGreaterEqual(series['nettoll_shedding_changes_total{direction="more"}'], 1)
            self.assertIn("full detail", serve.log())
            # The interval of the change still has what went before it.
            series = list(self.intervals(serve, 2))[-1]
            self.assertNotIn(SHED, series)
            self.pair.blast(5000)
            after = list(self.intervals(serve, 2))[-1]
            self.assert_counters_rise(seen, after)
            calls = [name for name in after if name.startswith(f'nettoll_function_calls_total{{function="{SENT}",')]
            self.assertEqual(len(calls), 1)
            self.assertGreaterEqual(after[calls[0]] - series[calls[0]], 5000)

    def assert_counters_rise(self, seen, series):
        """No counter of `seen` is gone or lower in `series`; what is new is added to `seen`."""
        for name, value in series.items():
            if not name.partition("{")[0].endswith("_total"):
                continue
            self.assertGreaterEqual(value, seen.get(name, 0), name)
        gone = [name for name in seen if name.partition("{")[0].endswith("_total") and name not in series]
        self.assertEqual(gone, [])
        seen.update(series)


if __name__ == "__main__":
    sys.exit(serve_suite.run(serve_suite.options(__doc__), BudgetTest))
