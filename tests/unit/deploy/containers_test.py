#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What builds and runs containers without a cluster: deploy/container and deploy/prometheus/compose.yaml. Files that they name are there,
versions are pinned, secrets are left out. Ends with 77 where PyYAML is missing."""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]

try:
    import yaml
except ImportError:
    yaml = None


def version():
    return re.search(r"^project\(nettoll VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)[1]


class Image(unittest.TestCase):
    def setUp(self):
        self.text = (ROOT / "deploy" / "container" / "Containerfile").read_text()

    def test_says_its_version_and_pins_its_base(self):
        self.assertIn(f'image.version="{version()}"', self.text)
        self.assertIn(f"-t nettoll:{version()} ", self.text)
        self.assertRegex(self.text, r"(?m)^ARG BASE=\S+:\d+\.\d+-slim$")

    def test_what_it_copies_is_there(self):
        for line in re.findall(r"(?m)^COPY (?!--from)(.*)$", self.text):
            for name in line.split()[:-1]:
                self.assertTrue((ROOT / name).exists(), name)

    def test_leaves_secrets_out(self):
        ignored = (ROOT / ".dockerignore").read_text().splitlines()
        for name in (".git", "deploy/prometheus/grafana-password"):
            self.assertIn(name, ignored)


class Compose(unittest.TestCase):
    def setUp(self):
        self.folder = ROOT / "deploy" / "prometheus"
        self.compose = yaml.safe_load((self.folder / "compose.yaml").read_text())

    def test_images_are_of_one_version(self):
        for name, service in self.compose["services"].items():
            self.assertRegex(service["image"], r"^[a-z0-9.-]+/[a-z0-9./-]+:v?\d+\.\d+\.\d+$", name)

    def test_what_is_mounted_is_there(self):
        volumes = set()
        for service in self.compose["services"].values():
            for mount in service["volumes"]:
                source, _, rest = mount.partition(":")
                if source.startswith("."):
                    self.assertTrue((self.folder / source).exists(), mount)
                    self.assertTrue(rest.endswith(":ro"), f"{mount}: writable")
                else:
                    volumes.add(source)
            self.assertLessEqual(set(service.get("depends_on", [])), set(self.compose["services"]))
            self.assertLessEqual(set(service.get("secrets", [])), set(self.compose["secrets"]))
        self.assertEqual(volumes, set(self.compose["volumes"]))

    def test_prometheus_finds_its_files(self):
        service = self.compose["services"]["prometheus"]
        inside = {target: self.folder / source for source, target, *_ in (mount.split(":") for mount in service["volumes"])}
        (config,) = [word.partition("=")[2] for word in service["command"] if word.startswith("--config.file=")]
        for pattern in yaml.safe_load(inside[config].read_text())["rule_files"]:
            below = inside[str(pathlib.PurePosixPath(config).parent / pathlib.PurePosixPath(pattern).parent)]
            self.assertTrue(list(below.glob(pathlib.PurePosixPath(pattern).name)), pattern)

    def test_listens_on_this_host_alone_and_keeps_no_password(self):
        for name, service in self.compose["services"].items():
            listens = [word for word in service.get("command", []) if "listen-address" in word] + [
                value for key, value in service.get("environment", {}).items() if key == "GF_SERVER_HTTP_ADDR"]
            self.assertTrue(listens and all("127.0.0.1" in word for word in listens), name)
            for key in service.get("environment", {}):
                self.assertFalse(key.endswith("PASSWORD"), key)
        for secret in self.compose["secrets"].values():
            self.assertIn(f"/deploy/prometheus/{secret['file'].removeprefix('./')}", (ROOT / ".gitignore").read_text().splitlines())


if __name__ == "__main__":
    if yaml is None:
        print("skipped: PyYAML is missing (Debian package python3-yaml)")
        sys.exit(77)
    unittest.main(verbosity=2)
