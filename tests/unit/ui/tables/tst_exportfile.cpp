// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/suite.h"
#include "ui/export/exportfile.h"
#include "ui/format/local/localtext.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <sys/resource.h>

namespace tst_exportfile {

using namespace gpuledger;

namespace {

QByteArray contentOf(const QString &file)
{
    QFile in(file);
    return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
}

} // namespace

class TestExportFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void replacesAFileWhole()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("idle.csv"));
        QVERIFY(ui::writeExportFile(file, "first\r\n"));
        QVERIFY(ui::writeExportFile(file, "a"));
        QCOMPARE(contentOf(file), QByteArray("a"));
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden).size(), 1);
    }

    void saysWhereItCannotWrite()
    {
        const QTemporaryDir folder;
        const auto result = ui::writeExportFile(folder.filePath(QStringLiteral("no/such/idle.csv")), "a");
        QVERIFY(!result);
        QVERIFY(result.error().code == base::ErrorCode::StorageReadOnly);
        const QString sentence = ui::LocalText::sentence(result.error());
        QVERIFY2(sentence.contains(QLatin1String("idle.csv")), qPrintable(sentence));
        QVERIFY2(sentence.contains(QLatin1String("another folder")), qPrintable(sentence));
        const auto onFolder = ui::writeExportFile(folder.path(), "a");
        QVERIFY(!onFolder);
    }

    // A file size limit simulates a full disk: writing fails in the middle.
    void leavesTheOldFileWhenThereIsNoRoom()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("idle.csv"));
        QVERIFY(ui::writeExportFile(file, "old"));
        rlimit before{};
        getrlimit(RLIMIT_FSIZE, &before);
        const rlimit small{4096, before.rlim_max};
        const auto handler = std::signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &small);
        const auto result = ui::writeExportFile(file, QByteArray(1 << 20, 'x'));
        setrlimit(RLIMIT_FSIZE, &before);
        std::signal(SIGXFSZ, handler);
        QVERIFY(!result);
        QCOMPARE(contentOf(file), QByteArray("old"));
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden).size(), 1);
    }

    void offersANameThatStaysInItsFolder()
    {
        const QDate day(2026, 11, 21);
        const QString csv = QStringLiteral("csv");
        QCOMPARE(ui::exportFileName({QStringLiteral("Idle"), QStringLiteral("../../x")}, day, csv),
                 QStringLiteral("idle-x-2026-11-21.csv"));
        QCOMPARE(ui::exportFileName({QStringLiteral("..")}, day, csv), QStringLiteral("2026-11-21.csv"));
        QCOMPARE(ui::exportFileName({QStringLiteral("a\nb\u202E/c:*?\"<>|")}, day, csv),
                 QStringLiteral("a-b-c-2026-11-21.csv"));
        QCOMPARE(ui::exportFileName({QStringLiteral("Ägypten 2")}, day, csv),
                 QStringLiteral("ägypten-2-2026-11-21.csv"));
        QVERIFY(ui::exportFileName({QString(10'000, QLatin1Char('x'))}, day, csv).size() < 100);
    }
};

GPULEDGER_SUITE(TestExportFile)

} // namespace tst_exportfile

#include "tst_exportfile.moc"
