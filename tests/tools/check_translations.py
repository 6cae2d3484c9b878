#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""check_translations.py [ROOT] [--update]: every text of the window is translated in every translations/*.ts.

Finds: a text that lupdate finds in ui or widgets and that a file lacks, or the other way round; unfinished and empty
translations; missing plural forms; placeholders, line ends and closing marks that differ from the source; and what lupdate
itself warns of (a tr() whose class it can't name never finds its translation). English needs its plurals only.
The texts of the lists (LISTS: remedies of errors, remarks about savings) are texts of the window too; an entry that is not used or is
there twice is a finding. Hints of errors that are the same each time and not in the list of remedies have no translation (a command
line, in ui/cli and ui/window, speaks English).
--update brings the files up to date by lupdate; what is new in them is then unfinished.
"""
import collections
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

import check_strings
import sources

SOURCE_LANGUAGE = "en"
FOLDER = "translations"
PLACEHOLDER = re.compile(r"%(?:L?[1-9]|n|Ln)")
REMEDIES = "app/base/remedies.def"
# A file of macros with a name and a text, the context of their translations, and the enumeration of the names.
List = collections.namedtuple("List", "file macro context enum")
LISTS = (List(REMEDIES, "GPULEDGER_REMEDY", "gpuledger::ui::Remedy", "Remedy"),
         List("app/savings/proposals/remarks.def", "GPULEDGER_REMARK", "gpuledger::ui::Remark", "RemarkText"))
MAKES_ERROR = re.compile(r"\b(?:fail|Error::make)\s*\(")
SETS_HINT = re.compile(r'\bhint = "((?:\\.|[^"\\\n])+)"')
TAKES_HINT = re.compile(r"\b(\w+)(?:\s*=\s*\[[^\]]*\]\s*)?\(([^();]*\bHint\s+\w+[^();]*)\)")
LITERALS = re.compile(r'"((?:\\.|[^"\\\n])+)"')
WHOLE = re.compile(r'[^"+]*(?:"(?:\\.|[^"\\\n])*"[\s:]*[^"+]*)+')
MARKS = ("…", "...", ":", ".", "?", "!")
Text = collections.namedtuple("Text", "context source comment")


def lupdate():
    """The program's path, or None."""
    for name in ("lupdate6", "/usr/lib/qt6/bin/lupdate", "lupdate-qt6", "lupdate"):
        if path := shutil.which(name):
            return path
    return None


def run_lupdate(program, root, file, language):
    """Updates the file; returns the warnings of lupdate."""
    only = ["-pluralonly"] if language == SOURCE_LANGUAGE else []
    folders = [folder for folder in ("ui", "widgets") if (pathlib.Path(root) / folder).is_dir()]
    with tempfile.TemporaryDirectory(prefix="gpuledger-lists") as folder:
        lists = pathlib.Path(folder) / "lists.cpp" # lupdate doesn't expand macros
        lists.write_text("".join(f'QT_TRANSLATE_NOOP("{one.context}", {text});\n' for one in LISTS for _, text in listed(root, one)), "utf-8")
        done = subprocess.run([program, "-I", ".", *folders, str(lists), "-no-obsolete", "-locations", "none", "-source-language",
                           SOURCE_LANGUAGE, "-target-language", language, *only, "-ts", str(file)],
                          cwd=root, capture_output=True, text=True, check=False)
    out = done.stdout + done.stderr
    said = ("Scanning directory", "Updating ", "    Found ", "    Kept ", "    Removed ", "Stripping ", "    Same-text ")
    return [line for line in out.splitlines() if line.strip() and not line.startswith(said)]


def messages(file):
    """Text -> its element."""
    found = {}
    for context in ET.parse(file).getroot().iter("context"):
        for message in context.iter("message"):
            text = Text(context.findtext("name") or "", message.findtext("source") or "", message.findtext("comment") or "")
            found[text] = message
    return found


def mark_of(text):
    return next((mark for mark in MARKS if text.rstrip().endswith(mark)), "")


def faults(text, message, forms):
    """The faults of one message, as sentences."""
    translation = message.find("translation")
    if translation is None or translation.get("type") in ("unfinished", "vanished", "obsolete"):
        yield f"is {translation.get('type') if translation is not None else 'not translated'}"
        return
    plural = message.get("numerus") == "yes"
    words = [form.text or "" for form in translation.iter("numerusform")] if plural else [translation.text or ""]
    if plural and len(words) != forms:
        yield f"has {len(words)} plural forms instead of {forms}"
    for word in words:
        if not word.strip():
            yield "has an empty translation"
            continue
        if sorted(PLACEHOLDER.findall(word)) != sorted(PLACEHOLDER.findall(text.source)):
            yield "has other placeholders than its source"
        if mark_of(word) != mark_of(text.source) and len(text.source) > 3 and "." not in (mark_of(word), mark_of(text.source)):
            yield f"ends with '{mark_of(word)}' and its source with '{mark_of(text.source)}'"
        if text.source.count("\n") != word.count("\n") or text.source[:1].isspace() != word[:1].isspace():
            yield "has other spaces or lines than its source"


def check_file(root, file, program):
    name = file.relative_to(root).as_posix()
    language = ET.parse(file).getroot().get("language", "")
    known = messages(file)
    forms = {"ja": 1, "ko": 1, "zh": 1, "pl": 3, "ru": 3, "uk": 3, "cs": 3}.get(language.split("_")[0], 2)
    findings = []
    with tempfile.TemporaryDirectory(prefix="gpuledger-ts") as folder:
        fresh = pathlib.Path(folder) / file.name
        findings += [(name, 1, f"lupdate: {line}") for line in run_lupdate(program, root, fresh, language)]
        wanted = messages(fresh) if fresh.exists() else {}
    for text in sorted(set(wanted) - set(known)):
        findings.append((name, 1, f'lacks "{text.source[:60]}" of {text.context}; run ./dev translate'))
    for text in sorted(set(known) - set(wanted)):
        findings.append((name, 1, f'has "{text.source[:60]}" of {text.context}, which the code does not have; run ./dev translate'))
    lines = file.read_text("utf-8").splitlines()
    for text in sorted(set(known) & set(wanted)):
        for sentence in faults(text, known[text], forms):
            shown = text.source.splitlines()[0][:60]
            line = next((n for n, at in enumerate(lines, 1) if f"<source>{shown[:20]}" in at), 1)
            findings.append((name, line, f'"{shown}" of {text.context} {sentence}'))
    return findings


def arguments(text):
    """The arguments of a call, from the text between its parentheses."""
    depth, start, out, i = 0, 0, [], 0
    while i < len(text):
        if text[i] == '"' and (match := check_strings.LITERAL.match(text, i)):
            i = match.end()
            continue
        depth += (text[i] in "([{") - (text[i] in ")]}")
        if text[i] == "," and depth == 0:
            out.append(text[start:i])
            start = i + 1
        i += 1
    return out + [text[start:]]


def listed(root, one):
    """(name, literal) of every entry of a list."""
    table = pathlib.Path(root) / one.file
    entry = re.compile(rf'^{one.macro}\((\w+), ("(?:\\.|[^"\\\n])+")\)$', re.MULTILINE)
    return entry.findall(table.read_text("utf-8")) if table.is_file() else []


def fixed_hints(text):
    """(offset, hint) of every hint in C++ text that is a literal, given to fail, make or a function of this file with a Hint."""
    takes = {match[1]: arguments(match[2]) for match in TAKES_HINT.finditer(text) if match[1] != "fail"}
    places = {name: next(i for i, one in enumerate(given) if re.search(r"\bHint\s+\w+", one)) for name, given in takes.items()}
    calls = [(call, 2) for call in MAKES_ERROR.finditer(text)]
    for name, place in places.items():
        calls += [(call, place) for call in re.finditer(rf"(?<![:\w]){name}\s*\(", text)]
    for call, place in calls:
        given = arguments(text[call.end():check_strings.closing(text, call.end()) - 1])
        if len(given) > place and WHOLE.fullmatch(joined(given[place])):
            for hint in LITERALS.findall(joined(given[place])):
                yield call.start(), hint
    for match in SETS_HINT.finditer(text):
        yield match.start(), joined(match[1])


def check_lists(root):
    """Hints that belong in app/base/remedies.def, and entries of the lists that are not used or are there twice."""
    findings, used = [], set()
    for path in sources.files(root):
        if path.suffix not in (".cpp", ".h") or path.parts[0] not in ("app", "connectors", "ui"):
            continue
        text = sources.without_comments(sources.read(root, path) or "")
        used.update(match for one in LISTS for match in re.findall(rf"\b{one.enum}::\w+", text))
        if path.parts[:2] not in (("ui", "cli"), ("ui", "window")): # the command lines speak English
            findings += [(path.as_posix(), sources.line_of(text, offset), f'the hint "{hint[:60]}" belongs in {REMEDIES}')
                         for offset, hint in fixed_hints(text)]
    for one in LISTS:
        entries = listed(root, one)
        texts = collections.Counter(text for _, text in entries)
        for line, (name, text) in enumerate(entries, 1):
            if f"{one.enum}::{name}" not in used:
                findings.append((one.file, line, f"{one.enum}::{name} is not used"))
            if texts[text] > 1:
                findings.append((one.file, line, f"{text} is there twice"))
    return findings


def joined(text):
    """C++ text with adjacent literals made one."""
    return re.sub(r'(?<!\\)"\s*"', "", text)


def check(root):
    root = pathlib.Path(root).resolve()
    program = lupdate()
    files = sorted((root / FOLDER).glob("*.ts"))
    lists = check_lists(root) if files else []
    if not program:
        return lists + [(FOLDER, 1, "lupdate is not installed (qt6-l10n-tools); nothing was compared")] if files else []
    return lists + [finding for file in files for finding in check_file(root, file, program)]


def update(root):
    root = pathlib.Path(root).resolve()
    program = lupdate()
    if not program:
        print("lupdate is not installed (qt6-l10n-tools)", file=sys.stderr)
        return 1
    for file in sorted((root / FOLDER).glob("*.ts")):
        run_lupdate(program, root, file, ET.parse(file).getroot().get("language", ""))
    return 0


if __name__ == "__main__":
    if "--update" in sys.argv:
        sys.argv.remove("--update")
        sys.exit(update(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2]))
    sys.exit(sources.main("translations", check))
