#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The manifests in deploy/kubernetes against the API's own schemas, and those of Prometheus Operator, as npm packages have them.

Ends with 77 where npm, its registry or PyYAML is missing.
"""

import argparse
import copy
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

KUBERNETES = pathlib.Path(__file__).resolve().parents[2] / "deploy" / "kubernetes"
SKIPPED = 77
PACKAGES = {"kubernetes-models": "5.1.0", "@kubernetes-models/prometheus-operator": "6.0.0"}
# Prints a line for each object that its schema refuses, or that has none.
PROGRAM = """
import { readFileSync } from "node:fs";
const packages = { "monitoring.coreos.com/v1": "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1" };
for (const object of JSON.parse(readFileSync(0))) {
  try {
    const kinds = await import(packages[object.apiVersion] ?? "kubernetes-models/" + object.apiVersion);
    new kinds[object.kind](object).validate();
  } catch (error) {
    console.log(`${object.kind} ${object.metadata.name}: ${error.message}`);
  }
}
"""


def refused(folder, objects):
    """What is wrong with these objects, by schema; unknown fields are not, which schemas of the API let pass."""
    done = subprocess.run(["node", "--input-type=module", "-e", PROGRAM], cwd=folder, input=json.dumps(objects), capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def container(daemonset):
    return daemonset["spec"]["template"]["spec"]["containers"][0]


# Faults that have to be found, one at a time, in the object of a kind.
PLANTS = [
    ("DaemonSet", lambda it: it["spec"].pop("selector")),
    ("DaemonSet", lambda it: container(it).update(args="serve")),
    ("DaemonSet", lambda it: container(it)["livenessProbe"]["httpGet"].pop("port")),
    ("Service", lambda it: it["spec"]["ports"][0].update(port="10435")),
    ("PodMonitor", lambda it: it["spec"]["podMetricsEndpoints"][0].update(interval="often")),
    ("PrometheusRule", lambda it: it["spec"]["groups"][0]["rules"][0].pop("expr")),
]


def main():
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    for tool in ("npm", "node"):
        if not shutil.which(tool):
            print(f"skipped: {tool} is missing (Debian package npm)")
            return SKIPPED
    try:
        import yaml
    except ImportError:
        print("skipped: PyYAML is missing (Debian package python3-yaml)")
        return SKIPPED
    objects = [object for file in sorted(KUBERNETES.glob("*.yaml")) if file.name != "kustomization.yaml"
               for object in yaml.safe_load_all(file.read_text(encoding="utf-8"))]
    with tempfile.TemporaryDirectory(prefix="nettoll-kubernetes-schema-") as folder:
        wanted = [f"{name}@{version}" for name, version in PACKAGES.items()]
        done = subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--no-save", "--ignore-scripts", *wanted], cwd=folder,
                              capture_output=True, text=True, check=False, timeout=240, env=os.environ | {"CI": "1"})
        if done.returncode != 0:
            print(f"skipped: npm could not install {' '.join(wanted)}: {(done.stderr or done.stdout).strip()[-300:]}")
            return SKIPPED
        if said := refused(folder, objects):
            print("\n".join(said))
            return 1
        for number, (kind, plant) in enumerate(PLANTS):
            planted = copy.deepcopy(next(object for object in objects if object["kind"] == kind))
            plant(planted)
            if not refused(folder, [planted]):
                print(f"planted fault {number}, in {kind}, was not found")
                return 1
    print(f"{len(objects)} objects are what their schemas say")
    return 0


if __name__ == "__main__":
    sys.exit(main())
