#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The dashboards against Grafana's own model: the types of its npm package @grafana/schema, checked by the TypeScript compiler.

Ends with 77 where npm or its registry is missing.
"""

import argparse
import copy
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77
PACKAGES = ["@grafana/schema@13.2.3", "typescript@5.9.3"]
TYPES = "node_modules/@grafana/schema/dist/types"
# Settings of a panel type in fieldConfig.defaults.custom; a stat and a bar gauge have none.
CUSTOM = {"timeseries", "heatmap", "table"}

# Grafana's enums are of words, for which JSON has strings; those of numbers are numbers.
ENUM = re.compile(r"export declare enum (\w+) \{(.*?)\n\}", re.DOTALL)


def enum_as_union(match):
    body = re.sub(r"/\*.*?\*/", "", match[2], flags=re.DOTALL)
    values = re.findall(r'= ("[^"]*"|-?\d+)', body)
    members = re.findall(r"(\w+) = ", body)
    lines = [f"export type {match[1]} = {' | '.join(values)};", f"export declare namespace {match[1]} {{"]
    lines += [f"    type {member} = {value};" for member, value in zip(members, values)]
    return "\n".join([*lines, "}"])


def program(dashboards):
    """A TypeScript file that declares every dashboard, and the options of each panel, as Grafana's types."""
    lines = [f'import type {{ Dashboard, DataTransformerConfig }} from "./{TYPES}/raw/dashboard/x/types.gen";']
    kinds = sorted({panel["type"] for _, dashboard in dashboards for panel in dashboard["panels"]} - {"row"})
    lines += [f'import type * as {kind} from "./{TYPES}/raw/composable/{kind}/panelcfg/x/types.gen";' for kind in kinds]
    for name, dashboard in copy.deepcopy(dashboards):
        for annotation in dashboard["annotations"]["list"]:
            # The model has what Grafana's own annotations have; these are of the plugin for Prometheus.
            if annotation["datasource"]["type"] == "prometheus":
                for key in ("target", "titleFormat", "textFormat", "tagKeys", "useValueForTime"):
                    del annotation[key]
        place = name.replace("-", "_")
        lines.append(f"export const {place}: Dashboard = {json.dumps(dashboard)};")
        for panel in dashboard["panels"]:
            if panel["type"] == "row":
                continue
            at = f"{place}_{panel['id']}"
            # Options that Grafana fills in may be left out; one that it does not know may not be there.
            lines.append(f"export const {at}: Partial<{panel['type']}.Options> = {json.dumps(panel['options'])};")
            custom = panel.get("fieldConfig", {}).get("defaults", {}).get("custom")
            if panel["type"] in CUSTOM:
                lines.append(f"export const {at}_custom: Partial<{panel['type']}.FieldConfig> = {json.dumps(custom)};")
            elif custom:
                lines.append(f"export const {at}_custom: never = {json.dumps(custom)};")
    return "\n".join(lines) + "\n"


def compile_in(folder, dashboards):
    """What the compiler says, nothing if all fits."""
    (folder / "dashboards.ts").write_text(program(dashboards), encoding="utf-8")
    done = subprocess.run(["node_modules/.bin/tsc", "--noEmit", "--strict", "--skipLibCheck", "--target", "es2020",
                           "--module", "esnext", "--moduleResolution", "bundler", "dashboards.ts"], cwd=folder,
                          capture_output=True, text=True, check=False)
    return done.stdout + done.stderr if done.returncode else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.parse_args()
    if not shutil.which("npm"):
        print("skipped: npm is missing (Debian package npm)")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="nettoll-grafana-model-") as name:
        folder = pathlib.Path(name)
        done = subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--no-save", "--ignore-scripts", *PACKAGES], cwd=folder,
                              capture_output=True, text=True, check=False, timeout=240, env=os.environ | {"CI": "1"})
        if done.returncode != 0:
            print(f"skipped: npm could not install {' '.join(PACKAGES)}: {(done.stderr or done.stdout).strip()[-300:]}")
            return SKIPPED
        for file in (folder / TYPES).rglob("*.d.ts"):
            text = file.read_text(encoding="utf-8")
            file.write_text(ENUM.sub(enum_as_union, text), encoding="utf-8")
        dashboards = [(file.stem, json.loads(file.read_text(encoding="utf-8")))
                      for file in sorted((ROOT / "deploy" / "grafana" / "dashboards").glob("*.json"))]
        said = compile_in(folder, dashboards)
        if said:
            print(said)
            return 1
        # The check must be able to fail.
        for plant in (lambda panel: panel["options"]["legend"].update(placement="above"),
                      lambda panel: panel["options"].update(legends={}),
                      lambda panel: panel["fieldConfig"]["defaults"]["custom"].update(drawStyle="bar"),
                      lambda panel: panel["gridPos"].pop("w")):
            planted = copy.deepcopy(dashboards[0][1])
            plant(next(panel for panel in planted["panels"] if panel["type"] == "timeseries"))
            if not compile_in(folder, [("planted", planted)]):
                print("a planted fault was not found")
                return 1
    print(f"{len(dashboards)} dashboards are what {PACKAGES[0]} says")
    return 0


if __name__ == "__main__":
    sys.exit(main())
