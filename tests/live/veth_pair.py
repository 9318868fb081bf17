# SPDX-License-Identifier: Apache-2.0
"""The veth pair of the live tests and its traffic, for scripts: wraps the programs netns_pair and udp_blast."""

import json
import os
import subprocess

import child


class MissingError(Exception):
    """Something this host lacks, in words for the person who has to provide it."""


class RunningBlast:
    """Traffic in the background."""

    def __init__(self, process):
        self._process = process

    def running(self):
        return self._process.poll() is None

    def wait(self):
        """What udp_blast saw, once all is sent."""
        out, _ = self._process.communicate()
        if self._process.returncode != 0:
            raise RuntimeError(f"udp_blast ended with status {self._process.returncode}: {out}")
        return json.loads(out)

    def cancel(self):
        """Ends it early; of no effect where it has ended."""
        child.stop(self._process)
        self._process.stdout.close()


class VethPair:
    """Two network namespaces joined by a veth pair, for the time of a `with` block.

    `a` and `b` are dictionaries with netns (a path), inode, device, ipv4. They vanish with the helper process,
    which ends when its standard input closes, so also when this script is killed.
    """

    def __init__(self, folder):
        """`folder` holds the built helper programs: tests/live below a build folder."""
        self._programs = {name: os.path.join(folder, name) for name in ("netns_pair", "udp_blast")}
        for path in self._programs.values():
            if not os.access(path, os.X_OK):
                raise MissingError(f"{path} is missing: build it, or name the build folder by --build")
        if os.geteuid() != 0:
            raise MissingError("root is missing: network namespaces need it")

    def __enter__(self):
        self._helper = subprocess.Popen([self._programs["netns_pair"]], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self._helper.stdout.readline()
        if not line:
            raise MissingError(self._helper.communicate()[1].strip())
        ends = json.loads(line)
        self.a, self.b = ends["a"], ends["b"]
        return self

    def __exit__(self, *_):
        self._helper.stdin.close()
        self._helper.wait(timeout=30)
        self._helper.stdout.close()
        self._helper.stderr.close()

    def _blast_command(self, packets, closed=0, cpu=None, rate=0, size=64, limit=120, open_port=9000):
        command = [self._programs["udp_blast"], "--to", self.b["ipv4"], "--from-netns", self.a["netns"],
                   "--to-netns", self.b["netns"], "--packets", str(packets), "--open", str(packets - closed),
                   "--size", str(size), "--rate", str(rate), "--limit", str(limit),
                   "--open-port", str(open_port)]
        return command + (["--cpu", str(cpu)] if cpu is not None else [])

    def blast(self, packets, **options):
        """Sends `packets` from a to b, `closed` of them to a closed port. Returns what udp_blast saw, once all that
        went to the open port is received; fails unless the kernel took every packet."""
        done = subprocess.run(self._blast_command(packets, **options), capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"udp_blast ended with status {done.returncode}: {done.stderr}{done.stdout}")
        result = json.loads(done.stdout)
        if result["sent"] != packets or result["received"] != result["sent_open"]:
            raise RuntimeError(f"packets were lost: {result}")
        return result

    def start_blast(self, packets, **options):
        """The same in the background."""
        return RunningBlast(child.start(self._blast_command(packets, **options), subprocess.PIPE, text=True))

    def device_counters(self, end):
        """rx_packets and tx_packets of one end ("a" or "b"), from /proc/net/dev of its namespace."""
        side = getattr(self, end)
        text = subprocess.run(["nsenter", f"--net={side['netns']}", "cat", "/proc/net/dev"], capture_output=True,
                              text=True, check=True).stdout
        for line in text.splitlines():
            name, colon, values = line.partition(":")
            if colon and name.strip() == side["device"]:
                words = values.split()
                return {"rx_packets": int(words[1]), "tx_packets": int(words[9])}
        raise RuntimeError(f"{side['device']} is gone")
