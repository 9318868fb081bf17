# SPDX-License-Identifier: Apache-2.0
"""How many series a host has at most, as deploy/docs/metrics.md ("How many series") and fleet.md state it."""

import re

MAX_FUNCTIONS = 2000  # --max-functions
PATHS, VECTORS, PROTOCOLS = 9, 10, 2
DROPS, NAPI, QUEUES, LAYERS, LOSSES, FINDINGS = 500, 1000, 1000, 500, 1000, 200
# Values of labels that the exporter itself names: state and method, class, outcome, fate, part, metric.
FUNCTION_STATES, NOISE, OUTCOMES, FATES, PARTS, CAPPED = 10 * 5, 4, 3, 4, 2, 16
# The default events of -e, which are told of whether they run or not, and cpu-clock.
EVENTS_TOLD = 5


def groups(cpus, events, functions=MAX_FUNCTIONS):
    """(pattern of names, series at most) of a host with so many CPUs, that samples so many events beside cpu-clock. Each cap has one row
    more, for `other`."""
    return [
        (r"nettoll_function_calls_total", functions + 1),
        (r"nettoll_function_(estimated|slice)_calls_total", 2 * (functions + 1)),
        (r"nettoll_function_cpu_seconds_total", 2 * (functions + 1)),
        (r"nettoll_function_events_total", 2 * events * (functions + 1)),
        (r"nettoll_function_samples_total", (events + 1) * (functions + 1)),
        (r"nettoll_path_(packets|segments)_total", 2 * 2),
        (r"nettoll_path_(events|cpu_seconds)_total", PATHS * (events + 1)),
        (r"nettoll_cpu_(events|packets|seconds)_total", cpus * (events + 2 + PATHS)),
        (r"nettoll_softirq_(seconds|runs)_total", 2 * VECTORS * cpus),
        (r"nettoll_drops_total", DROPS + 1),
        (r"nettoll_noise_drops_total", NOISE),
        (r"nettoll_napi_.*_total", 3 * (NAPI + 1)),
        (r"nettoll_rx_queue_packets_total", QUEUES + 1),
        (r"nettoll_layer_drops_total", LAYERS + 1),
        (r"nettoll_ledger_.*_total", PROTOCOLS * (1 + FATES)),
        (r"nettoll_finding", FINDINGS),
        (r"nettoll_finding_checks", OUTCOMES),
        (r"nettoll_(samples_lost|event_throttled|missed_events|table_overflow)_total", LOSSES + 1),
        (r"nettoll_event_(running_ratio|unattributed_total)", 2 * (events + 1)),
        (r"nettoll_event_available", events + EVENTS_TOLD),
        (r"nettoll_functions", FUNCTION_STATES),
        (r"nettoll_series_dropped_total", CAPPED),
        (r"nettoll_own_cpu_seconds_total", PARTS),
        (r"nettoll_overhead_.*|nettoll_shedding_.*|nettoll_sampling_rate_ratio", 8),
        (r"nettoll_rx_imbalance_ratio", QUEUES),
        # One each.
        (r"process_.*|nettoll_(build_info|session_info|hooks_per_packet|coll.*|last_.*|diagnosis_.*|unattributed_cpu_seconds_total)", 16),
    ]


def most(cpus, events, functions=MAX_FUNCTIONS):
    return sum(count for _, count in groups(cpus, events, functions))


def over(names, cpus, events, functions=MAX_FUNCTIONS):
    """What is wrong with the series of a scrape, given as the metric's name of each: over a bound, or in no group."""
    left = list(names)
    for pattern, limit in groups(cpus, events, functions):
        mine = [name for name in left if re.fullmatch(pattern, name)]
        left = [name for name in left if not re.fullmatch(pattern, name)]
        if len(mine) > limit:
            yield f"{pattern}: {len(mine)} series, at most {limit} are stated"
    if left:
        yield f"no bound is stated for {', '.join(sorted(set(left)))}"
