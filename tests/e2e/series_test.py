#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The number of series of a host at defaults, under traffic of many kinds of drops, against what deploy/docs/fleet.md states.

Exit status 77, naming what is missing, where this host lacks root or the built helpers.
"""

import gzip
import os
import pathlib
import re
import sys
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "live")]

import exposition  # noqa: E402
import series_bound  # noqa: E402
import serve_suite  # noqa: E402
from prometheus_test import Serve  # noqa: E402
from veth_pair import VethPair  # noqa: E402

DOC = pathlib.Path(HERE).parents[1] / "deploy" / "docs" / "fleet.md"


def names(scrape):
    return [exposition.name(key) for key in scrape]


def events_of(scrape):
    """How many are sampled, beside cpu-clock."""
    return sum(value for key, value in scrape.items() if key.startswith("nettoll_event_available{") and "cpu-clock" not in key)


class SeriesTest(unittest.TestCase):
    arguments = None

    def test_bound_holds(self):
        """With the caps as they are, and with one so low that functions come after it."""
        cpus = os.cpu_count()
        for functions in (series_bound.MAX_FUNCTIONS, 20):
            with self.subTest(functions=functions), VethPair(self.arguments.helpers) as pair, \
                    Serve(f"{self.arguments.serve_command} --max-functions {functions}") as serve:
                traffic = pair.start_blast(20_000_000, closed=200_000, rate=20_000, limit=60)
                self.addCleanup(traffic.cancel)
                seen = []
                for _ in range(10):
                    time.sleep(2)
                    scrape = serve.series()
                    seen.append(len(scrape))
                    self.assertEqual(list(series_bound.over(names(scrape), cpus, events_of(scrape), functions)), [])
                traffic.cancel()
                text = exposition.scrape(serve.url).encode()
                print(f"series of a host with {cpus} CPUs, every 2 s, --max-functions {functions}: {seen}; the last scrape is {len(text):,} "
                      f"bytes, {len(gzip.compress(text)):,} compressed", file=sys.stderr)
                if functions == 20:
                    self.assertIn('function="other"', "".join(scrape))
                    self.assertGreater(scrape['nettoll_series_dropped_total{metric="nettoll_function_calls_total"}'], 0)

    def test_more_than_stated_is_found(self):
        self.assertEqual(list(series_bound.over(["nettoll_path_packets_total"] * 4, 2, 0)), [])
        self.assertEqual(len(list(series_bound.over(["nettoll_path_packets_total"] * 5, 2, 0))), 1)
        self.assertEqual(len(list(series_bound.over(["nettoll_function_events_total"], 2, 0))), 1)
        self.assertEqual(list(series_bound.over(["nettoll_new_total"], 2, 0)), ["no bound is stated for nettoll_new_total"])

    def test_stated_bounds_are_worked_out(self):
        """Rows of the table: CPUs, events beside cpu-clock, series with the default of --max-functions, with 200."""
        rows = re.findall(r"(?m)^\| (\d+) \| (\d+) \| ([\d,]+) \| ([\d,]+) \|", DOC.read_text(encoding="utf-8"))
        self.assertGreaterEqual(len(rows), 4)
        for row in rows:
            cpus, events, default, few = (int(number.replace(",", "")) for number in row)
            self.assertEqual((default, few), (series_bound.most(cpus, events), series_bound.most(cpus, events, 200)), row)


if __name__ == "__main__":
    sys.exit(serve_suite.run(serve_suite.options(__doc__), SeriesTest))
