#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Serves the few metrics that tests/e2e/prometheus_test.py needs, taken from softnet_stat once a second: shows that
the test itself works, and by --fault that it fails when it should.

usage: fake_exporter.py HOST:PORT [--fault reset|lossy|leak|untyped]
"""

import argparse
import gzip
import http.server
import threading
import time


def resident_bytes():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096


def processed():
    with open("/proc/net/softnet_stat", encoding="ascii") as file:
        return sum(int(line.split()[0], 16) for line in file)


class Exporter:
    def __init__(self, fault):
        self.fault = fault
        self.text = ""
        self._first = processed()
        self._ticks = 0
        self.leaked = []

    def collect(self):
        packets = processed() - self._first
        self._ticks += 1
        if self.fault == "reset" and self._ticks % 3 == 0:
            packets = 0
        if self.fault == "lossy":
            packets = packets * 7 // 10
        metric = "nettoll_path_packets_total"
        head = "" if self.fault == "untyped" else f"# HELP {metric} Packets.\n# TYPE {metric} counter\n"
        self.text = (f'{head}{metric}{{path="rx"}} {packets}\n{metric}{{path="tx"}} {packets}\n'
                     "# HELP process_resident_memory_bytes Resident memory.\n"
                     "# TYPE process_resident_memory_bytes gauge\n"
                     f"process_resident_memory_bytes {resident_bytes()}\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("address")
    parser.add_argument("--fault", choices=("reset", "lossy", "leak", "untyped"))
    arguments = parser.parse_args()
    exporter = Exporter(arguments.fault)
    exporter.collect()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            if exporter.fault == "leak":
                exporter.leaked.append(bytearray(b"x" * 8192))
            body = exporter.text.encode()
            compressed = "gzip" in self.headers.get("Accept-Encoding", "")
            body = gzip.compress(body) if compressed else body
            self.send_response(200)
            self.send_header("Content-Type", "text/plain; version=0.0.4")
            if compressed:
                self.send_header("Content-Encoding", "gzip")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    host, _, port = arguments.address.rpartition(":")
    server = http.server.ThreadingHTTPServer((host, int(port)), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    while True:
        time.sleep(1)
        exporter.collect()


if __name__ == "__main__":
    main()
