#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The rules in deploy/prometheus: true to the exporter's metrics, complete, documented, and tested both ways. What they say of
numbers is in deploy/prometheus/tests, for promtool. Ends with 77 where PyYAML or promtool is missing."""

import pathlib
import re
import shutil
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROMETHEUS = ROOT / "deploy" / "prometheus"
sys.path.insert(0, str(ROOT / "deploy" / "grafana" / "source"))

import metrics  # noqa: E402

# Of whoever scrapes many hosts (deploy/docs/fleet.md).
FLEET_LABELS = ["role"]

try:
    import yaml
except ImportError:
    yaml = None


def rules():
    for file in sorted((PROMETHEUS / "rules").glob("*.yml")):
        for group in yaml.safe_load(file.read_text())["groups"]:
            yield from group["rules"]


def recorded():
    """Labels of recorded metrics, which their names begin with."""
    made = {}
    for rule in rules():
        if "record" in rule:
            level = rule["record"].split(":")[0].split("_")
            made[rule["record"]] = [label for label in level if label not in metrics.TARGET_LABELS]
    return made


def seconds(duration):
    number, unit = re.fullmatch(r"(\d+)([smhd])", duration).groups()
    return int(number) * {"s": 1, "m": 60, "h": 3600, "d": 86400}[unit]


class Rules(unittest.TestCase):
    def setUp(self):
        self.known = metrics.families() | metrics.OF_PROMETHEUS | recorded()
        self.alerts = {rule["alert"]: rule for rule in rules() if "alert" in rule}

    def promtool(self, *words):
        done = subprocess.run(["promtool", *map(str, words)], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_promtool_takes_them(self):
        self.promtool("check", "rules", "--lint=all", "--lint-fatal", *sorted((PROMETHEUS / "rules").glob("*.yml")))
        self.promtool("check", "config", PROMETHEUS / "prometheus.yml")

    def test_fire_and_clear_as_they_should(self):
        self.promtool("test", "rules", *sorted((PROMETHEUS / "tests").glob("*.yml")))

    def test_name_metrics_that_there_are(self):
        for rule in rules():
            self.assertEqual(metrics.problems(rule["expr"], self.known, FLEET_LABELS), [], rule.get("alert") or rule["record"])

    def test_say_what_is_wrong_and_where_to_read_on(self):
        docs = (ROOT / "deploy" / "docs" / "alerts.md").read_text()
        headings = [heading.lower() for heading in re.findall(r"^#+ (\w+)$", docs, re.MULTILINE)]
        for name, rule in self.alerts.items():
            with self.subTest(name):
                notes = rule["annotations"]
                self.assertEqual(set(notes), {"summary", "description", "runbook_url"})
                self.assertEqual(notes["runbook_url"], f"deploy/docs/alerts.md#{name.lower()}")
                self.assertEqual(headings.count(name.lower()), 1, "one section in deploy/docs/alerts.md")
                self.assertIn(rule["labels"]["severity"], ("info", "warning", "critical"))
                self.assertTrue(60 <= seconds(rule["for"]) <= 900, rule["for"])
                self.assertIn("$labels.instance", notes["summary"])
                there = {label for used in metrics.used(rule["expr"])[0] for label in self.known[used]}
                for label in re.findall(r"\$labels\.(\w+)", " ".join(notes.values())):
                    self.assertIn(label, there | set(metrics.TARGET_LABELS))

    def test_every_alert_is_tested_to_fire_and_to_clear(self):
        fires, silent = set(), []
        for file in (PROMETHEUS / "tests").glob("*.yml"):
            for test in yaml.safe_load(file.read_text())["tests"]:
                last = {}
                for case in sorted(test.get("promql_expr_test", []), key=lambda case: seconds(case["eval_time"])):
                    pattern = re.search(r'ALERTS\{alertname=~?"([^"]+)"', case["expr"])
                    if not pattern:
                        continue
                    for name in self.alerts:
                        if re.fullmatch(pattern[1], name):
                            last.setdefault(name, []).append([sample["labels"] for sample in case["exp_samples"]
                                                              if name in sample["labels"]])
                for name, seen in last.items():
                    if any(seen):
                        fires.add(name)
                        self.assertFalse(seen[0], f"{name}: not silent at first")
                        self.assertLess(len(seen[-1]), len(max(seen, key=len)), f"{name}: clears nowhere")
                    else:
                        silent.append(name)
        self.assertEqual(fires, set(self.alerts))

    def test_recorded_names_begin_with_their_labels(self):
        for rule in rules():
            if "record" not in rule:
                continue
            self.assertRegex(rule["record"], r"^(instance|role)(_[a-z]+)*:nettoll_[a-z_]+:[a-z0-9_]+$")
            level = rule["record"].split("_")[0].split(":")[0]
            wanted = set(recorded()[rule["record"]]) | {"job", level}
            summed = re.search(r"\bby \(([^)]*)\)", rule["expr"])
            if summed:
                self.assertEqual(set(summed[1].split(", ")), wanted, rule["record"])


if __name__ == "__main__":
    for there, what in ((yaml, "PyYAML is missing (Debian package python3-yaml)"),
                        (shutil.which("promtool"), "promtool is missing (Debian package prometheus)")):
        if not there:
            print(f"skipped: {what}")
            sys.exit(77)
    unittest.main()
