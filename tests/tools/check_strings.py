#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""check_strings.py [ROOT]: text that people see and that is not translated.

In ui (but not ui/cli) and widgets, a literal with a word in it must be inside tr() if it is passed to a call that shows it, and so must any
literal in ui that reads like a sentence. The engine (app, connectors) never translates. A line with "no-tr: REASON" in a comment is
skipped.
"""
import re
import sys

import sources

CALLS = re.compile(
    r"\b(?:setText|setWindowTitle|setToolTip|setStatusTip|setWhatsThis|setPlaceholderText|setAccessibleName|"
    r"setAccessibleDescription|setTitle|setLabelText|setInformativeText|setSuffix|setPrefix|addAction|addMenu|addTab|addItem|"
    r"addRow|addButton|showMessage|plainLabel|new\s+Q(?:Label|PushButton|ToolButton|CheckBox|RadioButton|GroupBox|Action|Menu)|"
    r"QMessageBox::\w+|QInputDialog::\w+|QFileDialog::\w+)\s*\(")
TRANSLATED = re.compile(r"\b(?:tr|trUtf8|translate|QT_TR_NOOP|QT_TRANSLATE_NOOP|QT_TR_N_NOOP|QT_TRANSLATE_N_NOOP)\s*\(")
NOT_SHOWN = re.compile(
    r"\b(?:setObjectName|setProperty|property|findChild(?:ren)?<[^>]*>|findChild|qWarning|qDebug|qInfo|qCritical|qFatal|"
    r"Q_ASSERT_X|static_assert|fromLatin1Key|QRegularExpression|log::\w+|spdlog::\w+|addOption|addPositionalArgument|"
    r"setValue|value|toString|fromString|Q_UNREACHABLE)\s*\(")
LITERAL = re.compile(r'"((?:\\.|[^"\\\n])*)"')
WORD = re.compile(r"[A-Za-z]{2}")
SENTENCE = re.compile(r"^[A-Z][a-z]+ [A-Za-z0-9%'’-]+")
ENGINE_TR = re.compile(r"\btr\s*\(|\bQCoreApplication::translate\s*\(|\bQT_TR(?:ANSLATE)?_NOOP\b")
MARK = re.compile(r"//.*\bno-tr: \S")


def closing(text, start):
    """The offset behind the parenthesis that closes the one before start."""
    depth, i, end = 1, start, len(text)
    while i < end and depth:
        char = text[i]
        if char == '"':
            match = LITERAL.match(text, i)
            i = match.end() if match else i + 1
            continue
        depth += (char == "(") - (char == ")")
        i += 1
    return i


def blank(text, pattern):
    """Blanks the arguments of every call that the pattern matches; line breaks stay."""
    out, i = [], 0
    while match := pattern.search(text, i):
        end = closing(text, match.end())
        out.append(text[i:match.end()] + re.sub(r"[^\n]", " ", text[match.end():end]))
        i = end
    return "".join(out) + text[i:]


def untranslated(text, with_sentences):
    """(offset, literal) of every text that is shown but not translated."""
    bare = blank(blank(text, TRANSLATED), NOT_SHOWN)
    for call in CALLS.finditer(bare):
        for literal in LITERAL.finditer(bare, call.end(), closing(bare, call.end())):
            if WORD.search(re.sub(r"\\.|%\d|<[^>]*>", "", literal[1])):
                yield literal.start(), literal[1]
    if with_sentences:
        for literal in LITERAL.finditer(bare):
            if SENTENCE.search(literal[1]):
                yield literal.start(), literal[1]


def check(root):
    findings = []
    for path in sources.files(root):
        if path.suffix not in (".cpp", ".h"):
            continue
        name = path.as_posix()
        original = sources.read(root, path) or ""
        marked = {i for i, line in enumerate(original.splitlines(), 1) if MARK.search(line)}
        text = re.sub(r"^[ \t]*#[^\n]*", lambda m: " " * len(m[0]), sources.without_comments(original), flags=re.MULTILINE)
        if path.parts[0] in ("app", "connectors"):
            for match in ENGINE_TR.finditer(sources.without_strings(text)):
                findings.append((name, sources.line_of(text, match.start()), "the engine never translates; ui/format does"))
        elif path.parts[0] == "widgets" or (path.parts[0] == "ui" and path.parts[1:2] != ("cli",)):
            for offset, literal in untranslated(text, path.parts[0] == "ui"):
                line = sources.line_of(text, offset)
                if line not in marked:
                    findings.append((name, line, f'"{literal[:60]}" is not inside tr()'))
    return findings


if __name__ == "__main__":
    sys.exit(sources.main("strings", check))
