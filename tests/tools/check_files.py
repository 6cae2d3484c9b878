#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""check_files.py [ROOT]: every source has its licence line, headers have their include guard, no source of the product is longer than 450
lines and no .cpp of a test longer than 600, a suite is in a namespace named after its file, file names are in lower case, no conflict marker is left, no folder has
more than 30 sources, and every folder of the first two levels has a README.md of at most 40 lines."""
import collections
import pathlib
import re
import sys

import sources

LICENCE = "SPDX-License-Identifier: GPL-3.0-or-later"
LICENSED = {".cpp", ".h", ".def", ".c", ".py", ".sh", ".cmake"}
LICENSED_NAMES = {"CMakeLists.txt", "dev", ".ci/run"}
PRODUCT = ("app", "connectors", "ui", "widgets")
MAX_PRODUCT = 450  # lines; no exceptions: a longer file has a second subject, which gets a file of its own
MAX_CPP = 600  # elsewhere
MAX_README = 40
MAX_FOLDER = 30  # sources (.h, .cpp, .def) in one folder of the product, and of what tests share; a longer list has rooms
LISTED = (*PRODUCT, "tests/support", "tests/bench")
TOP = {"app", "connectors", "ui", "widgets", "resources", "tests", "cmake", "tools", "translations", "docs"}
# "=======" alone does not indicate a conflict: it also underlines titles.
CONFLICT = re.compile(r"^(?:<{7} |>{7} |\|{7} )", re.MULTILINE)
# Folders of data and pictures, described by the README of their parent.
DATA_ONLY = re.compile(r"^(docs|translations)/")


def check_file(name, path, text):
    lines = text.splitlines()
    if path.suffix in LICENSED or path.name in LICENSED_NAMES or name in LICENSED_NAMES:
        if not any(LICENCE in line for line in lines[:4]):
            yield name, 1, f"no line '{LICENCE}'"
    if path.suffix == ".h" and "#pragma once" not in text:
        yield name, 1, "no #pragma once"
    in_product = path.parts[0] in PRODUCT
    most = MAX_PRODUCT if in_product else MAX_CPP
    if path.suffix in ((".cpp", ".h") if in_product else (".cpp",)) and len(lines) > most:
        yield name, most + 1, f"{len(lines)} lines; split it (at most {most})"
    if mark := CONFLICT.search(text):
        yield name, text.count("\n", 0, mark.start()) + 1, "a mark of a merge conflict"
    if path.suffix == ".cpp" and path.name.startswith("tst_") and f"\nnamespace {path.stem} {{\n" not in text:
        yield name, 1, f"its suite is not in the namespace {path.stem}; suites are compiled together"
    if path.suffix in (".cpp", ".h") and name != name.lower():
        yield name, 1, "file names are in lower case"
    if path.suffix in (".cpp", ".h", ".md", ".py", ".sh", ".cmake") and text and not text.endswith("\n"):
        yield name, len(lines), "no newline at the end"


def check(root):
    findings, folders, listed = [], set(), collections.Counter()
    for path in sources.files(root):
        name = path.as_posix()
        text = sources.read(root, path)
        if text is not None:
            findings += check_file(name, path, text)
        if path.suffix in (".h", ".cpp", ".def") and name.startswith(tuple(top + "/" for top in LISTED)):
            listed[path.parent.as_posix()] += 1
        if path.parts[0] in TOP:
            folders.update("/".join(path.parts[:n]) for n in (1, 2) if n < len(path.parts))
    for folder in sorted(folders):
        readme = pathlib.Path(root, folder, "README.md")
        if not readme.is_file():
            if not DATA_ONLY.search(folder):
                findings.append((f"{folder}/README.md", 1, "is missing: what lives here, what it may include, how to add one more"))
        elif len(readme.read_text("utf-8").splitlines()) > MAX_README:
            findings.append((f"{folder}/README.md", MAX_README + 1, f"is longer than {MAX_README} lines"))
    findings += [(folder, 1, f"{count} sources in one folder; give them rooms (at most {MAX_FOLDER})")
                 for folder, count in sorted(listed.items()) if count > MAX_FOLDER]
    return findings


if __name__ == "__main__":
    sys.exit(sources.main("files", check))
