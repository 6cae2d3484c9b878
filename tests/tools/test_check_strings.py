# SPDX-License-Identifier: GPL-3.0-or-later
import pathlib
import unittest

import check_strings
from tree import TreeCase

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]


class Strings(TreeCase):
    def ui(self, code, path="ui/pages/p.cpp"):
        return self.found(check_strings.check, path, code)

    def test_finds_planted_texts(self):
        for code in ['button->setText("Stop all");', 'button->setText(QStringLiteral("Stop"));', 'x.setText(\n    u"Idle now"_qs);',
                     'new QLabel("Owner", this);', 'box->setToolTip(tr("Good") + "Bad");', 'menu->addAction(icon, QString("Copy"), f);',
                     'static const QString text = QStringLiteral("No telemetry here");', 'setWindowTitle(QLatin1String("GPU Ledger"));']:
            self.assertTrue(self.ui(code), code)

    def test_accepts_translated_and_unseen_texts(self):
        for code in ['button->setText(tr("Stop all"));', 'x->setText(tr("%n devices", "count", n));',
                     'w->setObjectName("stopButton");', 'x->setText("%1");', 'x->setText("–");', 'qWarning("Cannot open file");',
                     '// button->setText("Stop all");', 'x->setText("GPU"); // no-tr: a unit', 'QCoreApplication::translate("Page", "Stop all");',
                     '#include "ui/format/Two words.h"', 'const char *key = "cost_total";', 'x->setText(name);']:
            self.assertEqual(self.ui(code), [], code)

    def test_widgets_are_checked_and_the_command_line_is_not(self):
        self.assertTrue(self.ui('x->setText("Stop");', "widgets/state/s.cpp"))
        self.assertEqual(self.ui('app.setText("Stop all devices");', "ui/cli/c.cpp"), [])

    def test_engine_does_not_translate(self):
        self.assertTrue(self.ui('return QObject::tr("Bad");', "app/store/s.cpp"))
        self.assertEqual(self.ui('attr("x"); // tr("x")', "app/store/s.cpp"), [])

    def test_the_project_is_clean(self):
        self.assertEqual(check_strings.check(REPOSITORY), [])


if __name__ == "__main__":
    unittest.main()
