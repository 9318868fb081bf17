# SPDX-License-Identifier: Apache-2.0
"""The rights of nettoll.service, for tests that run without systemd."""

import os
import re

_TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NOBODY = 65534


def service_capabilities():
    """Names as setpriv has them, such as bpf: what the unit gives, and what deploy/docs/privileges.md says is needed."""
    with open(os.path.join(_TOP, "deploy", "systemd", "nettoll.service"), encoding="utf-8") as unit:
        listed = re.search(r"(?m)^AmbientCapabilities=(.*)$", unit.read())[1]
    return tuple(name.removeprefix("CAP_").lower() for name in listed.split())


def as_nobody(capabilities=service_capabilities(), user=NOBODY):
    """What runs a program as a user of no name with these capabilities, and no way to others."""
    listed = ",".join(["-all", *("+" + name for name in capabilities)])
    return ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", f"--inh-caps={listed}",
            f"--ambient-caps={listed}", f"--bounding-set={listed}", "--no-new-privs"]
