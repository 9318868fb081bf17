#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The dashboards in deploy/grafana: made from their source, true to the exporter's metrics and to Grafana's model."""

import copy
import importlib.machinery
import importlib.util
import itertools
import json
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
GRAFANA = ROOT / "deploy" / "grafana"
sys.path.insert(0, str(GRAFANA / "source"))

import metrics  # noqa: E402

KNOWN = metrics.families() | metrics.OF_PROMETHEUS
# What https://grafana.com/docs/grafana/latest/dashboards/build-dashboards/view-dashboard-json-model/ names.
REQUIRED = {"uid", "title", "tags", "timezone", "editable", "graphTooltip", "time", "timepicker", "templating", "annotations",
            "refresh", "schemaVersion", "version", "links", "panels"}
PANEL_TYPES = {"timeseries", "stat", "heatmap", "bargauge", "table", "text", "row"}
UNITS = {"none", "short", "percentunit", "s", "bytes", "pps", "ops", "cps", "hertz", "bool_yes_no"}
# Links and bookmarks hold them, so they stay.
UIDS = {"host-network-cost": "nettoll-host-cost", "drops": "nettoll-drops", "receive-scaling": "nettoll-receive-scaling",
        "nettoll-itself": "nettoll-itself"}
VARIABLES = ["datasource", "job", "instance", "device"]


def load(name):
    return json.loads((GRAFANA / "dashboards" / f"{name}.json").read_text(encoding="utf-8"))


def datasources(node):
    """Every datasource named anywhere in a dashboard."""
    if isinstance(node, dict):
        if "datasource" in node:
            yield node["datasource"]
        node = node.values()
    elif not isinstance(node, list):
        return
    for child in node:
        yield from datasources(child)


def overlap(a, b):
    return (a["x"] < b["x"] + b["w"] and b["x"] < a["x"] + a["w"] and a["y"] < b["y"] + b["h"] and b["y"] < a["y"] + a["h"])


def problems_of_panel(panel):
    where = f"panel '{panel.get('title')}'"
    grid = panel["gridPos"]
    if panel["type"] not in PANEL_TYPES:
        yield f"{where}: type {panel['type']}"
    if not (0 <= grid["x"] and grid["x"] + grid["w"] <= 24 and grid["w"] > 0 and grid["h"] > 0 and grid["y"] >= 0):
        yield f"{where}: outside of the grid"
    if panel["type"] == "row":
        if not panel.get("title"):
            yield f"{where}: no title"
        return
    if not panel.get("description", "").strip():
        yield f"{where}: no description"
    if panel["type"] == "text":
        return
    if not panel.get("title"):
        yield f"{where}: no title"
    if panel["fieldConfig"]["defaults"].get("unit") not in UNITS:
        yield f"{where}: unit {panel['fieldConfig']['defaults'].get('unit')}"
    if not panel.get("targets"):
        yield f"{where}: no query"
    refs = [target["refId"] for target in panel.get("targets", [])]
    if len(set(refs)) != len(refs):
        yield f"{where}: queries of one refId"
    if ("(needs PMU)" in panel["title"]) != ("PMU" in panel["description"] and "Empty on hosts without" in panel["description"]):
        yield f"{where}: title and description disagree on the PMU"
    for target in panel.get("targets", []):
        expr = target["expr"]
        made = re.findall(r'label_replace\(.*?, "(\w+)"', expr)
        yield from (f"{where}: {wrong}" for wrong in metrics.problems(expr, KNOWN, made))
        selected = [labels for _, labels in metrics.used(expr)[0].items()]
        if not all({"job", "instance"} <= labels for labels in selected):
            yield f"{where}: a metric of any job and instance"
        there = {label for name in metrics.used(expr)[0] for label in KNOWN.get(name, [])} | {"job", "instance", *made}
        for label in re.findall(r"\{\{\s*(\w+)\s*\}\}", target.get("legendFormat", "")):
            if label not in there:
                yield f"{where}: legend of a label {label} that is not there"


def problems(dashboard):
    """What Grafana's model or these dashboards' own rules do not allow."""
    for key in sorted(REQUIRED - set(dashboard)):
        yield f"no {key}"
    if dashboard.get("id") is not None:
        yield "an id, which is of one Grafana"
    if not 39 <= dashboard.get("schemaVersion", 0) <= 42:
        yield f"schemaVersion {dashboard.get('schemaVersion')}"
    if not re.fullmatch(r"[a-zA-Z0-9_-]{1,40}", dashboard.get("uid", "")):
        yield "no uid that Grafana takes"
    panels = dashboard.get("panels", [])
    ids = [panel["id"] for panel in panels]
    if len(set(ids)) != len(ids):
        yield "panels of one id"
    for panel in panels:
        yield from problems_of_panel(panel)
    for a, b in itertools.combinations(panels, 2):
        if overlap(a["gridPos"], b["gridPos"]):
            yield f"panels '{a.get('title')}' and '{b.get('title')}' overlap"
    for source in datasources(dashboard):
        uid = source.get("uid") if isinstance(source, dict) else source
        if uid not in ("${datasource}", "-- Grafana --"):
            yield f"a datasource of its own: {source}"
    names = [variable["name"] for variable in dashboard.get("templating", {}).get("list", [])]
    if names != VARIABLES:
        yield f"variables {names}"
    for variable in re.findall(r"\$(?:\{)?(\w+)", json.dumps(panels)):
        if variable not in names and not variable.startswith("__"):
            yield f"a variable that is not there: ${variable}"


class Dashboards(unittest.TestCase):
    def test_are_what_their_source_makes(self):
        loader = importlib.machinery.SourceFileLoader("generate", str(GRAFANA / "generate"))
        generate = importlib.util.module_from_spec(importlib.util.spec_from_loader("generate", loader))
        loader.exec_module(generate)
        self.assertEqual(generate.stale(), [], "run deploy/grafana/generate")
        self.assertEqual(set(generate.DASHBOARDS), set(UIDS))

    def test_have_no_problem(self):
        for name, uid in UIDS.items():
            with self.subTest(name):
                dashboard = load(name)
                self.assertEqual(list(problems(dashboard)), [])
                self.assertEqual(dashboard["uid"], uid)

    def test_link_to_each_other(self):
        for name in UIDS:
            links = load(name)["links"]
            self.assertTrue(any(link["tags"] == ["nettoll"] and link["includeVars"] and link["keepTime"] for link in links))
            self.assertIn("nettoll", load(name)["tags"])

    def test_annotate_findings(self):
        for name in UIDS:
            (findings,) = [one for one in load(name)["annotations"]["list"] if one["name"] == "Findings"]
            self.assertIn("nettoll_finding", findings["target"]["expr"])
            self.assertEqual(metrics.problems(findings["target"]["expr"], KNOWN), [])

    def test_say_what_works_without_a_pmu(self):
        for panel in load("host-network-cost")["panels"]:
            for target in panel.get("targets", []):
                needs = any(name.endswith("_events_total") and "missed" not in name for name in metrics.used(target["expr"])[0])
                self.assertEqual("(needs PMU)" in panel["title"], needs, panel["title"])

    def test_a_planted_fault_is_found(self):
        def unit(dashboard):
            del self.first(dashboard)["fieldConfig"]["defaults"]["unit"]

        def description(dashboard):
            self.first(dashboard)["description"] = " "

        def metric(dashboard):
            self.first(dashboard)["targets"][0]["expr"] = 'rate(nettoll_dropped_total{job=~"$job",instance=~"$instance"}[5m])'

        def label(dashboard):
            self.first(dashboard)["targets"][0]["expr"] = ('sum by (queue) '
                                                           '(rate(nettoll_drops_total{job=~"$job",instance=~"$instance"}[5m]))')

        def matcher(dashboard):
            self.first(dashboard)["targets"][0]["expr"] = 'nettoll_drops_total{job=~"$job",instance=~"$instance",cpu="0"}'

        def every_host(dashboard):
            self.first(dashboard)["targets"][0]["expr"] = "nettoll_drops_total"

        def datasource(dashboard):
            self.first(dashboard)["datasource"] = {"type": "prometheus", "uid": "PBFA97CFB590B2093"}

        def place(dashboard):
            self.first(dashboard)["gridPos"]["w"] += 1

        def variable(dashboard):
            self.first(dashboard)["targets"][0]["expr"] = 'nettoll_drops_total{job=~"$job",instance=~"$instance",device="$nic"}'

        def schema(dashboard):
            dashboard["schemaVersion"] = 16

        for plant in (unit, description, metric, label, matcher, every_host, datasource, place, variable, schema):
            with self.subTest(plant.__name__):
                dashboard = copy.deepcopy(load("drops"))
                plant(dashboard)
                self.assertNotEqual(list(problems(dashboard)), [])

    @staticmethod
    def first(dashboard):
        return next(panel for panel in dashboard["panels"] if panel["type"] == "stat")


if __name__ == "__main__":
    unittest.main()
