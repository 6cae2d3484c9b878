// SPDX-License-Identifier: GPL-3.0-or-later
// Text copied or exported from a table: its CSV is read back by a small reader written according to RFC 4180.
#include "tests/support/fleets/tablesample.h"
#include "tests/support/suite.h"
#include "ui/viewmodels/tables/tablemodel.h"
#include "widgets/table/tabletext.h"

#include <QLocale>
#include <QMimeData>
#include <QTest>
#include <QTextDocument>

#include <memory>

namespace tst_tabletext {

using namespace gpuledger;
using namespace gpuledger::tests;
using namespace gpuledger::widgets;

namespace {

QList<QStringList> readCsv(const QByteArray &bytes)
{
    const QString text = QString::fromUtf8(bytes);
    QList<QStringList> lines;
    QStringList line;
    QString field;
    bool quoted = false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text.at(i);
        if (quoted && c == QLatin1Char('"') && i + 1 < text.size() && text.at(i + 1) == QLatin1Char('"')) {
            field += c;
            ++i;
        } else if (c == QLatin1Char('"')) {
            quoted = !quoted;
        } else if (!quoted && c == QLatin1Char(',')) {
            line << std::exchange(field, QString());
        } else if (!quoted && c == QLatin1Char('\r') && i + 1 < text.size() && text.at(i + 1) == QLatin1Char('\n')) {
            line << std::exchange(field, QString());
            lines << std::exchange(line, QStringList());
            ++i;
        } else {
            field += c;
        }
    }
    return lines;
}

QStringList hostile()
{
    return {QStringLiteral("<img src=file:x> <b>vision</b> & co"),
            QStringLiteral("=cmd|' /C calc'!A1"),
            QStringLiteral("+1+1"),
            QStringLiteral("-2"),
            QStringLiteral("@SUM(A1)"),
            QStringLiteral("\t=1"),
            QStringLiteral("\r=1"),
            QStringLiteral("\n=1"),
            QStringLiteral("a,b;c\"d\"e"),
            QStringLiteral("two\r\nlines"),
            QStringLiteral("\u202Eevil\u202C"),
            QStringLiteral("שלום عليكم"),
            QStringLiteral("\u0001\u001b[31mred\u0007"),
            QString(10 * 1024, QLatin1Char('x')),
            QStringLiteral("😀 team")};
}

std::vector<SampleRow> hostileRows()
{
    std::vector<SampleRow> rows;
    for (const QString &text : hostile()) {
        SampleRow row;
        row.id = QString::number(rows.size());
        row.workload = text;
        row.owner = text;
        row.perMonth = -12.5;
        rows.push_back(row);
    }
    return rows;
}

const QList<int> kColumns{4, 0, 5};

} // namespace

class TestTableText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void writesForeignTextThatNoSpreadsheetRuns()
    {
        ui::TableModel model(sampleColumns());
        model.setSnapshot(sampleTable(hostileRows()));
        const QByteArray csv = tableCsv(model, kColumns);
        const QList<QStringList> lines = readCsv(csv);
        QCOMPARE(lines.size(), hostile().size() + 1);
        QCOMPARE(
            lines.first(),
            (QStringList{QStringLiteral("Per month, USD"), QStringLiteral("Workload"), QStringLiteral("Confidence")}));
        for (qsizetype i = 0; i < hostile().size(); ++i) {
            const QString text = hostile().at(i);
            const QString read = lines.at(i + 1).at(1);
            const bool formula = QStringLiteral("=+-@\t\r\n").contains(text.front());
            QCOMPARE(read, formula ? QLatin1Char('\'') + text : text);
            QCOMPARE(lines.at(i + 1).at(0), QStringLiteral("-12.5")); // our own figure stays a number
            const QByteArray quoted = QByteArray("\"'").append(text.toUtf8().replace('"', "\"\"")).append('"');
            QVERIFY(!formula || csv.contains(quoted));
        }
    }

    void writesFiguresWithADecimalPointInAnyLocale()
    {
        const QLocale before;
        QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
        ui::TableModel model(sampleColumns());
        std::vector<SampleRow> rows = idleRows();
        rows[0].perMonth = 1234567.891;
        model.setSnapshot(sampleTable(rows));
        const QList<QStringList> lines = readCsv(tableCsv(model, {4, 3, 2}));
        const std::unique_ptr<QMimeData> mime(tableMimeData(model, {4}, {model.index(0, 0)}));
        QLocale::setDefault(before);
        QCOMPARE(lines.at(1),
                 (QStringList{QStringLiteral("1234567.891"), QStringLiteral("187200"), QStringLiteral("8")}));
        QCOMPARE(lines.at(8), (QStringList{QString(), QString(), QStringLiteral("9")})); // unknown is empty, not 0
        // People paste into spreadsheets that expect their own notation.
        QCOMPARE(mime->text(), QStringLiteral("Per month, USD\n1234567,891\n"));
    }

    void namesTheGroupOfEachRow()
    {
        ui::TableModel model(sampleColumns());
        model.setGrouped(true);
        model.setGroupTitle(QStringLiteral("Owner"));
        model.setSnapshot(sampleTable(idleRows(), true));
        model.sort(4, Qt::DescendingOrder);
        model.setFilterText(QStringLiteral("notebook"));
        QCOMPARE(tableCsv(model, {0, 4}),
                 QByteArray("Owner,Workload,\"Per month, USD\"\r\n"
                            "research,notebook/ablation-8,14483\r\n"
                            "research,notebook/eval-4,7242\r\n"
                            "llm-platform,notebook/prompt-lab,1051\r\n"));
    }

    void copiesTheSameCellsAsTextAndAsHtml()
    {
        ui::TableModel model(sampleColumns());
        model.setSnapshot(sampleTable(hostileRows()));
        const std::unique_ptr<QMimeData> mime(tableMimeData(model, kColumns));
        const QStringList lines = mime->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), hostile().size() + 1);
        for (const QString &line : lines)
            QCOMPARE(line.count(QLatin1Char('\t')), 2);
        for (const QString &line : lines.mid(1))
            QVERIFY(!QStringLiteral("=+-@").contains(line.section(QLatin1Char('\t'), 1, 1).front()));
        QVERIFY(!mime->html().contains(QLatin1String("<img")));
        QCOMPARE(mime->html().count(QLatin1String("<tr>")), lines.size());
        QTextDocument document;
        document.setHtml(mime->html());
        QVERIFY(document.toPlainText().contains(hostile().first()));
    }

    void copiesOnlyTheRowsThatAreAskedFor()
    {
        ui::TableModel model(sampleColumns());
        model.setSnapshot(sampleTable(idleRows()));
        const std::unique_ptr<QMimeData> mime(tableMimeData(model, {0, 2}, {model.index(6, 0), model.index(0, 0)}));
        QCOMPARE(mime->text(), QStringLiteral("Workload\tGPUs\nnotebook/prompt-lab\t2\nnotebook/ablation-8\t8\n"));
    }

    void leavesHtmlAwayFromLargeTables()
    {
        ui::TableModel model(sampleColumns());
        model.setSnapshot(sampleTable(randomRows(100'001, 3)));
        const std::unique_ptr<QMimeData> mime(tableMimeData(model, {1}));
        QVERIFY(!mime->hasHtml());
        QCOMPARE(mime->text().count(QLatin1Char('\n')), 100'002);
    }

    void showsAnyTextAsOneShortLine()
    {
        for (const QString &text : hostile()) {
            const QString line = shownLine(text);
            QVERIFY(line.size() <= 401);
            for (const QChar c : line) {
                QVERIFY(c.category() != QChar::Other_Control);
                QVERIFY(c.unicode() < 0x202A || c.unicode() > 0x202E);
            }
        }
        QCOMPARE(shownLine(QStringLiteral("two\nlines")), QStringLiteral("two lines"));
        QCOMPARE(shownLine(QStringLiteral("שלום")), QStringLiteral("שלום"));
        const QString pairs = QStringLiteral("x") + QStringLiteral("😀").repeated(300);
        QVERIFY(!shownLine(pairs).chopped(1).back().isHighSurrogate());
    }
};

GPULEDGER_WINDOW_SUITE(TestTableText)

} // namespace tst_tabletext

#include "tst_tabletext.moc"
