#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The ledger of `nettoll diagnose`: known numbers of packets are lost in many ways, and each must be in its row, with
nothing left unexplained.

Exit status 77, naming what is missing, where this host lacks root, a tool, or cannot run nettoll's main job.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "live")]

import child  # noqa: E402
from prometheus_server import wait_until  # noqa: E402
from veth_pair import MissingError, VethPair  # noqa: E402

SKIPPED = 77

# Runs in the sender's namespace: argv is device, the receiver's MAC address, its IPv4 address and the sender's.
SENDER = r"""
import json, socket, struct, sys
device, mac, here, there = sys.argv[1:5]
link = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
link.bind((device, 0))
to = bytes.fromhex(mac.replace(":", ""))

def checksum(data):
    total = sum(struct.unpack("!%dH" % (len(data) // 2), data))
    total = (total & 0xffff) + (total >> 16)
    return ~(total + (total >> 16)) & 0xffff

def frame(ethertype, payload):
    return to + bytes.fromhex("020000000001") + struct.pack("!H", ethertype) + payload

def ip(source=here, destination=there, protocol=17, ttl=64, bad=False, body=b"", dont_fragment=False,
       options=b""):
    head = struct.pack("!BBHHHBBH4s4s", 0x45 + len(options) // 4, 0, 20 + len(options) + len(body), 1, 0x4000 if dont_fragment else 0, ttl, protocol, 0,
                       socket.inet_aton(source), socket.inet_aton(destination)) + options
    sum_ = checksum(head) ^ (0x5555 if bad else 0)
    return frame(0x0800, head[:10] + struct.pack("!H", sum_) + head[12:] + body)

def udp(port, size=32):
    return struct.pack("!HHHH", 4321, port, 8 + size, 0) + bytes(size)

def send(packet, count):
    for _ in range(count):
        link.send(packet)

for kind, count in json.loads(sys.argv[5]).items():
    send({
        "no_socket": ip(body=udp(9001)),
        "unread": ip(body=udp(9002, 512)),
        "input": ip(body=udp(9003)),
        "prerouting": ip(body=udp(9004)),
        "forward": ip(destination="10.98.0.2", body=udp(9003)),
        "forwarded": ip(destination="10.98.0.2", body=udp(9005)),
        "ttl": ip(destination="10.98.0.2", ttl=1, body=udp(9005)),
        "too_big": ip(destination="10.98.0.2", body=udp(9005, 1000), dont_fragment=True),
        "no_route": ip(destination="10.97.0.1", body=udp(9005)),
        "martian": ip(source="127.0.0.9", body=udp(9005)),
        "rp_filter": ip(source="10.96.0.9", body=udp(9005)),
        "group": ip(destination="239.1.2.3", body=udp(9005)),
        "bad_header": ip(bad=True, body=udp(9005)),
        "bad_options": ip(body=udp(9005), options=bytes([7, 3, 2, 0])),
        "raw": ip(protocol=254, body=bytes(300)),
        "no_protocol": ip(protocol=253, body=bytes(32)),
        "ethertype": frame(0x88b5, bytes(46)),
    }[kind], count)
"""

SENT = {
    "no_socket": 301, "unread": 307, "input": 311, "prerouting": 313, "forward": 317, "forwarded": 331, "ttl": 41,
    "too_big": 43, "no_route": 47, "martian": 53, "rp_filter": 59, "group": 61, "bad_header": 67, "no_protocol": 71,
    "ethertype": 73, "bad_options": 83, "raw": 151,
}
# Refused by the output hook; sent into a queue that holds few, into a tap that nobody reads, on a device without carrier.
OUTPUT, QUEUED, TAPPED, UNPLUGGED = 79, 200, 300, 89

RULES = """
add table ip t
add chain ip t on_input { type filter hook input priority 0; }
add rule ip t on_input udp dport 9003 drop
add chain ip t on_prerouting { type filter hook prerouting priority 0; }
add rule ip t on_prerouting udp dport 9004 drop
add chain ip t on_forward { type filter hook forward priority 0; }
add rule ip t on_forward udp dport 9003 drop
add chain ip t on_output { type filter hook output priority 0; }
add rule ip t on_output udp dport 9006 drop
"""


class LedgerTest(unittest.TestCase):
    program = None
    pair = None

    def inside(self, end, *command, **options):
        """Runs a command in the namespace of an end of the pair."""
        return subprocess.run(["nsenter", f"--net={end['netns']}", *command], check=True, text=True,
                              capture_output=True, **options).stdout

    def set_up_receiver(self):
        b = self.pair.b
        script = """
        for f in ip_forward conf.all.rp_filter; do sysctl -qw net.ipv4.$f=1; done
        sysctl -qw net.ipv4.icmp_ratelimit=0
        ip link add toll-c type veth peer name toll-d
        ip link set toll-d netns $1
        ip address add 10.98.0.1/24 dev toll-c
        ip link set toll-c mtu 600 up
        ip neighbour replace 10.98.0.2 lladdr 02:00:00:00:00:77 dev toll-c
        ip link add toll-e type veth peer name toll-f
        ip address add 10.95.0.1/24 dev toll-e
        ip link set toll-f up
        ip link set toll-e up
        ip neighbour replace 10.95.0.2 lladdr 02:00:00:00:00:78 dev toll-e
        ip link add toll-g type veth peer name toll-h
        ip address add 10.94.0.1/24 dev toll-g
        ip link set toll-g up
        ip neighbour replace 10.94.0.2 lladdr 02:00:00:00:00:79 dev toll-g
        ip tuntap add dev toll-t mode tap
        ip link set toll-t txqueuelen 10
        ip address add 10.93.0.1/24 dev toll-t
        tc qdisc replace dev toll-e root tbf rate 8kbit burst 2000 limit 3000
        """
        self.inside(b, "sh", "-ec", script, "set-up", self.pair.a["netns"])
        self.inside(b, "nft", "-f", "-", input=RULES)
        self.inside(self.pair.a, "ip", "link", "set", "toll-d", "up")

    def start_diagnose(self):
        """Started in the receiver's namespace, with /sys of that namespace; ended by SIGINT."""
        log = tempfile.NamedTemporaryFile("w+", prefix="nettoll-ledger-")  # pylint: disable=consider-using-with
        self.addCleanup(log.close)
        out = open(os.path.join(self.folder, "out.json"), "w+", encoding="utf-8")  # pylint: disable=consider-using-with
        self.addCleanup(out.close)
        command = ["nsenter", f"--net={self.pair.b['netns']}", "unshare", "--mount", "sh", "-c",
                   "mount -t sysfs sysfs /sys && exec \"$@\" 2>\"$0\"", log.name, self.program, "diagnose", "-d", "120",
                   "-e", "none", "--json"]
        process = child.start(command, out)
        self.addCleanup(child.stop, process)

        def ready():
            with open(log.name, encoding="utf-8") as said:
                text = said.read()
            self.assertIsNone(process.poll(), text)
            return "watching" in text
        wait_until(ready, 60, "diagnose watches")
        return process, out

    def drop_all(self):
        a, b = self.pair.a, self.pair.b
        mac = json.loads(self.inside(b, "ip", "-j", "link", "show", "dev", b["device"]))[0]["address"]
        # Sockets, and a tap, that nobody reads.
        listen = ("import fcntl, os, socket, struct, sys; s = socket.socket(type=socket.SOCK_DGRAM); "
                  "s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096); s.bind(('', 9002)); "
                  "r = socket.socket(socket.AF_INET, socket.SOCK_RAW, 254); "
                  "r.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2304); "
                  "t = os.open('/dev/net/tun', os.O_RDWR); "
                  "fcntl.ioctl(t, 0x400454ca, struct.pack('16sH22x', b'toll-t', 0x1002)); "
                  "os.system('ip link set toll-t up; "
                  "ip neighbour replace 10.93.0.2 lladdr 02:00:00:00:00:80 dev toll-t'); "
                  "print(flush=True); sys.stdin.read(); "
                  "print(next(line.split()[-1] for line in open('/proc/net/raw') if line.split()[1].endswith(':00FE')))")
        with subprocess.Popen(["nsenter", f"--net={b['netns']}", sys.executable, "-c", listen], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE) as listener:
            listener.stdout.readline()
            self.inside(a, sys.executable, "-c", SENDER, a["device"], mac, a["ipv4"], b["ipv4"], json.dumps(SENT))
            send = ("import socket, sys\ns = socket.socket(type=socket.SOCK_DGRAM)\n"
                    "for i in range(int(sys.argv[3])):\n"
                    "  try: s.sendto(bytes(500), (sys.argv[1], int(sys.argv[2])))\n"
                    "  except OSError: pass")
            self.inside(b, sys.executable, "-c", send, a["ipv4"], "9006", str(OUTPUT))
            for there, count in (("10.95.0.2", QUEUED), ("10.93.0.2", TAPPED), ("10.94.0.2", UNPLUGGED)):
                self.inside(b, sys.executable, "-c", send, there, "9007", str(count))
            time.sleep(1)  # for what still is in a queue
            listener.stdin.close()
            self.raw_drops = int(listener.stdout.read())

    def qdisc_drops(self):
        shown = json.loads(self.inside(self.pair.b, "tc", "-s", "-j", "qdisc", "show", "dev", "toll-e"))
        return next(row["drops"] for row in shown if row.get("root"))

    def udp_errors(self):
        lines = [line.split()[1:] for line in self.inside(self.pair.b, "cat", "/proc/net/snmp").splitlines()
                 if line.startswith("Udp:")]
        return int(dict(zip(*lines))["RcvbufErrors"])

    def test_every_packet_is_in_its_row(self):
        self.folder = tempfile.mkdtemp(prefix="nettoll-ledger-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.set_up_receiver()
        process, out = self.start_diagnose()
        self.drop_all()
        status = child.stop(process, signal.SIGINT)
        out.seek(0)
        diagnosis = json.load(out)
        self.assertEqual(status, 3, "drops like these are findings")
        ledger = diagnosis["ledger"]
        shown = json.dumps(ledger, indent=1)
        rows = {}
        for row in ledger["losses"]:
            if "netns" not in row:  # not another namespace's
                rows.setdefault((row["layer"], row["reason"]), {})[row.get("device", "")] = row["packets"]
        device = self.pair.b["device"]

        def expect(layer, reason, packets, where=device):
            self.assertEqual(rows.get((layer, reason), {}).get(where), packets, f"{layer} {reason} in {shown}")

        expect("stack", "NO_SOCKET", SENT["no_socket"])
        expect("stack", "UNHANDLED_PROTO", SENT["ethertype"])
        expect("stack", "NETFILTER_DROP", SENT["input"] + SENT["prerouting"] + SENT["forward"])
        expect("stack", "IP_INHDR", SENT["ttl"] + SENT["bad_options"])
        expect("stack", "PKT_TOO_BIG", SENT["too_big"])
        expect("stack", "IP_INNOROUTES", SENT["no_route"])
        expect("stack", "IP_RPFILTER", SENT["rp_filter"])
        expect("stack", "IP_CSUM", SENT["bad_header"])
        expect("socket", "Udp.RcvbufErrors", self.udp_errors(), "")
        self.assertGreater(self.udp_errors(), 250)
        # No counter of UDP has the raw socket's. Newer kernels refuse a packet for a full one as of no protocol.
        self.assertGreater(self.raw_drops, 50)
        self.assertEqual(sum(rows.get(row, {}).get(device, 0) for row in (("socket", "SOCKET_RCVBUFF"),
                                                                          ("stack", "IP_NOPROTO"))),
                         SENT["no_protocol"] + self.raw_drops, shown)
        # Once, though the devices count them too.
        for where, reason, least in (("toll-t", "FULL_RING", TAPPED / 2), ("toll-g", "QDISC_DROP", UNPLUGGED)):
            lost = {why: devices[where] for (layer, why), devices in rows.items()
                    if where in devices and layer != "stack"}  # a tap that is closed frees what it still has
            self.assertEqual(set(lost), {reason}, shown)
            self.assertGreaterEqual(lost[reason], least, shown)
        tbf = [reason for layer, reason in rows if layer == "qdisc" and "toll-e" in rows[layer, reason]]
        self.assertEqual(len(tbf), 1, shown)
        expect("qdisc", tbf[0], self.qdisc_drops(), "toll-e")
        self.assertGreater(self.qdisc_drops(), QUEUED / 2)
        martians = SENT["martian"] + SENT["group"]
        refused = sum(packets for (layer, reason), devices in rows.items() for where, packets in devices.items()
                      if layer == "stack" and where == device and
                      reason in ("NOT_SPECIFIED", "IP_INVALID_SOURCE", "IP_LOCAL_SOURCE", "IP_LOCALNET",
                                 "IP_INVALID_DEST", "IP_LOCAL_DEST"))
        self.assertEqual(refused, martians, shown)
        ipv4 = next(balance for balance in ledger["balances"] if balance["what"] == "IPv4")
        self.assertEqual(ipv4["unexplained"], 0, shown)
        # By kernel.
        self.assertIn(ipv4["forwarded_then_dropped"], (0, SENT["forward"], SENT["forward"] + SENT["too_big"]), shown)
        self.assertEqual(ipv4["received"], sum(SENT.values()) - SENT["ethertype"] + self.answers(), shown)

    def answers(self):
        """What came to b unasked for: nothing, since a's kernel saw none of what was sent in its name but errors."""
        lines = [line.split()[1:] for line in self.inside(self.pair.b, "cat", "/proc/net/snmp").splitlines()
                 if line.startswith("Icmp:")]
        return int(dict(zip(*lines))["InMsgs"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--nettoll", required=True)
    parser.add_argument("--helpers", required=True)
    arguments, rest = parser.parse_known_args()
    for tool in ("nft", "tc", "nsenter", "unshare"):
        if not shutil.which(tool):
            print(f"{tool} is missing")
            sys.exit(SKIPPED)
    try:
        with VethPair(arguments.helpers) as pair:
            doctor = subprocess.run([arguments.nettoll, "doctor"], capture_output=True, text=True, check=False)
            if doctor.returncode != 0:
                raise MissingError(f"nettoll's main job does not run here:\n{doctor.stdout}")
            LedgerTest.program, LedgerTest.pair = arguments.nettoll, pair
            unittest.main(argv=[sys.argv[0], *rest])
    except MissingError as missing:
        print(missing)
        sys.exit(SKIPPED)


if __name__ == "__main__":
    main()
