// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/suite.h"
#include "tests/support/window/testwindow.h"
#include "widgets/table/datatable.h"

#include <QApplication>
#include <QFileDialog>
#include <QLabel>
#include <QMessageBox>
#include <QTemporaryDir>
#include <QTest>

namespace tst_tableexport {

using namespace gpuledger;
using tests::TestWindow;

// "Export as CSV…" is in the menu of every table, so every table of every page must write its file.
class TestTableExport : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_theme.apply(); }

    void everyTableWritesWhatItShows_data()
    {
        QTest::addColumn<QString>("link");
        for (const char *page : {"overview", "heatmap", "idle", "sources"})
            QTest::newRow(page) << QStringLiteral("gpuledger://") + QString::fromLatin1(page);
        QTest::newRow("device") << QStringLiteral("gpuledger://device?at.uuid=%1");
    }

    void everyTableWritesWhatItShows()
    {
        QFETCH(QString, link);
        TestWindow test(m_theme, TestWindow::Fleet::Synced);
        test.open(link.contains(QLatin1Char('%')) ? link.arg(test.idleDevice()) : link);
        const auto tables = test.window().currentPage()->findChildren<widgets::DataTable *>();
        QVERIFY(!tables.isEmpty());
        for (widgets::DataTable *table : tables) {
            QTemporaryDir folder;
            const QString file = folder.filePath(QStringLiteral("out.csv"));
            QFileDialog *dialog = ask(*table);
            QVERIFY2(dialog, qPrintable(table->name()));
            const QString offered = dialog->selectedFiles().value(0);
            QVERIFY2(offered.endsWith(QLatin1String(".csv")) && !offered.contains(QLatin1Char(' ')),
                     qPrintable(offered));
            Q_EMIT dialog->fileSelected(file);
            dialog->reject();
            QTRY_VERIFY2(QFile::exists(file), qPrintable(table->name()));
            QFile written(file);
            QVERIFY(written.open(QIODevice::ReadOnly));
            QCOMPARE(written.readAll(), table->csv());
        }
    }

    void saysWhyItWasNotSaved()
    {
        TestWindow test(m_theme, TestWindow::Fleet::Synced);
        test.open(QStringLiteral("gpuledger://overview"));
        auto *table = test.window().currentPage()->findChild<widgets::DataTable *>();
        QFileDialog *dialog = ask(*table);
        QVERIFY(dialog);
        Q_EMIT dialog->fileSelected(QStringLiteral("/proc/no/such/place.csv"));
        dialog->reject();
        QTRY_VERIFY(table->findChild<QMessageBox *>());
        QVERIFY(table->findChild<QMessageBox *>()->informativeText().contains(QLatin1String("place.csv"))
                || table->findChild<QMessageBox *>()->text().contains(QLatin1String("place.csv")));
    }

private:
    static QFileDialog *ask(widgets::DataTable &table)
    {
        Q_EMIT table.exportRequested();
        return table.findChild<QFileDialog *>();
    }

    widgets::Theme m_theme;
};

GPULEDGER_WINDOW_SUITE(TestTableExport)

} // namespace tst_tableexport

#include "tst_tableexport.moc"
