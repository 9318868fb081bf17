#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`nettoll` while things fail around it and packets go by: what it counted stays right to the unit, and it says what it
could not do.

The packets that are counted go to a port that nobody listens on, so that each of them is a drop of its own device; others
run beside them. --long has each fault last as long as operations would see it: 100 kills, 10 minutes without a scrape,
10,000 names. Exit status 77, naming what is missing, where this host lacks root or a tool, or cannot run nettoll's main job.
"""

import argparse
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "live")]

import child  # noqa: E402
import cli_test  # noqa: E402
import exposition  # noqa: E402
import process_facts  # noqa: E402
from bpf_objects import all_ids, ids_held  # noqa: E402
from cli_test import DONE, FAILED  # noqa: E402
from prometheus_server import free_port, wait_until  # noqa: E402
from prometheus_test import inside  # noqa: E402
from service_rights import as_nobody  # noqa: E402
from veth_pair import MissingError, VethPair  # noqa: E402

MEBIBYTE = 1 << 20
DROPS = "nettoll_drops_total"


class FaultsTest(cli_test.CliTest):
    pair = None
    long = False

    def setUp(self):
        super().setUp()
        self.address = f"127.0.0.1:{free_port()}"

    def serve(self, *arguments, under=()):
        """A new one under traffic of other kinds, with data."""
        process = self.start("serve", "--web.listen-address", self.address, "--interval", "200ms", *arguments, under=under)
        wait_until(self.has_data, 60, "no data served", process, self.path("log"))
        return process

    def has_data(self):
        try:
            return exposition.total(self.series(), "nettoll_path_packets_total", path="rx") is not None
        except OSError:
            return False

    def series(self):
        return exposition.parse(exposition.scrape(f"http://{self.address}/metrics"))

    def start_traffic(self, packets, rate, pair=None, **options):
        traffic = (pair or self.pair).start_blast(packets, rate=rate, limit=60 + 4 * packets // rate, open_port=9010,
                                                  **options)
        self.addCleanup(traffic.cancel)
        return traffic

    def lose(self, packets):
        """So many to a port that nobody listens on."""
        self.pair.blast(packets, closed=packets)

    def lost(self):
        return exposition.total(self.series(), DROPS, reason="NO_SOCKET", device=self.pair.b["device"]) or 0

    def assert_lost(self, packets):
        """As many as were sent, and no more."""
        wait_until(lambda: self.lost() >= packets, 30, f"{packets} were lost and fewer are counted")
        self.assertEqual(self.lost(), packets)

    def write_from_outside(self, process, name, size=None):
        """Appends to a file of the work folder as a process sees it, up to a size or as much as there is room for."""
        with open(f"/proc/{process.pid}/root{self.path(name)}", "ab", buffering=0) as file:
            try:
                while size is None or file.tell() < size:
                    file.write(bytes(512 if size is None else size - file.tell()))
            except OSError:
                if size is not None:
                    raise

    def private_disk(self, size):
        """What runs a program with a small disk in the work folder that it alone sees."""
        os.mkdir(self.path("disk"))
        return ["unshare", "-m", "sh", "-c", f"mount -t tmpfs -o size={size} none disk && exec \"$@\"", "sh"]


class KillTest(FaultsTest):
    def test_killed_and_started_again(self):
        """Each life counts what it saw, and nothing of it is left in the kernel."""
        rounds = 100 if self.long else 4
        traffic = self.start_traffic(rounds * 60_000, 2000)
        held = {"prog": set(), "link": set(), "map": set()}
        for number in range(rounds):
            process = self.serve()
            for kind, ids in held.items():
                mine = ids_held(process.pid, kind)
                self.assertTrue(mine, f"no {kind} is held, so that this would show nothing")
                ids |= mine
            self.lose(500 + number)
            self.assert_lost(500 + number)
            self.assertTrue(traffic.running())
            process.kill()
            process.wait()
            self.assertEqual(os.listdir(self.work), ["log"])
        # The kernel frees them after a grace period.
        for kind, ids in held.items():
            wait_until(lambda k=kind, i=ids: not i & all_ids(k), 30, f"{kind}s stay after SIGKILL")
        print(f"[killed {rounds} times; held " + ", ".join(f"{len(ids)} {kind}s" for kind, ids in held.items()) + "] ",
              end="", file=sys.stderr, flush=True)


class ScraperTest(FaultsTest):
    def test_nobody_scrapes(self):
        seconds = 600 if self.long else 12
        process = self.serve()
        files = process_facts.open_files(process.pid)
        traffic = self.start_traffic(2000 * seconds, 2000, closed=1000 * seconds)
        memory = []
        while traffic.running():
            memory.append(process_facts.resident_bytes(process.pid))
            time.sleep(0.2)
        sent = traffic.wait()
        self.assert_lost(sent["sent"] - sent["sent_open"])
        quarter = memory[len(memory) // 4]
        print(f"[{quarter / MEBIBYTE:.1f} to {memory[-1] / MEBIBYTE:.1f} MiB] ", end="", file=sys.stderr, flush=True)
        self.assertLess(memory[-1] - quarter, MEBIBYTE)
        self.assertLessEqual(process_facts.open_files(process.pid), files + 1)  # the scrape's own
        self.assertEqual(child.stop(process), DONE, self.log())


class DiskTest(FaultsTest):
    def test_log_on_a_full_disk(self):
        with open(self.path("nettoll.toml"), "w", encoding="utf-8") as file:
            file.write('interval = "200ms"\n')
        under = self.private_disk("16k")
        under[4] = under[4].replace('"$@"', '"$@" 2>>disk/log')
        process = self.serve("--config", "nettoll.toml", under=under)
        log = f"/proc/{process.pid}/root{self.path('disk')}/log"

        def reloads():
            with open(log, encoding="utf-8", errors="replace") as file:
                return file.read().count("configuration read again")
        self.write_from_outside(process, "disk/log")
        before = reloads()
        for _ in range(5):
            process.send_signal(signal.SIGHUP)
            self.lose(200)
        self.assert_lost(1000)
        self.assertEqual(reloads(), before, "there was room, so that this shows nothing")
        os.truncate(log, 0)
        process.send_signal(signal.SIGHUP)
        wait_until(lambda: reloads() == 1, 30, "the log does not go on once there is room", process)
        self.lose(200)
        self.assert_lost(1200)
        self.assertEqual(child.stop(process), DONE)

    def test_disk_that_fills_while_recording(self):
        process = self.start("record", "-o", "disk/out", under=self.private_disk("64k"))
        self.wait_for_log("recording until Ctrl-C", process)
        disk = os.open(f"/proc/{process.pid}/root{self.path('disk')}", os.O_RDONLY | os.O_DIRECTORY)
        self.addCleanup(os.close, disk)
        self.lose(1000)
        self.write_from_outside(process, "disk/fill")
        self.assertEqual(child.stop(process, signal.SIGINT), FAILED)
        self.assertEqual(os.listdir(disk), ["fill"])
        self.assert_one_line(self.log().partition("\n")[2], "disk/out", "No space left", "free some space")


class LogReaderTest(FaultsTest):
    def test_reader_of_the_log_goes_away(self):
        with open(self.path("nettoll.toml"), "w", encoding="utf-8") as file:
            file.write('interval = "200ms"\n')
        os.mkfifo(self.path("pipe"))
        reader = os.open(self.path("pipe"), os.O_RDONLY | os.O_NONBLOCK)
        try:
            process = self.serve("--config", "nettoll.toml", under=["sh", "-c", 'exec "$@" 2>pipe', "sh"])
            self.assertIn(b"serving http", os.read(reader, 1 << 16))
        finally:
            os.close(reader)
        process.send_signal(signal.SIGHUP)  # which is told in the log
        self.lose(200)
        self.assert_lost(200)
        self.assertEqual(child.stop(process), DONE)


class DescriptorsTest(FaultsTest):
    def test_none_is_left_for_a_while(self):
        process = self.serve("--diagnose-interval", "1s")
        before = self.series()
        limit = resource.prlimit(process.pid, resource.RLIMIT_NOFILE)
        # All numbers below are taken for good. Not 0: poll(2) takes no more descriptors than that.
        taken = os.cpu_count() + 6
        self.assertLessEqual(set(range(taken)), {int(name) for name in os.listdir(f"/proc/{process.pid}/fd")})
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (taken, limit[1]))
        self.wait_for_log("CPUs that come or go are not followed", process)
        self.wait_for_log("no diagnosis", process)
        self.assertIn("Too many open files", self.log())
        host, port = self.address.split(":")
        with socket.create_connection((host, int(port)), timeout=60) as client:
            client.sendall(b"GET /healthz HTTP/1.0\r\n\r\n")
            self.wait_for_log("clients have to wait: Too many open files; raise the limit", process)
            used, begin = process_facts.cpu_seconds(process.pid), time.monotonic()
            self.lose(1000)
            time.sleep(3)
            share = (process_facts.cpu_seconds(process.pid) - used) / (time.monotonic() - begin)
            print(f"[{share:.2f} of a CPU meanwhile] ", end="", file=sys.stderr, flush=True)
            self.assertLess(share, 0.5, "it tries again without a pause")
            said = self.log().count("\n")
            self.assertLess(said, 15, self.log())
            resource.prlimit(process.pid, resource.RLIMIT_NOFILE, limit)
            self.assertIn(b"200 OK", client.recv(100))
        self.wait_for_log("CPUs that come or go are followed again", process)
        self.assert_lost(1000)
        wait_until(lambda: self.series().get("nettoll_diagnosis_up") == 1, 30, "no diagnosis again", process)
        assert_no_counter_fell(self, before, self.series())
        self.assertEqual(child.stop(process), DONE, self.log())


class TasksTest(FaultsTest):
    USER = 61_234  # whose tasks are those of serve alone

    def test_no_thread_can_be_had_for_a_while(self):
        """As where a control group or a user has as many tasks as it may: those of serve, and none to read the host."""
        process = self.serve("--diagnose-interval", "1s", under=["prlimit", "--nproc=3:", *as_nobody(user=self.USER)])
        self.wait_for_log("no diagnosis, no ledger of drops: cannot start a thread", process)
        wait_until(lambda: self.series().get("nettoll_diagnosis_up") == 0, 30, "diagnosis is not told to be down", process)
        self.lose(1000)
        self.assert_lost(1000)
        subprocess.run([*as_nobody((), self.USER), "prlimit", "--pid", str(process.pid), "--nproc=100:"], check=True)
        wait_until(lambda: self.series()["nettoll_diagnosis_up"] == 1, 30, "no diagnosis again", process)
        self.assertEqual(child.stop(process), DONE, self.log())


def assert_no_counter_fell(test, before, after):
    fell = {key: (value, after.get(key)) for key, value in exposition.counters(before).items()
            if after.get(key, -1) < value}
    test.assertEqual(fell, {})


class ChurnTest(FaultsTest):
    """Devices that come, go and change their names. Their series are bounded, and what they lost is not."""

    MOST_SERIES = 501  # the cap, and `other`
    ALL_NAMES_FIT = 400

    def lost_by(self, series, prefix):
        """Packets lost on devices whose names begin so, and those of the series for all that came after the cap."""
        of = [(key, value) for key, value in series.items() if exposition.name(key) == DROPS]
        self.assertLessEqual(len(of), self.MOST_SERIES)
        return (sum(value for key, value in of if 'reason="NO_SOCKET"' in key and f'device="{prefix}' in key),
                sum(value for key, value in of if 'device="other"' in key))

    def follow(self, process, goes_on, pace=0.5):
        """Scrapes until it is over; no counter falls and memory stays."""
        memory, before = [], self.series()
        while goes_on():
            time.sleep(pace)
            after = self.series()
            assert_no_counter_fell(self, before, after)
            memory.append(process_facts.resident_bytes(process.pid))
            before = after
        quarter = memory[len(memory) // 4]
        print(f"[{quarter / MEBIBYTE:.1f} to {memory[-1] / MEBIBYTE:.1f} MiB] ", end="", file=sys.stderr, flush=True)
        # The series that come meanwhile, and the kinds of drops.
        self.assertLess(memory[-1] - quarter, 4 * MEBIBYTE)

    def assert_all_lost(self, packets, prefix, names):
        wait_until(lambda: sum(self.lost_by(self.series(), prefix)) >= packets, 30, f"{packets} were lost and fewer are counted")
        named, other = self.lost_by(self.series(), prefix)
        if names <= self.ALL_NAMES_FIT:
            self.assertEqual((named, other), (packets, 0))
        return other

    def test_namespaces_come_and_go(self):
        namespaces = 3000 if self.long else 60
        process = self.serve()
        with open(self.path("churn"), "wb") as log:
            churn = child.start([sys.executable, os.path.join(HERE, "churn.py"), "--namespaces", str(namespaces),
                                 "--prefix", "fault-"], log)
        self.addCleanup(child.stop, churn, signal.SIGKILL)
        self.follow(process, lambda: churn.poll() is None)
        with open(self.path("churn"), encoding="utf-8") as log:
            said = log.read()
        self.assertEqual(churn.returncode, 0, said)
        self.assert_all_lost(int(said.split()[-1]), "fault-", namespaces)
        self.assertEqual(child.stop(process), DONE, self.log())

    def test_a_device_is_renamed(self):
        """In the namespace of serve, which goes by the name that a device has."""
        renames, a_second = (10_000, 100) if self.long else (300, 60)
        with VethPair(self.helpers) as pair, inside(pair.b["netns"]):
            subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
            process = self.serve()
            traffic = self.start_traffic(2000 * renames // a_second, 2000, pair=pair,
                                         closed=2000 * renames // a_second)
            with open(self.path("ip"), "wb") as log:
                ip = child.start(["sh", "-c", RENAME, "sh", pair.b["device"], str(renames), str(1 / a_second)], log)
            self.addCleanup(child.stop, ip, signal.SIGKILL)
            self.follow(process, lambda: ip.poll() is None or traffic.running())
            with open(self.path("ip"), encoding="utf-8") as log:
                self.assertEqual((ip.returncode, log.read()), (0, ""))
            sent = traffic.wait()["sent"]
            self.assert_all_lost(sent, "", renames)
            # By its last name from now on, or by none.
            before = self.lost_by(self.series(), f"renamed-{renames}\"")[0]
            pair.blast(500, closed=500)
            wait_until(lambda: sum(self.lost_by(self.series(), "")) >= sent + 500, 30, "the last ones are not counted")
            last, other = self.lost_by(self.series(), f"renamed-{renames}\"")
            if not other:
                self.assertEqual(last - before, 500)
            elif self.long:
                self.assertGreater(exposition.total(self.series(), "nettoll_series_dropped_total", metric=DROPS), 0)
            self.assertEqual(child.stop(process), DONE, self.log())


# device, times, seconds between two
RENAME = """
name=$1 n=0
while [ $n -lt $2 ]; do
  n=$((n + 1))
  ip link set dev "$name" name "renamed-$n" || exit
  name=renamed-$n
  sleep "$3"
done
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nettoll", required=True, help="the program to test")
    parser.add_argument("--helpers", required=True, help="the folder of the built programs of tests/live")
    parser.add_argument("--long", action="store_true")
    arguments, rest = parser.parse_known_args()
    reason = cli_test.missing(arguments.nettoll)
    for tool, package in (("bpftool", "bpftool"), ("ip", "iproute2"), ("setpriv", "util-linux"),
                          ("prlimit", "util-linux"), ("unshare", "util-linux")):
        if not reason and not shutil.which(tool):
            reason = f"{tool} is missing: apt install {package}"
    try:
        if reason:
            raise MissingError(reason)
        FaultsTest.source = os.path.abspath(arguments.nettoll)
        FaultsTest.helpers, FaultsTest.long = arguments.helpers, arguments.long
        with VethPair(arguments.helpers) as FaultsTest.pair:
            program = cli_test.unittest.main(argv=[sys.argv[0], *rest], exit=False, verbosity=2)
        return 0 if program.result.wasSuccessful() else 1
    except MissingError as missing:
        print(f"skipped: {missing}")
        return cli_test.SKIPPED


if __name__ == "__main__":
    sys.exit(main())
