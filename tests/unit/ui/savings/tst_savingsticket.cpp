// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/suite.h"
#include "tests/unit/ui/savings/savingssample.h"
#include "ui/viewmodels/savings/savingsticket.h"

#include <QRegularExpression>
#include <QTest>
#include <QTextDocument>

namespace tst_savingsticket {

using namespace gpuledger;
using ui::markdownCode;
using ui::markdownText;

class SavingsTicketTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // A locale with another currency, so that amounts have their code.
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedKingdom)); }

    void nothingIsMarkup_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("cell") << QStringLiteral("a|b | c");
        QTest::newRow("code") << QStringLiteral("a`b``` c");
        QTest::newRow("lines") << QStringLiteral("a\n\n# b\r\n- c");
        QTest::newRow("tag") << QStringLiteral("<img src=x onerror=alert(1)> &lt;b&gt;");
        QTest::newRow("emphasis") << QStringLiteral("*a* __b__ ~~c~~");
        QTest::newRow("link") << QStringLiteral("[a](file:///x) ![b](c)");
        QTest::newRow("heading") << QStringLiteral("# a");
        QTest::newRow("list") << QStringLiteral("- a");
        QTest::newRow("numbers") << QStringLiteral("12. a");
        QTest::newRow("numbers in brackets") << QStringLiteral("1) a");
        QTest::newRow("backslash") << QStringLiteral("a\\|b\\");
        QTest::newRow("usual") << QStringLiteral("research/notebook-7.v2");
    }
    // As a reader of Markdown understands it, the text is what it was.
    void nothingIsMarkup()
    {
        QFETCH(QString, name);
        QTextDocument document;
        document.setMarkdown(QStringLiteral("- ") + markdownText(name));
        QCOMPARE(document.toPlainText(), name.simplified());
        document.setMarkdown(QStringLiteral("| a | b |\n| --- | --- |\n| %1 | end |\n").arg(markdownText(name)));
        QVERIFY2(document.toPlainText().contains(name.simplified()), qPrintable(document.toPlainText()));
    }

    void mentionsNobodyAndTurnsNothingAround()
    {
        QVERIFY(!markdownText(QStringLiteral("a @team b")).contains(QLatin1Char('@')));
        QCOMPARE(markdownText(QStringLiteral("a\u202Eb\u2066c\u0007d")), QStringLiteral("abc d"));
        QCOMPARE(markdownText(QStringLiteral("research/notebook-7.v2")), QStringLiteral("research/notebook-7.v2"));
    }

    void codeCantEndItsBlock()
    {
        QCOMPARE(markdownCode(QStringLiteral("a")), QStringLiteral("```\na\n```\n"));
        const QString hostile = QStringLiteral("a\n````\n# b\n`````\n");
        const QString block = markdownCode(hostile);
        QVERIFY(block.startsWith(QStringLiteral("``````\n")) && block.endsWith(QStringLiteral("\n``````\n")));
        QCOMPARE(block.count(QStringLiteral("``````")), 2);
        QCOMPARE(markdownCode(QStringLiteral("a\rb\r\nc\u202E")), QStringLiteral("```\na\nb\nc\n```\n"));
    }

    void saysEverything()
    {
        ui::SavingsSnapshot snapshot;
        snapshot.list = tests::sampleList();
        savings::Proposal one = snapshot.list.items.front();
        one.target = "pool|`a`\n## planned <b>";
        one.evidence = {
            {savings::Remark{savings::RemarkText::CountedAlready, {savings::textTerm("x|y")}}, savings::countTerm(12)}};
        one.risks = {savings::Remark{savings::RemarkText::CountedAlready, {savings::textTerm("risky\n# one")}}};
        const QString ticket = ui::savingsTicket(one, snapshot);
        const QStringList lines = ticket.split(QLatin1Char('\n'));
        QCOMPARE(lines.front(), QStringLiteral("# Capacity: pool\\|\\`a\\` \\#\\# planned &lt;b&gt;"));
        QCOMPARE(lines.filter(QRegularExpression(QStringLiteral("^#+ "))).size(), 5); // title and four headings
        QVERIFY(ticket.contains(QStringLiteral("1,000 USD")));
        QVERIFY(ticket.contains(QStringLiteral("500 USD to 2,000 USD")));
        QVERIFY(ticket.contains(QStringLiteral("vision")));
        QVERIFY(ticket.contains(QString::fromStdString(one.how)));
        QVERIFY(ticket.contains(QStringLiteral("Scale-down delay")));
        QVERIFY(ticket.contains(QStringLiteral("x\\|y")));
        QVERIFY(!ticket.contains(QLatin1String("<b>")));
    }
};

GPULEDGER_WINDOW_SUITE(SavingsTicketTest)

} // namespace tst_savingsticket

#include "tst_savingsticket.moc"
