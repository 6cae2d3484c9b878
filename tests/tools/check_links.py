#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""check_links.py [ROOT]: every relative link of every *.md leads to an existing file, and every anchor to one of its headings.

The handbook (docs) is read inside the program and wherever it is installed: its chapters link only to each other and to https, and its
pictures are not part of it. Anchors are formed as Markdown is shown on the web: lower case, without punctuation, with hyphens for spaces.
"""
import pathlib
import re
import sys

import sources

LINK = re.compile(r"(!?)\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^()\s]+)\)")
HEADING = re.compile(r"^#{1,6} +(.+?) *$", re.MULTILINE)
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]*`")
OUTSIDE = re.compile(r"^[a-z][a-z0-9+.-]*:")
HANDBOOK = "docs"


def without_code(text):
    """The text with code blanked out, line for line."""
    blank = lambda match: re.sub(r"[^\n]", " ", match.group(0))  # noqa: E731
    return CODE.sub(blank, FENCE.sub(blank, text))


def anchor_of(heading):
    words = LINK.sub(lambda m: m.group(0)[1:m.group(0).index("]")], heading).replace("`", "")
    return re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")


def anchors_of(text):
    return {anchor_of(heading) for heading in HEADING.findall(FENCE.sub("", text))}


def fault_of(root, path, target, picture):
    """What is wrong with a link; None if it leads somewhere."""
    in_handbook = path.parts[0] == HANDBOOK
    if OUTSIDE.match(target):
        return f"{target} is not https" if in_handbook and not target.startswith("https:") else None
    file, _, anchor = target.partition("#")
    to = (root / path.parent / file).resolve() if file else root / path
    if not to.is_relative_to(root) or not to.exists():
        return f"{target} is not there"
    if in_handbook and (picture or to.suffix != ".md" or not to.is_relative_to(root / HANDBOOK)):
        return f"{target} is no chapter of the handbook; it can't be read there"
    if anchor and anchor not in anchors_of(to.read_text("utf-8")):
        return f"{target}: no heading of {to.name} has this anchor"
    return None


def check(root):
    root = pathlib.Path(root).resolve()
    findings = []
    for path in sources.files(root):
        text = sources.read(root, path) if path.suffix == ".md" else None
        if text is None:
            continue
        shown = without_code(text)
        for match in LINK.finditer(shown):
            if fault := fault_of(root, path, match.group(2), match.group(1)):
                findings.append((path.as_posix(), sources.line_of(shown, match.start()), fault))
    return findings


if __name__ == "__main__":
    sys.exit(sources.main("links", check))
