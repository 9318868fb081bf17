# SPDX-License-Identifier: Apache-2.0
"""The Prometheus text format, as far as tests need it, and the scrapes that fetch it."""

import gzip
import re
import urllib.request

_SAMPLE = re.compile(r"^([a-zA-Z_:][a-zA-Z0-9_:]*(?:\{.*\})?) (\S+)(?: \d+)?$")


def scrape(url, compressed=False, limit=10):
    """One scrape as text."""
    request = urllib.request.Request(url, headers={"Accept-Encoding": "gzip"} if compressed else {})
    with urllib.request.urlopen(request, timeout=limit) as reply:
        body = reply.read()
        if reply.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
    return body.decode()


def parse(text):
    """Series to value. The key is the series as printed, name and labels, which stays the same between scrapes."""
    series = {}
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        match = _SAMPLE.match(line)
        if not match:
            raise ValueError(f"not a sample: {line!r}")
        if match[1] in series:
            raise ValueError(f"series appears twice: {match[1]}")
        series[match[1]] = float(match[2])
    return series


def name(key):
    """The metric's name of a series key."""
    return key.partition("{")[0]


def counters(series):
    """The counters among them."""
    return {key: value for key, value in series.items() if name(key).endswith("_total")}


def total(series, metric, **labels):
    """Sum of the series of `metric` that carry these labels; None where there is none."""
    wanted = [f'{label}="{value}"' for label, value in labels.items()]
    values = [value for key, value in series.items() if name(key) == metric and all(pair in key for pair in wanted)]
    return sum(values) if values else None
