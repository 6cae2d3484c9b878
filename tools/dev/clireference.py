#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""clireference.py GPULEDGER-CLI: prints docs/commands.md, generated from the help of every command."""
import re
import subprocess
import sys

HEAD = """# Commands

Made from the help of `gpuledger-cli` by `./dev reference`; a test compares the two. `gpuledger-cli COMMAND --help` says the same.

"""
ENTRY = re.compile(r"^  (\S+)  +", re.MULTILINE)


def help_of(program, words):
    """Returns the help of a command without trailing spaces."""
    done = subprocess.run([program, *words, "--help"], capture_output=True, text=True, check=True, env={"LC_ALL": "C.UTF-8"})
    return "\n".join(line.rstrip() for line in done.stdout.strip().splitlines()) + "\n"


def commands(program, words=()):
    """Yields (words, help) for the program and each of its commands, in the order of the help."""
    text = help_of(program, words)
    yield words, text
    _, _, below = text.partition("\nSubcommands:\n")
    for name in ENTRY.findall(below.partition("\n\n")[0]):
        yield from commands(program, (*words, name))


def examples(text):
    """Returns the command lines under "Example" in a help text."""
    _, _, below = text.partition("\nExample:\n")
    return [line.strip() for line in below.splitlines() if line.strip()]


def section(words, text):
    title = " ".join(("gpuledger-cli", *words))
    purpose, _, rest = text.partition("\n")
    rest = re.sub(r"^Usage: \S+", "Usage: " + title, rest.strip(), count=1)
    level = "#" * (2 + max(0, len(words) - 1))
    return f"{level} {title}\n\n{purpose}.\n\n```text\n{rest}\n```\n"


def reference(program):
    return HEAD + "\n".join(section(words, text) for words, text in commands(program))


if __name__ == "__main__":
    sys.stdout.write(reference(sys.argv[1]))
