#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""check_translations.py [ROOT] [--update]: every text of the window is translated in every translations/*.ts.

Finds: texts that lupdate finds in ui or widgets but a file lacks, or the other way round; unfinished and empty translations; missing plural
forms; placeholders, line breaks and closing punctuation that differ from the source; and lupdate's own warnings (a tr() in a class that it
can't name is never translated). English only needs plural forms. In app and connectors: hints of errors that ui/format/remedies.cpp lacks,
so that they can't be translated. --update runs lupdate on the files; new texts are unfinished afterwards.
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
REMEDIES = "ui/format/remedies.cpp"
MAKES_ERROR = re.compile(r"\b(?:fail|Error::make)\s*\(")
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
    done = subprocess.run([program, "-I", ".", *folders, "-no-obsolete", "-locations", "none", "-source-language",
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


def check_remedies(root):
    """Constant hints of errors in the engine that ui/format/remedies.cpp does not list."""
    table = root / REMEDIES
    known = set(LITERALS.findall(joined(table.read_text("utf-8")))) if table.is_file() else set()
    findings = []
    for path in sources.files(root):
        if path.suffix != ".cpp" or path.parts[0] not in ("app", "connectors"):
            continue
        text = sources.without_comments(sources.read(root, path) or "")
        for call in MAKES_ERROR.finditer(text):
            given = arguments(text[call.end():check_strings.closing(text, call.end()) - 1])
            if len(given) < 3 or not WHOLE.fullmatch(joined(given[2])):
                continue
            for hint in LITERALS.findall(joined(given[2])):
                if hint and hint not in known:
                    findings.append((path.as_posix(), sources.line_of(text, call.start()),
                                     f'the hint "{hint[:60]}" is not in {REMEDIES}'))
    return findings


def joined(text):
    """C++ text with adjacent literals joined."""
    return re.sub(r'"\s*"', "", text)


def check(root):
    root = pathlib.Path(root).resolve()
    program = lupdate()
    files = sorted((root / FOLDER).glob("*.ts"))
    remedies = check_remedies(root) if files else []
    if not program:
        return remedies + [(FOLDER, 1, "lupdate is not installed (qt6-l10n-tools); nothing was compared")] if files else []
    return remedies + [finding for file in files for finding in check_file(root, file, program)]


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
