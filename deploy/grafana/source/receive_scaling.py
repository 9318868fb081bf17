# SPDX-License-Identifier: Apache-2.0
"""Which CPUs and queues do the receive work, and what is wrong with how it spreads."""

from panels import NEEDS_PMU, NEEDS_QUEUES, dashboard, graph, heatmap, row, stat, table, text
from metrics import rate, ratio, select

ON_DEVICE = {"device": '=~"$device"'}


def by_row(name, label, **matchers):
    """Rates by one label alone, since a heat map is of one instance: a row's legend must be its number."""
    return f"sum by ({label}) ({rate(name, [label], **matchers)})"


def by_cpu(name, **matchers):
    return by_row(name, "cpu", **matchers)


def make():
    cpus = f"count by (job, instance) ({rate('nettoll_cpu_seconds_total', ['cpu'])})"
    packets = rate("nettoll_cpu_packets_total", ["cpu"], path="rx")
    busiest = f"max by (job, instance) ({packets})"
    findings = f"max by (job, instance, id, severity, subject) (max_over_time({select('nettoll_finding')}[$__range]))"
    return dashboard(
        "nettoll-receive-scaling", "nettoll / Receive scaling",
        "Which CPUs and queues do the receive work, how even it is, and what diagnosis found.",
        text("", "Heat maps have a row for each CPU or queue, once for each instance. Packets and softirq time are counted exactly. "
             "Cycles *need a PMU*; CPU time stands beside them and needs none. Imbalance *needs several queues* in hardware. "
             "Packets by queue are counted with `nettoll serve --queues` alone."),
        stat("CPU imbalance", "Packets of the CPU that received most over the mean of all CPUs: 1 is even, the number of CPUs is all on "
             "one.", "none", ratio(busiest, f"sum by (job, instance) ({packets}) / {cpus}"), warn=2),
        stat("Hottest CPU in NET_RX", "Part of its time that the busiest CPU spent in the NET_RX softirq.", "percentunit",
             f"max by (job, instance) ({rate('nettoll_softirq_seconds_total', ['cpu'], vector='net_rx')})", warn=0.9),
        stat("Checks without an answer", "Questions of diagnosis that it could not answer because what would tell is missing, by "
             "its last window.", "none", select("nettoll_finding_checks", outcome="unknown")),
        stat("Findings now", "What the last window of diagnosis found.", "none",
             select("nettoll_finding_checks", outcome="found"), warn=1),
        row("CPUs of $instance", [
            heatmap("Packets received by CPU", "Packets a second that took the receive path on the CPU.", "pps",
                    by_cpu("nettoll_cpu_packets_total", path="rx"), "{{cpu}}", "CPU"),
            heatmap("NET_RX softirq time by CPU", "Part of its time that the CPU spent in the NET_RX softirq, measured exactly; interrupts "
                    "that came in between are in it.", "percentunit",
                    by_cpu("nettoll_softirq_seconds_total", vector="net_rx"), "{{cpu}}", "CPU"),
            heatmap("CPU time in the network by CPU", "Part of its time that the CPU spent in network paths, from cpu-clock "
                    "samples; works without a PMU.", "percentunit",
                    by_cpu("nettoll_cpu_seconds_total", path='=~"rx|tx|send|receive|timer"'),
                    "{{cpu}}", "CPU"),
            heatmap("Cycles by CPU", "Cycles a second that the CPU ran, in whatever it did.", "hertz",
                    by_cpu("nettoll_cpu_events_total", event='=~"cycles|cpu-cycles"'),
                    "{{cpu}}", "CPU", needs=NEEDS_PMU),
            heatmap("Packets polled by CPU", "Packets a second that polls of the chosen devices took in on the CPU, before "
                    "GRO.", "pps", by_cpu("nettoll_napi_packets_total", **ON_DEVICE), "{{cpu}}",
                    "CPU"),
            heatmap("Packets by queue", "Packets a second by receive queue, all chosen devices together: choose one.",
                    "pps", by_row("nettoll_rx_queue_packets_total", "queue", **ON_DEVICE, queue='!="none"'),
                    "{{queue}}", "queue", needs=NEEDS_QUEUES),
        ], repeat="instance"),
        row("Spread", [
            graph("Receive imbalance by device", "Packets of the busiest receive queue over the mean of all queues: 1 is even, the number of "
                  "queues is all on one. There is none below 100 packets a second.", "none",
                  [(select("nettoll_rx_imbalance_ratio", **ON_DEVICE), "{{device}} {{instance}}")], needs=NEEDS_QUEUES),
            graph("Packets received by CPU", "Packets a second that took the receive path on the CPU.", "pps",
                  [(packets, "CPU {{cpu}} {{instance}}")], stack=True),
            graph("CPU time for a packet by CPU", "CPU time in the receive path for each packet, on each CPU: remote memory "
                  "and contended locks show as one CPU that is dearer than others.", "s",
                  [(ratio(rate("nettoll_cpu_seconds_total", ["cpu"], path="rx"), packets, ["cpu"]),
                    "CPU {{cpu}} {{instance}}")]),
            graph("Softirq time by vector", "Parts of a CPU's time spent in softirqs, all CPUs added up.", "percentunit",
                  [(rate("nettoll_softirq_seconds_total", ["vector"]), "{{vector}} {{instance}}")], stack=True),
            graph("Polls that used up their budget", "Part of the polls of a device after which more packets may have been waiting.",
                  "percentunit", [(ratio(rate("nettoll_napi_budget_exhausted_total", ["device"], **ON_DEVICE),
                                         rate("nettoll_napi_polls_total", ["device"], **ON_DEVICE), ["device"]),
                                   "{{device}} {{instance}}")]),
            graph("Packets a poll", "Packets that a poll of the device took in, on average: batches make packets cheaper.", "none",
                  [(ratio(rate("nettoll_napi_packets_total", ["device"], **ON_DEVICE),
                          rate("nettoll_napi_polls_total", ["device"], **ON_DEVICE), ["device"]),
                    "{{device}} {{instance}}")]),
        ]),
        row("Findings", [
            table("Findings in this range", "What diagnosis found at any time in the range that is shown. `nettoll diagnose` on the host "
                  "prints evidence and remedy.", [(findings, "found", "bool_yes_no")], hide=["job"]),
        ]),
    )
