"""Finds links of Markdown files that lead nowhere:  python3 tools/testing/links.py FILE...

A link is [text](path#heading). The path is relative to the file; the heading is named as GitHub names it. Prints a
line for each link whose file or heading does not exist. The exit status is 1 if there is one.
"""

import os
import re
import sys

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def read_prose(path):
    """Returns the lines of the file that are no code."""
    lines, is_code = [], False
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("```"):
                is_code = not is_code
            elif not is_code and not line.startswith("    "):
                lines.append(line)
    return lines


def name_heading(text):
    """Returns the name of a heading in an address."""
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")


def find_headings(path):
    return {name_heading(line.lstrip("#")) for line in read_prose(path) if re.match("#+ ", line)}


def find_broken(path):
    """Returns the links of the file that lead nowhere."""
    broken = []
    for line in read_prose(path):
        for link in LINK.findall(re.sub("`[^`]*`", "", line)):
            if re.match("[a-z]+:", link):
                continue
            name, _, heading = link.partition("#")
            target = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
            exists = os.path.exists(target)
            if not exists or (heading and heading not in find_headings(target)):
                broken.append(link)
    return broken


def main(paths):
    links = [(path, link) for path in paths for link in find_broken(path)]
    for path, link in links:
        print(f"{path}: the link {link} leads nowhere")
    return 1 if links else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
