# SPDX-License-Identifier: Apache-2.0
"""What a process holds and takes, from /proc."""

import os


def resident_bytes(pid):
    """Memory that is in RAM (VmRSS)."""
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmRSS:"))


def open_files(pid):
    """How many descriptors are open."""
    return len(os.listdir(f"/proc/{pid}/fd"))


def cpu_seconds(pid):
    """CPU time of all its threads, user and system."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        words = file.read().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
