#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The command line under wrong usage, on hosts that lack something, and with files and outputs that fail.

Exit status 77, naming what is missing, where this host lacks root or cannot run nettoll's main job.
"""

import argparse
import contextlib
import gzip
import http.client
import json
import os
import pwd
import re
import resource
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "live")]

import child  # noqa: E402
from bpf_objects import all_ids, ids_held  # noqa: E402
from prometheus_server import free_port, wait_until  # noqa: E402

SKIPPED = 77
DONE, FAILED, USAGE, FINDINGS = 0, 1, 2, 3
COMMANDS = ("diagnose", "diff", "doctor", "drops", "functions", "record", "report", "serve", "top")
QUICK = ("-d", "100ms")


class CliTest(unittest.TestCase):
    """Runs the program in a folder of its own, which any user may enter and nobody but root may write."""

    source = None  # the program as built
    doctor = None  # what `doctor --json` says of this host

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="nettoll-cli-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        os.chmod(cls.folder, 0o755)
        # A copy, since the folder of the build may be closed to other users.
        cls.program = shutil.copy(cls.source, os.path.join(cls.folder, "nettoll"))

    def setUp(self):
        self.work = tempfile.mkdtemp(dir=self.folder)
        os.chmod(self.work, 0o755)

    def path(self, name):
        return os.path.join(self.work, name)

    def run_command(self, command, **options):
        options = {"stdin": subprocess.DEVNULL, "cwd": self.work, "timeout": 100, **options}
        if not {"stdout", "stderr"} & options.keys():
            options["capture_output"] = True
        return subprocess.run(command, text=True, errors="replace", check=False, **options)

    def nettoll(self, *arguments, **options):
        return self.run_command([self.program, *arguments], **options)

    def assert_one_line(self, stderr, *words):
        """An error is one line of our own that names `words`: nothing of a library, no second line."""
        self.assertRegex(stderr, r"\Anettoll: [^\n]+\n\Z")
        for word in words:
            self.assertIn(word, stderr)
        for foreign in ("libbpf", "terminate", "what():", "Run with"):
            self.assertNotIn(foreign, stderr)

    def assert_refused(self, status, words, *arguments, **options):
        done = self.nettoll(*arguments, **options)
        self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)
        self.assert_one_line(done.stderr, *words)

    def with_tmpfs(self, folder, options, script):
        """Runs `script` with a file system mounted on `folder` that only it sees; $nettoll is the program."""
        mount = f"mount -t tmpfs -o {options} none {folder}"
        done = self.run_command(["unshare", "-m", "sh", "-c", f"{mount} || exit 99; {script}"],
                                env={**os.environ, "nettoll": self.program})
        if done.returncode == 99:
            self.skipTest(f"no private mount: {done.stderr}")
        return done

    def record(self, name, *arguments, **options):
        """A recording that has to succeed; what was said on standard error."""
        done = self.nettoll("record", "-o", name, *arguments, **options)
        self.assertEqual(done.returncode, DONE, done.stderr)
        return done.stderr

    def report(self, name):
        done = self.nettoll("report", "--json", name)
        self.assertEqual((done.returncode, done.stderr), (DONE, ""))
        return json.loads(done.stdout)

    def start(self, *arguments, under=()):
        """Runs in the background, with standard error in the file `log`."""
        with open(self.path("log"), "wb") as log:
            process = child.start([*under, self.program, *arguments], log, cwd=self.work)
        self.addCleanup(child.stop, process, signal.SIGKILL)
        return process

    def wait_for_log(self, text, process):
        wait_until(lambda: text in self.log(), 60, f"no '{text}' in the log", process, self.path("log"))

    def log(self):
        with open(self.path("log"), encoding="utf-8", errors="replace") as log:
            return log.read()


class UsageTest(CliTest):
    def test_help_and_version(self):
        top = self.nettoll("--help")
        self.assertEqual((top.returncode, top.stderr), (DONE, ""))
        self.assertIn("Usage: nettoll ", top.stdout)
        for command in COMMANDS:
            self.assertRegex(top.stdout, rf"(?m)^  {command} ")
            done = self.nettoll(command, "--help")
            self.assertEqual((done.returncode, done.stderr), (DONE, ""))
            self.assertIn(f"Usage: nettoll {command} ", done.stdout)
        version = self.nettoll("--version")
        self.assertEqual((version.returncode, version.stderr), (DONE, ""))
        self.assertRegex(version.stdout, r"\Anettoll \d+\.\d+\.\d+\n\Z")

    def test_wrong_usage(self):
        cases = (
            ("", ["no command", "nettoll --help"]),
            ("recrod", ["no command 'recrod'", "nettoll --help"]),
            ("--bogus", ["no option --bogus"]),
            ("--bogus record", ["no option --bogus"]),
            ("record --bogus", ["no option --bogus", "nettoll record --help"]),
            ("record -o", ["--output"]),
            ("record -F 0", ["--freq", "'0'"]),
            ("record -F -1", ["--freq", "'-1'"]),
            ("record -F 99x", ["--freq", "'99x'"]),
            ("record -F 1000000", ["--freq", "100000"]),
            ("record -c 0", ["--count", "'0'"]),
            ("record -c -1", ["--count", "'-1'"]),
            ("record -F 9 -c 9", ["--freq", "--count"]),
            ("record -C 60000", ["60000", "online"]),
            ("record -C a", ["-C", "'a'", "0-3,8"]),
            ("record -C =", ["--cpu", "empty"]),
            ("record -d 0", ["'0'", "zero"]),
            ("record -d x", ["'x'", "500ms"]),
            ("record -d 1d", ["'1d'", "unit"]),
            ("record -d -5", ["'-5'"]),
            ("record -d =", ["--duration", "empty"]),
            ("record -o =", ["empty"]),
            ("record --set x", ["--set", "core"]),
            ("record --method x", ["--method", "fentry"]),
            ("record -e nosuchevent", ["'nosuchevent'", "perf list"]),
            ("record -e cycels", ["'cycels'", "did you mean cycles"]),
            ("record -e =", ["empty"]),
            ("record -e cycles,,cycles", ["empty"]),
            ("record --function nosuchfunction", ["'nosuchfunction'", "nettoll functions"]),
            ("record --function nosuch*", ["'nosuch*'"]),
            ("record --function *", ["narrower"]),
            ("functions --set x", ["--set"]),
            ("functions --function nosuchfunction", ["'nosuchfunction'"]),
            ("functions extra", ["'extra'"]),
            ("report --limit -1", ["--limit", "'-1'"]),
            ("report --limit x", ["--limit", "'x'"]),
            ("report one two", ["'two'"]),
            ("report --stdio one", ["--stdio", "plain text"]),
            ("report -g caller one", ["'caller'", "--call-graph=callee"]),
            ("diff -i one", ["-i", "nettoll diff BEFORE AFTER"]),
            ("drops extra", ["'extra'"]),
            ("drops -d 0", ["'0'", "zero"]),
            ("drops --interval 1ms", ["--interval", "100ms"]),
            ("drops --interval x", ["'x'"]),
            ("drops --samples x", ["--samples", "'x'", "10/s"]),
            ("drops --samples -1", ["--samples", "'-1'"]),
            ("drops --samples 0 --pcap out", ["--pcap", "--samples"]),
            ("drops --limit -1", ["--limit", "'-1'"]),
            ("drops --stacks x", ["--stacks", "'x'"]),
            ("drops --reason NO_SOKET", ["'NO_SOKET'", "did you mean NO_SOCKET"]),
            ("drops --reason =", ["empty"]),
            ("drops --dev l", ["'l'", "did you mean lo"]),
            ("drops --dev nosuchdevice", ["'nosuchdevice'", "ip link"]),
            ("drops --netns /no/such/file", ["/no/such/file", "lsns"]),
            ("drops --netns 4194305", ["no process 4194305"]),
            ("drops --netns /proc/self/status", ["no network namespace"]),
            ("drops --dev =", ["--dev", "empty"]),
            ("drops --proto =", ["--proto", "empty"]),
            ("drops --proto 0x", ["'0x'", "0x88cc"]),
            ("drops --proto tpc", ["'tpc'", "did you mean", "tcp"]),
            ("serve extra", ["'extra'"]),
            ("serve --interval 1ms", ["--interval", "100ms"]),
            ("serve --interval 2h", ["--interval", "1h"]),
            ("serve --interval x", ["'x'"]),
            ("serve --diagnose-interval 500ms", ["--diagnose-interval", "1h", "0 for no diagnosis"]),
            ("serve --diagnose-interval 2h", ["--diagnose-interval", "1s"]),
            ("serve --diagnose-interval x", ["'x'"]),
            ("serve --max-functions 0", ["--max-functions", "'0'"]),
            ("serve --web.listen-address garbage", ["'garbage'", "127.0.0.1"]),
            ("serve --web.listen-address :99999", ["':99999'"]),
            ("serve --web.config.file missing.yml", ["--web.config.file", "missing.yml"]),
            ("serve --config missing.toml", ["--config", "missing.toml"]),
            ("top", ["standard output is no terminal", "-b"]),
            ("top extra", ["'extra'"]),
            ("top -b -d 1ms", ["time between refreshes", "100ms"]),
            ("top -b --interval 2h", ["time between refreshes", "1h"]),
            ("top -b -d x", ["'x'"]),
            ("top -b -n 0", ["--iterations", "'0'"]),
            ("top -b -e nosuchevent", ["'nosuchevent'", "perf list"]),
        )
        for line, words in cases:
            with self.subTest(line):
                # "=" stands for an empty argument.
                arguments = ["" if word == "=" else word for word in line.split()]
                self.assert_refused(USAGE, words, *arguments)
                self.assertEqual(os.listdir(self.work), [])


class RightsTest(CliTest):
    """As a user who may not trace."""

    def setUp(self):
        super().setUp()
        entry = pwd.getpwnam("nobody")
        self.as_nobody = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
        os.chown(self.work, entry.pw_uid, entry.pw_gid)

    def test_tracing_names_the_capabilities(self):
        for command in ("record", "serve", "functions", "drops", "top -b"):
            with self.subTest(command):
                self.assert_refused(FAILED, ["CAP_BPF", "CAP_PERFMON", "sudo"], *command.split(), **self.as_nobody)
                self.assertEqual(os.listdir(self.work), [])

    def test_doctor_says_what_fails(self):
        done = self.nettoll("doctor", **self.as_nobody)
        self.assertEqual((done.returncode, done.stderr), (FAILED, ""))
        self.assertRegex(done.stdout, r"(?m)^FAIL +rights .*CAP_BPF and CAP_PERFMON")
        self.assertNotIn("libbpf", done.stdout)
        done = self.nettoll("doctor", "--json", **self.as_nobody)
        self.assertEqual((done.returncode, json.loads(done.stdout)["can_run"]), (FAILED, False))

    def test_report_needs_no_rights(self):
        self.record("here", *QUICK)
        done = self.nettoll("report", "here", **self.as_nobody)
        self.assertEqual((done.returncode, done.stderr), (DONE, ""))

    def test_diagnose_judges_by_the_kernels_counters(self):
        done = self.nettoll("diagnose", "-d", "500ms", **self.as_nobody)
        self.assertIn(done.returncode, (DONE, FINDINGS), done.stderr)
        why, watching = done.stderr.splitlines()
        self.assertIn("nothing is traced", why)
        self.assertIn("CAP_BPF", why)
        self.assertIn("watching for 500 ms", watching)
        self.assertIn("Packets lost", done.stdout)


def limit(kind, value):
    """For preexec_fn: sets the soft and the hard limit."""
    return lambda: resource.setrlimit(kind, (value, value))


class HostTest(CliTest):
    """Hosts and surroundings that lack something."""

    # Root raises its own limits with this capability.
    WITHOUT_RESOURCE = ("setpriv", "--bounding-set", "-sys_resource", "--inh-caps", "-sys_resource")

    def test_hidden_symbols(self):
        setting = "/proc/sys/kernel/kptr_restrict"
        with open(setting, encoding="ascii") as file:
            before = file.read()
        try:
            with open(setting, "w", encoding="ascii") as file:
                file.write("2")
        except OSError as error:
            self.skipTest(f"{setting}: {error}")
        try:
            self.assert_refused(FAILED, ["/proc/kallsyms", "kernel.kptr_restrict"], "record", *QUICK)
            done = self.nettoll("doctor")
            self.assertEqual(done.returncode, FAILED)
            self.assertRegex(done.stdout, r"(?m)^FAIL +kernel symbols .*kptr_restrict")
        finally:
            with open(setting, "w", encoding="ascii") as file:
                file.write(before)

    def test_no_btf(self):
        if os.path.exists(f"/boot/vmlinux-{os.uname().release}"):
            self.skipTest("the kernel's image has its BTF too")
        done = self.with_tmpfs("/sys/kernel/btf", "ro", "exec $nettoll record -d 100ms")
        self.assertEqual((done.returncode, done.stdout), (FAILED, ""))
        self.assert_one_line(done.stderr, "BTF", "No such file", "CONFIG_DEBUG_INFO_BTF")
        done = self.with_tmpfs("/sys/kernel/btf", "ro", "exec $nettoll doctor")
        self.assertEqual((done.returncode, done.stderr), (FAILED, ""))
        self.assertRegex(done.stdout, r"(?m)^FAIL +BTF .*CONFIG_DEBUG_INFO_BTF")

    def test_few_descriptors(self):
        # A low soft limit is raised.
        low = lambda: resource.setrlimit(resource.RLIMIT_NOFILE,  # noqa: E731
                                         (20, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
        self.record("soft", *QUICK, preexec_fn=low)
        self.assertTrue(self.report("soft")["session"]["functions_counted"])
        done = self.run_command([*self.WITHOUT_RESOURCE, self.program, "record", *QUICK],
                                preexec_fn=limit(resource.RLIMIT_NOFILE, 20))
        self.assertEqual((done.returncode, done.stdout), (FAILED, ""))
        self.assert_one_line(done.stderr, "ulimit -n")
        self.assertEqual(os.listdir(self.work), ["soft"])

    def test_no_locked_memory(self):
        # BPF memory counts there before 5.11 alone; perf's rings need CAP_IPC_LOCK or CAP_PERFMON.
        self.record("locked", *QUICK, preexec_fn=limit(resource.RLIMIT_MEMLOCK, 0))


class RecordTest(CliTest):
    def test_full_disk(self):
        os.mkdir(self.path("disk"))
        done = self.with_tmpfs("disk", "size=16k", "head -c 16384 /dev/zero >disk/fill; cd disk; "
                               "$nettoll record -d 100ms -o full; status=$?; ls -A; exit $status")
        self.assertEqual((done.returncode, done.stdout), (FAILED, "fill\n"))
        self.assert_one_line(done.stderr, "full", "No space left", "free some space")

    def test_read_only_folder(self):
        os.mkdir(self.path("disk"))
        done = self.with_tmpfs("disk", "ro", "cd disk; exec $nettoll record -d 100ms")
        self.assertEqual((done.returncode, done.stdout), (FAILED, ""))
        self.assert_one_line(done.stderr, "nettoll.data", "Read-only")

    def test_file_size_limit(self):
        self.assert_refused(FAILED, ["big", "ulimit -f"], "record", *QUICK, "-o", "big",
                            preexec_fn=limit(resource.RLIMIT_FSIZE, 512))
        self.assertEqual(os.listdir(self.work), [])

    def test_output_that_cannot_be(self):
        os.mkdir(self.path("folder"))
        for output, words in (("missing/file", ["missing", "make the folder"]), ("folder", ["folder"]),
                              ("folder/", ["folder"]), ("/dev/null", ["/dev/null", "regular file"])):
            with self.subTest(output):
                # The command would be found missing once tracing is on: the output is tried before.
                self.assert_refused(FAILED, words, "record", "-o", output, "--", "/no/such/command")

    def test_event_that_the_host_lacks(self):
        lacks = [check["name"].split()[1] for check in self.doctor["checks"]
                 if check["name"].startswith("event ") and not check["works"]]
        if not lacks:
            self.skipTest("this host has all default events")
        for event in lacks:
            with self.subTest(event):
                self.assert_refused(FAILED, [event], "record", *QUICK, "-e", event)
                self.assertEqual(os.listdir(self.work), [])

    def test_command(self):
        for command, said in ((["true"], "true exited with status 0"),
                              (["--", "sh", "-c", "echo out; exit 3"], "sh exited with status 3"),
                              (["sh", "-c", "kill -9 $$"], "sh was killed by signal 9")):
            with self.subTest(command):
                self.assertIn(said, self.record("kept", "-a", "-g", "-F", "49", *command))
                self.assertTrue(self.report("kept")["window"]["duration_ns"])

    def test_command_after_an_option_that_repeats(self):
        self.assertIn("true exited", self.record("kept", "-e", "cpu-clock", "-e", "task-clock", "true"))
        self.assertEqual([event["name"] for event in self.report("kept")["events"]], ["cpu-clock", "task-clock"])
        self.assertIn("true exited", self.record("kept", "--function", "tcp_sendmsg", "true"))

    def test_command_that_cannot_run(self):
        for command, why in (("/no/such/command", "No such file"), (self.work, "Permission denied")):
            self.assert_refused(USAGE, [command, why], "record", "--", command)
        self.assertEqual(os.listdir(self.work), [])

    def test_command_outlives_the_recording(self):
        self.assertIn("sleep was killed by signal 15", self.record("kept", *QUICK, "sleep", "100"))
        deaf = "trap '' TERM; echo; while :; do sleep 1; done"
        self.assertIn("sh was killed by signal 9", self.record("kept", *QUICK, "--", "sh", "-c", deaf))
        self.report("kept")

    def test_signals_keep_the_recording(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number.name):
                process = self.start("record", "-o", number.name)
                self.wait_for_log("recording until Ctrl-C", process)
                self.assertEqual(child.stop(process, number), DONE, self.log())
                self.report(number.name)

    def test_signal_ends_the_command_too(self):
        script = "import signal, sys; signal.signal(signal.SIGTERM, lambda *_: sys.exit(7)); " \
                 "print('up', flush=True); signal.pause()"
        process = self.start("record", "-o", "kept", "--", sys.executable, "-c", script)
        self.wait_for_log("up", process)
        self.assertEqual(child.stop(process), DONE, self.log())
        self.assertIn("exited with status 7", self.log())
        self.report("kept")

    def test_nohup(self):
        process = self.start("record", "-o", "kept", under=["nohup"])
        self.wait_for_log("recording until Ctrl-C", process)
        process.send_signal(signal.SIGHUP)
        with self.assertRaises(subprocess.TimeoutExpired):
            process.wait(timeout=0.5)
        self.assertEqual(child.stop(process, signal.SIGINT), DONE, self.log())

    def test_kill_leaves_nothing(self):
        process = self.start("record")
        self.wait_for_log("recording until Ctrl-C", process)
        ours = ids_held(process.pid, "prog")
        self.assertTrue(ours)
        process.kill()
        process.wait()
        self.assertEqual(os.listdir(self.work), ["log"])
        if shutil.which("bpftool"):
            # The kernel frees them after a grace period.
            wait_until(lambda: not ours & all_ids("prog"), 20, "BPF programs stay after SIGKILL")

    def test_nobody_listens(self):
        """A standard error that is closed or full takes neither the recording nor room in it."""
        self.record("closed", *QUICK, "true", stdout=subprocess.DEVNULL, stderr=None,
                    preexec_fn=lambda: os.close(2))
        self.report("closed")
        with open("/dev/full", "wb") as full:
            self.record("full", *QUICK, "true", stdout=subprocess.DEVNULL, stderr=full)
        self.report("full")

    def test_named_functions(self):
        listed = json.loads(self.nettoll("functions", "--function", "tcp_sendmsg", "--json").stdout)
        row = next(row for row in listed["functions"] if row["function"] == "tcp_sendmsg")
        said = self.record("named", *QUICK, "--function", "tcp_sendmsg")
        notes = self.report("named")["session"]["notes"]
        if row["method"] == "samples":
            self.assertRegex(said, r"tcp_sendmsg .*samples only: \w")
            self.assertRegex("\n".join(notes), r"tcp_sendmsg .*samples only: \w")
        else:
            self.assertNotIn("tcp_sendmsg", said)
        many = self.record("many", *QUICK, "--function", "tcp_s*")
        self.assertLess(len(many.splitlines()), 6, many)

    def test_clock_that_would_leave_no_time(self):
        said = self.record("fast", *QUICK, "-e", "cpu-clock", "-F", "100000")
        self.assertIn("instead of 100000", said)
        self.assertEqual(self.report("fast")["session"]["notes"], said.replace("nettoll: ", "").splitlines()[:1])

    def test_method_that_the_host_lacks(self):
        if next(check for check in self.doctor["checks"] if check["name"] == "fentry")["works"]:
            self.skipTest("fentry works here")
        self.assert_refused(FAILED, ["fentry", "nettoll functions"], "record", *QUICK, "--method", "fentry")


def blocked_signals(pid):
    """The signals that a process has blocked, as bits."""
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        return int(re.search(r"(?m)^SigBlk:\s*([0-9a-f]+)", file.read())[1], 16)


class DropsTest(CliTest):
    SEND = "import socket; s = socket.socket(type=socket.SOCK_DGRAM); " \
           "[s.sendto(b'x', ('127.0.0.1', 9)) for _ in range(%d)]"

    def drops_while_sending(self, packets, *arguments):
        """Runs it for two seconds in which datagrams go to a closed port."""
        process = subprocess.Popen([self.program, "drops", "-d", "3", *arguments], cwd=self.work, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(1.5)
        subprocess.run([sys.executable, "-c", self.SEND % packets], check=True)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, DONE, err)
        return out, err

    def test_json(self):
        out, _ = self.drops_while_sending(50, "--json", "--dev", "lo", "--proto", "udp", "--samples", "1000/s")
        window = json.loads(out)
        self.assertGreaterEqual(window["loss"]["packets"], 50)
        account = window["samples"]
        self.assertEqual(account["matched"], account["emitted"] + account["rate_limited"] + account["ring_full"])
        self.assertGreaterEqual(account["matched"], 50)
        self.assertEqual(len(window["examples"]), account["emitted"])
        sent = [example for example in window["examples"] if example.get("destination_port") == 9]
        self.assertEqual(len(sent), 50)
        for example in sent:
            self.assertEqual((example["reason"], example["device"], example["transport"]), ("NO_SOCKET", "lo", "udp"))
        self.assertTrue(window["stacks"])

    def test_a_line_each_interval(self):
        done = self.nettoll("drops", "-d", "1", "--interval", "200ms", "--json", "--samples", "0")
        self.assertEqual((done.returncode, done.stderr), (DONE, ""))
        windows = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertGreaterEqual(len(windows), 2)
        self.assertLessEqual(len(windows), 6)
        self.assertNotIn("samples", windows[0])

    def test_table(self):
        out, _ = self.drops_while_sending(20, "--dev", "lo", "--reason", "no_socket")
        self.assertRegex(out, r"(?m)^Lost: \d+ packets, ")
        self.assertRegex(out, r"(?m)^NO_SOCKET +core +\S+ +vmlinux +ipv4 +lo ")
        self.assertRegex(out, r"(?m)^Samples: \d+ drops matched, 10 sampled, 10 shown, ")
        self.assertNotIn("\033", out)

    def test_capture_is_there_after_a_signal(self):
        process = self.start("drops", "--pcap", "kept", "--json")
        time.sleep(1.5)
        self.assertEqual(os.listdir(self.work), ["log"])
        self.assertEqual(child.stop(process, signal.SIGINT), DONE, self.log())
        self.assert_capture("kept")

    def test_capture_is_there_though_nobody_reads(self):
        """As `nettoll drops --pcap FILE | head -1` has it."""
        for ignored in (False, True):
            with self.subTest(sigpipe_ignored=ignored):
                read, write = os.pipe()
                os.close(read)
                done = self.nettoll("drops", "-d", "1", "--interval", "200ms", "--pcap", "kept", stdout=write,
                                    stderr=subprocess.PIPE, restore_signals=not ignored)
                os.close(write)
                self.assertIn("written to kept", done.stderr)
                if ignored:
                    self.assertEqual(done.returncode, FAILED)
                    self.assertIn("standard output: Broken pipe", done.stderr)
                else:
                    self.assertEqual(done.returncode, -signal.SIGPIPE)
                    self.assertNotIn("Broken pipe", done.stderr)
                self.assert_capture("kept")
                os.unlink(self.path("kept"))

    def test_capture_is_there_though_the_output_is_full(self):
        with open("/dev/full", "wb") as full:
            done = self.nettoll("drops", *QUICK, "--pcap", "kept", stdout=full, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, FAILED)
        self.assertIn("standard output", done.stderr)
        self.assert_capture("kept")

    def test_stopped_early(self):
        """As soon as it takes signals, long before it traces."""
        for number in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(number.name):
                process = self.start("drops", "--pcap", "kept")
                self.wait_for_signals_taken(process)
                self.assertEqual(child.stop(process, number), DONE, self.log())
                self.assert_capture("kept")
                os.unlink(self.path("kept"))

    def test_interrupt_of_a_background_job(self):
        """A script's `nettoll drops & kill -INT $!`: its shell has SIGINT ignored for what runs in the background."""
        process = self.start("drops", "--samples", "0", under=["sh", "-c", "trap '' INT; exec \"$@\"", "sh"])
        self.wait_for_signals_taken(process)
        self.assertEqual(child.stop(process, signal.SIGINT), DONE, self.log())

    def wait_for_signals_taken(self, process):
        wait_until(lambda: blocked_signals(process.pid) >> (signal.SIGTERM - 1) & 1, 60, "no signals are taken",
                   process, self.path("log"))

    def assert_capture(self, name):
        with open(self.path(name), "rb") as file:
            self.assertEqual(file.read(4), b"\x0a\x0d\x0d\x0a")

    def test_capture_that_cannot_be(self):
        self.assert_refused(FAILED, ["missing", "make the folder"], "drops", *QUICK, "--pcap", "missing/file")


class FunctionsTest(CliTest):
    def test_pattern(self):
        done = self.nettoll("functions", "--function", "tcp_s*", "--json")
        self.assertEqual((done.returncode, done.stderr), (DONE, ""))
        names = [row["function"] for row in json.loads(done.stdout)["functions"]]
        self.assertIn("tcp_sendmsg", names)
        self.assertGreater(sum(name.startswith("tcp_s") for name in names), 10)
        self.assertEqual(len(names), len(set(names)))

    def test_json(self):
        for name in ("core", "wide"):
            listed = json.loads(self.nettoll("functions", "--set", name, "--json").stdout)
            self.assertEqual(listed["set"], name)
            self.assertGreater(listed["hooks_per_packet"], 0)
            for row in listed["functions"]:
                self.assertLessEqual({"function", "state", "method", "own_hook"}, row.keys())

    def test_doctor_json(self):
        self.assertLessEqual({"can_run", "checks"}, self.doctor.keys())
        for check in self.doctor["checks"]:
            self.assertLessEqual({"name", "works", "required", "detail"}, check.keys())


class DiagnoseTest(CliTest):
    def test_json(self):
        done = self.nettoll("diagnose", "-d", "1s", "-e", "none", "--json")
        diagnosis = json.loads(done.stdout)
        self.assertEqual(done.returncode, FINDINGS if diagnosis["findings"] else DONE, done.stderr)
        self.assertGreaterEqual(diagnosis["seconds"], 1)
        outcomes = {check["id"]: check["outcome"] for check in diagnosis["checks"]}
        self.assertEqual(
            {finding["id"] for finding in diagnosis["findings"]},
            {name for name, outcome in outcomes.items() if outcome == "found"},
        )
        self.assertIn("rss_not_in_effect", outcomes)


class ReportTest(CliTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.recording = os.path.join(cls.folder, "good")
        # Traffic, so that the tables have more than a row.
        send = "import socket; s = socket.socket(type=socket.SOCK_DGRAM); " \
               "[s.sendto(b'', ('127.0.0.1', 9)) for _ in range(2000)]"
        subprocess.run([cls.program, "record", "-o", cls.recording, sys.executable, "-c", send], check=True,
                       stderr=subprocess.DEVNULL)
        with open(cls.recording, "rb") as file:
            cls.good = file.read()

    def write(self, name, content):
        with open(self.path(name), "wb") as file:
            file.write(content)

    def test_files_that_are_no_recordings(self):
        line, rest = self.good.split(b"\n", 1)
        magic, version, size = line.split()
        newer = b" ".join((magic, b"%d" % (int(version) + 1), size)) + b"\n" + rest
        cases = (("empty", b"", "empty"), ("text", b"hello\n" * 100, "text"),
                 ("perf.data", b"PERFILE2" + bytes(200), "perf.data"), ("binary", os.urandom(500), "binary"),
                 ("newer", newer, "newer"), ("longer", self.good + b"x", "longer"),
                 *((f"cut{at}", self.good[:at], f"cut{at}")
                   for at in (1, 8, len(line), len(line) + 1, len(self.good) // 2, len(self.good) - 1)))
        for name, content, word in cases:
            with self.subTest(name):
                self.write(name, content)
                self.assert_refused(FAILED, [name, word], "report", name)
        for name, word in (("missing", "nettoll record"), (self.work, "folder"), ("/dev/null", "/dev/null"),
                           ("empty/below", "empty/below")):
            with self.subTest(name):
                self.assert_refused(FAILED, [name, word], "report", "-i", name)

    def test_flipped_bits(self):
        """A bit that is turned is found by the checksum of the content, or is one that the content does not depend on."""
        self.write("flipped", self.good)
        whole = self.nettoll("report", "--json", "flipped")
        self.assertEqual(whole.returncode, DONE, whole.stderr)
        refused = 0
        for at in range(0, len(self.good), max(1, len(self.good) // 24)):
            with self.subTest(at):
                self.write("flipped", self.good[:at] + bytes([self.good[at] ^ 0x10]) + self.good[at + 1:])
                if self.nettoll("report", "--json", "flipped").stdout != whole.stdout:
                    self.assert_refused(FAILED, ["flipped"], "report", "flipped")
                    refused += 1
        self.assertGreater(refused, 20)

    def test_names_the_file_either_way(self):
        shutil.copy(self.recording, self.path("nettoll.data"))
        texts = {self.nettoll("report", *arguments).stdout
                 for arguments in ((self.recording,), ("-i", self.recording), ())}
        self.assertEqual(len(texts), 1)
        self.assertIn("nettoll", texts.pop())

    def test_limit(self):
        rows = {limit: len(self.nettoll("report", "--limit", str(limit), self.recording).stdout.splitlines())
                for limit in (1, 0)}
        self.assertLess(rows[1], rows[0])

    def test_json(self):
        for arguments in ((), ("--set", "core", "-e", "none")):
            self.record("made", *QUICK, *arguments)
            report = self.report("made")
            self.assertLessEqual({"schema", "session", "window", "events", "functions", "paths", "cpus", "drops",
                                  "losses"}, report.keys())
        self.assertEqual(report["events"], [])

    def test_outputs_that_fail(self):
        commands = (["report", self.recording], ["report", "--json", self.recording], ["functions"], ["doctor"],
                    ["doctor", "--json"], ["--help"], ["--version"])
        for command in commands:
            with self.subTest(command), open("/dev/full", "wb") as full:
                done = self.nettoll(*command, stdout=full, stderr=subprocess.PIPE)
                self.assertEqual(done.returncode, FAILED)
                self.assert_one_line(done.stderr, "standard output", "No space left")
        done = self.nettoll("report", self.recording, stdout=None, stderr=subprocess.PIPE,
                            preexec_fn=lambda: os.close(1))
        self.assertEqual(done.returncode, FAILED)
        self.assert_one_line(done.stderr, "standard output")

    def test_pipe_that_nobody_reads(self):
        for ignored in (False, True):
            with self.subTest(sigpipe_ignored=ignored):
                read, write = os.pipe()
                os.close(read)
                done = self.nettoll("report", self.recording, stdout=write, stderr=subprocess.PIPE,
                                    restore_signals=not ignored)
                os.close(write)
                if ignored:
                    self.assertEqual(done.returncode, FAILED)
                    self.assert_one_line(done.stderr, "standard output", "Broken pipe")
                else:  # as head(1) does to any program
                    self.assertEqual((done.returncode, done.stderr), (-signal.SIGPIPE, ""))


class ServeTest(CliTest):
    def start_serve(self, *arguments):
        port = free_port()
        begin = time.monotonic()
        process = self.start("serve", "--web.listen-address", f"127.0.0.1:{port}", *arguments)
        wait_until(lambda: b"nettoll_path_packets_total{" in self.get(port, "/metrics")[2], 60, "no data served",
                   process, self.path("log"))
        print(f"[first data after {time.monotonic() - begin:.1f} s] ", end="", file=sys.stderr, flush=True)
        return process, port

    def get(self, port, path, method="GET", headers=None):
        """Status, headers and body; status 0 while nobody listens."""
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        with contextlib.closing(connection):
            try:
                connection.request(method, path, headers=headers or {})
                answer = connection.getresponse()
                return answer.status, answer.headers, answer.read()
            except ConnectionRefusedError:
                return 0, {}, b""

    def test_pages(self):
        process, port = self.start_serve()
        status, headers, plain = self.get(port, "/metrics")
        self.assertEqual((status, headers["Content-Encoding"]), (200, None))
        status, headers, packed = self.get(port, "/metrics", headers={"Accept-Encoding": "gzip"})
        self.assertEqual((status, headers["Content-Encoding"]), (200, "gzip"))
        self.assertLess(len(packed), len(plain))
        self.assertIn(b"nettoll_build_info{", gzip.decompress(packed))
        self.assertEqual(self.get(port, "/healthz")[::2], (200, b"ok\n"))
        status, _, page = self.get(port, "/")
        self.assertEqual(status, 200)
        self.assertIn(b'href="/metrics"', page)
        self.assertEqual(self.get(port, "/nothing")[0], 404)
        self.assertEqual(self.get(port, "/metrics", "POST")[0], 405)
        self.assertEqual(self.get(port, "/metrics", "HEAD")[::2], (200, b""))
        # Two tracers at once do not disturb each other.
        self.record("beside", *QUICK)
        self.assertEqual(child.stop(process), DONE, self.log())
        self.assertIn("stopped by signal", self.log())
        with socket.create_server(("127.0.0.1", port)):
            pass

    def test_stops_with_a_client_connected(self):
        process, port = self.start_serve("--interval", "1s")
        with socket.create_connection(("127.0.0.1", port)) as idle:
            idle.sendall(b"GET /metrics HTTP/1.1\r\n")  # and never the rest
            self.assertEqual(child.stop(process, signal.SIGINT), DONE, self.log())
            # Closed, not left hanging.
            self.assertTrue(select.select([idle], [], [], 20)[0])

    def test_busy_port(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            self.assert_refused(FAILED, [f"127.0.0.1:{port}", "in use", "--web.listen-address"], "serve",
                                "--web.listen-address", f"127.0.0.1:{port}")

    def test_address_of_another_host(self):
        self.assert_refused(FAILED, ["192.0.2.1:10435"], "serve", "--web.listen-address", "192.0.2.1:10435")


def missing(program):
    """What this host lacks, or None. Else CliTest knows what `doctor` says."""
    if os.geteuid() != 0:
        return "root is missing: tracing needs it"
    done = subprocess.run([program, "doctor", "--json"], capture_output=True, text=True, check=False)
    CliTest.doctor = json.loads(done.stdout)
    fails = [f"{check['name']}: {check['detail']}" for check in CliTest.doctor["checks"]
             if check["required"] and not check["works"]]
    return "; ".join(fails) or None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nettoll", required=True, help="the program to test")
    arguments, rest = parser.parse_known_args()
    if reason := missing(arguments.nettoll):
        print(f"skipped: {reason}")
        return SKIPPED
    CliTest.source = os.path.abspath(arguments.nettoll)
    program = unittest.main(argv=[sys.argv[0], *rest], exit=False, verbosity=2)
    return 0 if program.result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
