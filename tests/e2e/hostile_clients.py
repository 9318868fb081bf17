#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Clients that a server on loopback should survive, until killed. Prints a line with what they met once a second.

  slow       64 that send a byte of an endless header now and then (after the TLS handshake, half of them within it)
  silent     16 that connect and say nothing
  deaf       8 that ask for /metrics and never read
  wrong      4 that try other passwords, one after the other, from another address than the rest
  oversized  2 that send heads of a megabyte
  strangers  2 that show a certificate of an unknown CA, and 2 that speak plain HTTP
"""

import argparse
import base64
import collections
import itertools
import os
import socket
import ssl
import threading
import time

met = collections.Counter()


class Clients:
    def __init__(self, arguments):
        self.port = arguments.port
        self.user = arguments.user
        self.good = self.context(arguments, arguments.cert, arguments.key)
        self.strange = self.context(arguments, arguments.strange_cert, arguments.strange_key)

    @staticmethod
    def context(arguments, cert, key):
        context = ssl.create_default_context(cafile=arguments.ca)
        context.load_cert_chain(cert, key)
        return context

    def connect(self, address="127.0.0.1"):
        return socket.create_connection(("127.0.0.1", self.port), timeout=20, source_address=(address, 0))

    def open(self, context=None, address="127.0.0.1"):
        return (context or self.good).wrap_socket(self.connect(address), server_hostname="127.0.0.1")

    def authorization(self, password):
        return "Authorization: Basic " + base64.b64encode(f"{self.user}:{password}".encode()).decode() + "\r\n"

    def slow(self, number):
        if number % 2:  # within the handshake: the beginning of a record with a ClientHello
            with self.connect() as client:
                for byte in itertools.chain(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", itertools.repeat(0, 400)):
                    client.sendall(bytes([byte]))
                    time.sleep(0.3)
            return
        with self.open() as client:
            client.sendall(b"GET /metrics HTTP/1.1\r\nX: ")
            while True:
                client.sendall(b"x")
                time.sleep(0.3)

    def silent(self, _):
        with self.connect() as client:
            client.settimeout(None)
            client.recv(1)

    def deaf(self, _):
        with self.open() as client:
            for _ in range(20):
                client.sendall(b"GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n")
            time.sleep(30)

    def wrong(self, _):
        with self.open(address="127.0.0.2") as client:
            password = os.urandom(8).hex()
            client.sendall(f"GET /metrics HTTP/1.1\r\nHost: a\r\n{self.authorization(password)}\r\n".encode())
            met["status " + client.recv(20).decode()[9:12]] += 1

    def oversized(self, _):
        with self.open() as client:
            client.sendall(b"GET /metrics HTTP/1.1\r\nX: " + b"x" * (1 << 20))
            met["status " + client.recv(20).decode()[9:12]] += 1

    def strangers(self, number):
        if number % 2:
            with self.open(self.strange) as client:
                client.sendall(b"GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n")
                if client.recv(1):
                    met["stranger was answered"] += 1
        with self.connect() as client:
            client.sendall(b"GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n")
            if client.recv(100).startswith(b"HTTP/"):
                met["plain text was answered"] += 1

    def again_and_again(self, kind, number):
        while True:
            try:
                getattr(self, kind)(number)
            except (OSError, ssl.SSLError) as error:
                met[f"{kind}: {type(error).__name__}"] += 1
            met[kind] += 1
            time.sleep(0.02)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, required=True)
    for name in ("user", "ca", "cert", "key", "strange-cert", "strange-key"):
        parser.add_argument(f"--{name}", required=True)
    clients = Clients(parser.parse_args())
    for kind, count in (("slow", 64), ("silent", 16), ("deaf", 8), ("wrong", 4), ("oversized", 2), ("strangers", 4)):
        for number in range(count):
            threading.Thread(target=clients.again_and_again, args=(kind, number), daemon=True).start()
    while True:
        time.sleep(1)
        print(dict(met), flush=True)


if __name__ == "__main__":
    main()
