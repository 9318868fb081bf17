#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The pages in deploy/docs and the manual: links lead somewhere, no page is left out, and nettoll.toml(5) has the options of the example."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
DOCS = ROOT / "deploy" / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.glob("*.md"))]
MANUAL = ROOT / "deploy" / "man"


def links(text):
    """Targets of links, code left out."""
    text = re.sub(r"(?ms)^\s*```.*?^\s*```", "", text)
    return re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`(?!\])", "", text))


def anchors(text):
    """Those that a renderer gives to headings."""
    headings = re.findall(r"(?m)^#+ (.*)$", re.sub(r"(?ms)^```.*?^```", "", text))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


class Docs(unittest.TestCase):
    def test_reads_links_and_anchors(self):
        self.assertEqual(links("[a](b.md) `[c](d)` [`e`](f.md#g-h)\n```\n[i](j)\n```\n"), ["b.md", "f.md#g-h"])
        self.assertEqual(anchors("# What's it?\n## `a` b, c\n```\n# no\n```\n"), {"whats-it", "a-b-c"})

    def test_links_lead_somewhere(self):
        checked = 0
        for page in PAGES:
            for link in links(page.read_text(encoding="utf-8")):
                if "://" in link:
                    continue
                name, _, anchor = link.partition("#")
                target = (page.parent / name).resolve() if name else page
                with self.subTest(page=page.name, link=link):
                    self.assertTrue(target.exists())
                    if anchor:
                        self.assertIn(anchor, anchors(target.read_text(encoding="utf-8")))
                checked += 1
        self.assertGreater(checked, 50)

    def test_every_page_is_reached_from_the_readme(self):
        reached, left = set(), [ROOT / "README.md"]
        while left:
            page = left.pop()
            if page in reached or page.suffix != ".md":
                continue
            reached.add(page)
            left += [(page.parent / link.partition("#")[0]).resolve() for link in links(page.read_text(encoding="utf-8"))
                     if "://" not in link and not link.startswith("#")]
        self.assertEqual(set(DOCS.glob("*.md")) - reached, set())

    def test_manual_names_every_page(self):
        text = (MANUAL / "nettoll.8").read_text(encoding="utf-8").partition(".Sh SEE ALSO")[2]
        self.assertEqual(set(re.findall(r"[\w-]+\.md", text)), {page.name for page in DOCS.glob("*.md")})

    def test_manual_of_the_configuration_has_its_options(self):
        example = (ROOT / "deploy" / "nettoll.toml").read_text(encoding="utf-8")
        wanted = re.findall(r"(?m)^#([a-z.-]+) = ", example)
        self.assertGreater(len(wanted), 10)
        self.assertEqual(re.findall(r"(?m)^\.It Cm ([a-z.-]+)", (MANUAL / "nettoll.toml.5").read_text(encoding="utf-8")), wanted)


if __name__ == "__main__":
    unittest.main(verbosity=2)
