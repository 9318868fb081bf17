# SPDX-License-Identifier: Apache-2.0
"""Series of many hosts, made of two scrapes of a real one, as an OpenMetrics file for `promtool tsdb create-blocks-from`."""

import random
import re

_CPU = re.compile(r'cpu="\d+"')


def with_cpus(series, wanted):
    """The series of a host with so many CPUs: the others are as the one with the highest number."""
    there = {int(found[0][5:-1]) for found in map(_CPU.search, series) if found}
    if not there:
        return dict(series)
    last = f'cpu="{max(there)}"'
    grown = dict(series)
    for key, value in series.items():
        if last in key:
            for cpu in range(max(there) + 1, wanted):
                grown[key.replace(last, f'cpu="{cpu}"')] = value
    return grown


class Host:
    """A template: what it counted at first, how fast that grows, and what does not grow."""

    def __init__(self, first, second, seconds, cpus):
        first, second = with_cpus(first, cpus), with_cpus(second, cpus)
        self.series = []
        for key, value in second.items():
            name, _, labels = key.partition("{")
            grows = max(0.0, (value - first.get(key, value)) / seconds) if name.endswith("_total") else 0.0
            self.series.append((f"{name}{{{labels[:-1]}{',' if labels else ''}", value, grows, name.endswith("_timestamp_seconds")))

    def __len__(self):
        return len(self.series)

    def write(self, out, instance, role, times, factor):
        """Its samples at `times` (seconds since the epoch), grown by `factor` as fast as the template did."""
        target = f'instance="{instance}",job="nettoll",role="{role}"}} '
        for head, value, grows, is_time in self.series:
            head += target
            if is_time:
                out.writelines(f"{head}{when - 1} {when}\n" for when in times)
            elif grows:
                out.writelines(f"{head}{value + grows * factor * (when - times[0]):.6g} {when}\n" for when in times)
            else:
                text = f"{head}{value:.17g} "
                out.writelines(f"{text}{when}\n" for when in times)


def write(path, fleet, times):
    """Writes the samples of `fleet`, a list of (role, template, how many). Returns the number of series. A fixed seed makes hosts that
    differ in load, the same at each run."""
    chance = random.Random(1)
    count = number = 0
    with open(path, "w", encoding="utf-8", buffering=1 << 20) as out:
        for role, template, hosts in fleet:
            for _ in range(hosts):
                template.write(out, f"host{number:05}:10435", role, times, chance.uniform(0.5, 1.5))
                number += 1
                count += len(template)
        out.write("# EOF\n")
    return count
