# SPDX-License-Identifier: Apache-2.0
"""The tracers that tests/bench/overhead compares: how each is started, known to be attached, and stopped."""

import glob
import os
import re
import shutil
import signal
import time

import child

# nettoll's core set: one hook a packet on each side, two a softirq, one a NAPI poll, one a drop.
CORE_HOOKS = ("kfree_skb", "napi_poll", "net_dev_queue", "netif_receive_skb", "softirq_entry", "softirq_exit")
START_LIMIT_S = 30

# bpftrace reads tracepoint formats below debugfs, which minimal hosts do not mount. A mount namespace of its own
# leaves the host as it is.
WITH_TRACEFS = ["unshare", "--mount", "sh", "-c",
                "[ -d /sys/kernel/debug/tracing/events ] || mount -t debugfs none /sys/kernel/debug || exit; "
                'exec "$@"', "sh"]


class TracerError(Exception):
    """Why a tracer cannot be measured here."""


def bpf_links(pid):
    """The BPF links a process holds, as a list of (type, tracepoint or None), from /proc/PID/fdinfo."""
    links = []
    for path in glob.glob(f"/proc/{pid}/fdinfo/*"):
        try:
            with open(path, encoding="ascii", errors="replace") as file:
                text = file.read()
        except OSError:
            continue  # closed meanwhile
        kind = re.search(r"^link_type:\s*(\S+)", text, re.M)
        if kind:
            name = re.search(r"^tp_name:\s*(\S+)", text, re.M)
            links.append((kind[1], name[1] if name else None))
    return links


def perf_events(pid):
    """How many perf events a process holds open."""
    count = 0
    for path in glob.glob(f"/proc/{pid}/fd/*"):
        try:
            count += os.readlink(path) == "anon_inode:[perf_event]"
        except OSError:
            continue
    return count


class Tracer:
    """A tracer that runs for the time of a `with` block and is attached when the block begins."""

    def __init__(self, name, command, log_path):
        self.name = name
        self.hooks = None  # what it attached, once known
        self._command = command
        self._log_path = log_path
        self._process = None

    def missing(self):
        """Why it cannot run at all, or None."""
        program = self._command[0]
        return None if shutil.which(program) else f"{program} is missing"

    def complaint(self, packets):
        """After stop(): why what it saw of a run of `packets` shows that it did not trace it, or None."""
        return None

    def attached(self):
        """Whether everything it is going to attach is attached."""
        raise NotImplementedError

    def spawn(self, log):
        return child.start(self._command, log)

    def __enter__(self):
        with open(self._log_path, "wb") as log:
            self._process = self.spawn(log)
        try:
            self._wait_until_attached()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def log(self):
        with open(self._log_path, encoding="utf-8", errors="replace") as file:
            return file.read()

    def _wait_until_attached(self):
        deadline = time.monotonic() + START_LIMIT_S
        while not self.attached():
            if self._process.poll() is not None:
                raise TracerError(f"ended with status {self._process.returncode} before it was attached: "
                                  f"{self.log().strip()[-500:]}")
            if time.monotonic() > deadline:
                raise TracerError(f"was not attached after {START_LIMIT_S} s: {self.log().strip()[-500:]}")
            time.sleep(0.05)

    def stop(self):
        if self._process is None:
            return
        child.stop(self._process, signal.SIGINT)
        self._process = None


class Untraced(Tracer):
    """No tracer: the base line."""

    def __init__(self):
        super().__init__("untraced", [], None)

    def missing(self):
        return None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return


class BpfTracer(Tracer):
    """A tracer whose hooks can be read from its descriptors: attached when it holds BPF links for all of `hooks`
    (where None: for any, and no new one for SETTLED_S) and at least `events` perf events."""

    SETTLED_S = 0.5

    def __init__(self, name, command, log_path, hooks=None, events=0):
        super().__init__(name, command, log_path)
        self._wanted = hooks
        self._events = events
        self._seen_at = None

    def attached(self):
        hooks = sorted(name or kind for kind, name in bpf_links(self._process.pid))
        if hooks != self.hooks:
            self.hooks, self._seen_at = hooks, time.monotonic()
        if perf_events(self._process.pid) < self._events:
            return False
        if self._wanted is not None:
            return set(hooks).issuperset(self._wanted)
        return bool(hooks) and time.monotonic() - self._seen_at > self.SETTLED_S


class Bpftrace(Tracer):
    """bpftrace, which attaches a tracepoint by a perf event and does not say when it has done so: attached when it
    holds at least an event a hook and no new one for SETTLED_S. Its counts, printed at the end, prove it."""

    SETTLED_S = 0.5

    def __init__(self, script, log_path):
        super().__init__("bpftrace", WITH_TRACEFS + ["bpftrace", script], log_path)
        self.hooks = list(CORE_HOOKS)
        self._seen = (0, 0.0)

    def missing(self):
        for program in ("unshare", "bpftrace"):
            if not shutil.which(program):
                return f"{program} is missing"
        return None

    def attached(self):
        events, since = self._seen
        now = perf_events(self._process.pid)
        if now != events:
            self._seen = (now, time.monotonic())
            return False
        return now >= len(self.hooks) and time.monotonic() - since > self.SETTLED_S

    def complaint(self, packets):
        counted = sum(int(count) for count in re.findall(r"^@rx\[\d+\]: (\d+)", self.log(), re.M))
        return None if counted >= packets else f"counted {counted} of {packets} packets: {self.log().strip()[-500:]}"


class PerfRecord(Tracer):
    """perf record, started disabled and enabled over its control descriptors, which acknowledge it."""

    def __init__(self, name, command, log_path):
        super().__init__(name, command, log_path)
        self._control = self._acknowledged = None

    def spawn(self, log):
        read_control, self._control = os.pipe()
        self._acknowledged, write_ack = os.pipe()
        os.set_blocking(self._acknowledged, False)
        command = self._command + ["-D", "-1", "--control", f"fd:{read_control},{write_ack}"]
        process = child.start(command, log, pass_fds=(read_control, write_ack))
        os.close(read_control)
        os.close(write_ack)
        os.write(self._control, b"enable\n")
        return process

    def attached(self):
        try:
            return b"ack" in os.read(self._acknowledged, 64)
        except BlockingIOError:
            return False

    def stop(self):
        super().stop()
        for fd in (self._control, self._acknowledged):
            if fd is not None:
                os.close(fd)
        self._control = self._acknowledged = None


def all_tracers(build, nettoll, folder, frequency):
    """Every variant in the order of a round. `build` is a build folder, `folder` takes the tracers' files."""
    def file(name):
        return os.path.join(folder, name)

    bench = os.path.join(build, "tests", "bench")
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "same_keys.bt")
    record = [nettoll, "record", "--set", "core", "-d", "3600"]
    sampling = ["-F", str(frequency), "-e", "cpu-clock"]
    return [
        Untraced(),
        BpfTracer("empty", [os.path.join(bench, "empty_attach"), os.path.join(bench, "empty.bpf.o")],
                  file("empty.log"), hooks=CORE_HOOKS),
        BpfTracer("nettoll-count", record + ["-e", "none", "-o", file("count.nettoll")], file("count.log")),
        BpfTracer("nettoll-sample", record + sampling + ["-o", file("sample.nettoll")], file("sample.log"),
                  events=os.cpu_count() or 1),
        Bpftrace(script, file("bpftrace.log")),
        PerfRecord("perf", ["perf", "record", "-q", "-a", "-g"] + sampling + ["-o", file("perf.data")],
                   file("perf.log")),
    ]
