// SPDX-License-Identifier: GPL-3.0-or-later
// The row of sources shows as many as there is room for, those in trouble first, and counts the others.
#include "tests/support/suite.h"
#include "ui/window/bars/sourcerow.h"
#include "widgets/theme/theme.h"

#include <QLabel>
#include <QTest>

#include <algorithm>

namespace tst_sourcerow {

using namespace gpuledger;

class SourceRowTest : public QObject {
    Q_OBJECT
private:
    widgets::Theme m_theme;

    static QStringList texts(const ui::SourceRow &row)
    {
        QStringList out;
        for (const QLabel *label : row.findChildren<QLabel *>()) {
            if (!label->isHidden())
                out << label->text();
        }
        out.sort();
        return out;
    }
    // Of sources one to six; six is in trouble.
    static void fill(ui::SourceRow &row)
    {
        row.clear();
        for (int number = 1; number <= 6; ++number) {
            const QString name = QStringLiteral("source number %1").arg(number);
            row.add(new QLabel(name), name, number == 6);
        }
        row.fit();
    }

private Q_SLOTS:
    void allOfThemIfThereIsRoom()
    {
        ui::SourceRow row(m_theme);
        row.resize(3000, 28);
        fill(row);
        QCOMPARE(texts(row).size(), 6);
        QVERIFY(!texts(row).join(QLatin1Char(' ')).contains(QStringLiteral("more")));
    }

    void whatHasRoomAndHowManyMore()
    {
        ui::SourceRow row(m_theme);
        fill(row);
        row.show();
        int before = 7;
        for (int width = 1200; width >= 250; width -= 50) {
            row.resize(width, 28);
            QCoreApplication::processEvents();
            QStringList shown = texts(row);
            const auto more = std::find_if(shown.begin(), shown.end(),
                                           [](const QString &text) { return text.endsWith(QStringLiteral(" more")); });
            int hidden = 0;
            if (more != shown.end()) {
                hidden = more->section(QLatin1Char(' '), 0, 0).toInt();
                shown.erase(more);
            }
            const auto sources = static_cast<int>(shown.size());
            QCOMPARE(sources + hidden, 6);
            QVERIFY(sources <= before);
            before = sources;
            if (sources > 0)
                QVERIFY2(shown.contains(QStringLiteral("source number 6")), qPrintable(QString::number(width)));
            for (const QLabel *label : row.findChildren<QLabel *>()) {
                if (!label->isHidden())
                    QVERIFY2(label->geometry().right() < width, qPrintable(label->text()));
            }
        }
        QVERIFY(before < 6);
    }

    void itNeedsNoWidthOfItsOwn()
    {
        QWidget window;
        auto *row = new ui::SourceRow(m_theme, &window);
        fill(*row);
        QCOMPARE(row->sizePolicy().horizontalPolicy(), QSizePolicy::Ignored);
        QVERIFY(row->minimumWidth() == 0);
    }

    void filledAgain()
    {
        ui::SourceRow row(m_theme);
        row.resize(3000, 28);
        fill(row);
        fill(row);
        QCOMPARE(texts(row).size(), 6);
    }
};

GPULEDGER_WINDOW_SUITE(SourceRowTest)

} // namespace tst_sourcerow

#include "tst_sourcerow.moc"
