#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What nettoll writes for other tools, read by those tools: perf, protoc, a browser.

Exit status 77, naming what is missing, where this host lacks root or a program. Tests that need a program of
their own (Debian's protobuf-compiler, chromium-headless-shell) are skipped where it is missing.
"""

import argparse
import collections
import csv
import gzip
import io
import itertools
import json
import os
import pathlib
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

import browser
import perf_tool

SKIPPED = 77
HERE = pathlib.Path(__file__).resolve().parent
SEND = """
import socket
s = socket.socket(type=socket.SOCK_DGRAM); s.bind(('127.0.0.1', 0))
c = socket.socket(type=socket.SOCK_DGRAM)
for _ in range(60000): c.sendto(b'x' * 500, s.getsockname()); s.recv(1000)
"""


def parse_message(lines):
    """protoc's text of a message, as a dictionary of lists."""
    message = collections.defaultdict(list)
    for line in lines:
        line = line.strip()
        if line == "}":
            break
        if line.endswith(" {"):
            message[line[:-2]].append(parse_message(lines))
        else:
            key, _, value = line.partition(": ")
            message[key].append(value)
    return message


class ExportsTest(unittest.TestCase):
    nettoll = None
    pictures = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="nettoll-exports-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.recording = os.path.join(cls.folder, "nettoll.data")
        cls.perf_data = os.path.join(cls.folder, "perf.data")
        subprocess.run([cls.nettoll, "record", "-o", cls.recording, "--perf-data", cls.perf_data, "-F", "999",
                        "--set", "core", "-e", "cpu-clock,page-faults", "--", sys.executable, "-c", SEND],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def run_nettoll(self, *arguments):
        return subprocess.run([self.nettoll, *arguments], capture_output=True, check=False)

    def export(self, form, *arguments):
        done = self.run_nettoll("export", "--format", form, *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        for line in done.stderr.splitlines():
            self.assertTrue(line.startswith(b"nettoll: warning: "), line)
        return done.stdout

    def report(self, path):
        done = self.run_nettoll("report", "--json", path)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return json.loads(done.stdout)

    def totals(self, path):
        """Each event's total, as whole numbers."""
        return {event["name"]: round(event.get("total_ns", event.get("total_events")))
                for event in self.report(path)["events"] if "samples" in event}

    # perf.data

    def test_perf_reads_all_samples(self):
        report = self.report(self.recording)
        ours = {event["name"]: event["samples"] for event in report["events"]}
        script = subprocess.run(["perf", "script", "-i", self.perf_data, "-G", "-F", "event,period"],
                                capture_output=True, text=True, errors="replace", check=True)
        samples, periods = collections.Counter(), collections.Counter()
        for line in script.stdout.splitlines():
            period, event = line.split()
            samples[event.rstrip(":")] += 1
            periods[event.rstrip(":")] += int(period)
        overflow = sum(loss["count"] for loss in report["losses"] if loss["kind"] == "stack_table")
        self.assertEqual(overflow, 0)
        self.assertEqual(dict(samples), {event: n for event, n in ours.items() if n})
        self.assertGreater(samples["cpu-clock"], 100)
        # Read back, each sample stands for its period.
        self.assertEqual({e: t for e, t in self.totals(self.perf_data).items() if t}, dict(periods))

    @staticmethod
    def functions(report, kinds):
        sums = collections.Counter()
        for function in report["functions"]:
            for cost in function["costs"]:
                if function["kind"] in kinds and cost["event"] == "cpu-clock":
                    sums[function["function"]] += cost.get("self_samples", 0)
        return +sums

    def test_perf_report_names_the_same_functions(self):
        text = subprocess.run(["perf", "report", "-i", self.perf_data, "--stdio", "-F", "sample,sym", "-g", "none", "-t", "|",
                               "--percent-limit", "0", "--no-children"], capture_output=True, text=True, errors="replace",
                              check=True).stdout
        table = collections.Counter()
        event = None
        for line in text.splitlines():
            if match := re.match(r"# Samples: .* of event '(.*)'", line):
                event = match[1]
            elif event == "cpu-clock" and (match := re.match(r" *(\d+) *\|\[k\] (\S+)", line)):
                table[match[2]] += int(match[1])
        self.assert_holds(table, self.functions(self.report(self.recording), ("kernel",)))

    def assert_holds(self, theirs, ours):
        """Each function of a recording with its samples. There may be more: samples inside our own programs and
        their helpers stand under one name in a recording."""
        # Of the names at one address tools choose differently, and a recording has no .constprop.0, .cold and the like.
        address = {}
        with open("/proc/kallsyms", encoding="ascii", errors="replace") as kallsyms:
            for line in kallsyms:
                where, _, name = line.split()[:3]
                if not name.endswith(".cold"):
                    address.setdefault(name.partition(".")[0], where)

        def place(name):
            return address.get(name.partition(".")[0], name)
        by_address = collections.Counter()
        for name, samples in theirs.items():
            by_address[place(name)] += samples
        less = {name: (samples, by_address[place(name)]) for name, samples in ours.items() if samples > by_address[place(name)]}
        self.assertEqual(less, {})
        self.assertGreater(len(ours), 20)

    def test_perf_shows_chains_and_the_host(self):
        text = subprocess.run(["perf", "report", "-i", self.perf_data, "--stdio", "--no-children", "-g", "caller"],
                              capture_output=True, text=True, errors="replace", check=True).stdout
        self.assertRegex(text, r"entry_SYSCALL_64_after_hwframe|el0t_64_sync")
        header = subprocess.run(["perf", "report", "-i", self.perf_data, "--header-only"], capture_output=True, text=True,
                                check=True).stdout
        self.assertIn(f"# hostname : {os.uname().nodename}", header)
        self.assertIn(f"# os release : {os.uname().release}", header)
        script = subprocess.run(["perf", "script", "-i", self.perf_data, "-F", "comm,event"], capture_output=True, text=True,
                                errors="replace", check=True).stdout
        self.assertIn("python3", script)

    def test_a_thread_that_runs_another_program_has_its_name_from_then_on(self):
        path = os.path.join(self.folder, "exec.perf.data")
        work = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; "
        subprocess.run([self.nettoll, "record", "-o", os.path.join(self.folder, "exec.data"), "--perf-data", path, "-F", "999",
                        "--set", "core", "--", "/bin/sh", "-c", work + 'exec "$0" -c "$1"', sys.executable, SEND],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        script = subprocess.run(["perf", "script", "-i", path, "-G", "-F", "comm,tid,time"], capture_output=True, text=True,
                                errors="replace", check=True).stdout
        samples = sorted((float(time), comm, tid) for comm, tid, time in re.findall(r"^ *(\S+) +(\d+) +([\d.]+):", script, re.M))
        threads = {tid for _, comm, tid in samples if comm == "sh"} & {tid for _, comm, tid in samples if comm.startswith("python")}
        self.assertTrue(threads)
        names = [comm for _, comm, tid in samples if tid == max(threads, key=int)]
        self.assertEqual([name for name, _ in itertools.groupby(names)][:2], ["sh", os.path.basename(sys.executable)[:15]])

    def test_read_back_is_the_same(self):
        """Our own reader finds the recording's samples of each event and kernel function."""
        ours, back = self.report(self.recording), self.report(self.perf_data)
        samples = lambda report: {event["name"]: event["samples"] for event in report["events"] if event.get("samples")}
        self.assertEqual(samples(ours), samples(back))
        self.assertEqual(back["foreign"]["tool"], "perf.data")
        self.assertIn("nettoll record", back["foreign"]["command"])
        self.assertIn("-F 999 --set core", back["foreign"]["command"])
        self.assert_holds(self.functions(back, ("kernel", "bpf")), self.functions(ours, ("kernel",)))

    def test_a_full_disk_costs_the_perf_data_alone(self):
        disk = os.path.join(self.folder, "disk")
        os.mkdir(disk)
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "none", disk], check=True)
        try:
            recording = os.path.join(self.folder, "kept.data")
            done = self.run_nettoll("record", "-d", "1", "-F", "999", "-o", recording, "--perf-data", disk + "/perf.data")
            self.assertEqual(done.returncode, 1)
            self.assertIn(b"No space left on device", done.stderr)
            self.assertEqual(os.listdir(disk), [])
            self.assertIn("cpu-clock", self.totals(recording))
        finally:
            subprocess.run(["umount", disk], check=True)

    # Formats

    def test_sums_agree(self):
        for path in (self.recording, self.perf_data):
            totals = {event: total for event, total in self.totals(path).items() if total}
            speedscope = json.loads(self.export("speedscope", path))
            with self.subTest(os.path.basename(path)):
                folded = {}
                for event in totals:
                    lines = self.export("folded", "-e", event, path).decode().splitlines()
                    folded[event] = sum(int(line.rpartition(" ")[2]) for line in lines)
                self.assertEqual(folded, totals)
                self.assertEqual({p["name"]: sum(p["weights"]) for p in speedscope["profiles"] if p["weights"]}, totals)
                frames = len(speedscope["shared"]["frames"])
                for profile in speedscope["profiles"]:
                    self.assertEqual(len(profile["samples"]), len(profile["weights"]))
                    self.assertTrue(all(0 <= frame < frames for stack in profile["samples"] for frame in stack))

    def test_csv_holds_the_reports_numbers(self):
        rows = list(csv.DictReader(io.StringIO(self.export("csv", "-e", "cpu-clock", self.recording).decode(), newline="")))
        report = self.report(self.recording)["functions"]
        self.assertEqual([row["function"] for row in rows], [function["function"] for function in report])
        for row, function in zip(rows, report):
            costs = [cost for cost in function["costs"] if cost["event"] == "cpu-clock"]
            self.assertAlmostEqual(float(row["cpu-clock.inclusive_ns"] or 0), sum(c["inclusive_ns"] for c in costs), delta=1e-3)
            self.assertEqual(row["calls"], str(function.get("calls", "")))

    @staticmethod
    def mapped_build_ids(profile, strings):
        """The build ids of the kernel and its modules, of those that have one."""
        ids = {strings[int(mapping["filename"][0])]: strings[int(mapping["build_id"][0])]
               for mapping in profile["mapping"] if "build_id" in mapping}
        return {name: build_id for name, build_id in ids.items() if "/" not in name}

    def build_ids_here(self, profile, strings):
        """Those that the kernel and its modules, if they are mapped, have here, by readelf's understanding of notes."""
        ids = {}
        for name in {strings[int(mapping["filename"][0])] for mapping in profile["mapping"]}:
            path = "/sys/kernel/notes" if name == "vmlinux" else f"/sys/module/{name}/notes/.note.gnu.build-id"
            if not os.path.exists(path):
                continue
            with open(path, "rb") as file:
                notes = file.read()
            while notes:
                name_size, size, kind = struct.unpack_from("III", notes)
                owner = notes[12:12 + name_size]
                begin = 12 + (name_size + 3) // 4 * 4
                if (owner, kind) == (b"GNU\0", 3):
                    ids[name] = notes[begin:begin + size].hex()
                notes = notes[begin + (size + 3) // 4 * 4:]
        self.assertIn("vmlinux", ids)
        return ids

    def test_pprof_by_protoc(self):
        if not shutil.which("protoc"):
            self.skipTest("protoc is missing: Debian's protobuf-compiler")
        for path in (self.recording, self.perf_data):
            packed = self.export("pprof", path)
            self.assertEqual(packed, self.export("pprof", path))
            decoded = subprocess.run(["protoc", f"--proto_path={HERE}", "--decode=Profile", "profile.proto"],
                                     input=gzip.decompress(packed), capture_output=True, check=True).stdout.decode()
            # A field that profile.proto does not have would show as a number.
            self.assertNotRegex(decoded, r"(?m)^\s*\d+[:{ ]")
            profile = parse_message(iter(decoded.splitlines()))
            strings = [text[1:-1] for text in profile["string_table"]]
            self.assertEqual(strings[0], "")
            types = [strings[int(kind["type"][0])] for kind in profile["sample_type"]]
            sums = [0] * len(types)
            functions = {f["id"][0] for f in profile["function"]}
            mappings = {m["id"][0] for m in profile["mapping"]}
            locations = {}
            for location in profile["location"]:
                locations[location["id"][0]] = location
                self.assertIn(location["line"][0]["function_id"][0], functions)
                if "mapping_id" in location:
                    self.assertIn(location["mapping_id"][0], mappings)
            for sample in profile["sample"]:
                self.assertEqual(len(sample["value"]), len(types))
                self.assertTrue(all(place in locations for place in sample["location_id"]))
                sums = [total + int(value) for total, value in zip(sums, sample["value"])]
            self.assertEqual(self.mapped_build_ids(profile, strings), self.build_ids_here(profile, strings))
            by_type = dict(zip(types, sums))
            report = self.report(path)
            for event, total in self.totals(path).items():
                self.assertEqual(by_type[event], total)
            self.assertEqual(by_type["samples"], sum(event.get("samples", 0) for event in report["events"]))
            self.assertEqual(by_type.get("drops", 0), sum(row["packets"] for row in report.get("drops", [])))
            calls = sum(f["calls"] for f in report["functions"] if f.get("denominator"))
            self.assertEqual(by_type.get("calls", 0), calls)
            self.assertEqual("calls" in by_type, path == self.recording)

    def test_wrong_usage(self):
        for arguments, says in (
                (["--format", "svg"], "svg"),
                ([], "--format"),
                (["--format", "folded", "-e", "cycles-of-nobody"], "there is no event"),
                (["--format", "folded", "-e", "cpu-clock,page-faults"], "one event"),
                (["--format", "csv", "--before", self.recording], "--before"),
                (["--format", "csv", "--annotate"], "--annotate")):
            done = self.run_nettoll("export", *arguments, self.recording)
            self.assertEqual((done.returncode, done.stdout), (2, b""), arguments)
            self.assertIn(says, done.stderr.decode())
        done = self.run_nettoll("export", "--format", "csv", "/nonexistent")
        self.assertEqual(done.returncode, 1)

    def test_an_input_is_not_replaced(self):
        path = os.path.join(self.folder, "kept.data")
        shutil.copyfile(self.recording, path)
        link = os.path.join(self.folder, "kept.link")
        os.symlink(path, link)
        for arguments in (["-o", path, path], ["-o", path, link], ["-o", path, "--before", path, self.recording]):
            done = self.run_nettoll("export", "--format", "flamegraph", *arguments)
            self.assertEqual((done.returncode, done.stdout), (2, b""), arguments)
            self.assertIn(b"is also", done.stderr)
        with open(path, "rb") as kept, open(self.recording, "rb") as first:
            self.assertEqual(kept.read(), first.read())

    def test_standard_input_and_output(self):
        whole = self.export("folded", self.perf_data)
        with open(self.perf_data, "rb") as file:
            done = subprocess.run(f"cat | '{self.nettoll}' export --format folded -o - -", shell=True, stdin=file,
                                  capture_output=True, check=True)
        self.assertEqual(done.stdout, whole)

    def test_what_was_lost_is_told(self):
        cut = os.path.join(self.folder, "cut.data")
        with open(self.perf_data, "rb") as whole, open(cut, "wb") as part:
            data = whole.read()
            part.write(data[:len(data) * 2 // 3])
        done = self.run_nettoll("export", "--format", "folded", cut)
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stderr, rb"nettoll: warning: .*cut\.data: .*what follows is lost")

    def test_no_binary_on_a_terminal(self):
        ours, theirs = pty.openpty()
        done = subprocess.run([self.nettoll, "export", "--format", "pprof", self.recording], stdout=theirs,
                              stderr=subprocess.PIPE, check=False)
        os.close(theirs)
        os.close(ours)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"-o", done.stderr)

    # Flame graphs

    def test_flame_graph_in_a_browser(self):
        if not browser.program():
            self.skipTest("a browser is missing: Debian's chromium-headless-shell")
        path = os.path.join(self.folder, "flames.html")
        self.export("flamegraph", "-o", path, self.recording)
        total = self.totals(self.recording)["cpu-clock"]
        inclusive = collections.Counter()
        for line in self.export("folded", self.recording).decode().splitlines():
            stack, _, weight = line.rpartition(" ")
            for name in set(stack.split(";")):
                inclusive[name] += int(weight)
        wanted = "__x64_sys_sendto" if inclusive["__x64_sys_sendto"] else max(
            (name for name in inclusive if "send" in name), key=inclusive.get)
        with browser.Browser() as page:
            page.open(path)
            self.assertEqual(page.errors(), [])
            self.assertIn("cpu-clock", page.text("title"))
            everything = page.evaluate("flameGraph.state()")
            self.assertGreater(everything["drawn"], 20)

            # Search: the share of all that the matches took, by text and by expression.
            page.key("/")
            page.type(f"^{wanted}$")
            self.assertRegex(page.text("matched"), r"^[0-9.]+% in 1 function$")
            shown = float(page.text("matched").split("%")[0])
            self.assertAlmostEqual(shown, 100 * inclusive[wanted] / total, delta=0.06)
            if self.pictures:
                page.screenshot(os.path.join(self.pictures, "search.png"))
            page.evaluate("document.getElementById('search').value = ''")
            page.type("no_function_has_this_name")
            self.assertEqual(page.text("matched"), "nothing matches")
            page.evaluate("document.getElementById('search').value = ''")
            page.type("sendto(")
            self.assertIn("as plain text", page.text("matched"))
            page.key("Escape")
            self.assertEqual(page.text("matched"), "")

            # The tip of a frame, then zoom by a click: it has the whole width.
            box = page.evaluate(f"flameGraph.boxOf({json.dumps(wanted)})")
            self.assertLess(box["width"], 1200)
            place = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
            page.move(*place)
            self.assertIn(wanted, page.text("tip"))
            self.assertRegex(page.text("tip"), r"inclusive .*\([0-9.]+%\), self .*\([0-9.]+%\), [0-9,]+ samples? ±")
            page.click(*place)
            self.assertEqual(page.evaluate("flameGraph.state()")["zoomed"], wanted)
            self.assertGreater(page.evaluate(f"flameGraph.boxOf({json.dumps(wanted)})")["width"], 1200)
            self.assertIn(f"Zoomed to {wanted}", page.text("detail"))
            if self.pictures:
                page.screenshot(os.path.join(self.pictures, "zoom.png"))

            # Keys alone: up to a callee, zoom there, icicles and back; Escape shows all again.
            page.key("ArrowUp")
            callee = page.evaluate("flameGraph.state()")["chosen"]
            self.assertNotEqual(wanted, callee)
            page.key("Enter")
            self.assertEqual(page.evaluate("flameGraph.state()")["zoomed"], callee)
            page.key("i")
            self.assertTrue(page.evaluate("flameGraph.state()")["icicle"])
            page.key("ArrowUp")
            self.assertEqual(page.evaluate("flameGraph.state()")["chosen"], wanted)
            page.key("Escape")
            self.assertIsNone(page.evaluate("flameGraph.state()")["zoomed"])
            if self.pictures:
                page.screenshot(os.path.join(self.pictures, "icicle.png"))

            # At the width of a telephone nothing sticks out, and the frames follow.
            page.resize(360, 640)
            page.settle()
            page.settle()
            self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 360)
            self.assertEqual(page.evaluate("document.getElementById('canvas').clientWidth"),
                             page.evaluate("document.getElementById('frames').clientWidth"))
            if self.pictures:
                page.screenshot(os.path.join(self.pictures, "narrow.png"))
            self.assertEqual(page.errors(), [])

    def capture(self, name, stacks, seconds=None):
        """The text of perf script: (weight, names outermost first) for each stack, one a second, or within `seconds`."""
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as out:
            for n, (weight, frames) in enumerate(stacks):
                time = n + 1 if seconds is None else 1 + seconds * n / (len(stacks) - 1)
                out.write(f"prog 1 [000] {time:.6f}: {weight} cycles: \n")
                for frame in reversed(frames):
                    out.write(f"\tffffffff81000100 {frame}+0x1 ([kernel.kallsyms])\n")
                out.write("\n")
        return path

    def test_hostile_names_in_a_browser(self):
        if not browser.program():
            self.skipTest("a browser is missing: Debian's chromium-headless-shell")
        hostile = ["</script><script>window.broken=1</script>", "<img/src=x/onerror=window.broken=1>", "\"'`${window.broken=1}",
                   "\u2028\u202e\U0001f525", "@DATA@", "&lt;b&gt;"]
        path = self.capture("hostile.txt", [(10, ["main", name]) for name in hostile])
        page_path = os.path.join(self.folder, "hostile.html")
        self.export("flamegraph", "-o", page_path, path)
        with browser.Browser() as page:
            page.open(page_path)
            for name in hostile:
                box = page.evaluate(f"flameGraph.boxOf({json.dumps(name)})")
                self.assertIsNotNone(box, name)
                page.move(box["x"] + box["width"] / 2, box["y"] + 5)
                self.assertTrue(page.text("tip").startswith(name), (name, page.text("tip")))
            self.assertFalse(page.evaluate("'broken' in window"))
            self.assertEqual(page.errors(), [])

    @staticmethod
    def box(page, name):
        return page.evaluate(f"flameGraph.boxOf({json.dumps(name)})")

    def tip(self, page, name):
        """What is told of a function's widest frame; None where it is not drawn."""
        box = self.box(page, name)
        if not box:
            return None
        page.move(box["x"] + box["width"] / 2, box["y"] + 5)
        return page.text("tip")

    def tint(self, page, name):
        """The colour under a frame, at its top right, where no name is: red, blue or neither."""
        box = self.box(page, name)
        red, _, blue, _ = page.evaluate(
            "(() => { const canvas = document.getElementById('canvas'), box = canvas.getBoundingClientRect();"
            f" return [...canvas.getContext('2d').getImageData({box['x'] + box['width'] - 3} - box.left, {box['y'] + 2} - box.top, 1, 1)"
            ".data] })()")
        return "red" if red > blue + 8 else "blue" if blue > red + 8 else "neither"

    def test_differential_in_a_browser(self):
        """diff --flame-graph: widths of B, what grew is red, and what only A has can be reached."""
        if not browser.program():
            self.skipTest("a browser is missing: Debian's chromium-headless-shell")
        # Of 400 in one second and of 1600 in two: by second, "same" stays, "shrinks" halves.
        a = self.capture("a.txt", [(100, ["main", "same"]), (100, ["main", "shrinks"]), (50, ["main", "goes.isra.0"]),
                                   (150, ["main", "renamed.isra.0"])], seconds=1)
        b = self.capture("b.txt", [(200, ["main", "same"]), (100, ["main", "shrinks"]), (500, ["main", "comes"]),
                                   (800, ["main", "renamed.isra.1"])], seconds=2)
        path = os.path.join(self.folder, "difference.html")
        done = self.run_nettoll("diff", "--per", "second", "--flame-graph", path, a, b)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        with browser.Browser() as page:
            page.open(path)
            self.assertEqual(page.errors(), [])
            self.assertEqual(page.text("title"), "cycles: B against A, costs per second")
            self.assertRegex(page.text("about"), r"^A: .*/a\.txt, .* 400 per second; B: .*/b\.txt, .* 800 per second$")
            self.assertEqual({name: self.tint(page, name) for name in ("same", "shrinks", "comes", "renamed.isra.1", "main")},
                             {"same": "neither", "shrinks": "blue", "comes": "red", "renamed.isra.1": "red", "main": "red"})
            widths = {name: self.box(page, name)["width"] for name in ("same", "shrinks", "comes", "main")}
            self.assertAlmostEqual(widths["same"] / widths["main"], 200 / 1600, places=3)
            self.assertAlmostEqual(widths["comes"] / widths["main"], 500 / 1600, places=3)
            for name, says in (("same", "difference +0 per second (+0.0%)"), ("shrinks", "difference −50 per second (−50.0%)"),
                               ("comes", "difference +250 per second (only in B)"),
                               ("renamed.isra.1", "difference +250 per second (+166.7%)")):
                self.assertIn(says, self.tip(page, name))
                self.assertIn(says, page.text("detail"))
            self.assertIn("\nA: inclusive 150 per second, self 150 per second, 1 sample ±", page.text("tip"))
            self.assertIn("\nB: inclusive 400 per second, self 400 per second, 1 sample ±", page.text("tip"))
            if self.pictures:
                page.screenshot(os.path.join(self.pictures, "difference.png"))

            # Search and zoom are those of any flame graph.
            page.key("/")
            page.type("^comes$")
            self.assertEqual(page.text("matched"), "31.3% in 1 function")
            page.key("Escape")
            box = self.box(page, "comes")
            page.click(box["x"] + box["width"] / 2, box["y"] + 5)
            self.assertEqual(page.evaluate("flameGraph.state()")["zoomed"], "comes")
            self.assertGreater(self.box(page, "comes")["width"], 1200)
            page.key("Escape")

            # What only A has: told, and shown in A's widths.
            self.assertIsNone(self.box(page, "goes.isra.0"))
            self.assertIn("Call paths that only A has took 12.5% of A:goes.isra.0 12.5%", page.text("gone"))
            page.evaluate("document.querySelector('#gone button').click()")
            page.settle()
            self.assertEqual(page.text("sides"), "Widths: A")
            self.assertEqual(page.text("matched"), "12.5% in 1 function")
            self.assertIn("difference −50 per second (only in A, −100%)", self.tip(page, "goes.isra.0"))
            self.assertIsNone(self.box(page, "comes"))
            self.assertAlmostEqual(self.box(page, "same")["width"] / self.box(page, "main")["width"], 100 / 400, places=3)
            if self.pictures:
                page.screenshot(os.path.join(self.pictures, "gone.png"))
            page.key("b")
            self.assertEqual(page.text("sides"), "Widths: B")
            page.evaluate("document.getElementById('notes').open = true")
            self.assertIn("have another suffix of the compiler", page.text("notes"))
            self.assertEqual(page.errors(), [])

    def test_differential_of_shares_in_a_browser(self):
        """export --before, and diff --per share: what the length of a capture does not change."""
        if not browser.program():
            self.skipTest("a browser is missing: Debian's chromium-headless-shell")
        before = self.capture("before.txt", [(100, ["main", "same"]), (100, ["main", "shrinks"]), (200, ["main", "goes"])])
        now = self.capture("now.txt", [(200, ["main", "same"]), (100, ["main", "shrinks"]), (500, ["main", "comes"])])
        exported = os.path.join(self.folder, "exported.html")
        self.export("flamegraph", "-o", exported, "--before", before, now)
        compared = os.path.join(self.folder, "compared.html")
        done = self.run_nettoll("diff", "--per", "share", "--flame-graph", compared, before, now)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        with browser.Browser() as page:
            for path in (exported, compared):
                page.open(path)
                self.assertIn("difference +0.00 points (+0.0%)", self.tip(page, "same"))
                self.assertIn("difference −12.50 points (−50.0%)", self.tip(page, "shrinks"))
                self.assertIn("difference +62.50 points (only in B)", self.tip(page, "comes"))
                self.assertIn("B: inclusive 62.5%, self 62.5%", page.text("tip"))
                self.assertIsNone(self.tip(page, "goes"))
                page.key("b")
                self.assertIn("difference −50.00 points (only in A, −100%)", self.tip(page, "goes"))
                self.assertEqual(page.errors(), [])

    def test_differential_of_another_event(self):
        """diff -e chooses the event of the page and of the table; refusals leave no file."""
        path = os.path.join(self.folder, "events.html")
        done = self.run_nettoll("diff", "-e", "page-faults", "--flame-graph", path, self.recording, self.recording)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        # Notes may tell what each side lost of others.
        self.assertRegex(done.stdout, rb"(?m)^page-faults ")
        self.assertNotRegex(done.stdout, rb"(?m)^cpu-clock |by cpu-clock")
        with open(path, encoding="utf-8") as page:
            self.assertIn('{"event":"page-faults"', page.read())
        other = self.capture("other.txt", [(1, ["main"])])
        refused = os.path.join(self.folder, "refused.html")
        for status, arguments, says in (
                (2, ["-e", "nonesuch", self.recording, self.recording], "there is no event 'nonesuch'"),
                (2, ["-e", "cpu-clock", self.recording, other], "did not both sample cpu-clock"),
                (1, [self.recording, other], "no event in common"),
                (1, [self.recording, "/nonexistent"], "/nonexistent")):
            done = self.run_nettoll("diff", "--flame-graph", refused, *arguments)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn(says, done.stderr.decode())
            self.assertFalse(os.path.exists(refused))
        for wrong in ("-", other, self.recording):
            done = self.run_nettoll("diff", "--flame-graph", wrong, other, self.recording)
            self.assertEqual((done.returncode, done.stdout), (2, b""), wrong)

    def test_many_stacks_stay_usable(self):
        """50,000 different stacks, and some of 200 frames."""
        if not browser.program():
            self.skipTest("a browser is missing: Debian's chromium-headless-shell")
        wide = ((n % 50 + 1, ["main"] + [f"f{n * (d + 7) % (10 + 40 * d)}" for d in range(8)] + [f"leaf{n}"])
                for n in range(50_000))
        deep = ((5000, ["main"] + [f"deep{n}_{d}" for d in range(200)]) for n in range(20))
        path = self.capture("many.txt", itertools.chain(wide, deep))
        page_path = os.path.join(self.folder, "many.html")
        self.export("flamegraph", "-o", page_path, path)
        self.assertLess(os.path.getsize(page_path), 8 << 20)
        with browser.Browser() as page:
            page.open(page_path)
            self.assertEqual(page.errors(), [])
            self.assertRegex(page.text("pruned"), r"[0-9,]+ of the smallest frames are not in this file; they took [0-9.]+%")
            self.assertIn("narrower than half a pixel", page.text("pruned"))
            page.key("/")
            page.type("^f1$")
            self.assertRegex(page.text("matched"), r"% in 1 function")
            page.key("Escape")
            page.key("ArrowUp")
            page.key("ArrowUp")
            page.key("Enter")
            self.assertIsNotNone(page.evaluate("flameGraph.state()")["zoomed"])
            milliseconds = page.evaluate("(() => { const t = performance.now(); for (let i = 0; i < 10; i++) "
                                         "document.getElementById('flip').click(); return (performance.now() - t) / 10 })()")
            print(f"a change of view takes {milliseconds:.1f} ms before it is drawn")
            if self.pictures:
                page.screenshot(os.path.join(self.pictures, "many.png"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nettoll", required=True, help="the program")
    parser.add_argument("--pictures", help="a folder for screenshots, to look at")
    options, rest = parser.parse_known_args()
    if lacks := perf_tool.missing():
        print(f"skipped: {lacks}")
        return SKIPPED
    ExportsTest.nettoll = options.nettoll
    ExportsTest.pictures = options.pictures
    program = unittest.main(argv=[sys.argv[0], *rest], exit=False, verbosity=2)
    return 0 if program.result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
