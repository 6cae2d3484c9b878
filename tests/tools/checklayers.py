#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""checklayers.py [ROOT]: the dependencies of the architecture. Exit status 1 and one line for each include or link that violates them.

app         itself upwards only: base, model, ports, store, {ledger insight}, {ingest alerts actions reports savings}, services;
            folders in braces never include each other
connectors  app/base, app/model, app/ports; connectors/http, auth and format; never another connector
            (connectorregistry.cpp, which lists them, may)
widgets     Qt and itself
ui          app, widgets and itself: format, viewmodels, {pages dialogs export}, window; cli does not use Qt Widgets;
            connectors only from ui/main.cpp and ui/cli/main.cpp; view-models, dialogs and export take the services that they
            use, so they never include the Workspace, which has all of them
tests       everything

Where a layer has rooms (folders inside it), a room never includes another one that includes it, directly or indirectly.
"""
import re
import sys

import sources

# Files that may break a rule. The list starts empty and stays empty.
EXCEPTIONS = ()

TOP = {"app", "connectors", "widgets", "ui", "resources", "tests"}
APP_TIERS = [["base"], ["model"], ["ports"], ["store"], ["ledger", "insight"],
             ["ingest", "alerts", "actions", "reports", "savings"], ["services"]]
APP_TIER = {name: i for i, tier in enumerate(APP_TIERS) for name in tier}
CONNECTOR_COMMON = {"http", "auth", "format"}
CONNECTOR_APP = {"base", "model", "ports"}
COMPOSITION_ROOTS = {"ui/main.cpp", "ui/cli/main.cpp"}
UI_TIERS = {"format": 0, "viewmodels": 1, "pages": 2, "dialogs": 2, "export": 2, "window": 3, "": 4}
UI_CLI_MAY = {"cli", "format"}
# Layers with acyclic rooms.
ROOMED = ("app/actions", "app/alerts", "app/base", "app/insight", "app/ledger", "app/model", "app/reports", "app/savings", "app/services",
          "app/store", "connectors/demo", "connectors/kubernetes", "connectors/prometheus", "ui/cli", "ui/dialogs", "ui/format", "ui/pages", "ui/viewmodels",
          "ui/window")

# Headers with one permitted place: (what is included, where it may be, message).
PLACES = [
    (re.compile(r"^(SQLiteCpp/|sqlite3(ext)?\.h$)"), re.compile(r"^app/store/"), "SQLite belongs in app/store"),
    (re.compile(r"^curl/"), re.compile(r"^connectors/http/"), "libcurl belongs in connectors/http"),
    (re.compile(r"^(QtCharts(/|$)|Q(Abstract)?(Chart|ChartView|LineSeries|AreaSeries|BarSeries|BarSet|BarCategoryAxis|"
                r"StackedBarSeries|HorizontalBarSeries|HorizontalStackedBarSeries|PercentBarSeries|PieSeries|PieSlice|"
                r"ScatterSeries|SplineSeries|ValueAxis|DateTimeAxis|CategoryAxis|LogValueAxis|Legend|XYSeries|Axis|Series|"
                r"CandlestickSeries|BoxPlotSeries)$)"),
     re.compile(r"^widgets/charts/[^/]+\.cpp$"), "Qt Charts belongs in widgets/charts/*.cpp"),
    (re.compile(r"^openssl/"), re.compile(r"^(app/base/crypto/signature\.cpp$|connectors/)"), "in app OpenSSL belongs in app/base/crypto/signature.cpp"),
    (re.compile(r"^zstd(_errors)?\.h$"), re.compile(r"^(app/reports/files/reportstream\.cpp$|connectors/format/)"),
     "zstd belongs in app/reports/files/reportstream.cpp and connectors/format"),
    # A kubeconfig is YAML too; the connectors that need one read it.
    (re.compile(r"^yaml-cpp/"), re.compile(r"^(app/services/config/|connectors/auth/kubeconfig)[^/]*$"),
     "YAML belongs in app/services/config and connectors/auth/kubeconfig*"),
]
QT_GUI = re.compile(
    r"^(QtWidgets|QtGui|QtSvg|QtSvgWidgets|QtCharts|QtPrintSupport)(/|$)"
    r"|^Q(Application|GuiApplication|Widget|MainWindow|Dialog\w*|MessageBox|FileDialog|Label|PushButton|ToolButton|CheckBox|"
    r"RadioButton|ComboBox|LineEdit|TextEdit|PlainTextEdit|SpinBox|DoubleSpinBox|DateTimeEdit|DateEdit|Abstract(Button|ItemView|"
    r"SpinBox|Slider|ScrollArea)|TableView|TreeView|ListView|HeaderView|StyledItemDelegate|ItemDelegate|Style\w*|\w*Layout|"
    r"GroupBox|Frame|ScrollArea|ScrollBar|Splitter|StackedWidget|Tab(Bar|Widget)|ToolBar|ToolTip|Menu|MenuBar|StatusBar|"
    r"Progress(Bar|Dialog)|Painter\w*|Pixmap|Image|Icon|Color|Brush|Pen|Font\w*|Palette|Action|Shortcut|KeySequence|Clipboard|"
    r"Screen|Window|Cursor|PdfWriter|TextDocument|SvgRenderer|SvgWidget|Accessible\w*)$")
GUI_FREE = re.compile(r"^(app|connectors|resources|ui/(cli|format))/")
WORKSPACE = "app/services/workspace/workspace.h"
WORKSPACE_FREE = re.compile(r"^ui/(viewmodels|dialogs|export)/")
WIDGET_FREE = re.compile(r"^ui/viewmodels/")
QT_WIDGETS = re.compile(r"^(QtWidgets(/|$)|Q(Widget|Application|MainWindow|Dialog|MessageBox|Label|PushButton|\w*Layout|"
                        r"TableView|TreeView|ListView|ToolTip)$)")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:<([^>\n]+)>|"([^"\n]+)")', re.MULTILINE)
GENERATED = re.compile(r"(^|/)(moc_[^/]*\.cpp|[^/]*\.moc|ui_[^/]*\.h)$")
STANDARD_C = re.compile(r"^(c?(assert|ctype|errno|fenv|float|inttypes|limits|locale|math|setjmp|signal|stdarg|stddef|stdint|"
                        r"stdio|stdlib|string|time|wchar)(\.h)?)$")
LINK = re.compile(r"Qt6::(Widgets|Gui|Svg|SvgWidgets|Charts|PrintSupport|OpenGLWidgets)\b")


def folder_of(path):
    """The folder below the top one; "" for a file in the top folder itself."""
    parts = path.split("/")
    return parts[1] if len(parts) > 2 else ""


def project_include(path, target):
    """The message about an include of one of our own headers; None if it is allowed."""
    source_top, target_top = path.split("/")[0], target.split("/")[0]
    source, wanted = folder_of(path), folder_of(target)
    if target_top == "tests":
        return "product code never includes a test"
    if target_top == "resources":
        return None if source_top in ("app", "connectors", "ui", "resources") else f"{source_top} never includes resources"
    if source_top == "app":
        return app_include(source, target_top, wanted, target)
    if source_top == "connectors":
        return connector_include(path, source, target_top, wanted, target)
    if source_top == "widgets":
        return None if target_top == "widgets" else f"widgets include Qt only, not {target}"
    if source_top == "ui":
        return ui_include(path, source, target_top, wanted, target)
    return f"{source_top} includes no project header but its own" if target_top != source_top else None


def app_include(source, target_top, wanted, target):
    if target_top != "app":
        return f"app never includes {target_top} ({target})"
    if source not in APP_TIER or wanted not in APP_TIER:
        return f"app/{wanted or source} is not a folder of the architecture"
    if source == wanted or APP_TIER[wanted] < APP_TIER[source]:
        return None
    kind = "its sibling" if APP_TIER[wanted] == APP_TIER[source] else "upwards to"
    return f"app/{source} includes {kind} app/{wanted} ({target})"


def connector_include(path, source, target_top, wanted, target):
    if target_top == "app":
        return None if wanted in CONNECTOR_APP else f"connectors include app/base, model and ports only, not {target}"
    if target_top != "connectors":
        return f"connectors never include {target_top} ({target})"
    if source == "" or wanted in ("", source) or wanted in CONNECTOR_COMMON:
        return None
    return f"connectors/{source} includes another connector ({target})"


def ui_include(path, source, target_top, wanted, target):
    if target_top == "connectors":
        return None if path in COMPOSITION_ROOTS else f"only ui/main.cpp and ui/cli/main.cpp include connectors ({target})"
    if target_top == "app":
        free = target == WORKSPACE and WORKSPACE_FREE.search(path)
        return f"ui/{source} takes the services that it uses, not the Workspace ({target})" if free else None
    if target_top == "widgets":
        return f"ui/{source} may not use widgets ({target})" if source in ("cli", "format") else None
    if source == "cli":
        return None if wanted in UI_CLI_MAY else f"ui/cli includes ui/format only, not {target}"
    if wanted == "cli":
        return f"only ui/cli includes ui/cli ({target})"
    if source not in UI_TIERS or wanted not in UI_TIERS:
        return f"ui/{wanted or source} is not a folder of the architecture"
    if source == wanted or UI_TIERS[wanted] <= UI_TIERS[source]:
        return None
    return f"ui/{source} includes upwards to {target}"


def check_include(path, header, quoted):
    """Messages about one include of one file."""
    if path.startswith("tests/"):
        return
    if header.split("/")[0] in TOP and "/" in header:
        sentence = project_include(path, header)
        if sentence:
            yield sentence
    elif quoted and not GENERATED.search(header):
        yield f'"{header}" is not relative to the repository root'
    for what, where, sentence in PLACES:
        if what.search(header) and not where.search(path):
            yield f"{sentence} ({header})"
    if QT_GUI.search(header) and GUI_FREE.search(path):
        yield f"no Qt Gui or Widgets here ({header})"
    if QT_WIDGETS.search(header) and WIDGET_FREE.search(path):
        yield f"a view-model may not use widgets ({header})"
    if path.startswith("widgets/") and not quoted and not header.startswith("Q"):
        if "/" in header or (header.endswith((".h", ".hpp")) and not STANDARD_C.search(header)):
            yield f"widgets may use only Qt and the standard library ({header})"


def layer_and_room(path):
    """The layer with rooms that contains a file, and its room ("" for the layer's own files); None outside such layers."""
    for layer in ROOMED:
        if path.startswith(layer + "/"):
            rest = path[len(layer) + 1:].split("/")
            return layer, rest[0] if len(rest) > 1 else ""
    return None


def reaches(arrows, start, goal):
    """Whether goal can be reached from start along the includes."""
    seen, todo = {start}, [start]
    while todo:
        for room in arrows.get(todo.pop(), ()):
            if room == goal:
                return True
            if room not in seen:
                seen.add(room)
                todo.append(room)
    return False


def circles(includes):
    """Findings about rooms that include each other. includes: (file, line, its room, included room, header), with rooms as from
    layer_and_room."""
    arrows = {}
    for _, _, source, target, _ in includes:
        arrows.setdefault(source, set()).add(target)
    for name, line, source, target, header in includes:
        if reaches(arrows, target, source):
            yield name, line, f"room {target[1] or target[0]} includes {source[1] or source[0]} as well: a cycle ({header})"


def check(root):
    findings = []
    between_rooms = []
    for path in sources.files(root):
        name = path.as_posix()
        if name in EXCEPTIONS:
            continue
        if path.suffix in (".h", ".cpp") and path.parts[0] in TOP:
            text = sources.without_comments(sources.read(root, path) or "")
            for match in INCLUDE.finditer(text):
                header = match[1] or match[2]
                rooms = layer_and_room(name), layer_and_room(header)
                if None not in rooms and rooms[0] != rooms[1] and rooms[0][0] == rooms[1][0]:
                    between_rooms.append((name, sources.line_of(text, match.start()), *rooms, header))
                for sentence in check_include(name, header, match[2] is not None):
                    findings.append((name, sources.line_of(text, match.start()), sentence))
        elif (path.name == "CMakeLists.txt" or path.suffix == ".cmake") and GUI_FREE.search(name):
            text = re.sub(r"#[^\n]*", "", sources.read(root, path) or "")
            for match in LINK.finditer(text):
                findings.append((name, sources.line_of(text, match.start()),
                                 f"{match[0]} is not linked here: gpuledger-cli runs on a bare server"))
    return findings + list(circles(between_rooms))


if __name__ == "__main__":
    sys.exit(sources.main("checklayers", check))
