#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The manifests in deploy/kubernetes: whole, of least privilege, and true to the unit, the rules and the image. tests/e2e/container_test.py
runs the program with the rights that they give. Ends with 77 where PyYAML is missing."""

import copy
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
KUBERNETES = ROOT / "deploy" / "kubernetes"
PORT = 10435
PATHS = {"/healthz", "/metrics"}  # what serve answers (exporters/prometheus/http_reply.cc), which e2e.container asks it

try:
    import yaml
except ImportError:
    yaml = None


def load(name):
    return yaml.safe_load((KUBERNETES / name).read_text(encoding="utf-8"))


def version():
    return re.search(r"^project\(nettoll VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)[1]


def unit_capabilities():
    """Those of deploy/systemd/nettoll.service, without CAP_."""
    unit = (ROOT / "deploy" / "systemd" / "nettoll.service").read_text()
    return {name.removeprefix("CAP_") for name in re.search(r"^CapabilityBoundingSet=(.*)$", unit, re.MULTILINE)[1].split()}


def faults(daemonset):
    """What a DaemonSet has too much of, or lacks."""
    pod = daemonset["spec"]["template"]["spec"]
    for right in ("hostPID", "hostIPC"):
        if pod.get(right):
            yield f"{right}: nothing needs it"
    if pod.get("automountServiceAccountToken") is not False:
        yield "a token of the API server, which nettoll does not ask"
    for volume in pod.get("volumes", []):
        if "hostPath" in volume:
            yield f"a path of the node: {volume['hostPath']}"
    if {"operator": "Exists"} not in pod.get("tolerations", []):
        yield "not on every node"
    for container in pod["containers"]:
        rights = container.get("securityContext", {})
        wanted = {"privileged": False, "allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True}
        for key, value in wanted.items():
            if rights.get(key) is not value:
                yield f"{key} is not {value}"
        if rights.get("seccompProfile") != {"type": "RuntimeDefault"}:
            yield "no seccomp profile"
        capabilities = rights.get("capabilities", {})
        if capabilities.get("drop") != ["ALL"]:
            yield "default capabilities are kept"
        if set(capabilities.get("add", [])) != unit_capabilities():
            yield f"capabilities {capabilities.get('add')}: the unit has {unit_capabilities()}"
        for kind in ("requests", "limits"):
            if set(container.get("resources", {}).get(kind, {})) != {"cpu", "memory"}:
                yield f"no {kind} of cpu and memory"
        if not re.search(r":\d+\.\d+\.\d+$", container["image"]):
            yield f"{container['image']}: no version"
        ports = {port["name"]: port["containerPort"] for port in container.get("ports", [])}
        if ports != {"metrics": PORT}:
            yield f"ports {ports}"
        for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
            get = container.get(probe, {}).get("httpGet", {})
            if get.get("path") not in PATHS or get.get("port") != "metrics":
                yield f"{probe} asks {get}"


class Kubernetes(unittest.TestCase):
    def test_all_files_are_in_the_kustomization(self):
        kustomization = load("kustomization.yaml")
        there = {file.name for file in KUBERNETES.glob("*.yaml")} - {"kustomization.yaml"}
        self.assertEqual(set(kustomization["resources"]), there)
        (generated,) = kustomization["configMapGenerator"]
        for name in generated["files"]:
            self.assertTrue((KUBERNETES / name).is_file(), name)

    def test_rights_are_those_of_the_unit(self):
        self.assertEqual(unit_capabilities(), {"BPF", "PERFMON", "SYSLOG"})
        self.assertEqual(list(faults(load("daemonset.yaml"))), [])

    def test_a_right_too_many_is_found(self):
        def container(daemonset):
            return daemonset["spec"]["template"]["spec"]["containers"][0]

        plants = {
            "hostPID": lambda it: it["spec"]["template"]["spec"].update(hostPID=True),
            "path of the node": lambda it: it["spec"]["template"]["spec"]["volumes"].append({"name": "sys", "hostPath": {"path": "/sys"}}),
            "token": lambda it: it["spec"]["template"]["spec"].pop("automountServiceAccountToken"),
            "every node": lambda it: it["spec"]["template"]["spec"].pop("tolerations"),
            "privileged": lambda it: container(it)["securityContext"].update(privileged=True),
            "allowPrivilegeEscalation": lambda it: container(it)["securityContext"].pop("allowPrivilegeEscalation"),
            "readOnlyRootFilesystem": lambda it: container(it)["securityContext"].pop("readOnlyRootFilesystem"),
            "seccomp": lambda it: container(it)["securityContext"].pop("seccompProfile"),
            "default capabilities": lambda it: container(it)["securityContext"]["capabilities"].pop("drop"),
            "capabilities": lambda it: container(it)["securityContext"]["capabilities"]["add"].append("SYS_ADMIN"),
            "limits": lambda it: container(it)["resources"]["limits"].pop("memory"),
            "version": lambda it: container(it).update(image="nettoll:latest"),
            "ports": lambda it: container(it)["ports"][0].update(containerPort=9090),
            "livenessProbe": lambda it: container(it)["livenessProbe"]["httpGet"].update(path="/-/healthy"),
        }
        for word, plant in plants.items():
            with self.subTest(word):
                daemonset = copy.deepcopy(load("daemonset.yaml"))
                plant(daemonset)
                (found,) = faults(daemonset)
                self.assertIn(word, found)

    def test_names_fit_together(self):
        daemonset, service, monitor = load("daemonset.yaml"), load("service.yaml"), load("podmonitor.yaml")
        labels = daemonset["spec"]["template"]["metadata"]["labels"]
        self.assertEqual(daemonset["spec"]["selector"]["matchLabels"], labels)
        self.assertEqual(service["spec"]["selector"], labels)
        self.assertEqual(monitor["spec"]["selector"]["matchLabels"], labels)
        # The job, which the alert NettollDown is for.
        self.assertEqual(labels[monitor["spec"]["jobLabel"]], "nettoll")
        pod = daemonset["spec"]["template"]["spec"]
        (container,) = pod["containers"]
        self.assertEqual(container["image"], f"nettoll:{version()}")
        self.assertEqual([port["port"] for port in service["spec"]["ports"]], [PORT])
        self.assertIn(f"--web.listen-address=$(HOST_IP):{PORT}", container["args"])
        (endpoint,) = monitor["spec"]["podMetricsEndpoints"]
        self.assertEqual((endpoint["port"], endpoint["path"]), ("metrics", "/metrics"))
        self.assertEqual(pod["serviceAccountName"], load("serviceaccount.yaml")["metadata"]["name"])
        (volume,) = pod["volumes"]
        self.assertEqual(volume["configMap"]["name"], load("kustomization.yaml")["configMapGenerator"][0]["name"])
        self.assertEqual([mount["name"] for mount in container["volumeMounts"]], [volume["name"]])
        (config,) = [word for word in container["args"] if word.startswith("--config=")]
        self.assertEqual(config, f"--config={container['volumeMounts'][0]['mountPath']}/nettoll.toml")

    def test_rules_are_those_of_prometheus(self):
        done = subprocess.run([KUBERNETES / "generate", "--check"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        there = load("prometheusrule.yaml")["spec"]["groups"]
        wanted = [group for file in sorted((ROOT / "deploy" / "prometheus" / "rules").glob("*.yml"))
                  for group in yaml.safe_load(file.read_text())["groups"]]
        self.assertEqual(there, wanted)


if __name__ == "__main__":
    if yaml is None:
        print("skipped: PyYAML is missing (Debian package python3-yaml)")
        sys.exit(77)
    unittest.main(verbosity=2)
