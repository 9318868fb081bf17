# SPDX-License-Identifier: Apache-2.0
"""A real Prometheus on loopback with its data in a temporary folder, for the time of a `with` block."""

import json
import os
import socket
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "live"))
import child  # noqa: E402


def free_port():
    """A loopback port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until(condition, limit, what, process=None, log=None):
    """Waits until `condition()` is true; fails naming `what`, with the end of `log`, after `limit` seconds or as soon
    as `process` has ended."""
    deadline = time.monotonic() + limit
    while not condition():
        ended = process is not None and process.poll() is not None
        if ended or time.monotonic() > deadline:
            why = f"ended with status {process.returncode}" if ended else f"not within {limit} s"
            said = ""
            if log:
                with open(log, encoding="utf-8", errors="replace") as file:
                    said = ": " + file.read()[-2000:]
            raise RuntimeError(f"{what}: {why}{said}")
        time.sleep(0.1)


class Prometheus:
    """Scrapes targets every second under the job name "nettoll", and evaluates rules every five. It is up once the first target is;
    `rules` are paths of files. Without targets it answers from the blocks in the folder `data`. A query may take `timeout` seconds."""

    def __init__(self, program, target=None, more_targets=(), rules=(), data=None, timeout=10):
        self._program = program
        self._targets = [target, *more_targets] if target else []
        self._rules = list(rules)
        self._data = data
        self._timeout = timeout

    def __enter__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="nettoll-prometheus-")
        root = self._folder.name
        config = os.path.join(root, "prometheus.yml")
        with open(config, "w", encoding="utf-8") as file:
            json.dump({"global": {"scrape_interval": "1s", "scrape_timeout": "1s", "evaluation_interval": "5s"},
                       "rule_files": self._rules,
                       "scrape_configs": [{"job_name": "nettoll", "static_configs": [{"targets": self._targets}]}]},
                      file)  # JSON is YAML
        self._url = f"http://127.0.0.1:{free_port()}"
        log_path = os.path.join(root, "log")
        with open(log_path, "wb") as log:
            self._process = child.start([self._program, f"--config.file={config}",
                                         f"--storage.tsdb.path={self._data or os.path.join(root, 'data')}",
                                         f"--web.listen-address={self._url.removeprefix('http://')}"], log)
        try:
            wait_until(self._ready, 60, "Prometheus was not ready", self._process, log_path)
            if self._targets:
                wait_until(lambda: self.value(f'up{{job="nettoll",instance="{self._targets[0]}"}}') == 1, 30,
                           "Prometheus did not reach the target", self._process, log_path)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        child.stop(self._process)
        self._folder.cleanup()

    def _get(self, path, **parameters):
        query = urllib.parse.urlencode({key: value for key, value in parameters.items() if value is not None})
        with urllib.request.urlopen(f"{self._url}{path}?{query}", timeout=self._timeout) as reply:
            return reply.read()

    def _ready(self):
        try:
            self._get("/-/ready")
            return True
        except (urllib.error.URLError, ConnectionError):
            return False

    def query(self, expression, at=None):
        """The result list of an instant query, at a time in seconds since the epoch or now."""
        answer = json.loads(self._get("/api/v1/query", query=expression, time=at))
        if answer["status"] != "success":
            raise RuntimeError(f"{expression}: {answer}")
        return answer["data"]["result"]

    def range(self, expression, seconds, step, end=None):
        """The result list of a range query over the last `seconds` until `end`, or now."""
        end = end or time.time()
        answer = json.loads(self._get("/api/v1/query_range", query=expression, start=end - seconds, end=end, step=step))
        if answer["status"] != "success":
            raise RuntimeError(f"{expression}: {answer}")
        return answer["data"]["result"]

    def label_values(self, label, selector):
        """Values of a label of the series that a selector names."""
        return json.loads(self._get(f"/api/v1/label/{label}/values", **{"match[]": selector}))["data"]

    def value(self, expression, at=None):
        """The one value of an instant query; None where it has no result."""
        result = self.query(expression, at)
        if len(result) > 1:
            raise RuntimeError(f"{expression} has {len(result)} results")
        return float(result[0]["value"][1]) if result else None

    def samples(self, selector, seconds):
        """The stored samples of one series over the last `seconds`: a list of (time, value)."""
        result = self.query(f"{selector}[{seconds}s]")
        if len(result) != 1:
            raise RuntimeError(f"{selector} has {len(result)} series")
        return [(when, float(value)) for when, value in result[0]["values"]]
