# SPDX-License-Identifier: GPL-3.0-or-later
import pathlib
import unittest

import check_patterns
from tree import TreeCase

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]


class Patterns(TreeCase):
    def see(self, code, path="ui/pages/p.cpp"):
        return self.found(check_patterns.check, path, code + "\n")

    def test_finds_planted_faults(self):
        for code in ["qApp->processEvents();", "connect(a, b, Qt::BlockingQueuedConnection);", "connect(a, SIGNAL(x()), b, SLOT(y()));",
                     "QEventLoop loop;", "std::this_thread::sleep_for(1s);", "QThread::msleep(5);", "sleep(1);", "int x = rand();",
                     "double d = std::stod(text);", "curl_easy_setopt(c, CURLOPT_SSL_VERIFYPEER, 0L);",
                     "curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, 1L);", "auto *l = new QLabel(name, this);", "QLabel label(name);",
                     "w->setToolTip(name);", 'w->setToolTip(tr("Owner: %1").arg(name));', "QToolTip::showText(p, name);",
                     "QMessageBox::warning(this, t, name);", "l->setTextFormat(Qt::RichText);", "edit->setHtml(x);"]:
            self.assertTrue(self.see(code), code)
        self.assertTrue(self.see("auto now = std::chrono::system_clock::now();", "app/ledger/l.cpp"))
        self.assertTrue(self.see("cd /" + "home/somebody/gpuledger", "README.md"))
        self.assertTrue(self.see('run("/' + 'work/thing/x")', "tools/a.py"))

    def test_accepts_what_is_right(self):
        for code in ["// processEvents() is forbidden", 'log("QEventLoop");', 'w->setToolTip(tr("Stop all"));', "w->setToolTip(plainToolTip(name));",
                     "QLabel *m_label;", "#include <QLabel>", "thread.sleepless();", "QLabel label; // allowed: shows a constant", "operand(x);",
                     "QToolTip::showText(p, state::plainToolTip(name));"]:
            self.assertEqual(self.see(code), [], code)
        self.assertEqual(self.see("auto *l = new QLabel(text);", "widgets/state/labels.cpp"), [])
        self.assertEqual(self.see("qApp->processEvents(); QTest::qSleep(3);", "tests/gui/t.cpp"), [])
        self.assertEqual(self.see("https://example.org/home/page/x", "README.md"), [])

    def test_kinds_of_source_stay_in_their_connectors(self):
        self.write("connectors/lighthouse/connector.cpp", 'SourceKind kind{.kind = "lighthouse",\n    .title = "Lighthouse"};\n')
        self.write("connectors/demo/connector.cpp", 'SourceKind kind{.kind = "demo", .title = "Demo fleet"};\n')
        planted = 'if (source.kind == "lighthouse")'
        for path in ("app/services/s.cpp", "ui/cli/c.cpp", "ui/dialogs/d.h"):
            self.assertTrue(self.see(planted, path), path)
        self.assertEqual(self.see(planted, "tests/unit/t.cpp"), [])
        self.assertEqual(self.see(planted, "connectors/lighthouse/lighthouse.cpp"), [])
        for code in ('log("a lighthouse");', '// "lighthouse"', 'if (source.kind == "demo")', 'cloud = "lighthouse"; // allowed: a cloud'):
            self.assertEqual(self.see(code, "app/services/s.cpp"), [], code)

    def test_the_project_is_clean(self):
        self.assertEqual(check_patterns.check(REPOSITORY), [])


if __name__ == "__main__":
    unittest.main()
