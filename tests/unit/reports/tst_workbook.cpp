// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/documents/workbook.h"
#include "tests/support/suite.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <map>

namespace tst_workbook {

using namespace gpuledger;
using base::Currency;
using base::Money;

namespace {

QString sourceFile(const char *path)
{
    return QDir(qEnvironmentVariable("GPULEDGER_SOURCE_DIR")).filePath(QString::fromLatin1(path));
}

reports::WorkbookSheet plainSheet()
{
    reports::WorkbookSheet sheet;
    sheet.name = "Proposals";
    sheet.title = "A title";
    sheet.notes = {"=1+1"};
    sheet.columns = {{"What"}, {"Amount"}, {"Day"}};
    return sheet;
}

} // namespace

class TestWorkbook : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void amountsAreNumbersInTheFormatOfTheirCurrency()
    {
        reports::WorkbookSheet sheet = plainSheet();
        sheet.rows = {{std::string("a"), Money(-1'234'567'890'123, Currency::usd()), base::Day{20'000}},
                      {std::string("b"), Money(5 * Money::kNanosPerUnit, Currency::parse("JPY").value())},
                      {std::string("c"), std::monostate(), 12.5}};
        const auto cells = cellsOf(sheet);
        QCOMPARE(cells.at("B5"), QStringLiteral("number #,##0.00 [$USD] '-1234.567890123'"));
        QCOMPARE(cells.at("B6"), QStringLiteral("number #,##0 [$JPY] '5'"));
        QCOMPARE(cells.at("C5"), QStringLiteral("number yyyy-mm-dd '45569'")); // 2024-10-04
        QVERIFY(!cells.contains("B7")); // unknown is not 0
        QCOMPARE(cells.at("C7"), QStringLiteral("number #,##0.0 '12.5'"));
    }

    void textsStayTexts()
    {
        reports::WorkbookSheet sheet = plainSheet();
        for (const char *text : {"=cmd|' /C calc'!A0", "https://example.org/", "12.5", "+1", "a\x01\x1b[31m\xff",
                                 "\xE2\x80\xAE"
                                 "desrever",
                                 "<&>", "two\nlines"})
            sheet.rows.push_back({std::string(text)});
        const auto cells = cellsOf(sheet);
        QCOMPARE(cells.at("A2"), QStringLiteral("text  '=1+1'"));
        QCOMPARE(cells.at("A5"), QStringLiteral("text  \"=cmd|' /C calc'!A0\""));
        QCOMPARE(cells.at("A6"), QStringLiteral("text  'https://example.org/'"));
        QCOMPARE(cells.at("A7"), QStringLiteral("text  '12.5'"));
        QCOMPARE(cells.at("A8"), QStringLiteral("text  '+1'"));
        QCOMPARE(cells.at("A9"), QStringLiteral("text  'a\\ufffd\\ufffd[31m\\ufffd'"));
        QCOMPARE(cells.at("A10"), QStringLiteral("text  '\\ufffddesrever'"));
        QCOMPARE(cells.at("A11"), QStringLiteral("text  '<&>'"));
        QCOMPARE(cells.at("A12"), QStringLiteral("text  'two lines'"));
        QCOMPARE(cells.at("links"), QStringLiteral("link  0"));
    }

    void aColumnOfLinesKeepsThem()
    {
        reports::WorkbookSheet sheet = plainSheet();
        const std::string text = "spec:\n  replicas: 0\n\n0 20 * * 1-5 \x1b stop\n";
        sheet.rows = {{text}};
        QCOMPARE(cellsOf(sheet).at("A5"), QStringLiteral("text  'spec: replicas: 0 0 20 * * 1-5 \\ufffd stop'"));
        sheet.columns[0].hasLines = true;
        QCOMPARE(cellsOf(sheet).at("A5"),
                 QStringLiteral("text  'spec:\\n  replicas: 0\\n\\n0 20 * * 1-5 \\ufffd stop'"));
    }

    void aLongTextIsCutAndNothingIsLost()
    {
        reports::WorkbookSheet sheet = plainSheet();
        sheet.rows = {{std::string(100'000, 'x')}, {std::string("after")}};
        const auto cells = cellsOf(sheet);
        QVERIFY(cells.at("A5").size() > 8000 && cells.at("A5").size() < 8100);
        QCOMPARE(cells.at("A6"), QStringLiteral("text  'after'"));
    }

    void tooManyRowsAreAnError()
    {
        reports::WorkbookSheet sheet = plainSheet();
        sheet.rows.resize(1'048'576);
        const auto bytes = reports::toXlsx({sheet}, base::fromUnix(1'790'000'000));
        QVERIFY(!bytes);
        QVERIFY(bytes.error().code == base::ErrorCode::InvalidArgument);
    }

    void theSameContentHasTheSameBytes()
    {
        const auto bytes = [](std::int64_t made) {
            return reports::toXlsx({plainSheet()}, base::fromUnix(made)).value();
        };
        QVERIFY(bytes(1'790'000'000) == bytes(1'790'000'000));
        QVERIFY(bytes(1'790'000'000) != bytes(1'790'100'000));
    }

private:
    // "type format value" by place, as another program reads it.
    static std::map<std::string, QString> cellsOf(const reports::WorkbookSheet &sheet)
    {
        std::map<std::string, QString> cells;
        const auto bytes = reports::toXlsx({sheet}, base::fromUnix(1'790'000'000));
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("book.xlsx")));
        if (!bytes || !file.open(QIODevice::WriteOnly))
            return cells;
        file.write(QByteArray::fromStdString(*bytes));
        file.close();
        QProcess reader;
        reader.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        reader.start(QStringLiteral("/usr/bin/python3"),
                     {sourceFile("tests/unit/reports/workbookcells.py"), file.fileName()});
        if (!reader.waitForFinished(60000))
            return cells;
        for (const QByteArray &line : reader.readAllStandardOutput().split('\n')) {
            QStringList parts = QString::fromLatin1(line).split(QLatin1Char('\t'));
            const std::string place = parts.takeFirst().toStdString();
            if (!place.empty())
                cells[place] = parts.join(QLatin1Char(' '));
        }
        return cells;
    }
};

GPULEDGER_SUITE(TestWorkbook)

} // namespace tst_workbook

#include "tst_workbook.moc"
