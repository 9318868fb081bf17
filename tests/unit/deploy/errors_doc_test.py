#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""deploy/docs/errors.md has every error that the source makes, and no other. What stands for a name or number ({} in the source, ... on the
page) is left out of the comparison."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGE = ROOT / "deploy" / "docs" / "errors.md"
CALL = re.compile(r"\b(?:failure|usage_error|system_error)\(\s*(?:fmt::format\(\s*)?((?:\"(?:[^\"\\]|\\.)*\"\s*)+)")
LITERAL = re.compile(r"\"((?:[^\"\\]|\\.)*)\"")
# Of these an error ends nothing: it is the reason for a check that is unknown. The page says so.
REASONS = "user/host/"
# Errors to which something else adds what they are about.
PARTS = {"write"}


def plain(text, hole):
    """The parts of a message between names and numbers, in their order."""
    return tuple(part for part in (part.strip() for part in re.split(hole, text)) if re.search(r"\w", part))


def made(source):
    """Messages of the errors that a source file makes."""
    for call in CALL.finditer(source):
        text = "".join(LITERAL.findall(call[1])).replace('\\"', '"')
        if text not in PARTS:
            yield plain(text, r"\{[^}]*\}")


def sources():
    return {file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8")
            for top in ("user", "exporters") for file in sorted((ROOT / top).rglob("*.cc"))}


def on_page(text):
    rows = [line.split(" | ")[0] for line in text.splitlines() if line.startswith("| `")]
    return {plain(error, r"\.\.\.") for row in rows for error in re.findall(r"`([^`]+)`", row)}


class ErrorsDoc(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.sources = sources()
        cls.there = {message for message in on_page(PAGE.read_text(encoding="utf-8")) if message}

    def test_reads_source_and_page(self):
        source = 'return usage_error(fmt::format("no {} of "\n "{:#x} a \\"b\\"", a), "do"); x = system_error("cannot", 1); return failure(reason);'
        self.assertEqual(list(made(source)), [("no", "of", 'a "b"'), ("cannot",)])
        self.assertEqual(on_page("| `no ... of x`, `cannot` | a `word` | do |\n|---|\ntext `other`"), {("no", "of x"), ("cannot",)})

    def test_every_error_is_there(self):
        missing = {message: name for name, text in self.sources.items() if not name.startswith(REASONS)
                   for message in made(text) if message and message not in self.there}
        self.assertEqual(missing, {})

    def test_no_error_is_made_up(self):
        literals = ["".join(LITERAL.findall(text)).replace('\\"', '"') for text in self.sources.values()]
        self.assertGreater(len(self.there), 100)
        self.assertEqual([message for message in sorted(self.there)
                          if not any(all(part in text for part in message) for text in literals)], [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
