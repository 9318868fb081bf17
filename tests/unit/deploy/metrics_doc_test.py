#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""deploy/docs/metrics.md has every metric of the exporter, with its labels, and no other."""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "deploy" / "grafana" / "source"))

import metrics  # noqa: E402

ROW = re.compile(r"^\| ((?:`[a-z_]+`(?:, )?)+) \| (counter|gauge) \| ([a-z_, ]*?) *\|")


def documented():
    """{name: (type, labels)} of the tables' rows."""
    rows = {}
    for line in (ROOT / "deploy" / "docs" / "metrics.md").read_text().splitlines():
        found = ROW.match(line)
        if not found:
            continue
        for name in re.findall(r"`([a-z_]+)`", found[1]):
            if name in rows:
                raise ValueError(f"{name} has two rows")
            rows[name] = (found[2], [label for label in found[3].split(", ") if label])
    return rows


class Metrics(unittest.TestCase):
    def test_each_has_a_row(self):
        types = metrics.types()
        wanted = {name: (types[name], labels) for name, labels in metrics.families().items()}
        self.assertEqual(documented(), wanted)


if __name__ == "__main__":
    unittest.main()
