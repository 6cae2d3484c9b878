// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/money/money.h"
#include "app/base/text/text.h"
#include "app/base/time/time.h"
#include "tests/support/suite.h"

#include <QLocale>
#include <QTest>

#include <rapidcheck.h>

#include <clocale>
#include <cmath>
#include <locale>

namespace tst_text {

using namespace gpuledger::base;

namespace {

// German number format, whether or not the system has that locale.
class GermanNumbers : public std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

const std::string kReplacement = "\xEF\xBF\xBD";

} // namespace

class TestText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void hidesWhatATerminalWouldObey_data();
    void hidesWhatATerminalWouldObey();
    void keepsOrdinaryText();
    void cutsAtACharactersEnd();
    void putsLinesIntoOne();
    void printsAnyBytesAsUtf8();
    void tellsUtf8_data();
    void tellsUtf8();
    void readsNumbersAsPrometheusWritesThem();
    void tinyNumbersAreZeroAndHugeOnesInfinite();
    void refusesWhatIsNoNumber();
    void machineTextKnowsNoLocale();
};

void TestText::hidesWhatATerminalWouldObey_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("shown");
    const QByteArray r = QByteArray::fromStdString(kReplacement);
    QTest::newRow("colour") << QByteArray("\x1b[31mred") << r + "[31mred";
    QTest::newRow("bell and delete") << QByteArray("a\x07\x7f") << "a" + r + r;
    QTest::newRow("newline and tab") << QByteArray("a\nb\tc\r") << "a" + r + "b" + r + "c" + r;
    QTest::newRow("zero byte") << QByteArray("a\0b", 3) << "a" + r + "b";
    QTest::newRow("C1 control") << QByteArray("\xC2\x9b[1m") << r + "[1m";
    QTest::newRow("right-to-left override") << QByteArray("gpj\xE2\x80\xAEtxt") << "gpj" + r + "txt";
    QTest::newRow("isolate") << QByteArray("\xE2\x81\xA6x\xE2\x81\xA9") << r + "x" + r;
    QTest::newRow("zero-width space") << QByteArray("te\xE2\x80\x8B"
                                                    "am")
                                      << "te" + r + "am";
    QTest::newRow("byte order mark") << QByteArray("\xEF\xBB\xBFx") << r + "x";
    QTest::newRow("soft hyphen") << QByteArray("te\xC2\xAD"
                                               "am")
                                 << "te" + r + "am";
    QTest::newRow("tag character") << QByteArray("x\xF3\xA0\x81\xA1") << "x" + r;
    QTest::newRow("line separator") << QByteArray("a\xE2\x80\xA8"
                                                  "b")
                                    << "a" + r + "b";
    QTest::newRow("lone continuation") << QByteArray("a\x80"
                                                     "b")
                                       << "a" + r + "b";
    QTest::newRow("cut sequence") << QByteArray("a\xE2\x82") << "a" + r + r;
    QTest::newRow("overlong slash") << QByteArray("\xC0\xAF") << r + r;
    QTest::newRow("surrogate") << QByteArray("\xED\xA0\x80") << r + r + r;
}

void TestText::hidesWhatATerminalWouldObey()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, shown);
    QCOMPARE(QByteArray::fromStdString(printable(text.toStdString())), shown);
}

void TestText::keepsOrdinaryText()
{
    for (const std::string text : {"", "plain", "Größe 5 €", "日本語", "\xF0\x9F\x99\x82", "a/b:c=d \"e\""})
        QCOMPARE(printable(text), text);
}

void TestText::cutsAtACharactersEnd()
{
    QCOMPARE(printable("abcdef", 6), std::string("abcdef"));
    QCOMPARE(printable("abcdefg", 6), std::string("abcdef…"));
    QCOMPARE(printable("aé", 2), std::string("a…"));
    QCOMPARE(printable("x", 0), std::string("…"));
}

void TestText::putsLinesIntoOne()
{
    QCOMPARE(printableLine("\r\n error:\n\tno Prometheus \n\n at  all\n"), std::string("error: no Prometheus at all"));
    QCOMPARE(printableLine(" \n\t"), std::string());
    QCOMPARE(printableLine("a\nb\x1b[2J"), std::string("a b\xEF\xBF\xBD[2J"));
    QCOMPARE(printableLine("abc\ndef", 5), std::string("abc d…"));
}

void TestText::printsAnyBytesAsUtf8()
{
    QVERIFY(rc::check([] {
        const auto bytes = *rc::gen::container<std::string>(rc::gen::arbitrary<char>());
        const std::string shown = printable(bytes, 64);
        RC_ASSERT(isUtf8(shown));
        RC_ASSERT(shown.size() <= 67u);
        for (const char c : shown)
            RC_ASSERT(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f);
        RC_ASSERT(printable(shown, 128) == shown);
    }));
}

void TestText::tellsUtf8_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("valid");
    QTest::newRow("empty") << QByteArray() << true;
    QTest::newRow("umlaut") << QByteArray("\xC3\xBC") << true;
    QTest::newRow("last code point") << QByteArray("\xF4\x8F\xBF\xBF") << true;
    QTest::newRow("beyond the last") << QByteArray("\xF4\x90\x80\x80") << false;
    QTest::newRow("Latin-1") << QByteArray("\xFC") << false;
    QTest::newRow("overlong") << QByteArray("\xE0\x80\xAF") << false;
    QTest::newRow("five bytes") << QByteArray("\xF8\x88\x80\x80\x80") << false;
}

void TestText::tellsUtf8()
{
    QFETCH(QByteArray, text);
    QFETCH(bool, valid);
    QCOMPARE(isUtf8(text.toStdString()), valid);
}

void TestText::readsNumbersAsPrometheusWritesThem()
{
    QCOMPARE(parseDouble("0.05").value(), 0.05);
    QCOMPARE(parseDouble("+1.5e3").value(), 1500.0);
    QCOMPARE(parseDouble("-0").value(), 0.0);
    QVERIFY(std::isnan(parseDouble("NaN").value()));
    QCOMPARE(parseDouble("+Inf").value(), std::numeric_limits<double>::infinity());
    QCOMPARE(parseDouble("-Inf").value(), -std::numeric_limits<double>::infinity());
    QCOMPARE(parseInt("-9223372036854775808").value(), std::numeric_limits<std::int64_t>::min());
}

void TestText::tinyNumbersAreZeroAndHugeOnesInfinite()
{
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    QCOMPARE(parseDouble("1e999").value(), kInfinity);
    QCOMPARE(parseDouble("-1e999").value(), -kInfinity);
    QCOMPARE(parseDouble(std::string(400, '9')).value(), kInfinity);
    QCOMPARE(parseDouble("1e-999").value(), 0.0);
    QCOMPARE(parseDouble("-1E-999").value(), 0.0);
    QCOMPARE(parseDouble("0." + std::string(400, '0') + "1").value(), 0.0);
}

void TestText::refusesWhatIsNoNumber()
{
    for (const char *text : {"", "+", "-", "++1", "+-1", "1,5", "1.5 ", " 1.5", "1e", "0x", "abc"})
        QVERIFY2(!parseDouble(text), text);
    for (const char *text : {"", "+1", "1.0", "9223372036854775808", " 1", "1 ", "0x1"})
        QVERIFY2(!parseInt(text), text);
}

void TestText::machineTextKnowsNoLocale()
{
    const std::locale before = std::locale::global(std::locale(std::locale::classic(), new GermanNumbers));
    const QLocale qtBefore;
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    for (const char *name : {"de_DE.UTF-8", "de_DE", "de_DE@euro"})
        std::setlocale(LC_ALL, name);
    const auto number = parseDouble("1234.5");
    const auto german = parseDouble("1234,5");
    const auto amount = Money::parse("1234.5", Currency::usd());
    const std::string printed = Money{1'234'500'000'000, Currency::usd()}.toDecimal();
    const std::string time = toRfc3339(parseTime("2026-11-01T00:00:00Z").value());
    std::setlocale(LC_ALL, "C");
    QLocale::setDefault(qtBefore);
    std::locale::global(before);
    QCOMPARE(number, std::optional(1234.5));
    QVERIFY(!german);
    QCOMPARE(amount->nanos(), std::int64_t{1'234'500'000'000});
    QCOMPARE(printed, std::string("1234.500000000"));
    QCOMPARE(time, std::string("2026-11-01T00:00:00Z"));
}

GPULEDGER_PLAIN_SUITE(TestText)

} // namespace tst_text

#include "tst_text.moc"
