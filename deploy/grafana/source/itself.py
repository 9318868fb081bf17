# SPDX-License-Identifier: Apache-2.0
"""What nettoll itself costs, loses and covers."""

from panels import dashboard, graph, row, stat, table, text
from metrics import TARGET_LABELS, rate, ratio, select

# Of nothing but what was lost: each with what it is.
LOSSES = [("nettoll_samples_lost_total", "samples lost"), ("nettoll_missed_events_total", "runs skipped"),
          ("nettoll_table_overflow_total", "kernel table full"), ("nettoll_event_throttled_total", "sampling throttled")]


def losses():
    """One query, since all but the first have no series until it happened."""
    return " or ".join(f'label_replace({rate(name)}, "loss", "{what}", "", "")' for name, what in LOSSES)


def make():
    own = rate("nettoll_own_cpu_seconds_total", ["part"])
    all_cpu = rate("nettoll_path_cpu_seconds_total")
    return dashboard(
        "nettoll-itself", "nettoll / nettoll itself", "What nettoll costs its hosts, what it lost, and what it covers.",
        text("", "None of this needs a PMU. A loss that never happened has no series."),
        stat("Hosts that answer", "Targets that Prometheus could scrape.", "none", f"sum by (job) ({select('up')})", legend="{{job}}"),
        stat("Own CPU time", "Part of the host's CPU time that nettoll took: its programs in the kernel, and its process.",
             "percentunit", ratio(rate("nettoll_own_cpu_seconds_total"), all_cpu), warn=0.01),
        stat("Age of the data", "Time since the end of the last interval that was collected.", "s",
             f"time() - {select('nettoll_last_collection_timestamp_seconds')}", warn=30),
        stat("Age of the diagnosis", "Time since the end of the last window of diagnosis.", "s",
             f"time() - {select('nettoll_last_diagnosis_timestamp_seconds')}", warn=600),
        row("Cost", [
            graph("Own CPU time by part", "Part of the host's CPU time: programs in the kernel with what calls them, estimated from samples; "
                  "user is its process.", "percentunit", [(ratio(own, all_cpu), "{{part}} {{instance}}")], stack=True),
            graph("Cost of the programs for a packet", "CPU time in nettoll's kernel programs for each packet received or sent.", "s",
                  [(ratio(rate("nettoll_own_cpu_seconds_total", part="programs"), rate("nettoll_path_packets_total")),
                    "{{instance}}")]),
            graph("Programs that run for a packet", "By design of the set of functions that is counted.", "none",
                  [(select("nettoll_hooks_per_packet"), "{{instance}}")]),
            graph("Memory", "Resident memory of the process.", "bytes",
                  [(select("process_resident_memory_bytes"), "{{instance}}")]),
            graph("Open descriptors", "Descriptors that the process holds: most are of events, one for each and CPU.", "none",
                  [(select("process_open_fds"), "{{instance}}")]),
            graph("Length of an interval", "Time that a collected interval covered, on average: longer than --interval where collecting falls "
                  "behind.", "s", [(ratio(rate("nettoll_collected_seconds_total"), rate("nettoll_collections_total")),
                                    "{{instance}}")]),
        ]),
        row("Budget", [
            graph("Load and budget", "Part of the time of all CPUs in the last interval: programs and sampling as their runs times what a run takes, "
                  "user as the kernel accounts it; and the budget. Empty without --max-overhead.", "percentunit",
                  [(select("nettoll_overhead_ratio"), "{{part}} {{instance}}"),
                   (select("nettoll_overhead_budget_ratio"), "budget {{instance}}")]),
            graph("Shedding", "0 full detail; 1 samples are taken less often; 2 some functions are not counted either; 3 nothing is left to shed and "
                  "the budget is exceeded all the same. Empty without --max-overhead.", "none",
                  [(select("nettoll_shedding_level"), "{{instance}}")]),
            graph("Sampling rate in use", "Part of the rate that was asked for. Empty without --max-overhead.", "percentunit",
                  [(select("nettoll_sampling_rate_ratio"), "{{instance}}")]),
            graph("Changes of detail", "Times a second that nettoll shed something, or had it back. Empty without --max-overhead.", "cps",
                  [(rate("nettoll_shedding_changes_total", ["direction"]), "{{direction}} {{instance}}")]),
        ]),
        row("Losses", [
            graph("Lost", "Samples lost, runs of counting programs that the kernel skipped, packets or polls in no series because a kernel "
                  "table was full, and pauses of sampling, each a second.", "cps", [(losses(), "{{loss}} {{instance}}")]),
            graph("Samples lost by cause", "Samples that were taken and lost, a second.", "cps",
                  [(rate("nettoll_samples_lost_total", ["event", "cause"]), "{{event}} {{cause}} {{instance}}")]),
            graph("CPU time in no function", "Part of the sampled CPU time whose samples had no stack.", "percentunit",
                  [(ratio(rate("nettoll_unattributed_cpu_seconds_total"), all_cpu), "{{instance}}")]),
        ]),
        row("Coverage", [
            graph("Functions by how they are counted", "Functions of the set: counted at entry, proxied by a tracepoint, sampled alone, shed for --max-overhead, or not there.",
                  "none", [(f"sum by ({', '.join([*TARGET_LABELS, 'state', 'method'])}) ({select('nettoll_functions')})",
                            "{{state}} {{method}} {{instance}}")], stack=True),
            graph("Time that events had a counter", "Smallest part of the last interval over all CPUs; below 1 counts are scaled up.",
                  "percentunit", [(select("nettoll_event_running_ratio"), "{{event}} {{instance}}")]),
            table("Events", "1: sampled here; 0: this host cannot provide it, `nettoll doctor` says why.",
                  [(select("nettoll_event_available"), "sampled", "bool_yes_no")], hide=["job", "__name__"], size=(12, 8)),
            table("Sessions", "Kernel, architecture and set of functions of each host.",
                  [(select("nettoll_session_info"), "runs", "none")], hide=["job", "__name__"], size=(12, 8)),
        ]),
        row("Series", [
            graph("Series", "Series of the last scrape.", "none", [(select("scrape_samples_scraped"), "{{instance}}")]),
            graph("Label sets over the cap", "Distinct label sets that came after the metric's cap and are summed as other, "
                  "since the start.", "none", [(select("nettoll_series_dropped_total"), "{{metric}} {{instance}}")]),
            graph("Time of a scrape", "As Prometheus measured it.", "s",
                  [(select("scrape_duration_seconds"), "{{instance}}")]),
            graph("Time between diagnoses", "Longer than --diagnose-interval where a window would take more than its part of CPU time.", "s",
                  [(select("nettoll_diagnosis_interval_seconds"), "{{instance}}")]),
        ]),
        uses_device=False,
    )
