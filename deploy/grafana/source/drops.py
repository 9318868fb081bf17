# SPDX-License-Identifier: Apache-2.0
"""Where packets are lost: by reason, function, device and layer, and the ledger."""

from panels import dashboard, graph, row, stat, table, text
from metrics import rate, ratio, select

ON_DEVICE = {"device": '=~"$device"'}


def make():
    drops = rate("nettoll_drops_total", **ON_DEVICE)
    received = rate("nettoll_ledger_received_packets_total", ["protocol"])
    explained = rate("nettoll_ledger_explained_packets_total", ["protocol"])
    by = ["reason", "function", "protocol", "device"]
    return dashboard(
        "nettoll-drops", "nettoll / Drops", "Which packets are lost, why, and in which layer.",
        text("", "Drops are counted exactly; none of this needs a PMU. *Drops in the stack* are what `skb:kfree_skb` reports, of all network "
             "namespaces. *Layers* and the *ledger* come from diagnosis (`--diagnose-interval`) and are of the namespace that "
             "nettoll runs in. A series appears with its first drop, which rates do not see. Device All includes packets "
             "without a device."),
        stat("Dropped in the stack", "Packets lost in the kernel's stack, a second.", "pps", drops, warn=100),
        stat("Lost in any layer", "Packets lost from wire to socket, each in one layer, a second.", "pps",
             rate("nettoll_layer_drops_total", **ON_DEVICE), warn=100),
        stat("Dropped of received", "Part of the packets that IP received which it dropped, by the ledger.", "percentunit",
             ratio(rate("nettoll_ledger_explained_packets_total", ["protocol"], fate="dropped"), received, ["protocol"]),
             warn=0.01, legend="{{protocol}} {{instance}}"),
        stat("Noise", "What the kernel reported as dropped and was no loss, a second: messages of local sockets, packets that "
             "were sent, consumed or meant for others.", "pps", rate("nettoll_noise_drops_total")),
        row("Drops in the stack", [
            graph("Drops by reason", "Packets lost a second, by the kernel's drop reason.", "pps",
                  [(rate("nettoll_drops_total", ["reason"], **ON_DEVICE), "{{reason}} {{instance}}")]),
            graph("Drops by function", "Packets lost a second, by the function that dropped them.", "pps",
                  [(rate("nettoll_drops_total", ["function"], **ON_DEVICE), "{{function}} {{instance}}")]),
            graph("Drops by device", "Packets lost a second, by the device that they came from or went to; without a name: "
                  "none was set.", "pps",
                  [(rate("nettoll_drops_total", ["device"], **ON_DEVICE), "{{device}} {{instance}}")]),
            graph("Noise by class", "What the kernel reported as dropped and was no loss, a second.", "pps",
                  [(rate("nettoll_noise_drops_total", ["class"]), "{{class}} {{instance}}")]),
            table("Drops in this range", "Packets lost in the range that is shown, by all that is known of them.",
                  [(f"topk by (job, instance) (50, {rate('nettoll_drops_total', by, '$__range', 'increase', **ON_DEVICE)} > 0)",
                    "packets", "short")], hide=["job"]),
        ]),
        row("Layers, from wire to socket", [
            graph("Lost by layer", "Packets lost a second, by layer: nic, xdp, backlog, stack, socket, qdisc, transmit.", "pps",
                  [(rate("nettoll_layer_drops_total", ["layer"], **ON_DEVICE), "{{layer}} {{instance}}")]),
            graph("Lost by layer and device", "The same by device; other: of another network namespace than the one that "
                  "nettoll runs in.", "pps", [(rate("nettoll_layer_drops_total", ["layer", "device", "netns"], **ON_DEVICE),
                                               "{{layer}} {{device}} {{netns}} {{instance}}")]),
        ]),
        row("Ledger: what became of packets that IP received", [
            graph("Received", "Packets a second that the protocol received, as the kernel counts them.", "pps",
                  [(received, "{{protocol}} {{instance}}")]),
            graph("What became of them", "Packets a second that were delivered, forwarded, merged (fragments) or dropped.",
                  "pps", [(rate("nettoll_ledger_explained_packets_total", ["protocol", "fate"]),
                           "{{protocol}} {{fate}} {{instance}}")], stack=True),
            stat("Unexplained in this range", "Packets received in the range that is shown less those whose fate is known. A "
                 "few are no loss: counters are not read in one instant, so the number may be below 0.", "short",
                 f"{received} - {explained}".replace("rate(", "increase(").replace("$__rate_interval", "$__range"),
                 legend="{{protocol}} {{instance}}", size=(12, 6)),
            stat("Diagnosis works", "1: the host's counters could be read at the end of the last window; 0: not, the log says "
                 "why. Without it there are no layers and no ledger.", "none",
                 select("nettoll_diagnosis_up"), size=(12, 6)),
        ]),
    )
