# SPDX-License-Identifier: Apache-2.0
"""Which functions this kernel has: compilers inline and rename, and versions differ."""


def present(names):
    """Those of `names` that /proc/kallsyms lists, in their order."""
    with open("/proc/kallsyms", encoding="utf-8") as file:
        known = {line.split()[2] for line in file}
    return [name for name in names if name in known]
