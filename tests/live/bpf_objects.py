# SPDX-License-Identifier: Apache-2.0
"""BPF programs, links and maps: what there is in the kernel, and what a process holds."""

import json
import os
import re
import subprocess


def ids_held(pid, kind):
    """Ids of the objects of a kind (`prog`, `link`, `map`) that a process holds open, from its fdinfo (proc(5))."""
    folder, ids = f"/proc/{pid}/fdinfo", set()
    for name in os.listdir(folder):
        try:
            with open(os.path.join(folder, name), encoding="ascii") as file:
                ids |= {int(found) for found in re.findall(rf"(?m)^{kind}_id:\s*(\d+)", file.read())}
        except FileNotFoundError:
            continue  # closed meanwhile, as connections are and the files of /proc that it reads
    return ids


def all_ids(kind):
    """Ids of all objects of a kind that the kernel has."""
    done = subprocess.run(["bpftool", "-j", kind, "list"], capture_output=True, text=True, check=True)
    return {row["id"] for row in json.loads(done.stdout)}
