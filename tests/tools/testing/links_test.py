"""Tests tools/testing/links.py."""

import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../../tools/testing"))
import links  # noqa: E402 (the path has to be set first)


class LinksTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def find_broken(self, text):
        return links.find_broken(self.write("page.md", text))

    def test_a_link_to_a_file_or_its_heading_is_right(self):
        self.write("other.md", "# Use: `ask` & answer\n\n## With a_b-c\n")
        for link in ["other.md", "other.md#use-ask--answer", "other.md#with-a_b-c", "#here", "https://a/b#c", "."]:
            self.assertEqual(self.find_broken(f"# Here\n\nsee [x]({link}).\n"), [], link)

    def test_a_link_that_leads_nowhere_is_found(self):
        self.write("other.md", "```\n# code\n```\n    # code\n#none\n")
        for link in ["missing.md", "missing.md#x", "other.md#code", "other.md#none", "#there"]:
            self.assertEqual(self.find_broken(f"# Here\n\n| a | [x]({link}) |\n"), [link], link)

    def test_code_has_no_links(self):
        self.assertEqual(self.find_broken("`a[i](b.md)`\n\n    a[i](b.md)\n\n```\na[i](b.md)\n```\n"), [])

    def test_the_exit_status_says_whether_a_link_is_broken(self):
        good, bad = self.write("good.md", "[x](good.md)\n"), self.write("bad.md", "[x](none.md)\n")
        self.assertEqual(links.main([good]), 0)
        self.assertEqual(links.main([good, bad]), 1)


if __name__ == "__main__":
    unittest.main()
