#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Network namespaces that come and go: as many as asked for, one after the other, each with a veth pair on which some
datagrams go to a port that nobody listens on. Prints how many were lost so, a number a line, the last one when done.

A namespace lasts until the next one is made, and the last until this ends, however it ends.
"""

import argparse
import ctypes
import socket
import struct
import subprocess

CLONE_NEWNET = 0x40000000
LOST = 5  # in each namespace


def checksum(head):
    total = sum(struct.unpack(f"!{len(head) // 2}H", head))
    total = (total & 0xFFFF) + (total >> 16)
    return ~(total + (total >> 16)) & 0xFFFF


def datagram(to_mac):
    """A frame from a neighbour that is not there."""
    udp = struct.pack("!HHHH", 4321, 9001, 8 + 32, 0) + bytes(32)
    head = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(udp), 1, 0, 64, 17, 0, socket.inet_aton("10.77.0.2"),
                       socket.inet_aton("10.77.0.1"))
    head = head[:10] + struct.pack("!H", checksum(head)) + head[12:]
    return to_mac + bytes.fromhex("0200000000010800") + head + udp


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--namespaces", type=int, required=True)
    parser.add_argument("--prefix", required=True, help="of the devices' names, a number follows")
    arguments = parser.parse_args()
    libc = ctypes.CDLL(None, use_errno=True)
    mac = "02:00:00:00:00:09"
    for number in range(arguments.namespaces):
        if libc.unshare(CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), "unshare")
        device = f"{arguments.prefix}{number}"
        subprocess.run(["ip", "-batch", "-"], check=True, text=True, input=f"""\
link add {device} address {mac} type veth peer name sender
address add 10.77.0.1/24 dev {device}
link set {device} up
link set sender up
""")
        with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as link:
            link.bind(("sender", 0))
            for _ in range(LOST):
                link.send(datagram(bytes.fromhex(mac.replace(":", ""))))
        print((number + 1) * LOST, flush=True)


if __name__ == "__main__":
    main()
