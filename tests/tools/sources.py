# SPDX-License-Identifier: GPL-3.0-or-later
"""What the checks share: the project's files, C++ text without comments, and the output of findings."""
import pathlib
import re
import subprocess
import sys

SKIPPED_FOLDERS = {"build", ".git", ".cache", "__pycache__"}
_TOKEN = re.compile(
    r'(?P<raw>R"(?P<tag>[^()\s\\]{0,16})\(.*?\)(?P=tag)")'
    r'|(?P<text>"(?:\\.|[^"\\\n])*")'
    r"|(?P<char>'(?:\\.|[^'\\\n])+')"
    r"|(?P<line>//[^\n]*)"
    r"|(?P<block>/\*.*?\*/)", re.DOTALL)


def files(root):
    """Relative paths (pathlib, sorted) of the files that git tracks or would track; every file if git is not available."""
    root = pathlib.Path(root)
    if (root / ".git").exists():
        out = subprocess.run(["git", "-C", str(root), "ls-files", "-co", "--exclude-standard", "-z"],
                             capture_output=True, check=True).stdout.decode()
        found = [pathlib.PurePosixPath(p) for p in out.split("\0") if p]
    else:
        found = [pathlib.PurePosixPath(p.relative_to(root).as_posix()) for p in root.rglob("*")]
    return sorted(p for p in found if not SKIPPED_FOLDERS & set(p.parts) and (root / p).is_file())


def read(root, path):
    """The file's text, or None if it is not UTF-8."""
    try:
        return (pathlib.Path(root) / path).read_text("utf-8")
    except UnicodeDecodeError:
        return None


def without_comments(text):
    """C++ text with comments blanked out; lines and strings keep their positions."""
    def keep(match):
        if match["line"] is None and match["block"] is None:
            return match[0]
        return re.sub(r"[^\n]", " ", match[0])
    return _TOKEN.sub(keep, text)


def without_strings(text):
    """C++ text with comments and the contents of literals blanked out."""
    def keep(match):
        if match["line"] is not None or match["block"] is not None:
            return re.sub(r"[^\n]", " ", match[0])
        return match[0][0] + re.sub(r"[^\n]", " ", match[0][1:-1]) + match[0][-1]
    return _TOKEN.sub(keep, text)


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def report(name, findings):
    """Prints one line per finding and returns the exit status."""
    for path, line, text in sorted(set((str(p), n, t) for p, n, t in findings)):
        print(f"{path}:{line}: {text} [{name}]")
    return 1 if findings else 0


def main(name, check):
    root = sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2]
    return report(name, check(root))
