// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/focus/billimport.h"
#include "tests/support/fakes/memorybillsink.h"
#include "tests/support/fleets/billtext.h"
#include "tests/support/suite.h"

#include <QtTest>

#include <QTemporaryDir>

#include <zlib.h>

#include <random>

namespace tst_focushostile {

using namespace gpuledger;
using namespace gpuledger::tests;
using ports::ImportReport;
using ports::RejectReason;

namespace {

struct Run {
    base::Result<ImportReport> result;
    MemoryBillSink sink;
};

// Imports the bytes as a file that is complete.
class Importer {
public:
    void run(const std::string &bytes, Run &out)
    {
        writeFile(m_path, bytes);
        runFile(out);
    }
    void runFile(Run &out)
    {
        const base::SystemClock clock;
        const ports::BillDelivery delivery{{m_path}};
        out.result = focus::BillImport("cloud", delivery, out.sink, clock, {}).run();
    }
    const std::filesystem::path &path() const { return m_path; }

private:
    QTemporaryDir m_dir;
    std::filesystem::path m_path = m_dir.filePath(QStringLiteral("bill.csv")).toStdString();
};

std::vector<RejectReason> reasons(const Run &run)
{
    std::vector<RejectReason> all;
    for (const ports::Rejection &r : run.result->rejections)
        all.push_back(r.reason);
    return all;
}

// Rows as a generator makes them: 24 columns of plausible text, an amount with eleven decimals.
std::string generatedRow(std::uint64_t i)
{
    Cells cells =
        goodCells({{"BilledCost", "0.0000" + std::to_string(10000 + i % 89999)},
                   {"EffectiveCost", "1." + std::to_string(i % 1000)},
                   {"ResourceId", "arn:aws:ec2:us-east-1:123456789012:instance/i-" + std::to_string(i * 7919)},
                   {"Tags", R"("{""team"": ""vision"", ""run"": "")" + std::to_string(i % 50) + R"(""}")"},
                   {"ResourceName", std::string(500, static_cast<char>('a' + i % 26))},
                   {"x_UsageType", "BoxUsage:p5.48xlarge"}});
    std::string row;
    for (const auto &[column, cell] : cells)
        row += (row.empty() ? "" : ",") + cell;
    return row + '\n';
}

std::string generatedHeader()
{
    std::string header;
    for (const auto &[column, cell] :
         goodCells({{"ResourceId", ""}, {"ResourceName", ""}, {"Tags", ""}, {"x_UsageType", ""}}))
        header += (header.empty() ? "" : ",") + column;
    return header + '\n';
}

} // namespace

class TestFocusHostile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void hugeFieldIsRefusedAndTheNextRowIsRead()
    {
        const std::string huge(10u << 20, 'x');
        Importer import;
        Run run;
        import.run(csvText({goodCells(),
                            goodCells(
                                {{ "ResourceName",
                                   huge }}),
                            goodCells(
                                {{ "ResourceName",
                                   '"' + huge + '"' }}),
                            goodCells()}),
                   run);
        QVERIFY(run.result);
        QCOMPARE(run.result->accepted.lines, std::uint64_t(2));
        QVERIFY(reasons(run) == (std::vector{RejectReason::LineTooLong, RejectReason::LineTooLong}));
        QCOMPARE(run.result->rejections[1].row, std::uint64_t(4));
        QCOMPARE(run.result->rejected.sums.at(0).unknownBilled, std::uint64_t(2));
    }

    void nulBytesRefuseTheirRow()
    {
        Importer import;
        Run run;
        import.run(csvText({goodCells(), goodCells({{ "ResourceName", std::string("a\0b", 3) }})}), run);
        QVERIFY(reasons(run) == std::vector{RejectReason::NulByte});
        Run zeros;
        import.run(std::string(100'000, '\0'), zeros);
        QVERIFY(!zeros.result);
        QVERIFY(zeros.result.error().code == base::ErrorCode::Unsupported);
    }

    void hundredThousandColumns()
    {
        std::string header = generatedHeader();
        header.pop_back();
        for (int i = 0; i < 100'000; ++i)
            header += ",c" + std::to_string(i);
        Importer import;
        Run run;
        import.run(header + '\n' + generatedRow(1), run);
        QVERIFY(run.result.error().code == base::ErrorCode::TooMuch);
        Run row;
        import.run(generatedHeader() + std::string(100'000, ',') + '\n' + generatedRow(1), row);
        QVERIFY(reasons(row) == std::vector{RejectReason::ColumnCount});
        QCOMPARE(row.result->accepted.lines, std::uint64_t(1));
    }

    void bombsAreRefused()
    {
        std::string lines;
        while (lines.size() < 80u << 20)
            lines += std::string(8000, ' ') + '\n';
        Importer import;
        for (const std::string &bomb : {gzipped(generatedHeader() + lines, 9), zstandard(generatedHeader() + lines),
                                        gzipped(std::string(80u << 20, 'x'), 9)}) {
            Run run;
            import.run(bomb, run);
            QVERIFY(!run.result);
            QVERIFY(run.result.error().code == base::ErrorCode::TooMuch);
            QCOMPARE(run.sink.begun, run.sink.discarded);
        }
    }

    void tooManyBillingAccounts()
    {
        std::string text = generatedHeader();
        const std::string row = generatedRow(1);
        const std::size_t at = row.find("acc-1");
        for (std::size_t i = 0; i <= focus::kMostKeys; ++i)
            text += std::string(row).insert(at, std::to_string(i));
        Importer import;
        Run run;
        import.run(text, run);
        QVERIFY(run.result.error().code == base::ErrorCode::TooMuch);
        QCOMPARE(run.sink.discarded, 1);
    }

    void rowsOfManyColumnsAreHandedOverEarlier()
    {
        std::vector<Cells> rows(60, goodCells({{"x_blob", std::string(2u << 20, 'y')}}));
        Importer import;
        Run run;
        import.run(csvText(rows), run);
        QCOMPARE(run.result->accepted.lines, std::uint64_t(60));
        QVERIFY2(run.sink.mostWaiting <= 17, std::to_string(run.sink.mostWaiting).c_str());
    }

    void deepJsonIsUnreadableAndNothingElse()
    {
        const std::string deep = std::string(200'000, '[');
        Importer import;
        Run run;
        import.run(csvText({goodCells({{"ProviderName", "Google"},
                                       {"Tags", deep},
                                       {"SkuPriceDetails", deep},
                                       {"x_Labels", deep},
                                       { "x_Credits",
                                         deep }})}),
                   run);
        QVERIFY(run.result);
        QCOMPARE(run.result->accepted.lines, std::uint64_t(1));
        QVERIFY(run.sink.bills.begin()->second[0].tags.empty());
    }

    // Damage of any kind at any place: no crash, the sums hold, and only money counts as money.
    void randomDamageKeepsTheSums()
    {
        std::string text = generatedHeader();
        for (std::uint64_t i = 0; i < 40; ++i)
            text += generatedRow(i);
        const std::size_t head = generatedHeader().size();
        static constexpr std::string_view kBytes("\0\",\n\r\xFF-eE.9{}[", 15);
        Importer import;
        int refused = 0;
        for (unsigned seed = 1; seed <= 400; ++seed) {
            std::mt19937 random(seed);
            std::string damaged = text;
            for (unsigned n = 1 + random() % 5; n > 0; --n) {
                const std::size_t at = head + random() % (damaged.size() - head);
                const char byte = kBytes[random() % kBytes.size()];
                switch (random() % 3) {
                case 0:
                    damaged[at] = byte;
                    break;
                case 1:
                    damaged.insert(at, 1, byte);
                    break;
                default:
                    damaged.erase(at, 1 + random() % 20);
                    break;
                }
            }
            Run run;
            import.run(damaged, run);
            QVERIFY2(run.result, run.result ? "" : run.result.error().text.c_str());
            const ImportReport &report = *run.result;
            if (report.outcome != ImportReport::Outcome::Imported)
                continue;
            QCOMPARE(report.read.lines, report.accepted.lines + report.rejected.lines);
            std::uint64_t kept = 0;
            base::Decimal billed;
            for (const auto &[key, lines] : run.sink.bills) {
                kept += lines.size();
                for (const model::BillLine &line : lines)
                    billed = billed.plus(base::Decimal::of(line.billed)).value();
            }
            QCOMPARE(kept, report.accepted.lines);
            base::Decimal told;
            for (const ports::BillSum &sum : report.accepted.sums)
                told = told.plus(sum.billedKept).value();
            QCOMPARE(billed, told);
            refused += report.rejected.lines > 0 ? 1 : 0;
        }
        QVERIFY2(refused > 100, std::to_string(refused).c_str());
    }

    // 200 MB of text: the number of waiting lines does not grow with the file.
    void memoryIsFlatForALargeFile()
    {
        Importer import;
        constexpr std::uint64_t kBytes = 200u << 20;
        std::uint64_t written = 0, rows = 0;
        const gzFile file = gzopen(import.path().c_str(), "wb1");
        const auto put = [&](const std::string &text) {
            written += text.size();
            return gzwrite(file, text.data(), static_cast<unsigned>(text.size())) > 0;
        };
        QVERIFY(put(generatedHeader()));
        constexpr std::uint64_t kBlockRows = 5000;
        std::string block;
        for (std::uint64_t i = 0; i < kBlockRows; ++i)
            block += generatedRow(i);
        for (; written < kBytes; rows += kBlockRows)
            QVERIFY(put(block));
        QCOMPARE(gzclose(file), Z_OK);
        Run run;
        run.sink.keepLines = false;
        import.runFile(run);
        QVERIFY2(run.result, run.result ? "" : run.result.error().text.c_str());
        QCOMPARE(run.result->accepted.lines, rows);
        QCOMPARE(run.sink.lines, rows);
        QVERIFY(rows > 200'000);
        QCOMPARE(run.sink.mostWaiting, ports::CostSource::kMostLines);
    }
};

GPULEDGER_PLAIN_SUITE(TestFocusHostile)

} // namespace tst_focushostile

#include "tst_focushostile.moc"
