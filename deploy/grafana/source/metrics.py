# SPDX-License-Identifier: Apache-2.0
"""What nettoll exports, by exporters/prometheus/families.txt: makes selectors and checks queries, so that no query can
name a metric or label that does not exist."""

import pathlib
import re

FAMILIES = pathlib.Path(__file__).resolve().parents[3] / "exporters" / "prometheus" / "families.txt"
# Of each scrape, by Prometheus itself; every series has these two labels of its target.
OF_PROMETHEUS = {"up": [], "scrape_samples_scraped": [], "scrape_duration_seconds": []}
TARGET_LABELS = ["job", "instance"]

_NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
_LABELS_OF = re.compile(r"\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)")
_SELECTOR = re.compile(rf"({_NAME})\s*\{{([^}}]*)\}}")
_WORDS = set("by without on ignoring group_left group_right and or unless bool offset inf nan".split())
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


def families(path=FAMILIES):
    """Labels of each metric, by its name."""
    lines = [line.split() for line in path.read_text().splitlines() if line and not line.startswith("#")]
    return {name: labels for name, _, *labels in lines}


def types(path=FAMILIES):
    """counter or gauge, by name."""
    return {line.split()[0]: line.split()[1] for line in path.read_text().splitlines()
            if line and not line.startswith("#")}


def used(query):
    """Metrics that a query names: {name: labels that it selects by}, and other labels that it names. Enough of PromQL for
    the queries here, which keep strings free of braces."""
    labels = {label for names in _LABELS_OF.findall(query) for label in re.findall(_NAME, names)}
    metrics = {}
    bare = _LABELS_OF.sub(" ", query)
    for name, matchers in _SELECTOR.findall(bare):
        metrics.setdefault(name, set()).update(re.findall(rf"({_NAME})\s*[=!]", _STRING.sub("", matchers)))
    bare = _STRING.sub("", _SELECTOR.sub(r"\1", bare))
    bare = re.sub(r"\[[^\]]*\]", "", bare)  # ranges
    bare = re.sub(r"\boffset\s+\w+", "", bare)
    for match in re.finditer(rf"(?<![\w:$.]){_NAME}", bare):
        if match[0] in _WORDS or bare[match.end():].lstrip().startswith("("):
            continue
        metrics.setdefault(match[0], set())
    return metrics, labels


def problems(query, known, made_labels=()):
    """What is wrong with a query, against the metrics that are known; `made_labels` come from label_replace."""
    metrics, labels = used(query)
    wrong = [f"no metric {name}" for name in metrics if name not in known]
    if not metrics:
        wrong.append("names no metric")
    there = set(TARGET_LABELS) | set(made_labels)
    for name, selected in metrics.items():
        own = set(known.get(name, [])) | set(TARGET_LABELS)
        there |= own
        wrong += [f"{name} has no label {label}" for label in sorted(selected - own)]
    wrong += [f"no metric here has the label {label}" for label in sorted(labels - there)]
    return wrong


_KNOWN = families() | OF_PROMETHEUS


def select(name, **matchers):
    """A selector of the dashboards: within the chosen jobs and instances. A value that begins with = or ! is taken with
    its operator, `reason='!~"a|b"'`; any other means equality."""
    parts = ['job=~"$job"', 'instance=~"$instance"']
    for label, value in matchers.items():
        parts.append(f'{label}{value}' if value[:1] in "=!" else f'{label}="{value}"')
    made = f"{name}{{{', '.join(parts)}}}"
    wrong = problems(made, _KNOWN)
    if wrong:
        raise ValueError(f"{made}: {'; '.join(wrong)}")
    return made


def rate(name, by=(), window="$__rate_interval", function="rate", **matchers):
    """Sum of the rates of a counter, by target and the labels `by`."""
    return f"sum by ({', '.join([*TARGET_LABELS, *by])}) ({function}({select(name, **matchers)}[{window}]))"


def ratio(above, below, many=()):
    """above / below where below is more than nothing, matched by target; `many`: labels of both."""
    return f"{above} / on ({', '.join([*TARGET_LABELS, *many])}) group_left () ({below} > 0)"
