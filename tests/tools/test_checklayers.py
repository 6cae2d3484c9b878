# SPDX-License-Identifier: GPL-3.0-or-later
import pathlib
import unittest

import checklayers
from tree import TreeCase

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]


class Layers(TreeCase):
    def include(self, path, header, angle=False):
        line = f"#include <{header}>\n" if angle else f'#include "{header}"\n'
        return self.found(checklayers.check, path, "#pragma once\n" + line)

    def test_accepts_the_arrows_drawn(self):
        for path, header in [
                ("app/model/a.h", "app/base/money/money.h"), ("app/store/a.cpp", "app/ports/p.h"), ("app/ledger/a.h", "app/store/s.h"),
                ("app/services/w.cpp", "app/insight/i.h"), ("app/store/m.cpp", "resources/resources.h"), ("app/ingest/i.h", "app/ledger/l.h"),
                ("connectors/prometheus/p.cpp", "connectors/http/client.h"), ("connectors/demo/d.cpp", "app/ports/p.h"),
                ("connectors/connectorregistry.cpp", "connectors/demo/demo.h"), ("widgets/heatmap/h.cpp", "widgets/theme/t.h"),
                ("ui/pages/p.cpp", "widgets/heatmap/h.h"), ("ui/pages/p.cpp", "ui/viewmodels/v.h"),
                ("ui/main.cpp", "connectors/connectorregistry.h"), ("ui/cli/main.cpp", "connectors/connectorregistry.h"),
                ("ui/cli/c.cpp", "ui/format/f.h"), ("ui/window.cpp", "ui/pages/p.h"), ("tests/unit/t.cpp", "app/store/s.h")]:
            self.assertEqual(self.include(path, header), [], f"{path} -> {header}")

    def test_finds_every_planted_arrow(self):
        for path, header in [
                ("app/base/a.h", "app/model/fleet/fleet.h"), ("app/store/a.h", "app/services/w.h"), ("app/ledger/a.h", "app/insight/i.h"),
                ("app/insight/a.h", "app/ingest/i.h"), ("app/alerts/a.h", "app/actions/i.h"), ("app/ports/a.h", "app/store/s.h"),
                ("app/ledger/a.h", "app/ingest/i.h"),
                ("app/model/a.h", "connectors/http/client.h"), ("app/services/a.h", "ui/window.h"), ("app/store/a.h", "widgets/x/y.h"),
                ("connectors/prometheus/a.cpp", "connectors/demo/d.h"), ("connectors/http/a.cpp", "connectors/prometheus/p.h"),
                ("connectors/demo/a.cpp", "app/store/s.h"), ("connectors/demo/a.cpp", "app/services/s.h"),
                ("connectors/connectorregistry.cpp", "app/services/workspace/workspace.h"),
                ("widgets/heatmap/h.h", "app/model/fleet/usage.h"), ("widgets/heatmap/h.h", "ui/format/f.h"),
                ("ui/window.cpp", "connectors/connectorregistry.h"), ("ui/pages/main.cpp", "connectors/demo/d.h"),
                ("ui/cli/c.cpp", "widgets/theme/t.h"), ("ui/cli/c.cpp", "ui/pages/p.h"), ("ui/format/f.h", "ui/viewmodels/v.h"),
                ("ui/viewmodels/v.h", "ui/pages/p.h"), ("ui/pages/p.h", "ui/window.h"), ("app/base/a.h", "tests/support/x.h"),
                ("app/elsewhere/a.h", "app/base/money/money.h"), ("app/store/a.cpp", "migrations.h")]:
            self.assertTrue(self.include(path, header), f"{path} -> {header}")

    def test_keeps_one_header_in_one_place(self):
        for header, home, elsewhere in [
                ("SQLiteCpp/Database.h", "app/store/a.cpp", "app/ledger/a.cpp"), ("sqlite3.h", "app/store/a.cpp", "connectors/demo/a.cpp"),
                ("curl/curl.h", "connectors/http/a.cpp", "connectors/prometheus/a.cpp"),
                ("QChart", "widgets/charts/a.cpp", "widgets/heatmap/a.cpp"), ("QLineSeries", "widgets/charts/a.cpp", "widgets/charts/a.h"),
                ("QtCharts/QChartView", "widgets/charts/a.cpp", "ui/pages/a.cpp"),
                ("openssl/evp.h", "app/base/crypto/signature.cpp", "app/reports/files/reportfile.cpp"), ("openssl/evp.h", "connectors/focus/a.cpp", "ui/cli/a.cpp"),
                ("zstd.h", "app/reports/files/reportstream.cpp", "app/store/a.cpp"), ("zstd.h", "connectors/format/a.cpp", "connectors/focus/a.cpp"),
                ("yaml-cpp/yaml.h", "app/services/config/configreader.cpp", "app/services/workspace/workspace.cpp")]:
            self.assertEqual(self.include(home, header, True), [], f"{header} in {home}")
            self.assertTrue(self.include(elsewhere, header, True), f"{header} in {elsewhere}")

    def test_engine_and_command_line_know_no_widgets(self):
        for path in ["app/base/a.cpp", "connectors/http/a.cpp", "ui/cli/a.cpp", "ui/format/a.cpp"]:
            for header in ["QWidget", "QtWidgets/QLabel", "QImage", "QVBoxLayout", "QGuiApplication"]:
                self.assertTrue(self.include(path, header, True), f"{header} in {path}")
            self.assertEqual(self.include(path, "QString", True), [])
        self.assertTrue(self.include("ui/viewmodels/a.h", "QLabel", True))
        self.assertEqual(self.include("ui/viewmodels/a.h", "QAbstractTableModel", True), [])

    def test_widgets_know_qt_and_the_standard_library_only(self):
        for header in ["spdlog/spdlog.h", "nlohmann/json.hpp", "simdjson.h"]:
            self.assertTrue(self.include("widgets/heatmap/a.cpp", header, True), header)
        for header in ["QPainter", "vector", "cmath", "math.h", "QtMath"]:
            self.assertEqual(self.include("widgets/heatmap/a.cpp", header, True), [], header)

    def test_finds_a_link_against_widgets(self):
        line = "target_link_libraries(x PRIVATE Qt6::Core\n  Qt6::Widgets)\n"
        self.assertTrue(self.found(checklayers.check, "app/CMakeLists.txt", line))
        self.assertTrue(self.found(checklayers.check, "ui/cli/CMakeLists.txt", line))
        self.assertEqual(self.found(checklayers.check, "widgets/CMakeLists.txt", line), [])
        self.assertEqual(self.found(checklayers.check, "app/CMakeLists.txt", "# never Qt6::Widgets\n"), [])

    def test_view_models_and_dialogs_take_services(self):
        workspace, service = "app/services/workspace/workspace.h", "app/services/fleet/fleetservice.h"
        for path in ["ui/viewmodels/idle/a.h", "ui/viewmodels/a.cpp", "ui/dialogs/showback/a.cpp", "ui/dialogs/a.h", "ui/export/a.cpp"]:
            self.assertTrue(self.include(path, workspace), path)
            self.assertEqual(self.include(path, service), [], path)
        for path in ["ui/pages/page.h", "ui/window/mainwindow.cpp", "ui/main.cpp", "ui/cli/program/session.h", "tests/unit/t.cpp"]:
            self.assertEqual(self.include(path, workspace), [], path)

    def test_ignores_includes_in_comments(self):
        self.assertEqual(self.found(checklayers.check, "app/base/a.h", '// #include "ui/window.h"\n/*\n#include <curl/curl.h>\n*/\n'), [])

    def test_finds_rooms_that_include_each_other(self):
        self.write("app/insight/idle/a.h", '#pragma once\n#include "app/insight/query/q.h"\n')
        self.write("app/insight/query/q.h", '#pragma once\n#include "app/insight/spend/s.h"\n')
        self.write("app/insight/spend/s.h", "#pragma once\n")
        self.assertEqual(checklayers.check(self.root), [])
        self.write("app/insight/spend/s.h", '#pragma once\n#include "app/insight/idle/b.h"\n')
        found = {name for name, _, sentence in checklayers.check(self.root) if "a cycle" in sentence}
        self.assertEqual(found, {"app/insight/idle/a.h", "app/insight/query/q.h", "app/insight/spend/s.h"})

    def test_names_the_line(self):
        self.write("app/base/a.h", '#pragma once\n\n#include "app/store/s.h"\n')
        self.assertEqual([line for _, line, _ in checklayers.check(self.root)], [3])

    def test_has_no_exceptions(self):
        self.assertEqual(len(checklayers.EXCEPTIONS), 0)

    def test_the_project_keeps_its_layers(self):
        self.assertEqual(checklayers.check(REPOSITORY), [])


if __name__ == "__main__":
    unittest.main()
