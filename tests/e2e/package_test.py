#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Debian package that cpack makes of this build: its contents, its unit, and how serve speaks to systemd.

With --install also whether it installs in clean roots of Debian 12 and 13, works there, and leaves nothing when it is purged.
Libraries differ between the two, so in the one that this host is not, it is built first, which takes long. Roots come from
the mirror that apt has here.

Exit status 77, naming what is missing, where this host lacks root, dpkg-shlibdeps or systemd-analyze, cannot run nettoll's
main job, or, with --install, lacks debootstrap.
"""

import argparse
import glob
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "live")]

import child  # noqa: E402
import cli_test  # noqa: E402
from cli_test import DONE  # noqa: E402
from debian_root import Root, mirror, run  # noqa: E402
from prometheus_server import wait_until  # noqa: E402
from service_rights import as_nobody, service_capabilities  # noqa: E402

UNIT = "usr/lib/systemd/system/nettoll.service"
FILES = {
    "etc/nettoll/nettoll.toml", UNIT, "usr/lib/sysusers.d/nettoll.conf", "usr/sbin/nettoll",
    "usr/share/bash-completion/completions/nettoll", "usr/share/man/man8/nettoll.8.gz",
    "usr/share/man/man5/nettoll.toml.5.gz",
    "usr/share/doc/nettoll/changelog.gz", "usr/share/doc/nettoll/copyright", "usr/share/doc/nettoll/privileges.md",
    "usr/share/nettoll/grafana/dashboards/drops.json", "usr/share/nettoll/grafana/provisioning/dashboards/nettoll.yaml",
    "usr/share/nettoll/prometheus/prometheus.yml", "usr/share/nettoll/prometheus/compose.yaml",
}
# 3.5, which is what the unit has to be better than, in tenths.
MOST_EXPOSED = 35


def make_package(build, folder):
    """The path of the .deb that cpack makes."""
    done = run(["cpack", "--config", os.path.join(build, "CPackConfig.cmake"), "-G", "DEB", "-B", folder])
    packages = glob.glob(os.path.join(folder, "*.deb"))
    if done.returncode != 0 or len(packages) != 1:
        raise RuntimeError(f"cpack: {done.stdout}")
    return packages[0]


class PackageTest(cli_test.CliTest):
    build = None

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.package = make_package(cls.build, os.path.join(cls.folder, "cpack"))
        cls.root = os.path.join(cls.folder, "root")
        cls.control = os.path.join(cls.folder, "control")
        subprocess.run(["dpkg-deb", "-x", cls.package, cls.root], check=True)
        subprocess.run(["dpkg-deb", "-e", cls.package, cls.control], check=True)

    def field(self, name):
        return subprocess.run(["dpkg-deb", "-f", self.package, name], check=True, capture_output=True,
                              text=True).stdout.strip()

    def unit(self):
        with open(os.path.join(self.root, UNIT), encoding="utf-8") as file:
            return file.read()

    def test_contents(self):
        found = {os.path.relpath(os.path.join(folder, name), self.root)
                 for folder, _, names in os.walk(self.root) for name in names}
        self.assertLessEqual(FILES, found)
        for path in found:
            self.assertRegex(path, r"^(etc/nettoll/|usr/(lib/sys|sbin/|share/(bash-completion|doc|man|nettoll)/))")
        with open(os.path.join(self.control, "conffiles"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "/etc/nettoll/nettoll.toml\n")
        self.assertIn("libbpf1", self.field("Depends"))
        changelog = subprocess.run(["gzip", "-dc", os.path.join(self.root, "usr/share/doc/nettoll/changelog.gz")],
                                   check=True, capture_output=True, text=True).stdout
        self.assertTrue(changelog.startswith(f"nettoll ({self.field('Version')}) "), changelog)

    def test_lintian(self):
        if not shutil.which("lintian"):
            self.skipTest("lintian is missing: apt install lintian")
        done = run(["lintian", "--tag-display-limit", "0", self.package])
        self.assertEqual(re.findall(r"(?m)^[EW]: .*", done.stdout), [], done.stdout)

    def test_program(self):
        program = os.path.join(self.root, "usr/sbin/nettoll")
        done = run([program, "--version"])
        self.assertEqual((done.returncode, done.stdout), (DONE, f"nettoll {self.field('Version')}\n"))
        config = os.path.join(self.root, "etc/nettoll/nettoll.toml")
        done = run([program, "serve", "--config", config, "--check-config"])
        self.assertEqual(done.returncode, DONE, done.stdout)
        self.assertEqual(run([program, "doctor"]).returncode, DONE)

    def test_unit(self):
        unit = self.unit()
        # As installed, but for the program, which is not where it says.
        text = unit.replace("/usr/sbin/nettoll", os.path.join(self.root, "usr/sbin/nettoll"))
        self.assertNotEqual(text, unit)
        path = self.path("nettoll.service")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        done = run(["systemd-analyze", "verify", "--man=no", path])
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        done = run(["systemd-analyze", "security", "--offline=true", f"--threshold={MOST_EXPOSED}", path])
        level = re.search(r"exposure level for \S+: ([0-9.]+)", done.stdout)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertLessEqual(float(level[1]) * 10, MOST_EXPOSED)

    def test_unit_can_get_no_more_rights_than_it_has(self):
        # e2e.web shows that those are enough, and that each is needed.
        has, bound = (set(re.search(rf"(?m)^{key}=(.*)$", self.unit())[1].split())
                      for key in ("AmbientCapabilities", "CapabilityBoundingSet"))
        self.assertEqual(has, {f"CAP_{name.upper()}" for name in service_capabilities()})
        self.assertEqual(bound, has)

    def test_serve_tells_systemd(self):
        heard = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.addCleanup(heard.close)
        heard.bind(self.path("notify"))
        os.chmod(self.path("notify"), 0o777)
        os.chmod(self.work, 0o777)
        heard.setblocking(False)
        states = []

        def hear(wanted):
            try:
                while True:
                    states.append(heard.recv(4096).decode())
            except BlockingIOError:
                pass
            return any(state.startswith(wanted) for state in states)

        def wait_for(wanted, limit=60):
            states.clear()
            wait_until(lambda: hear(wanted), limit, f"systemd heard no {wanted}", process, self.path("log"))

        config = self.path("nettoll.toml")
        with open(config, "w", encoding="utf-8") as file:
            file.write('web.listen-address = "127.0.0.1:0"\ninterval = "1s"\n')
        under = [*as_nobody(), "env", f"NOTIFY_SOCKET={self.path('notify')}",
                 "WATCHDOG_USEC=600000"]
        process = self.start("serve", "--config", config, under=under)
        wait_for("READY=1")
        wait_for("WATCHDOG=1")
        process.send_signal(signal.SIGHUP)
        wait_for("RELOADING=1\nMONOTONIC_USEC=")
        # While the loop stands still nothing is heard, and again once it goes on.
        process.send_signal(signal.SIGSTOP)
        wait_until(lambda: self.stopped(process), 10, "not stopped", process)
        hear("WATCHDOG=1")
        states.clear()
        time.sleep(2)
        self.assertFalse(hear("WATCHDOG=1"))
        process.send_signal(signal.SIGCONT)
        wait_for("WATCHDOG=1")
        self.assertEqual(child.stop(process), DONE, self.log())
        self.assertTrue(hear("STOPPING=1"))

    @staticmethod
    def stopped(process):
        with open(f"/proc/{process.pid}/stat", encoding="ascii") as file:
            return file.read().rsplit(")", 1)[1].split()[0] == "T"


def own_release():
    with open("/etc/os-release", encoding="utf-8") as file:
        return re.search(r"(?m)^VERSION_CODENAME=(\w+)", file.read())[1]


def build_package(root, folder):
    """The package, built in `root` of the files of this tree."""
    source = root.path("source")
    shutil.copytree(TOP, source, ignore=shutil.ignore_patterns("build*", ".git", "out", "__pycache__"))
    root.do("apt-get update && /source/deploy/install-packages /source/deploy/debian-packages.build && "
            "apt-get install -y --no-install-recommends dpkg-dev file && cd /source && "
            "cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DNETTOLL_TESTS=OFF && "
            "cmake --build build && cpack --config build/CPackConfig.cmake -G DEB -B /out")
    package = glob.glob(root.path("out/*.deb"))[0]
    return shutil.copy(package, folder)


class InstallTest(unittest.TestCase):
    build = None

    def setUp(self):
        self.work = tempfile.mkdtemp(prefix="nettoll-package-")
        self.addCleanup(shutil.rmtree, self.work)

    def remains(self, root):
        """Paths in `root` that carry the name, but for apt's and dpkg's memory of what was done."""
        return sorted(os.path.relpath(path, root.folder) for top in ("etc", "usr", "var/lib", "run", "tmp", "home", "root")
                      for path in glob.glob(root.path(f"{top}/**/*nettoll*"), recursive=True))

    def has_user(self, root):
        return "nettoll" in root.do("cat /etc/passwd /etc/group /etc/shadow /etc/gshadow")

    def install(self, release):
        if release == own_release():
            package = make_package(self.build, os.path.join(self.work, "cpack"))
        else:
            package = build_package(Root(os.path.join(self.work, "build"), release), self.work)
        root = Root(os.path.join(self.work, release), release)
        root.start_no_services()
        shutil.copy(package, root.path("nettoll.deb"))
        self.assertFalse(self.has_user(root))
        root.do("apt-get update && apt-get install -y --no-install-recommends /nettoll.deb")
        self.assertTrue(self.has_user(root))
        self.assertTrue(os.path.islink(root.path("etc/systemd/system/multi-user.target.wants/nettoll.service")))
        status, doctor = root.run("nettoll doctor")
        self.assertEqual(status, DONE, doctor)
        root.do("nettoll serve --config /etc/nettoll/nettoll.toml --check-config")

        # What the administrator changed stays.
        root.do("echo max-functions = 7 >> /etc/nettoll/nettoll.toml && systemctl disable nettoll.service && "
                "dpkg -i /nettoll.deb && grep -qx \"max-functions = 7\" /etc/nettoll/nettoll.toml")
        self.assertFalse(os.path.islink(root.path("etc/systemd/system/multi-user.target.wants/nettoll.service")))

        root.do("apt-get remove -y nettoll")
        self.assertFalse(os.path.exists(root.path("usr/sbin/nettoll")))
        self.assertTrue(os.path.exists(root.path("etc/nettoll/nettoll.toml")))
        root.do("dpkg --purge nettoll")
        self.assertEqual(self.remains(root), [])
        self.assertFalse(self.has_user(root))

    def test_debian_12(self):
        self.install("bookworm")

    def test_debian_13(self):
        self.install("trixie")


def missing(arguments):
    tools = {"dpkg-shlibdeps": "dpkg-dev", "cpack": "cmake", "setpriv": "util-linux"}
    tools.update({"debootstrap": "debootstrap"} if arguments.install else {"systemd-analyze": "systemd"})
    for tool, package in tools.items():
        if not shutil.which(tool):
            return f"{tool} is missing: apt install {package}"
    if arguments.install and not mirror():
        return "a mirror of Debian is missing: apt has none here"
    return cli_test.missing(arguments.nettoll)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, help="the folder of the build")
    parser.add_argument("--nettoll", required=True, help="the program, as built")
    parser.add_argument("--install", action="store_true", help="install it in clean roots")
    arguments, rest = parser.parse_known_args()
    if reason := missing(arguments):
        print(f"skipped: {reason}")
        return cli_test.SKIPPED
    cli_test.CliTest.source = os.path.abspath(arguments.nettoll)
    PackageTest.build = InstallTest.build = os.path.abspath(arguments.build)
    suite = "InstallTest" if arguments.install else "PackageTest"
    program = unittest.main(argv=[sys.argv[0], *(rest or [suite])], exit=False, verbosity=2)
    return 0 if program.result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
