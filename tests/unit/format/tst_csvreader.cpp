// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/csvreader.h"
#include "tests/support/suite.h"
#include "tests/unit/format/bytes.h"

#include <QtTest>

#include <random>

namespace tst_csvreader {

using namespace gpuledger;
using namespace gpuledger::format;
using gpuledger::tests::RepeatedBytes;
using gpuledger::tests::TextBytes;
using Problem = TextRow::Problem;

namespace {

// "line:a|b|'c'" for each record; quoted fields in ', the problem's number after !, an open end as ~.
std::string shown(const std::string &text, std::size_t piece = 1u << 20, CsvLimits limits = {})
{
    TextBytes bytes(text, piece);
    CsvReader reader(bytes, limits);
    TextRow row;
    std::string out;
    for (;;) {
        const auto more = reader.next(row);
        if (!more)
            return out + "error " + std::string(base::toString(more.error().code));
        if (!*more)
            return out;
        out += std::to_string(row.line()) + ':';
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string mark = row.quoted(i) ? "'" : "";
            out += (i ? "|" : "") + mark + std::string(row[i]) + mark;
        }
        if (row.problem() != Problem::None)
            out += '!' + std::to_string(static_cast<int>(row.problem()));
        out += row.ended() ? ";" : "~";
    }
}

} // namespace

class TestCsvReader : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsRecords_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char *name, const QByteArray &text, const char *expected) {
            QTest::newRow(name) << text << QByteArray(expected);
        };
        row("nothing", "", "");
        row("plain", "a,b\nc,d\n", "1:a|b;2:c|d;");
        row("CRLF", "a,b\r\nc,d\r\n", "1:a|b;2:c|d;");
        row("no end of the last line", "a,b\nc,d", "1:a|b;2:c|d~");
        row("CR at the end", "a\r", "1:a~");
        row("CR inside", "a\rb,c\n", "1:a\rb|c;");
        row("byte order mark",
            "\xEF\xBB\xBF"
            "a\n",
            "1:a;");
        row("only a mark", "\xEF\xBB\xBF", "");
        row("empty fields", ",,\n", "1:||;");
        row("last field empty at the end", "a,", "1:a|~");
        row("quoted", "\"a,b\",\"c\"\n", "1:'a,b'|'c';");
        row("quotes doubled", "\"a\"\"b\",\"\"\"\"\n", "1:'a\"b'|'\"';");
        row("quoted empty and bare empty", "\"\",\n", "1:''|;");
        row("line ends in quotes", "\"a\nb\r\nc\",d\ne\n", "1:'a\nb\r\nc'|d;4:e;");
        row("quoted, then CRLF", "\"a\"\r\n\"b\"", "1:'a';2:'b'~");
        row("bare quote inside", "5\" disk,b\"\n", "1:5\" disk|b\";");
        row("text after quote", "\"a\"b,c\nd,e\n", "1:'ab'|c!3;2:d|e;");
        row("space after quote", "\"a\" ,c\n", "1:'a '|c!3;");
        row("blanks kept", " a , b \n", "1: a | b ;");
        row("empty lines passed over", "\na\n\r\n\nb\n", "2:a;5:b;");
        row("a line with one empty quoted field", "\"\"\n", "1:'';");
        row("quote never closed", "a\n\"b,c\nd", "1:a;2:'b,c\nd'!4~");
        row("NUL", QByteArray("a,b\0c\nd\n", 8), "1:a|b!5;2:d;"); // the expected NUL is put in below
        row("NULL bare and quoted", "NULL,\"NULL\"\n", "1:NULL|'NULL';");
        row("UTF-16",
            "\xFF\xFE"
            "a",
            "error unsupported");
    }

    void readsRecords()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, expected);
        const std::string want = QByteArray(expected).replace("b!5", QByteArray("b\0c!5", 5)).toStdString();
        for (const std::size_t piece :
             {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{7}, std::size_t{1000}})
            QCOMPARE(shown(text.toStdString(), piece), want);
    }

    // A long record is skipped completely, and the next one is read.
    void passesOverWhatIsTooLong()
    {
        const CsvLimits limits{16, 3, 1000};
        QCOMPARE(shown("a,b\n" + std::string(900, 'x') + ",y\nc,d\n", 5, limits), std::string("1:a|b;2:!1;3:c|d;"));
        QCOMPARE(shown("\"" + std::string(900, '\n') + "\"\nc\n", 5, limits), std::string("1:!1;902:c;"));
        QCOMPARE(shown("a,b,c,d,e\nf\n", 5, limits), std::string("1:a|b|c!2;2:f;"));
        QCOMPARE(shown("a\n" + std::string(2000, 'x'), 5, limits), std::string("1:a;error too-much"));
    }

    void longQuoteEndsWithAnErrorAndFlatMemory()
    {
        RepeatedBytes bytes("a,b\n\"", 'x', std::uint64_t{1} << 40);
        CsvReader reader(bytes);
        TextRow row;
        QVERIFY(reader.next(row).value());
        const auto next = reader.next(row);
        QVERIFY(!next);
        QVERIFY(next.error().code == base::ErrorCode::TooMuch);
        QVERIFY(next.error().text.find("line 2") != std::string::npos);
    }

    // Random texts written by our own writer are read back, however the bytes are split.
    void randomTablesComeBack()
    {
        static constexpr std::string_view kLetters = "ab,\"\r\n 0\xC3\xA4";
        for (unsigned seed = 1; seed <= 300; ++seed) {
            std::mt19937 random(seed);
            const std::size_t columns = 2 + random() % 5;
            std::string text, want;
            std::uint64_t line = 1;
            for (std::size_t r = 0; r < 1 + random() % 20; ++r) {
                want += std::to_string(line) + ':';
                for (std::size_t c = 0; c < columns; ++c) {
                    std::string value;
                    for (std::size_t i = random() % 6; i > 0; --i)
                        value += kLetters[random() % kLetters.size()];
                    const bool quote = random() % 2 || value.find_first_of(",\"\r\n") != std::string::npos;
                    std::string spelled;
                    for (const char letter : value) {
                        spelled += letter;
                        spelled += letter == '"' && quote ? "\"" : "";
                        line += letter == '\n' ? 1 : 0;
                    }
                    text += (c ? "," : "") + (quote ? '"' + spelled + '"' : spelled);
                    want += (c ? "|" : "") + (quote ? '\'' + value + '\'' : value);
                }
                text += random() % 2 ? "\r\n" : "\n";
                want += ';';
                ++line;
            }
            const std::string got = shown(text, 1 + random() % 9);
            QVERIFY2(got == want, ("seed " + std::to_string(seed) + "\n" + text).c_str());
        }
    }
};

GPULEDGER_PLAIN_SUITE(TestCsvReader)

} // namespace tst_csvreader

#include "tst_csvreader.moc"
