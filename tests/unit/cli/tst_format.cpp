// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/suite.h"
#include "ui/format/figures.h"
#include "ui/format/sentence.h"
#include "ui/format/texttable.h"

#include <QTest>

#include <clocale>

using namespace gpuledger;
using base::ErrorCode;

class TestFormat : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { std::setlocale(LC_ALL, "de_DE.UTF-8"); } // nothing here may depend on it

    void unknownIsADashAndNeverZero()
    {
        QVERIFY(ui::percentText(std::nullopt) == "-");
        QVERIFY(ui::moneyText(std::nullopt) == "-");
        QVERIFY(ui::fixed(std::nan(""), 1) == "-");
        QVERIFY(ui::percentText(0.0) == "0.0 %");
    }

    void roundsMoneyHalfAwayFromZero_data()
    {
        QTest::addColumn<qint64>("nanos");
        QTest::addColumn<QString>("text");
        QTest::newRow("zero") << qint64{0} << QStringLiteral("0.00");
        QTest::newRow("below half") << qint64{4'999'999} << QStringLiteral("0.00");
        QTest::newRow("half") << qint64{5'000'000} << QStringLiteral("0.01");
        QTest::newRow("credit") << qint64{-5'000'000} << QStringLiteral("-0.01");
        QTest::newRow("small credit") << qint64{-4'999'999} << QStringLiteral("0.00");
        QTest::newRow("carries") << qint64{1'999'999'999} << QStringLiteral("2.00");
        QTest::newRow("largest") << std::numeric_limits<qint64>::max() << QStringLiteral("9223372036.85");
        QTest::newRow("smallest") << std::numeric_limits<qint64>::min() << QStringLiteral("-9223372036.85");
    }
    void roundsMoneyHalfAwayFromZero()
    {
        QFETCH(qint64, nanos);
        QFETCH(QString, text);
        QCOMPARE(QString::fromStdString(ui::amountText(nanos)), text);
    }

    void writesFigures()
    {
        QVERIFY(ui::fixed(1234567.891, 1) == "1234567.9");
        QVERIFY(ui::fixed(-0.01, 1) == "0.0");
        QVERIFY(ui::durationText(base::Seconds{59}) == "59 s");
        QVERIFY(ui::durationText(base::Seconds{3 * 86400 + 4 * 3600 + 59}) == "3 d 4 h");
        QVERIFY(ui::durationText(base::Seconds{7200}) == "2 h");
        QVERIFY(ui::bytesText(999) == "999 B");
        QVERIFY(ui::bytesText(999'960) == "1.0 MB");
    }

    void padsByDisplayWidth()
    {
        QCOMPARE(ui::displayWidth("team"), 4);
        QCOMPARE(ui::displayWidth("\xE5\x9B\xA2\xE9\x98\x9F"), 4); // two wide characters
        QCOMPARE(ui::displayWidth("e\xCC\x81"), 1); // a letter with a combining accent
        ui::TextTable table({{"team"}, {"n", ui::TextTable::Align::Right}});
        table.add({"\xE5\x9B\xA2\xE9\x98\x9F", "1"});
        table.add({"a", "22"});
        QVERIFY(table.toText(false) == "team   n\n\xE5\x9B\xA2\xE9\x98\x9F   1\na     22\n");
        QVERIFY(table.toText(true).starts_with("\x1b[1m"));
    }

    void quotesCsvCellsAndDefusesFormulas()
    {
        ui::TextTable table({{"a"}, {"b"}});
        table.add({"=1+1", "-12.5"});
        table.add({"x,\"y\"\nz", "@sum"});
        QVERIFY(table.toCsv() == "a,b\r\n\"'=1+1\",-12.5\r\n\"x,\"\"y\"\"\nz\",\"'@sum\"\r\n");
    }

    void tellsEveryErrorWithARemedy()
    {
        for (int code = 0; code <= static_cast<int>(ErrorCode::Internal); ++code) {
            const std::string sentence = ui::sentenceFor(base::Error::make(static_cast<ErrorCode>(code), "detail"));
            QVERIFY2(sentence.ends_with('.') && sentence.size() > 6, sentence.c_str());
            QVERIFY(sentence.find('\n') == std::string::npos);
        }
        base::Error error = base::Error::make(ErrorCode::Unauthorized, "401 \x1b[2J\nfrom x", "check the token");
        error.source = "prod";
        const std::string sentence = ui::sentenceFor(error);
        QVERIFY(sentence.starts_with("prod: The server does not accept the credential"));
        QVERIFY(sentence.ends_with("check the token."));
        QVERIFY(ui::sentenceFor(base::Error::make(ErrorCode::Network, "x", "is it on?")).ends_with("is it on?"));
        QVERIFY(sentence.find('\x1b') == std::string::npos && sentence.find('\n') == std::string::npos);
    }
};

GPULEDGER_SUITE(TestFormat)
#include "tst_format.moc"
