// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/focus/billimport.h"
#include "tests/support/fakes/memorybillsink.h"
#include "tests/support/suite.h"

#include <QtTest>

#include <cstdlib>

namespace tst_focussample {

using namespace gpuledger;
using namespace gpuledger::tests;
using ports::BillFindingText;

namespace fs = std::filesystem;

namespace {

// Real bills, which are available only next to a developer's repository.
fs::path samples()
{
    const char *shared = std::getenv("GPULEDGER_SHARED");
    const char *source = std::getenv("GPULEDGER_SOURCE_DIR");
    const fs::path root = shared ? fs::path(shared) : fs::path(source ? source : ".") / ".." / "shared";
    return root / "data" / "focus";
}

base::Result<ports::ImportReport> import(const fs::path &path, MemoryBillSink &sink)
{
    const base::SystemClock clock;
    const ports::BillDelivery delivery{{fs::canonical(path)}};
    return focus::BillImport("cloud", delivery, sink, clock, {}).run();
}

std::string finding(const ports::ImportReport &report, BillFindingText text, const std::string &provider)
{
    for (const ports::BillFinding &f : report.findings) {
        if (f.text == text && f.provider == provider)
            return std::to_string(std::get<std::uint64_t>(f.terms.back()));
    }
    return "none";
}

} // namespace

class TestFocusSample : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Rows and sums of each provider, to the last digit of the file, from its README.
    void realBillsComeToTheSumsOfTheirReadme()
    {
        const fs::path path = samples() / "focus_1.0_sample_part_a.csv";
        if (!fs::exists(path))
            QSKIP("skipped: no trace");
        MemoryBillSink sink;
        const auto report = import(path, sink);
        QVERIFY2(report, report ? "" : report.error().text.c_str());
        QCOMPARE(report->read.lines, std::uint64_t(716));
        QCOMPARE(report->rejected.lines, std::uint64_t(0));
        QVERIFY(report->version == ports::FocusVersion::V1_0);
        struct Want {
            const char *provider;
            std::uint64_t rows;
            const char *billed, *effective;
        };
        const std::array want{Want{"AWS", 658, "11.4885399718", "9"},
                              Want{"Microsoft", 51, "1.97651418586", "1.97651418586"},
                              Want{"Oracle", 7, "0.53707392473", "0"}};
        QCOMPARE(report->providers.size(), want.size());
        for (std::size_t i = 0; i < want.size(); ++i) {
            const ports::ProviderPart &part = report->providers[i];
            QCOMPARE(part.provider, std::string(want[i].provider));
            QCOMPARE(part.accepted.lines, want[i].rows);
            QCOMPARE(part.accepted.sums.size(), std::size_t(1));
            QCOMPARE(part.accepted.sums[0].currency.code(), std::string_view("USD"));
            QCOMPARE(part.accepted.sums[0].billed.toText(), std::string(want[i].billed));
            QCOMPARE(part.accepted.sums[0].effective.toText(), std::string(want[i].effective));
        }
        const ports::BillSum &all = report->accepted.sums.at(0);
        QCOMPARE(all.billed.toText(), std::string("14.00212808239"));
        QCOMPARE(all.effective.toText(), std::string("10.97651418586"));
        // Lines are stored in units of 1e-9: rounding drops less than half of one each.
        const double rounded = std::abs(all.billedKept.minus(all.billed)->toDouble());
        QVERIFY2(rounded <= 716 * 0.5e-9, std::to_string(rounded).c_str());
        QCOMPARE(report->parts.size(), std::size_t(4)); // Oracle's has two months
    }

    void realBillsShowTheDeviationsOfTheirProviders()
    {
        const fs::path path = samples() / "focus_1.0_sample_part_a.csv";
        if (!fs::exists(path))
            QSKIP("skipped: no trace");
        MemoryBillSink sink;
        const auto report = import(path, sink);
        QVERIFY(report);
        QCOMPARE(finding(*report, BillFindingText::NoZone, "AWS"), std::string("658"));
        QCOMPARE(finding(*report, BillFindingText::NullWord, "Microsoft"), std::string("51"));
        QCOMPARE(finding(*report, BillFindingText::WordSpelling, "Oracle"), std::string("7"));
        QCOMPARE(finding(*report, BillFindingText::RegionFromName, "Oracle"), std::string("7"));
        QVERIFY(finding(*report, BillFindingText::EffectiveCostZero, "Oracle") != "none");
        QVERIFY(finding(*report, BillFindingText::TagKeyBlanks, "Microsoft") != "none");
        for (const auto &[key, lines] : sink.bills) {
            for (const model::BillLine &line : lines) {
                QCOMPARE(line.extra.at(0).name, std::string("Id")); // a column that FOCUS does not have
                QVERIFY(!line.product.serviceName.empty());
            }
        }
    }

    void azuresOwnExportIsRefusedWithWhatToDo()
    {
        const fs::path azure = samples() / "azure_ea_native_sample.csv";
        if (!fs::exists(azure))
            QSKIP("skipped: no trace");
        MemoryBillSink sink;
        const auto report = import(azure, sink);
        QVERIFY(!report);
        QVERIFY(report.error().code == base::ErrorCode::Unsupported);
        QVERIFY2(report.error().hint.find("Azure cost details") != std::string::npos, report.error().hint.c_str());
    }

    void aRealCostAndUsageReportHasItsSum()
    {
        const fs::path path = samples() / "aws_cur_native_sample.csv";
        if (!fs::exists(path))
            QSKIP("skipped: no trace");
        MemoryBillSink sink;
        const auto report = import(path, sink);
        QVERIFY(report);
        QVERIFY(report->version == ports::FocusVersion::UsageReport);
        QCOMPARE(report->accepted.lines, std::uint64_t{1281});
        QCOMPARE(report->rejected.lines, std::uint64_t{0});
        QCOMPARE(report->accepted.sums.at(0).billed.toText(), std::string("1.6823086974"));
        QCOMPARE(report->accepted.sums.at(0).effective.toText(), std::string("1.6823086974"));
    }
};

GPULEDGER_PLAIN_SUITE(TestFocusSample)

} // namespace tst_focussample

#include "tst_focussample.moc"
