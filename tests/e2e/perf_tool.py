# SPDX-License-Identifier: Apache-2.0
"""What tests need that compare with perf, or read what it makes."""

import os
import shutil
import subprocess


def missing():
    """What this host lacks for perf to record all CPUs with names of kernel functions, or None."""
    if os.geteuid() != 0:
        return "root is missing: perf record -a needs it"
    if not shutil.which("perf"):
        return "perf is missing: Debian's linux-perf"
    tried = subprocess.run(["perf", "record", "-q", "-a", "-e", "cpu-clock", "-o", "/dev/null", "--", "true"],
                           capture_output=True, text=True, check=False)
    if tried.returncode:
        return f"perf record does not work here: {tried.stderr.strip()}"
    with open("/proc/kallsyms", encoding="ascii", errors="replace") as kallsyms:
        if set(next(kallsyms).split()[0]) == {"0"}:
            return "/proc/kallsyms hides its addresses"
    return None
