# SPDX-License-Identifier: Apache-2.0
"""Serves what was scraped elsewhere, for the time of a `with` block: a host that this one is not."""

import http.server
import threading


def scrapes(path):
    """The scrapes of a file that tests/vm/record_metrics made, in their order."""
    with open(path, encoding="utf-8") as file:
        parts = file.read().split("# scrape ")[1:]
    return [part.partition("\n")[2] for part in parts]


class Replay:
    """A target whose n-th scrape is the n-th recorded one, each told `repeat` times; after the last it begins anew, as an exporter
    that was started again."""

    def __init__(self, path, repeat=5):
        self._scrapes, self._repeat, self._asked = scrapes(path), repeat, 0

    def __enter__(self):
        replay = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):  # noqa: N802, the name is the base class's
                body = replay._next().encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/plain; version=0.0.4")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()

    def _next(self):
        at = self._asked // self._repeat % len(self._scrapes)
        self._asked += 1
        return self._scrapes[at]
