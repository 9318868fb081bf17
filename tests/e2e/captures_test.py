#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Captures that perf makes here: nettoll report must agree with perf report function by function.

Exit status 77, naming what is missing, where this host lacks root, perf, or readable kernel symbols.
"""

import argparse
import bisect
import collections
import functools
import gzip
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import perf_tool

SKIPPED = 77
# By two system calls: every function of the path has two ways that lead to it, so that the trees of callers branch.
SEND = """
import socket
s = socket.socket(type=socket.SOCK_DGRAM); s.bind(('127.0.0.1', 0))
c = socket.socket(type=socket.SOCK_DGRAM)
to = s.getsockname()
for _ in range(30000):
    c.sendto(b'x' * 500, to); s.recv(1000)
    c.sendmsg([b'x' * 500], [], 0, to); s.recv(1000)
"""


class CapturesTest(unittest.TestCase):
    nettoll = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="nettoll-captures-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.clock = cls.record("clock.data", "-F", "2000", "-e", "cpu-clock")
        # Trees are compared where both tools have every name: in the kernel.
        cls.kernel_clock = cls.record("kernel-clock.data", "-F", "2000", "-e", "cpu-clock", "--kernel-callchains")
        cls.tracepoints = cls.record("tracepoints.data", "-e", "net:netif_receive_skb", "-e", "napi:napi_poll", "--kernel-callchains")

    @classmethod
    def record(cls, name, *arguments):
        path = os.path.join(cls.folder, name)
        subprocess.run(["perf", "record", "-q", "-a", "-g", "-o", path, *arguments, "--", sys.executable, "-c", SEND],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return path

    def report(self, path, *arguments):
        done = subprocess.run([self.nettoll, "report", "--json", *arguments, path], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout)

    @staticmethod
    def perf_functions(path, *arguments):
        """Samples by event and kernel function, from perf report's table."""
        text = subprocess.run(["perf", "report", "-i", path, "--stdio", "-F", "sample,sym", "-g", "none", "-t", "|",
                               "--percent-limit", "0", *arguments], capture_output=True, text=True, errors="replace",
                              check=True).stdout
        tables = collections.defaultdict(collections.Counter)
        event = None
        for line in text.splitlines():
            if match := re.match(r"# Samples: .* of event '(.*)'", line):
                event = match[1]
            elif match := re.match(r" *(\d+) *\|\[k\] (\S+)", line):
                tables[event][match[2]] += int(match[1])
        return tables

    @staticmethod
    def our_functions(report, scope):
        tables = collections.defaultdict(collections.Counter)
        for function in report["functions"]:
            for cost in function["costs"]:
                if function["kind"] in ("kernel", "bpf") and cost.get(f"{scope}_samples"):
                    tables[cost["event"]][function["function"]] += cost[f"{scope}_samples"]
        return tables

    @staticmethod
    def perf_percentages(path, *arguments):
        """The column of percentages that perf report shows, by event and kernel function."""
        text = subprocess.run(["perf", "report", "-i", path, "--stdio", "-s", "sym", "-g", "none", "-t", "|", "--percent-limit", "0",
                               *arguments], capture_output=True, text=True, errors="replace", check=True).stdout
        tables = collections.defaultdict(dict)
        event = None
        for line in text.splitlines():
            if match := re.match(r"# Samples: .* of event '(.*)'", line):
                event = match[1]
            elif match := re.match(r" *([\d.]+%) *\|(?: *([\d.]+%) *\|)?\[k\] (\S+)", line):
                shown = (match[1], match[2]) if match[2] else (match[1],)
                # Two functions of one name are two rows: no single percentage is to be compared.
                tables[event][match[3]] = None if match[3] in tables[event] else shown
        return tables

    def our_percentages(self, path, *arguments):
        """The columns self and incl of the flat profile's text, by event and function; few samples' mark taken off."""
        done = subprocess.run([self.nettoll, "report", "--limit", "0", *arguments, path], capture_output=True, text=True, check=True)
        tables = collections.defaultdict(dict)
        events = None
        for line in done.stdout.splitlines():
            if match := re.match(r"Flat profile of (.*), by ", line):
                events = match[1].split(", ")
            elif not line:
                events = None
            elif events and not line.startswith("function "):
                cells = line.replace("~", "").split()
                if len(events) == 1:
                    cells.pop()  # the number of samples
                if len(cells) != 2 + 2 * len(events):
                    continue  # a name with spaces
                for i, event in enumerate(events):
                    tables[event][cells[0], cells[1]] = tuple(cells[2 + 2 * i:4 + 2 * i])
        return tables

    @staticmethod
    @functools.cache
    def perf_children(path, form):
        """The lines under each kernel function's entry of perf report --children, by event and function."""
        text = subprocess.run(["perf", "report", "-i", path, "--stdio", "--percent-limit", "0", "--children", "-s", "sym", "-g", form],
                              capture_output=True, text=True, errors="replace", check=True).stdout
        tables = collections.defaultdict(lambda: collections.defaultdict(list))
        event = entry = None
        for line in text.splitlines():
            if match := re.match(r"# Samples: .* of event '(.*)'", line):
                event, entry = match[1], None
            elif match := re.match(r" *[\d.]+% +[\d.]+% +\[(.)\] (\S+)", line):
                entry = match[2] if match[1] == "k" else None
            elif entry:
                tables[event][entry].append(line)
        return tables

    @staticmethod
    @functools.cache
    def misnamed(path):
        """Functions whose call of another one never returns, by the function behind, to which perf report gives the return address."""
        text = subprocess.run(["perf", "script", "-i", path, "-F", "ip,sym,symoff"], capture_output=True, text=True, errors="replace",
                              check=True).stdout
        behind, offsets = {}, collections.defaultdict(set)
        for stack in text.split("\n\n"):
            inner = ""
            for i, frame in enumerate(re.findall(r"([0-9a-f]+) (\S+)\+0x([0-9a-f]+)", stack)):
                where, name, offset = int(frame[0], 16), frame[1], int(frame[2], 16)
                returns = i > 0 and not re.match("asm_|(__pi_)?__x86_indirect_|.*_(return_thunk|safe_ret)$", inner)
                offsets[name].add(offset if returns else None)
                if returns and offset == 0:
                    behind[name] = where
                inner = name
        functions = []
        with open("/proc/kallsyms", encoding="ascii", errors="replace") as kallsyms:
            for line in kallsyms:
                where, kind, name = line.split()[:3]
                if kind in "tT" and not name.startswith("__pfx_"):
                    functions.append((int(where, 16), name))
        functions.sort()
        return {name: functions[bisect.bisect(functions, (where,)) - 1][1] for name, where in behind.items() if offsets[name] == {0}}

    def perf_chains(self, path, order, event, function):
        """Periods by chain under a function's entry, chains as perf prints them but for those misnamed."""
        chains = collections.Counter()
        names = self.misnamed(path)
        shown = next((behind for behind, name in names.items() if name == function), function)
        for line in self.perf_children(path, f"folded,0,{order},function,period")[event][shown]:
            if match := re.match(r"(\d+) (\S.*)", line):
                chains[tuple(names.get(name, name) for name in match[2].split(";"))] += int(match[1])
        return chains

    @staticmethod
    def prefixes(chains):
        """What came through each beginning of the chains: the nodes of the tree."""
        nodes = collections.Counter()
        for chain, period in chains.items():
            for end in range(1, len(chain) + 1):
                nodes[chain[:end]] += period
        return nodes

    def our_tree(self, path, option, event, function):
        """The same of nettoll's tree: cost by chain from the root."""
        nodes = collections.Counter()

        def walk(children, above):
            for node in children:
                chain = (*above, node["function"])
                nodes[chain] += node.get("cost_ns", node.get("cost_events"))
                walk(node.get("children", []), chain)
        for report in self.report(path, option, function, "--chain-limit", "0")[option[2:]]:
            if report["event"] == event:
                for entry in report["functions"]:
                    walk(entry["tree"], ())
        return nodes

    def assert_same(self, ours, theirs):
        """Equal but for names of one address: perf and nettoll choose differently among aliases."""
        self.assertEqual(set(ours), set(theirs))
        with open("/proc/kallsyms", encoding="ascii", errors="replace") as kallsyms:
            address = {}
            for line in kallsyms:
                where, _, name = line.split()[:3]
                address.setdefault(name, where)
        for event in theirs:
            def by_address(table):
                merged = collections.Counter()
                for name, samples in table.items():
                    merged[address.get(name, name)] += samples
                return merged
            self.assertEqual(by_address(ours[event]), by_address(theirs[event]), event)
            self.assertGreater(sum(theirs[event].values()), 100)

    def test_flat_profile(self):
        for path in (self.clock, self.tracepoints):
            with self.subTest(os.path.basename(path)):
                self.assert_same(self.our_functions(self.report(path), "self"),
                                 self.perf_functions(path, "--no-children"))

    def test_percentages_of_the_flat_profile(self):
        """What both tools print, to the last digit."""
        for path in (self.clock, self.tracepoints):
            ours = self.our_percentages(path)
            for arguments, column in ((["--no-children"], lambda shown: shown[0]), (["--children"], lambda shown: shown[1])):
                with self.subTest(os.path.basename(path), arguments=arguments):
                    theirs = self.perf_percentages(path, *arguments)
                    compared = 0
                    for event, functions in theirs.items():
                        for name, shown in functions.items():
                            mine = [row for (function, _), row in ours[event].items() if function == name]
                            if shown is None or len(mine) != 1:
                                continue  # several functions of that name, or another alias of the address
                            self.assertEqual(column(mine[0]).replace("-", "0.00%"), shown[0], f"{event} {name} {arguments}")
                            compared += 1
                    self.assertGreater(compared, 1)

    @functools.cache
    def kernel_functions(self, path, share=0.0):
        """By event the functions on most stacks, in this share of the samples at least, of names that one function alone has."""
        report = self.report(path)
        with open("/proc/kallsyms", encoding="ascii", errors="replace") as kallsyms:
            names = collections.Counter(line.split()[2] for line in kallsyms)
        found = {event["name"]: collections.Counter() for event in report["events"]}
        for function in report["functions"]:
            if function["kind"] == "kernel" and names[function["function"]] == 1:
                for cost in function["costs"]:
                    found[cost["event"]][function["function"]] += cost.get("inclusive_samples", 0)
        least = {event["name"]: share * event["samples"] for event in report["events"]}
        return {event: [name for name, samples in counts.most_common(40) if samples >= least[event]]
                for event, counts in found.items()}

    def test_callers(self):
        """Every node of the callers' tree has what perf report --children -g callee has there."""
        for path in (self.kernel_clock, self.tracepoints):
            for event, functions in self.kernel_functions(path).items():
                compared = 0
                for function in functions[::4]:
                    theirs = self.prefixes(self.perf_chains(path, "callee", event, function))
                    ours = self.our_tree(path, "--callers", event, function)
                    compared += self.assert_same_tree(ours, theirs, function)
                self.assertGreater(compared, 10, event)

    def test_callees(self):
        """The same inwards. perf shows samples of the function itself from the outermost caller: cut to the function."""
        for path in (self.kernel_clock, self.tracepoints):
            for event, functions in self.kernel_functions(path).items():
                compared = 0
                for function in functions[::4]:
                    chains = collections.Counter()
                    for chain, period in self.perf_chains(path, "caller", event, function).items():
                        if function in chain:
                            chains[chain[chain.index(function):]] += period
                    ours = self.our_tree(path, "--callees", event, function)
                    compared += self.assert_same_tree(ours, self.prefixes(chains), function)
                self.assertGreater(compared, 10, event)

    def assert_same_tree(self, ours, theirs, function):
        """Equal but for names of one address; gives how many nodes that are."""
        aliases = self.aliases()

        def by_address(nodes):
            merged = collections.Counter()
            for chain, cost in nodes.items():
                merged[tuple(aliases.get(name, name) for name in chain)] += cost
            return merged
        ours, theirs = by_address(ours), by_address(theirs)
        self.assertEqual({c: n for c, n in theirs.items() if ours.get(c) != n}, {}, f"{function}: perf has, nettoll not so")
        self.assertEqual(set(ours) - set(theirs), set(), f"{function}: nettoll has, perf not")
        return len(theirs)

    @staticmethod
    def aliases():
        """Of names of one address the first."""
        first = {}
        names = {}
        with open("/proc/kallsyms", encoding="ascii", errors="replace") as kallsyms:
            for line in kallsyms:
                where, _, name = line.split()[:3]
                names.setdefault(name, first.setdefault(where, name))
        return names

    def test_shown_branches(self):
        """The branches of a tree that both print, with the percentages that they print."""
        def branches(text, names=None):
            found = re.findall(r"--([\d.]+%)--(\S+)", text.replace("~", ""))
            return collections.Counter((share, (names or {}).get(name, name)) for share, name in found)

        for path in (self.kernel_clock, self.tracepoints):
            # For a function below the limit of branches, nettoll's are a share of the function's own cost.
            for event, functions in self.kernel_functions(path, share=0.02).items():
                compared = 0
                for function in set(functions[:24]) - set(self.misnamed(path).values()):
                    theirs = "\n".join(self.perf_children(path, "graph,0.5,callee,function,percent")[event][function])
                    done = subprocess.run([self.nettoll, "report", "--callers", function, path], capture_output=True, text=True, check=True)
                    ours = next(part for part in done.stdout.split("\n\n") if f"Callers, by {event};" in part)
                    theirs = branches(theirs, self.misnamed(path))
                    self.assertEqual(branches(ours), theirs, function)
                    compared += sum(theirs.values())
                # How many branches there are is the load's.
                self.assertGreater(compared, 3, event)

    @staticmethod
    def branches_by_function(lines, event_line, entry_line):
        """How often a branch of that share and function is printed, by event and function whose entry it stands under."""
        tables = collections.defaultdict(lambda: collections.defaultdict(collections.Counter))
        event = entry = None
        for line in lines:
            if match := re.match(event_line, line):
                event, entry = match[1], None
            elif match := re.match(entry_line, line):
                entry = match["function"] if match["kernel"] else None
            elif line and not line[0].isspace():
                entry = None
            elif event and entry:
                tables[event][entry].update(re.findall(r"--([\d.]+%)--(\S+)", line.replace("~", "")))
        return tables

    def test_trees_of_functions(self):
        """-g of both orders, without and with --children: each branch that perf report prints, with its percentage."""
        aliases = self.aliases()

        def by_address(branches):
            merged = collections.Counter()
            for (share, name), times in branches.items():
                merged[share, aliases.get(name, name)] += times
            return merged

        # Of tracepoints alone: among the thousands of branches of a clock some stand so deep that their names are shortened.
        path = self.tracepoints
        # Where perf names another function than the one that calls, branches of both differ.
        misnamed = {*self.misnamed(path), *self.misnamed(path).values()}
        compared = 0
        for order, scope in itertools.product(("caller", "callee"), ("--no-children", "--children")):
            theirs = subprocess.run(["perf", "report", "-i", path, "--stdio", "-s", "sym", scope, "-g", f"{order},0.1",
                                     "--percent-limit", "0.1"], capture_output=True, text=True, errors="replace", check=True).stdout
            theirs = self.branches_by_function(theirs.splitlines(), r"# Samples: .* of event '(.*)'",
                                               r" +[\d.]+%(?: +[\d.]+%)? +\[(?P<kernel>k)?.?\] (?P<function>\S+)")
            ours = subprocess.run([self.nettoll, "report", "--limit", "0", "--percent-limit", "0.09", "--chain-limit", "0.1",
                                   f"--call-graph={order}", *([scope] if scope == "--children" else []), path],
                                  capture_output=True, text=True, check=True).stdout
            ours = self.branches_by_function(ours.splitlines(), r"Call.*, by (.*); branches from",
                                             r" +(?:-|~?[\d.]+%) +(?:-|~?[\d.]+%) +(?P<function>\S+) +(?P<kernel>[^-/[])?")
            for event, functions in theirs.items():
                ours_of = {aliases.get(name, name): branches for name, branches in ours[event].items()}
                for function, branches in functions.items():
                    if misnamed & {function, *(name for _, name in branches)} or function.startswith("bpf_prog_"):
                        continue
                    self.assertEqual(by_address(ours_of[aliases.get(function, function)]), by_address(branches),
                                     f"{os.path.basename(path)} {order} {scope} {event} {function}")
                    compared += sum(branches.values())
        self.assertGreater(compared, 40, path)

    def test_filters(self):
        """The samples of a thread, of a CPU and of a time are those that perf script has."""
        done = subprocess.run(["perf", "script", "-i", self.clock, "-G", "-F", "comm,cpu,time"], capture_output=True, text=True,
                              errors="replace", check=True)
        heads = [re.match(r"\s*(.*?)\s+\[(\d+)\]\s+([\d.]+):", line).groups() for line in done.stdout.splitlines() if line.strip()]

        def samples(*arguments):
            return self.report(self.clock, *arguments)["events"][0]["samples"]
        comm, count = collections.Counter(head[0] for head in heads).most_common(1)[0]
        self.assertEqual(samples("--comm", comm), count)
        self.assertEqual(samples("--cpu", "0"), sum(int(head[1]) == 0 for head in heads))
        # perf script prints microseconds: between two that differ in them nothing is cut.
        times = sorted(float(head[2]) for head in heads)
        begin, end = times[len(times) // 4], times[len(times) // 2]
        inside = sum(begin <= time <= end for time in times)
        self.assertAlmostEqual(samples("--time", f"{begin:.6f},{end:.6f}"), inside, delta=5)
        table = {row["comm"]: row["cost_samples"] for row in self.report(self.clock, "--by", "comm")["comms"]}
        # Threads whose name was not recorded are ":123" for perf.
        self.assertEqual({comm: n for comm, n in table.items() if comm},
                         {comm: n for comm, n in collections.Counter(head[0] for head in heads).items() if not comm.startswith(":")})

    def test_selections(self):
        whole = self.report(self.clock)
        rx = self.report(self.clock, "--path", "rx")
        self.assertEqual(sum(cost["cost_samples"] for path in whole["paths"] if path["path"] == "rx" for cost in path["costs"]),
                         rx["events"][0]["samples"])
        self.assertEqual({path["path"] for path in rx["paths"]}, {"rx"})

    def test_an_unknown_function(self):
        name = self.kernel_functions(self.clock)["cpu-clock"][0]
        done = subprocess.run([self.nettoll, "report", "--callers", name + "x", self.clock], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, rf"{name}x: no sample has this function; did you mean .*\b{name}\b")

    def test_totals(self):
        done = subprocess.run(["perf", "script", "-i", self.clock, "-G", "-F", "event,period"], capture_output=True, text=True,
                              errors="replace", check=True)
        periods = [int(line.split()[0]) for line in done.stdout.splitlines()]
        event = self.report(self.clock)["events"][0]
        self.assertEqual((event["samples"], event["total_ns"]), (len(periods), sum(periods)))

    def test_text_is_the_same(self):
        """The text of perf script holds what the perf.data does."""
        text = os.path.join(self.folder, "clock.txt")
        with open(text, "wb") as out:
            subprocess.run(["perf", "script", "-i", self.clock, "--header"], stdout=out, stderr=subprocess.DEVNULL, check=True)
        report = self.report(text)
        self.assertEqual(report["foreign"]["tool"], "perf script")
        self.assert_same(self.our_functions(report, "self"), self.perf_functions(self.clock, "--no-children"))

    def test_packed_is_the_same(self):
        packed = os.path.join(self.folder, "clock.gz")
        with open(self.clock, "rb") as plain, gzip.open(packed, "wb", compresslevel=1) as out:
            shutil.copyfileobj(plain, out)
        self.assertEqual(self.report(packed), self.report(self.clock))

    def test_given_kallsyms(self):
        """A copy of this host's serves as this host's does; zeros are refused."""
        copy = os.path.join(self.folder, "kallsyms")
        shutil.copyfile("/proc/kallsyms", copy)
        ours = self.report(self.clock)
        self.assertEqual(self.report(self.clock, "--kallsyms", copy)["functions"], ours["functions"])
        with open(copy, "w", encoding="ascii") as zeros:
            zeros.write("0000000000000000 T _text\n0000000000000000 T ip_rcv\n")
        done = subprocess.run([self.nettoll, "report", "--kallsyms", copy, self.clock], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("copy /proc/kallsyms as root", done.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nettoll", required=True, help="the program to test")
    arguments, rest = parser.parse_known_args()
    if reason := perf_tool.missing():
        print(f"skipped: {reason}")
        return SKIPPED
    CapturesTest.nettoll = os.path.abspath(arguments.nettoll)
    program = unittest.main(argv=[sys.argv[0], *rest], exit=False, verbosity=2)
    return 0 if program.result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
