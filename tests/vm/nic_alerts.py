# SPDX-License-Identifier: Apache-2.0
"""A Prometheus with the rules of deploy/prometheus beside a guest of tests/vm/nic_guest, whose `nettoll serve` it scrapes."""

import pathlib
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "e2e"))

from prometheus_server import Prometheus, wait_until  # noqa: E402

RULES = sorted(str(file) for file in (ROOT / "deploy" / "prometheus" / "rules").glob("*.yml"))


def missing():
    """What this host lacks, or None."""
    return None if shutil.which("prometheus") else "prometheus is missing (Debian package prometheus)"


class Alerts:
    """Answers the guest's lines: "watch" once its target answers, "firing ALERT SECONDS" once the alert fires, "silent ALERT
    SECONDS" once it neither fires nor is pending."""

    def __init__(self, target):
        self._target = target
        self._prometheus = None

    def _states(self, alert):
        return {row["metric"]["alertstate"] for row in self._prometheus.query(f'ALERTS{{alertname="{alert}"}}')}

    def answer(self, words):
        """What to tell the guest; None where these are no words for this."""
        try:
            if words == ["watch"]:
                self._prometheus = Prometheus("prometheus", self._target, rules=RULES).__enter__()
            elif words[:1] == ["firing"] and len(words) == 3:
                wait_until(lambda: "firing" in self._states(words[1]), float(words[2]), f"{words[1]} does not fire")
            elif words[:1] == ["silent"] and len(words) == 3:
                wait_until(lambda: not self._states(words[1]), float(words[2]), f"{words[1]} is not silent")
            else:
                return None
        except RuntimeError as error:
            return str(error).replace("\n", " ")
        return "ok"

    def stop(self):
        if self._prometheus:
            self._prometheus.__exit__()
