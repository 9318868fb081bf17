# SPDX-License-Identifier: Apache-2.0
"""What the network costs a host: by path and function, in CPU time and, with a PMU, in hardware events."""

from panels import NEEDS_PMU, bars, dashboard, graph, row, stat, table, text
from metrics import rate, ratio, select

NETWORK = '=~"rx|tx|send|receive|timer"'
PACKETS = rate("nettoll_path_packets_total", ["path"])
ALL_CPU = rate("nettoll_path_cpu_seconds_total")
MISSES = '=~".*-misses|.*-miss"'


def per_packet(event):
    events = rate("nettoll_path_events_total", ["path", "event"], event=event)
    return ratio(events, PACKETS, ["path"])


def event_ratio(above, below):
    """Of two events of a path."""
    return ratio(rate("nettoll_path_events_total", ["path"], event=above, path=NETWORK),
                 rate("nettoll_path_events_total", ["path"], event=below, path=NETWORK), ["path"])


def cpu_of_functions(scope):
    return rate("nettoll_function_cpu_seconds_total", ["function", "module"], "$__range", scope=scope)


def events_of_functions(scope, event='=~"cycles|cpu-cycles"'):
    return rate("nettoll_function_events_total", ["function", "module", "event"], "$__range", scope=scope, event=event)


def make():
    of_function = ["function", "module"]
    top = f"topk by (job, instance) (20, {cpu_of_functions('self')})"
    same = f"and on (job, instance, function, module) {top}"
    samples = rate("nettoll_function_samples_total", of_function, "$__range", "increase", event="cpu-clock")
    calls = rate("nettoll_function_calls_total", of_function, "$__range")
    return dashboard(
        "nettoll-host-cost", "nettoll / Host network cost",
        "What the network costs each host: CPU time and hardware events by packet, path and function.",
        text("", "Costs are estimated from samples, packets are counted exactly. The panels of **CPU time work on every "
             "host**; those marked *(needs PMU)* need hardware counters, which most virtual machines lack, and stay empty "
             "without. Time by cpu-clock is blind inside sections with interrupts off."),
        stat("CPU time in the network", "Share of all CPU time, idle time included, that receiving, sending and its system "
             "calls took in the kernel.", "percentunit",
             ratio(rate("nettoll_path_cpu_seconds_total", path=NETWORK), ALL_CPU), warn=0.5),
        stat("CPU time for a packet received", "CPU time in the receive path (softirq) for each packet that took it.", "s",
             ratio(rate("nettoll_path_cpu_seconds_total", path="rx"), rate("nettoll_path_packets_total", path="rx"))),
        stat("Packets received", "Socket buffers that took the receive path, a second. One that GRO merged is one.", "pps",
             rate("nettoll_path_packets_total", path="rx")),
        stat("Hardware events sampled", "How many of the events that were asked for a PMU provides here; cpu-clock is none. "
             "With 0 the panels that need a PMU are empty.", "none",
             "sum by (job, instance) (" + select("nettoll_event_available", event='!="cpu-clock"') + ")"),
        row("CPU time: works without a PMU", [
            graph("CPU time for a packet by path", "CPU time in the path for each packet that took it. The paths of system "
                  "calls (send, receive) count no packets.", "s",
                  [(ratio(rate("nettoll_path_cpu_seconds_total", ["path"]), PACKETS, ["path"]), "{{path}} {{instance}}")]),
            graph("CPU share of networking", "Part of all CPU time of the host, idle time included, by network path.",
                  "percentunit", [(ratio(rate("nettoll_path_cpu_seconds_total", ["path"], path=NETWORK), ALL_CPU),
                                   "{{path}} {{instance}}")], stack=True),
            graph("Packets by path", "Socket buffers a second that took the path, counted exactly.", "pps",
                  [(PACKETS, "{{path}} {{instance}}")]),
            graph("Packets by device", "Packets a second that polls of the device took in, before GRO; backlog is the queue "
                  "of a CPU that serves loopback, veth and RPS.", "pps",
                  [(rate("nettoll_napi_packets_total", ["device"], device='=~"$device"'), "{{device}} {{instance}}")]),
        ]),
        row("Hot functions by CPU time: works without a PMU", [
            bars("Hot functions, self", "CPU time in the function by itself, as a part of one CPU; mean over the range that "
                 "is shown.", "percentunit", f"topk(15, {cpu_of_functions('self')})", "{{function}} {{instance}}"),
            bars("Hot functions, inclusive", "CPU time in the function with all that it called, as a part of one CPU; mean "
                 "over the range that is shown.", "percentunit", f"topk(15, {cpu_of_functions('inclusive')})",
                 "{{function}} {{instance}}"),
            table("Hot functions", "The 20 functions that take most by themselves. ± is the relative standard error of "
                  "inclusive time, one over the square root of its samples: above 25% there were fewer than 16.",
                  [(top, "self, of one CPU", "percentunit"),
                   (f"{cpu_of_functions('inclusive')} {same}", "inclusive, of one CPU", "percentunit"),
                   (f"1 / sqrt({samples} {same} > 0)", "±", "percentunit")], hide=["job"]),
            table("CPU time for a call", "Inclusive CPU time for a call of the functions whose calls are counted; functions "
                  "that are only sampled have none.",
                  [(ratio(cpu_of_functions("inclusive"), calls, of_function), "time a call", "s"),
                   (calls, "calls a second", "ops")], hide=["job"]),
        ]),
        row("Hardware events: need a PMU", [
            graph("Cycles for a packet by path", "CPU cycles in the path for each packet that took it.", "short",
                  [(per_packet('=~"cycles|cpu-cycles"'), "{{path}} {{instance}}")], needs=NEEDS_PMU),
            graph("Instructions for a packet by path", "Instructions retired in the path for each packet that took it.",
                  "short", [(per_packet("instructions"), "{{path}} {{instance}}")], needs=NEEDS_PMU),
            graph("Cache and branch misses for a packet by path", "Misses of each kind that is sampled (cache-misses, "
                  "branch-misses, those of TLBs where asked for) in the path for each packet that took it.", "short",
                  [(per_packet(MISSES), "{{event}} {{path}} {{instance}}")], needs=NEEDS_PMU),
            graph("Instructions per cycle by path", "IPC in the path: low values mean that the CPU waits, mostly for memory.",
                  "none", [(event_ratio("instructions", '=~"cycles|cpu-cycles"'), "{{path}} {{instance}}")],
                  needs=NEEDS_PMU),
            graph("Instructions per cycle of the host", "IPC over all that ran, from the counters themselves.", "none",
                  [(ratio(rate("nettoll_cpu_events_total", event="instructions"),
                          rate("nettoll_cpu_events_total", event='=~"cycles|cpu-cycles"')), "{{instance}}")],
                  needs=NEEDS_PMU),
            graph("Cycles of the host in the network", "Part of all cycles that ran (idle CPUs run none) by network path.",
                  "percentunit", [(ratio(rate("nettoll_path_events_total", ["path"], path=NETWORK,
                                              event='=~"cycles|cpu-cycles"'),
                                         rate("nettoll_cpu_events_total", event='=~"cycles|cpu-cycles"')),
                                   "{{path}} {{instance}}")], stack=True, needs=NEEDS_PMU),
            bars("Hot functions by cycles, self", "Cycles a second in the function by itself; mean over the range that is "
                 "shown.", "hertz", f"topk(15, {events_of_functions('self')})", "{{function}} {{instance}}",
                 needs=NEEDS_PMU),
            bars("Hot functions by cycles, inclusive", "Cycles a second in the function with all that it called; mean over "
                 "the range that is shown.", "hertz", f"topk(15, {events_of_functions('inclusive')})",
                 "{{function}} {{instance}}", needs=NEEDS_PMU),
            bars("Hot functions by misses, self", "Misses of each kind a second in the function by itself; mean over the "
                 "range that is shown.", "cps", f"topk(15, {events_of_functions('self', MISSES)})",
                 "{{function}} {{event}} {{instance}}", needs=NEEDS_PMU),
        ]),
    )
