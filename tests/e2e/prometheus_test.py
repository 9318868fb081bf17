#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`nettoll serve` scraped by a real Prometheus while traffic runs.

Exit status 77, naming what is missing, where this host lacks Prometheus, promtool, root or the built helpers.
"""

import contextlib
import ctypes
import json
import os
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "live")]

import child  # noqa: E402
import exposition  # noqa: E402
import process_facts  # noqa: E402
import serve_suite  # noqa: E402
from prometheus_server import Prometheus, free_port, wait_until  # noqa: E402
from veth_pair import VethPair  # noqa: E402

RX = 'nettoll_path_packets_total{path="rx"}'
MEBIBYTE = 1 << 20


class Serve:
    """The exporter under test, for the time of a `with` block. `command` has {address} where the address goes."""

    def __init__(self, command):
        self._command = command

    def __enter__(self):
        self.address = f"127.0.0.1:{free_port()}"
        self.url = f"http://{self.address}/metrics"
        self._folder = tempfile.TemporaryDirectory(prefix="nettoll-serve-")
        self._log_path = os.path.join(self._folder.name, "log")
        with open(self._log_path, "wb") as log:
            self._process = child.start(shlex.split(self._command.format(address=self.address)), log)
        self.pid = self._process.pid
        try:
            wait_until(self._has_data, 30, "the exporter served no packets", self._process, self._log_path)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.status = child.stop(self._process)
        self._folder.cleanup()

    def _has_data(self):
        try:
            return RX in self.series()
        except (urllib.error.URLError, ConnectionError):
            return False

    def series(self, compressed=False):
        return exposition.parse(exposition.scrape(self.url, compressed))

    def log(self):
        with open(self._log_path, encoding="utf-8") as file:
            return file.read()


@contextlib.contextmanager
def inside(netns):
    """This thread, and what it starts, in the network namespace at a path."""
    libc = ctypes.CDLL(None, use_errno=True)

    def enter(file):
        if libc.setns(file.fileno(), 0x40000000) != 0:  # CLONE_NEWNET
            raise OSError(ctypes.get_errno(), f"setns {file.name}")

    with open("/proc/thread-self/ns/net", "rb") as before, open(netns, "rb") as wanted:
        enter(wanted)
        try:
            yield
        finally:
            enter(before)


def udp_receive_buffer_errors():
    """Udp.RcvbufErrors of the namespace that this thread is in."""
    with open("/proc/thread-self/net/snmp", encoding="ascii") as file:
        names, values = [line.split() for line in file if line.startswith("Udp:")]
    return int(values[names.index("RcvbufErrors")])


def qdisc_drops(device):
    """Packets that the root qdisc of the device dropped."""
    shown = subprocess.run(["tc", "-s", "-j", "qdisc", "show", "dev", device], capture_output=True, check=True).stdout
    return sum(qdisc["drops"] for qdisc in json.loads(shown) if qdisc.get("root"))


def softnet_processed():
    """Packets that all CPUs of this host took into the receive path (32 bits a CPU, which wrap; a test is short)."""
    with open("/proc/net/softnet_stat", encoding="ascii") as file:
        return sum(int(line.split()[0], 16) for line in file)


class PrometheusTest(unittest.TestCase):
    """Each test stands alone; exporter, Prometheus and namespaces are shared since they take seconds to start."""

    arguments = None

    @classmethod
    def setUpClass(cls):
        with contextlib.ExitStack() as stack:
            cls.pair = stack.enter_context(VethPair(cls.arguments.helpers))
            cls.serve = stack.enter_context(Serve(cls.arguments.serve_command))
            cls.prometheus = stack.enter_context(Prometheus(cls.arguments.prometheus, cls.serve.address))
            cls.addClassCleanup(stack.pop_all().close)

    def settle(self):
        """Until what has happened by now is collected, served and scraped."""
        time.sleep(2 * self.arguments.interval + 1.5)

    def start_traffic(self, packets, **options):
        traffic = self.pair.start_blast(packets, **options)
        self.addCleanup(traffic.cancel)
        return traffic

    def test_promtool_has_no_complaint(self):
        self.pair.blast(2000, closed=1000)
        self.settle()
        done = subprocess.run([self.arguments.promtool, "check", "metrics"], capture_output=True, text=True,
                              input=exposition.scrape(self.serve.url), check=False)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_counters_only_rise(self):
        traffic = self.start_traffic(120000, closed=12000, rate=20000)
        before = exposition.counters(self.serve.series())
        self.assertTrue(before)
        rose = set()
        while traffic.running():
            time.sleep(0.4)
            after = exposition.counters(self.serve.series(compressed=True))
            fell = {key: (value, after.get(key)) for key, value in before.items() if after.get(key, -1) < value}
            self.assertEqual(fell, {}, "counters fell or vanished")
            rose |= {key for key in after if after[key] > before.get(key, 0)}
            before = after
        traffic.wait()
        self.assertIn(RX, rose)
        self.settle()
        # One query a name: functions over a range drop the name, and series of different metrics would collide.
        names = {key.partition("{")[0] for key in before}
        self.assertIn("nettoll_path_packets_total", names)
        for name in sorted(names):
            self.assertEqual(self.prometheus.query(f'resets({name}{{job="nettoll"}}[10m]) > 0'), [], name)

    def test_packets_rise_by_what_was_sent(self):
        sent, closed = 100000, 30000
        processed_first = softnet_processed()
        self.settle()
        before, started = self.serve.series(), time.time()
        device_before = self.pair.device_counters("b")
        self.pair.blast(sent, closed=closed)
        device_after = self.pair.device_counters("b")
        self.settle()
        after = self.serve.series()
        self.settle()
        processed = softnet_processed() - processed_first

        self.assertEqual(device_after["rx_packets"] - device_before["rx_packets"], sent)
        # On the path go the packets, an ICMP error for each that found no port, and whatever else this host
        # receives, scrapes over loopback among it: softnet's own count, over a wider window, is the upper bound.
        expected = sent + closed
        rose = after[RX] - before[RX]
        self.assertGreaterEqual(rose, expected)
        self.assertLessEqual(rose, processed)
        self.assertLess(processed, 1.5 * expected, "other traffic drowns the test's")
        stored = self.prometheus.samples(RX, int(time.time() - started) + 2)
        rose_stored = stored[-1][1] - stored[0][1]
        self.assertGreaterEqual(rose_stored, expected)
        self.assertLessEqual(rose_stored, processed)
        # Both ends of the pair send: the datagrams and the ICMP errors.
        tx = 'nettoll_path_packets_total{path="tx"}'
        self.assertGreaterEqual(after[tx] - before[tx], expected)

        drops = [exposition.total(scraped, "nettoll_drops_total", reason="NO_SOCKET") or 0
                 for scraped in (before, after)]
        if any("NO_SOCKET" in key for key in after):  # kernels before 5.17 give no reason
            self.assertGreaterEqual(drops[1] - drops[0], closed)

    def test_rate_is_that_of_the_traffic(self):
        seconds, rate = 25, 10000
        processed_first = softnet_processed()
        traffic = self.start_traffic(seconds * rate, rate=rate)
        # Ask for a window that lies inside the time of sending: 20 s that end 2 s before its end.
        time.sleep(seconds - 2)
        self.assertTrue(traffic.running(), "the traffic ended early")
        now = time.time()
        measured = self.prometheus.value(f"rate({RX}[{seconds - 5}s])", at=now)
        sent = traffic.wait()
        processed = softnet_processed() - processed_first
        per_second = sent["sent"] / (sent["elapsed_ns"] / 1e9)
        background = (processed - sent["sent"]) / (sent["elapsed_ns"] / 1e9)
        # A sample may be as old as one collection and one scrape: two intervals in the window of twenty.
        slack = 2 * self.arguments.interval / (seconds - 5)
        self.assertGreater(measured, per_second * (1 - slack))
        self.assertLess(measured, (per_second + background) * (1 + slack))

    def test_scrapes_leave_memory_flat(self):
        for number in range(200):
            exposition.scrape(self.serve.url, compressed=number % 2 == 0)
        before = process_facts.resident_bytes(self.serve.pid)
        for number in range(1000):
            exposition.scrape(self.serve.url, compressed=number % 2 == 0)
        after = process_facts.resident_bytes(self.serve.pid)
        self.assertLess(after - before, MEBIBYTE)
        exported = self.serve.series()["process_resident_memory_bytes"]
        self.assertAlmostEqual(exported, process_facts.resident_bytes(self.serve.pid), delta=MEBIBYTE)


# /sys shows the devices of the namespace in which it was mounted.
OWN_SYS = ("unshare --mount sh -c 'mount -t sysfs sysfs /sys && mount -t tracefs tracefs /sys/kernel/tracing && "
           'exec "$0" "$@"\' ')


class DiagnosisTest(unittest.TestCase):
    """The exporter inside a namespace of its own, so that nobody else moves what its ledger counts."""

    arguments = None

    @classmethod
    def setUpClass(cls):
        with contextlib.ExitStack() as stack:
            cls.pair = stack.enter_context(VethPair(cls.arguments.helpers))
            stack.enter_context(inside(cls.pair.b["netns"]))
            cls.serve = stack.enter_context(Serve(OWN_SYS + cls.arguments.serve_command))
            cls.prometheus = stack.enter_context(Prometheus(cls.arguments.prometheus, cls.serve.address))
            cls.addClassCleanup(stack.pop_all().close)

    def windows(self, count):
        """What is served once so many more whole windows of diagnosis have ended."""
        end = "nettoll_last_diagnosis_timestamp_seconds"
        for _ in range(count):
            before = self.serve.series().get(end, 0)
            wait_until(lambda: self.serve.series().get(end, 0) > before, 60, "no window of diagnosis ended")  # noqa: B023
        return self.serve.series()

    def lost(self, layer, device):
        return self.serve.series().get(f'nettoll_layer_drops_total{{layer="{layer}",device="{device}",netns="own"}}', 0)

    def assert_lost(self, layer, device, before, kernel):
        """The layer's losses since `before` become what `kernel()` says of the same time."""
        wait_until(lambda: self.lost(layer, device) - before == kernel(), 60,
                   f"{layer} did not lose what the kernel counted")
        self.windows(1)
        self.assertEqual(self.lost(layer, device) - before, kernel())

    def assert_comes_and_goes(self, finding, subject):
        """`finding` was seen by Prometheus, of that subject, and is gone after windows without it. Others on the host, in
        other namespaces, may have the same finding meanwhile."""
        selector = f'nettoll_finding{{job="nettoll",id="{finding}",subject="{subject}"}}'
        wait_until(lambda: self.prometheus.query(f"max_over_time({selector}[5m])"), 30, f"{finding} was never scraped")
        wait_until(lambda: not self.prometheus.query(selector), 60, f"{finding} stays")

    def test_receive_buffer_drops_are_those_of_the_kernel(self):
        self.windows(1)
        before, kernel = self.lost("socket", ""), udp_receive_buffer_errors()
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as full, \
                socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            full.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            full.bind((self.pair.b["ipv4"], 0))
            for _ in range(20000):
                sender.sendto(b"", full.getsockname())
            self.assertGreater(udp_receive_buffer_errors() - kernel, 10000)
            self.assert_lost("socket", "", before, lambda: udp_receive_buffer_errors() - kernel)
            # Its port and the name of this process are known to diagnosis, and no label.
            self.assert_comes_and_goes("receive_buffer_overflow", "socket")

    def test_qdisc_drops_are_those_of_the_kernel(self):
        device = self.pair.b["device"]
        done = subprocess.run(["tc", "qdisc", "replace", "dev", device, "root", "tbf", "rate", "8kbit", "burst", "2000",
                               "limit", "3000"], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            self.skipTest(f"no qdisc tbf: {done.stderr.strip()}")
        self.addCleanup(subprocess.run, ["tc", "qdisc", "del", "dev", device, "root"], check=True)
        self.windows(2)
        before, kernel = self.lost("qdisc", device), qdisc_drops(device)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            for _ in range(2000):
                with contextlib.suppress(OSError):  # a full qdisc may be told
                    sender.sendto(bytes(500), (self.pair.a["ipv4"], 9))
        self.assertGreater(qdisc_drops(device) - kernel, 1000)
        self.assert_lost("qdisc", device, before, lambda: qdisc_drops(device) - kernel)
        self.assert_comes_and_goes("qdisc_drops", device)

    def test_says_how_far_it_can_be_trusted(self):
        series = self.windows(1)
        self.assertEqual(series["nettoll_diagnosis_up"], 1)
        self.assertGreater(exposition.total(series, "nettoll_finding_checks"), 0)
        self.assertLess(abs(time.time() - series["nettoll_last_diagnosis_timestamp_seconds"]), 60)
        received = 'nettoll_ledger_received_packets_total{protocol="ipv4"}'
        self.pair.blast(20000, closed=5000)
        series = self.windows(2)
        self.assertGreaterEqual(series[received], 20000)
        explained = exposition.total(series, "nettoll_ledger_explained_packets_total", protocol="ipv4")
        # Scrapes come in while counters are read.
        self.assertLess(abs(series[received] - explained), 200)


def missing(arguments):
    """What this host lacks, or None."""
    for program in (arguments.prometheus, arguments.promtool):
        if not shutil.which(program):
            return f"{program} is missing (Debian package prometheus)"
    return None


def main():
    parser = serve_suite.options(__doc__)
    parser.add_argument("--interval", type=float, default=1, help="seconds between the exporter's collections")
    parser.add_argument("--prometheus", default="prometheus")
    parser.add_argument("--promtool", default="promtool")
    return serve_suite.run(parser, PrometheusTest, DiagnosisTest, missing=missing)


if __name__ == "__main__":
    sys.exit(main())
