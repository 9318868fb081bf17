# SPDX-License-Identifier: Apache-2.0
"""The queries of the dashboards in deploy/grafana, as Grafana would send them."""

import json
import pathlib
import re

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "deploy" / "grafana" / "dashboards"
NEEDS_PMU, NEEDS_QUEUES = "(needs PMU)", "(needs several queues)"


def load():
    """Dashboards by file name."""
    return {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in sorted(FOLDER.glob("*.json"))}


def escape(value):
    """A value of a variable of several values, as Grafana puts it into a regular expression in a string of PromQL
    (prometheusSpecialRegexEscape)."""
    return re.sub(r"([$^*{}\[\]+?.()|\\])", lambda found: "\\\\" + found[1], value)


def fill(expression, variables, rate_interval="20s", whole_range="120s"):
    """The expression with its variables replaced; `variables` are regular expressions."""
    for name, value in {"__rate_interval": rate_interval, "__range": whole_range, "__interval": "5s", **variables}.items():
        expression = re.sub(rf"\$(?:{name}\b|\{{{name}\}})", lambda _: value, expression)  # noqa: B023
    if "$" in expression:
        raise ValueError(f"a variable is left: {expression}")
    return expression


def all_values(dashboard):
    """What its variables are with "All" chosen."""
    return {variable["name"]: variable["allValue"] for variable in dashboard["templating"]["list"]
            if variable["type"] == "query"}


def queries(dashboard):
    """(panel, target) for each query."""
    for panel in dashboard["panels"]:
        for target in panel.get("targets", []):
            yield panel, target
