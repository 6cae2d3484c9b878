#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""check_patterns.py [ROOT]: what the house rules forbid, as far as a regular expression can find it.

Foreign text (labels, names, messages of servers) is plain text everywhere: labels come from the factory in widgets/state, tool tips and
message boxes take a translated literal or go through its escaping helper. Only the connector of a source kind knows its name: app and ui
ask what a kind can do, never what it is called. A line with "allowed: REASON" in a comment is skipped.
"""
import re
import sys

import sources

PRODUCT = re.compile(r"^(app|connectors|ui|widgets)/")
ENGINE = re.compile(r"^(app|connectors)/")
SHOWN = re.compile(r"^(ui|widgets)/")
NOWHERE = re.compile(r"(?!)")
FACTORY = re.compile(r"^widgets/state/")

# (where, except where, pattern applied to code without strings and comments, message)
RULES = [
    (PRODUCT, NOWHERE, r"\bprocessEvents\s*\(", "no processEvents: return to the event loop"),
    (PRODUCT, NOWHERE, r"\bBlockingQueuedConnection\b", "no BlockingQueuedConnection: answer through a queued call"),
    (PRODUCT, NOWHERE, r"\b(SIGNAL|SLOT)\s*\(", "functor connections only"),
    (PRODUCT, NOWHERE, r"\bQEventLoop\b", "no nested event loop"),
    (PRODUCT, NOWHERE, r"\b(sleep_for|sleep_until|usleep|nanosleep)\b|\bQThread::(m|u)?sleep\b|(?<![\w.>:])sleep\s*\(", "no sleep: wait on a condition"),
    (PRODUCT, NOWHERE, r"\bqrand\b|(?<![\w:.>])s?rand\s*\(", "no rand: pass a seeded generator in"),
    (PRODUCT, NOWHERE, r"(?<![\w.>])(?:std::)?(?:atof|atoi|atol|strtod|stod|stof)\s*\(", "locale-dependent or unchecked: std::from_chars"),
    (PRODUCT, NOWHERE, r"\bCURLOPT_SSL_VERIFY(PEER|HOST)\s*,\s*0|\bVerifyNone\b|\bignoreSslErrors\b", "certificates are always verified"),
    (PRODUCT, NOWHERE, r"\bCURLOPT_FOLLOWLOCATION\s*,\s*1", "redirects are followed by hand and never to another origin"),
    (ENGINE, re.compile(r"^app/base/time/clock\.(h|cpp)$"), r"\bQDateTime::currentDateTime(Utc)?\b|\bsystem_clock::now\b", "the clock is passed in (app/base/time/clock.h)"),
    (SHOWN, FACTORY, r"\bnew\s+QLabel\b|\bQLabel\s+\w+\s*[({;]", "labels come from the factory in widgets/state (plain text)"),
    (SHOWN, FACTORY, r"\bQLabel\s*::\s*setText\b|\bsetTextFormat\s*\(\s*Qt::(RichText|AutoText|MarkdownText)", "no rich text"),
    (SHOWN, FACTORY, r"\bsetToolTip\s*\((?!\s*(?:tr\s*\(\s*\"[^\"]*\"\s*(?:,\s*\"[^\"]*\"\s*)?\)\s*\)|[\w:]*(?:plain|escape)\w*\s*\(|QString\s*\(\s*\)))|\bQToolTip\s*::\s*showText\s*\((?![^;]*(?:plain|escape)\w*\s*\()",
     "tool tips take a translated literal or go through the escaping helper of widgets/state"),
    (SHOWN, FACTORY, r"\bQMessageBox\b(?!\s*>|\.h)", "message boxes come from the factory in widgets/state (plain text)"),
    (SHOWN, FACTORY, r"\bsetHtml\s*\(|\bsetMarkdown\s*\(|\binsertHtml\s*\(", "no rich text"),
]
RULES = [(where, but, re.compile(pattern), sentence) for where, but, pattern, sentence in RULES]
# The names that connectors give their kinds; the demo fleet is part of the program (app/services/environment/demosettings).
CONNECTOR = re.compile(r"^connectors/(?!demo/)[^/]+/[^/]+\.cpp$")
KIND = re.compile(r'\.kind = "([^"\n]+)",\s*\.title = ')
ASKS_KINDS = re.compile(r"^(app|ui)/")
LITERAL = re.compile(r'"((?:\\.|[^"\\\n])*)"')
ALLOWED = re.compile(r"//.*\ballowed: \S")
# Folders of a developer's machine; written so that this file does not match its own rule.
MACHINE = re.compile(r"(?<![\w.$}:/-])/(?:wor[k]|hom[e]|roo[t]|Users|mnt)/[\w.-]+/")
TEXT = {".cpp", ".h", ".c", ".py", ".sh", ".cmake", ".txt", ".md", ".json", ".yaml", ".yml", ".sql", ".csv", ".xml", ".ts", ".desktop", ""}


def check_code(name, text):
    lines = text.splitlines()
    code = sources.without_strings(text)
    # A rule may depend on whether an argument is a literal, so quotes stay and only the words inside are blanked.
    for where, but, pattern, sentence in RULES:
        if not where.search(name) or but.search(name):
            continue
        for match in pattern.finditer(code):
            line = sources.line_of(code, match.start())
            own = code.splitlines()[line - 1].lstrip()
            if own.startswith("#include") or ALLOWED.search(lines[line - 1]):
                continue
            yield name, line, sentence


def kinds_of(root):
    """The names of the source kinds that the connectors declare."""
    kinds = set()
    for path in sources.files(root):
        if CONNECTOR.search(path.as_posix()):
            kinds.update(KIND.findall(sources.read(root, path) or ""))
    return kinds


def check_kinds(name, text, kinds):
    if not ASKS_KINDS.search(name):
        return
    lines = text.splitlines()
    code = sources.without_comments(text)
    for match in LITERAL.finditer(code):
        line = sources.line_of(code, match.start())
        if match[1] in kinds and not ALLOWED.search(lines[line - 1]):
            yield name, line, f'"{match[1]}" is a kind of source: ask ports::SourceKind what it can do'


def check(root):
    findings = []
    kinds = kinds_of(root)
    for path in sources.files(root):
        name = path.as_posix()
        if path.suffix not in TEXT or name == "COPYING":
            continue
        text = sources.read(root, path)
        if text is None:
            continue
        for number, line in enumerate(text.splitlines(), 1):
            if MACHINE.search(line):
                findings.append((name, number, "a path of one machine"))
        if path.suffix in (".cpp", ".h"):
            findings += check_code(name, text)
            findings += check_kinds(name, text, kinds)
    return findings


if __name__ == "__main__":
    sys.exit(sources.main("patterns", check))
