#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts what a tool printed into a document, between the lines "<!-- made by TOOL -->" and "<!-- end of TOOL -->".

usage: TOOL | doc_section.py DOCUMENT TOOL
"""

import pathlib
import sys


def split(text, tool):
    """What is before the section, the section, and what is after it. ValueError without the lines."""
    begin, end = f"<!-- made by {tool} -->\n", f"<!-- end of {tool} -->\n"
    if text.count(begin) != 1 or text.count(end) != 1 or text.index(begin) > text.index(end):
        raise ValueError(f"no section '{begin.strip()}' to '{end.strip()}'")
    before, section = text.split(begin)
    section, after = section.split(end)
    return before + begin, section, end + after


def read(document, tool):
    return split(pathlib.Path(document).read_text(), tool)[1]


def write(document, tool, section):
    """Replaces the section, or leaves the document as it is where it has none."""
    before, _, after = split(pathlib.Path(document).read_text(), tool)
    pathlib.Path(document).write_text(before + section + after)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    made = sys.stdin.read()
    try:
        if not made.strip():
            raise ValueError(f"{sys.argv[2]} printed nothing")
        write(sys.argv[1], sys.argv[2], made)
    except (OSError, ValueError) as error:
        sys.exit(f"{sys.argv[1]}: {error}")
