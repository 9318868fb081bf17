#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The image's root file system, run by a container runtime (crun) with the rights that deploy/kubernetes/daemonset.yaml gives, and no more.

With --build the image itself, made by buildah as deploy/container/Containerfile says, of a Debian of its own: it compiles nettoll once
more, which takes long.

Exit status 77, naming what is missing, where this host lacks root, crun, its seccomp rules, PyYAML, or, with --build, buildah or
debootstrap, or cannot run nettoll's main job.
"""

import argparse
import http.client
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "live")]

import child  # noqa: E402
import cli_test  # noqa: E402
import exposition  # noqa: E402
import oci_bundle  # noqa: E402
from cli_test import DONE, FAILED  # noqa: E402
from debian_root import Root, mirror  # noqa: E402
from prometheus_server import free_port, wait_until  # noqa: E402

try:
    import yaml
except ImportError:
    yaml = None

TOP = pathlib.Path(HERE).parents[1]
KUBERNETES = TOP / "deploy" / "kubernetes"
ASSEMBLE = TOP / "deploy" / "container" / "assemble"
NOBODY = 65534


def pod():
    return yaml.safe_load((KUBERNETES / "daemonset.yaml").read_text(encoding="utf-8"))["spec"]["template"]["spec"]


class Container:
    """`nettoll` with these arguments in a container, for the time of a `with` block."""

    def __init__(self, folder, root, arguments, spec=None, **rights):
        self.folder = tempfile.mkdtemp(dir=folder)
        config = os.path.join(self.folder, "config")
        os.mkdir(config)
        shutil.copy(KUBERNETES / "nettoll.toml", config)
        oci_bundle.make(self.folder, root, spec or pod(), arguments, config, **rights)
        self.name = f"nettoll-test-{os.path.basename(self.folder)}"
        self.log = os.path.join(self.folder, "log")
        # Nothing here limits resources; crun looks at control groups all the same, and knows no hosts that have both kinds of them.
        one_kind = ["unshare", "-m", "sh", "-c", 'mount -t cgroup2 none /sys/fs/cgroup && exec "$@"', "sh"]
        self.crun = [*one_kind, "crun", "--root", os.path.join(self.folder, "state"), "--cgroup-manager=disabled"]

    def __enter__(self):
        with open(self.log, "wb") as log:
            self.process = child.start([*self.crun, "run", "--bundle", self.folder, self.name], log)
        return self

    def __exit__(self, *_):
        self.stop()
        subprocess.run([*self.crun, "delete", "--force", self.name], capture_output=True, check=False)

    def stop(self):
        """Ends it as engines do; its exit status."""
        if self.process.poll() is None:
            subprocess.run([*self.crun, "kill", self.name, "TERM"], capture_output=True, check=False)
        try:
            return self.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            subprocess.run([*self.crun, "kill", self.name, "KILL"], capture_output=True, check=False)
            return self.process.wait()

    def wait(self, limit=60):
        """Exit status, and what was printed, of one that ends by itself."""
        status = self.process.wait(timeout=limit)
        return status, self.said()

    def said(self):
        with open(self.log, encoding="utf-8", errors="replace") as file:
            return file.read()


class RootTest(unittest.TestCase):
    """The root file system, made of the program as built."""

    program = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="nettoll-container-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.root = cls.make_root()

    @classmethod
    def make_root(cls):
        root = os.path.join(cls.folder, "root")
        subprocess.run([ASSEMBLE, cls.program, root], check=True)
        return root

    def run_in(self, *arguments, **rights):
        with Container(self.folder, self.root, arguments, **rights) as container:
            return container.wait()

    def serve(self, **rights):
        """A running `serve`, as the manifest starts it, but for the address."""
        self.port = free_port()
        spec = rights.pop("spec", None) or pod()
        (container,) = spec["containers"]
        arguments = [word.replace("$(HOST_IP):10435", f"127.0.0.1:{self.port}") for word in container["args"]]
        self.assertNotEqual(arguments, container["args"])
        # Sooner than the manifest has it, so that the test is short.
        arguments += ["--interval", "1s", "--diagnose-interval", "2s"]
        return Container(self.folder, self.root, arguments, spec=spec, **rights)

    def get(self, path):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        except OSError:
            return None, ""
        finally:
            connection.close()

    def series(self):
        return exposition.parse(self.get("/metrics")[1])

    def test_holds_the_program_and_what_it_loads(self):
        programs, others = [], []
        for folder, _, names in os.walk(self.root):
            for name in names:
                path = os.path.relpath(os.path.join(folder, name), self.root)
                if not path.startswith(("usr/share/", "var/lib/dpkg/status.d/", "etc/")):
                    (others if ".so" in name else programs).append(path)
        self.assertEqual(programs, ["usr/sbin/nettoll"])
        self.assertTrue(any("ld-linux" in name for name in others), others)
        licences = {path.name for path in pathlib.Path(self.root, "usr/share/doc").iterdir()}
        self.assertEqual(licences - {"nettoll"}, {path.name for path in pathlib.Path(self.root, "var/lib/dpkg/status.d").iterdir()})
        self.assertIn("libbpf1", licences)

    def test_is_the_program(self):
        wanted = subprocess.run([self.program, "--version"], capture_output=True, text=True, check=True).stdout
        self.assertEqual(self.run_in("--version"), (DONE, wanted))

    def test_is_made_once(self):
        done = subprocess.run([ASSEMBLE, self.program, self.root], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (FAILED, f"{self.root} is there already\n"))

    def test_main_job_works_with_the_rights_of_the_manifest(self):
        status, said = self.run_in("doctor")
        self.assertEqual(status, DONE, said)
        # As another user where an engine has ambient capabilities.
        status, said = self.run_in("doctor", user=NOBODY)
        self.assertEqual(status, DONE, said)

    def test_each_capability_is_needed(self):
        if not self.kernel_hides_addresses():
            needed = {"BPF", "PERFMON"}
        else:
            needed = {"BPF", "PERFMON", "SYSLOG"}
        granted = pod()["containers"][0]["securityContext"]["capabilities"]["add"]
        self.assertLessEqual(needed, set(granted))
        for capability in needed:
            with self.subTest(capability):
                status, said = self.run_in("doctor", capabilities=[name for name in granted if name != capability])
                self.assertEqual(status, FAILED, said)

    @staticmethod
    def kernel_hides_addresses():
        def setting(name):
            return int(pathlib.Path("/proc/sys/kernel", name).read_text())
        return setting("kptr_restrict") > 0 or setting("perf_event_paranoid") > 1

    def test_config_of_the_manifest(self):
        status, said = self.run_in("serve", "--config=/etc/nettoll/nettoll.toml", "--check-config")
        self.assertEqual(status, DONE, said)

    def test_serve(self):
        (container,) = pod()["containers"]
        with self.serve() as running, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            def has(*wanted):
                # To a port that nobody listens on: packets on both paths, and drops.
                for _ in range(200):
                    try:
                        sender.sendto(b"", ("127.0.0.1", 9))
                    except ConnectionRefusedError:
                        pass
                there = self.series()
                return all(any(key.startswith(start) for key in there) for start in wanted)

            wait_until(lambda: self.get("/healthz")[0] == 200, 60, "not healthy", running.process, running.log)
            for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
                self.assertEqual(self.get(container[probe]["httpGet"]["path"])[0], 200, probe)
            wait_until(lambda: has('nettoll_path_packets_total{path="rx"}', "nettoll_path_cpu_seconds_total{", "nettoll_drops_total{",
                                   "nettoll_function_samples_total{", "nettoll_finding_checks{"),
                       60, "metrics are missing", running.process, running.log)
            there = self.series()
            self.assertIn("NO_SOCKET", "".join(key for key in there if key.startswith("nettoll_drops_total{")))
            self.assertEqual(there["nettoll_diagnosis_up"], 1)
            memory = there["process_resident_memory_bytes"]
            self.assertLess(memory, self.bytes_of(container["resources"]["requests"]["memory"]))
            self.assertIn("CAP_BPF", running.said())
            self.assertEqual(running.stop(), DONE, running.said())

    @staticmethod
    def bytes_of(quantity):
        number, unit = quantity[:-2], quantity[-2:]
        return int(number) << {"Ki": 10, "Mi": 20, "Gi": 30}[unit]

    def test_engines_before_2022_refuse_and_it_says_so(self):
        status, said = self.run_in("doctor", gated=False)
        self.assertEqual(status, FAILED, said)
        self.assertIn("in a container allow perf_event_open in the seccomp profile", said)


class ImageTest(RootTest):
    """The same of an image that buildah makes."""

    @classmethod
    def make_root(cls):
        debian = Root(os.path.join(cls.folder, "debian"), "bookworm")
        debian.start_no_services()
        storage = os.path.join(cls.folder, "storage.conf")
        with open(storage, "w", encoding="utf-8") as file:
            file.write(f'[storage]\ndriver = "vfs"\ngraphroot = "{cls.folder}/graph"\nrunroot = "{cls.folder}/run"\n')
        environment = os.environ | {"CONTAINERS_STORAGE_CONF": storage, "BUILDAH_ISOLATION": "chroot"}

        def buildah(*words):
            done = subprocess.run(["buildah", *words], env=environment, text=True, check=False, cwd=TOP, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            if done.returncode != 0:
                raise RuntimeError(f"buildah {words[0]}: {done.stdout[-3000:]}")
            return done.stdout.strip()

        base = buildah("from", "scratch")
        buildah("copy", "--quiet", base, debian.folder, "/")
        buildah("commit", "--quiet", base, "localhost/debian")
        buildah("build", "--file", "deploy/container/Containerfile", "--build-arg", "BASE=localhost/debian", "--tag", "localhost/nettoll",
                "--pull-never", ".")
        cls.image = json.loads(buildah("inspect", "--type", "image", "localhost/nettoll"))["OCIv1"]
        return buildah("mount", buildah("from", "localhost/nettoll"))

    def test_image_runs_serve(self):
        config = self.image["config"]
        self.assertEqual((config["Entrypoint"], config["Cmd"]), (["/usr/sbin/nettoll"], ["serve"]))
        self.assertNotIn("User", config)
        self.assertEqual(config["Labels"]["org.opencontainers.image.title"], "nettoll")


def missing(arguments):
    if yaml is None:
        return "PyYAML is missing: apt install python3-yaml"
    tools = {"crun": "crun", "strip": "binutils", **({"buildah": "buildah", "debootstrap": "debootstrap"} if arguments.build else {})}
    for tool, package in tools.items():
        if not shutil.which(tool):
            return f"{tool} is missing: apt install {package}"
    if not os.path.isfile(oci_bundle.SECCOMP_RULES):
        return f"{oci_bundle.SECCOMP_RULES} is missing: apt install golang-github-containers-common"
    if arguments.build and not mirror():
        return "a mirror of Debian is missing: apt has none here"
    return cli_test.missing(arguments.nettoll)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nettoll", required=True, help="the program, as built")
    parser.add_argument("--build", action="store_true", help="build the image")
    arguments, rest = parser.parse_known_args()
    if reason := missing(arguments):
        print(f"skipped: {reason}")
        return cli_test.SKIPPED
    RootTest.program = os.path.abspath(arguments.nettoll)
    program = unittest.main(argv=[sys.argv[0], *(rest or ["ImageTest" if arguments.build else "RootTest"])], exit=False, verbosity=2)
    return 0 if program.result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
