// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/focus/billimport.h"
#include "tests/support/fakes/memorybillsink.h"
#include "tests/support/fleets/billtext.h"
#include "tests/support/suite.h"

#include <QtTest>

#include <QTemporaryDir>

namespace tst_focusrows {

using namespace gpuledger;
using namespace gpuledger::tests;
using model::BillLine;
using ports::BillFindingText;
using ports::ImportReport;
using ports::RejectReason;

namespace {

constexpr auto kMaxNanos = std::numeric_limits<std::int64_t>::max();

// An import of one text, and its result.
struct Imported {
    explicit Imported(const std::string &text)
    {
        const std::filesystem::path path = dir.filePath(QStringLiteral("bill.csv")).toStdString();
        writeFile(path, text);
        const base::SystemClock clock;
        const ports::BillDelivery delivery{{path}};
        focus::BillImport import("cloud", delivery, sink, clock, {});
        result = import.run();
        if (result)
            report = *result;
        for (const auto &[key, of] : sink.bills)
            lines.insert(lines.end(), of.begin(), of.end());
    }
    // The terms of a finding, separated by spaces; "none" if it does not exist.
    std::string finding(BillFindingText text) const
    {
        for (const ports::BillFinding &f : report.findings) {
            if (f.text == text)
                return joined(f.terms);
        }
        return "none";
    }
    std::string rejection(std::size_t i) const
    {
        const ports::Rejection &r = report.rejections.at(i);
        return std::to_string(r.row) + ": " + joined(r.terms);
    }
    static std::string joined(const std::vector<ports::FindingTerm> &terms)
    {
        std::string all;
        for (const ports::FindingTerm &term : terms) {
            all += all.empty() ? "" : " ";
            if (const auto *text = std::get_if<std::string>(&term))
                all += *text;
            else
                all += std::to_string(std::get<std::uint64_t>(term));
        }
        return all;
    }

    QTemporaryDir dir;
    MemoryBillSink sink;
    base::Result<ImportReport> result;
    ImportReport report;
    std::vector<BillLine> lines;
};

// Every guarantee about the sums of a report.
void checkSums(const ImportReport &report)
{
    QCOMPARE(report.read.lines, report.accepted.lines + report.rejected.lines);
    std::uint64_t counted = 0;
    for (const ports::RejectCount &count : report.rejectCounts)
        counted += count.lines;
    QCOMPARE(counted, report.rejected.lines);
    const auto of = [](const ports::BillTally &tally, base::Currency currency) {
        for (const ports::BillSum &sum : tally.sums) {
            if (sum.currency == currency)
                return sum;
        }
        return ports::BillSum{currency, 0, 0, 0, {}, {}, {}, {}};
    };
    for (const ports::BillSum &read : report.read.sums) {
        const ports::BillSum good = of(report.accepted, read.currency), bad = of(report.rejected, read.currency);
        QCOMPARE(read.lines, good.lines + bad.lines);
        QCOMPARE(read.unknownBilled, good.unknownBilled + bad.unknownBilled);
        QCOMPARE(read.unknownEffective, good.unknownEffective + bad.unknownEffective);
        QCOMPARE(read.billed, good.billed.plus(bad.billed).value());
        QCOMPARE(read.effective, good.effective.plus(bad.effective).value());
        QCOMPARE(read.billedKept, good.billedKept.plus(bad.billedKept).value());
    }
}

} // namespace

class TestFocusRows : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsEveryColumn()
    {
        const Imported one(csvText({goodCells({
            {"AvailabilityZone", "eu-1a"},
            {"BillingAccountType", "Payer"},
            {"CapacityReservationId", "cr-1"},
            {"CapacityReservationStatus", "Unused"},
            {"ChargeClass", "Correction"},
            {"ChargeFrequency", "Usage-Based"},
            {"CommitmentDiscountCategory", "Spend"},
            {"CommitmentDiscountId", "sp-1"},
            {"CommitmentDiscountName", "plan"},
            {"CommitmentDiscountQuantity", "3"},
            {"CommitmentDiscountStatus", "Used"},
            {"CommitmentDiscountType", "Savings Plan"},
            {"CommitmentDiscountUnit", "USD"},
            {"ConsumedQuantity", "0.5"},
            {"ConsumedUnit", "GPU-Hours"},
            {"ContractedUnitPrice", "1.75"},
            {"InvoiceId", "inv-9"},
            {"ListUnitPrice", "2"},
            {"PricingCategory", "Dynamic"},
            {"PricingCurrency", "EUR"},
            {"RegionId", "eu-1"},
            {"RegionName", "Europe"},
            {"ResourceId", "i-1"},
            {"ResourceName", "node"},
            {"ResourceType", "Machine"},
            {"ServiceSubcategory", "Virtual Machines"},
            {"SkuId", "sku"},
            {"SkuMeter", "meter"},
            {"SkuPriceDetails", R"("{""GpuCount"": 8, ""InstanceType"": ""p5.48xlarge""}")"},
            {"SkuPriceId", "price"},
            {"SubAccountId", "sub"},
            {"SubAccountName", "Research"},
            {"SubAccountType", "Project"},
            {"Tags", R"("{""team"": ""vision"", ""spot"": true, ""none"": null}")"},
            {"x_UsageType", "BoxUsage:p5.48xlarge"},
        })}));
        QVERIFY2(one.result, one.result ? "" : one.result.error().text.c_str());
        QCOMPARE(one.lines.size(), std::size_t(1));
        const BillLine &l = one.lines[0];
        const base::Currency usd = base::Currency::usd();
        QCOMPARE(l.row, std::uint64_t(2));
        QCOMPARE(l.billed, (base::Money{1'500'000'000, usd}));
        QCOMPARE(l.effective, (base::Money{1'250'000'000, usd}));
        QCOMPARE(l.list.value(), (base::Money{2'000'000'000, usd}));
        QCOMPARE(l.contracted.value(), (base::Money{1'750'000'000, usd}));
        QCOMPARE(base::toRfc3339(l.billingPeriod.start), std::string("2026-09-01T00:00:00Z"));
        QCOMPARE(base::toRfc3339(l.billingPeriod.end), std::string("2026-10-01T00:00:00Z"));
        QCOMPARE(base::toRfc3339(l.chargePeriod.start), std::string("2026-09-02T00:00:00Z"));
        QCOMPARE(base::toRfc3339(l.chargePeriod.end), std::string("2026-09-02T01:00:00Z"));
        QCOMPARE(l.billingAccountId + l.billingAccountName + l.billingAccountType, std::string("acc-1PayerPayer"));
        QCOMPARE(l.subAccountId + l.subAccountName + l.subAccountType, std::string("subResearchProject"));
        QCOMPARE(l.invoiceId + l.invoiceIssuer, std::string("inv-9Example Cloud"));
        QVERIFY(l.category == model::ChargeCategory::Usage && l.chargeClass == model::ChargeClass::Correction);
        QVERIFY(l.frequency == model::ChargeFrequency::UsageBased && l.pricing == model::PricingCategory::Dynamic);
        QCOMPARE(l.pricingQuantity.amount->toText() + l.pricingQuantity.unit, std::string("1Hours"));
        QCOMPARE(l.consumedQuantity.amount->toText() + l.consumedQuantity.unit, std::string("0.5GPU-Hours"));
        QCOMPARE(l.product.skuId + l.product.skuPriceId + l.product.skuMeter, std::string("skupricemeter"));
        QCOMPARE(l.product.skuDetails, (model::Labels{{"GpuCount", "8"}, {"InstanceType", "p5.48xlarge"}}));
        QCOMPARE(l.product.listUnitPrice->toText(), std::string("2"));
        QCOMPARE(l.product.contractedUnitPrice->toText(), std::string("1.75"));
        QCOMPARE(l.product.serviceSubcategory, std::string("Virtual Machines"));
        QCOMPARE(l.resource.id + l.resource.name + l.resource.type, std::string("i-1nodeMachine"));
        QCOMPARE(l.resource.regionId + l.resource.regionName + l.resource.zone, std::string("eu-1Europeeu-1a"));
        QCOMPARE(l.commitment.id + l.commitment.name + l.commitment.type, std::string("sp-1planSavings Plan"));
        QVERIFY(l.commitment.category == model::CommitmentCategory::Spend);
        QVERIFY(l.commitment.status == model::UseStatus::Used);
        QCOMPARE(l.commitment.quantity.amount->toText() + l.commitment.quantity.unit, std::string("3USD"));
        QVERIFY(l.capacityReservation == model::UseStatus::Unused);
        QCOMPARE(l.capacityReservationId + l.pricingCurrency, std::string("cr-1EUR"));
        QCOMPARE(l.tags, (model::Labels{{"team", "vision"}, {"spot", "true"}, {"none", ""}}));
        QCOMPARE(l.extra.size(), std::size_t(1));
        QCOMPARE(l.extra[0].name + '=' + l.extra[0].value, std::string("x_UsageType=BoxUsage:p5.48xlarge"));
        QVERIFY(one.report.version == ports::FocusVersion::V1_2 && one.report.versionGuessed);
        QCOMPARE(one.report.parts.size(), std::size_t(1));
        QCOMPARE(one.report.parts[0].key.source, std::string("cloud"));
        QCOMPARE(one.report.parts[0].key.billingAccountId, std::string("acc-1"));
        checkSums(one.report);
    }

    void versionIsGuessedByItsColumns()
    {
        using ports::FocusVersion;
        QVERIFY(Imported(csvText({goodCells()})).report.version == FocusVersion::V1_0);
        QVERIFY(Imported(csvText({goodCells({{"SkuMeter", "x"}})})).report.version == FocusVersion::V1_1);
        QVERIFY(Imported(csvText({goodCells({{"InvoiceId", "x"}})})).report.version == FocusVersion::V1_2);
        Cells later = goodCells({{"ServiceProviderName", "Cloud 13"}, {"HostProviderName", "Host"}});
        later.erase("ProviderName");
        std::vector<std::string> columns = mandatoryColumns();
        columns.erase(std::find(columns.begin(), columns.end(), "ProviderName"));
        columns.insert(columns.end(), {"ServiceProviderName", "HostProviderName"});
        const Imported ahead(csvText(columns, {later}));
        QVERIFY(ahead.report.version == FocusVersion::Later);
        QCOMPARE(ahead.lines.at(0).product.provider, std::string("Cloud 13"));
        QCOMPARE(ahead.finding(BillFindingText::VersionAhead), std::string());
    }

    void namesTheVitalColumnThatIsMissing()
    {
        for (const char *vital : {"BilledCost", "EffectiveCost", "BillingAccountId", "BillingCurrency",
                                  "BillingPeriodStart", "BillingPeriodEnd", "ChargePeriodStart", "ChargePeriodEnd",
                                  "ChargeCategory", "ProviderName", "ServiceName"}) {
            std::vector<std::string> columns = mandatoryColumns();
            columns.erase(std::find(columns.begin(), columns.end(), vital));
            const Imported one(csvText(columns, {goodCells()}));
            QVERIFY(!one.result);
            QVERIFY(one.result.error().code == base::ErrorCode::Unsupported);
            QVERIFY2(one.result.error().text.find(vital) != std::string::npos, one.result.error().text.c_str());
            QVERIFY(one.result.error().source.find("bill.csv") != std::string::npos);
            QCOMPARE(one.sink.committed, 0);
            QCOMPARE(one.sink.discarded, one.sink.begun);
        }
        const Imported draft("Provider,ChargeType,BilledCost\na,b,1\n");
        QVERIFY(draft.result.error().hint.find("0.5") != std::string::npos);
        const Imported preview("ChargeSubcategory,BilledCost\na,1\n");
        QVERIFY(preview.result.error().hint.find("1.0-preview") != std::string::npos);
    }

    void notesOtherMandatoryColumnsThatAreMissing()
    {
        std::vector<std::string> columns = mandatoryColumns();
        columns.erase(std::find(columns.begin(), columns.end(), "ListCost"));
        const Imported one(csvText(columns, {goodCells()}));
        QCOMPARE(one.finding(BillFindingText::ColumnMissing), std::string("ListCost"));
        QVERIFY(!one.lines.at(0).list);
    }

    void refusesAColumnThatIsThereTwice()
    {
        std::vector<std::string> columns = mandatoryColumns();
        columns.push_back("billedCOST");
        const Imported one(csvText(columns, {goodCells()}));
        QVERIFY(one.result.error().code == base::ErrorCode::Parse);
        QVERIFY(one.result.error().text.find("BilledCost") != std::string::npos);
        columns.back() = "x_a";
        columns.push_back("x_a"); // unknown, and present twice
        const Imported extra(csvText(columns, {goodCells({{"x_a", "1"}})}));
        QCOMPARE(extra.lines.at(0).extra.size(), std::size_t(2));
    }

    void amountsAreReadExactly_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<qint64>("nanos");
        const auto row = [](const char *text, qint64 nanos) { QTest::newRow(text) << QByteArray(text) << nanos; };
        row("0", 0);
        row("-12.34", -12'340'000'000);
        row("1.5E-7", 150);
        row("1.5e+3", 1'500'000'000'000);
        row("0.0000000000001", 0);
        row("0.000000000499999999999999", 0);
        row("0.0000000005", 1);
        row("-0.0000000005", -1);
        row("00012.3400000000000000000000", 12'340'000'000);
        row(" 1.5 ", 1'500'000'000);
        row("9223372036.854775807", kMaxNanos);
    }

    void amountsAreReadExactly()
    {
        QFETCH(QByteArray, text);
        QFETCH(qint64, nanos);
        const Imported one(csvText({goodCells({{"BilledCost", text.toStdString()}})}));
        QCOMPARE(one.lines.size(), std::size_t(1));
        QCOMPARE(qint64{one.lines[0].billed.nanos()}, nanos);
        checkSums(one.report);
    }

    void sumsKeepTheDigitsThatLinesRoundAway()
    {
        std::vector<Cells> rows(1000, goodCells({{"BilledCost", "0.0000000004"}, {"EffectiveCost", "0.0000000006"}}));
        const Imported one(csvText(rows));
        const ports::BillSum &sum = one.report.accepted.sums.at(0);
        QCOMPARE(sum.billed.toText(), std::string("0.0000004"));
        QCOMPARE(sum.billedKept.toText(), std::string("0"));
        QCOMPARE(sum.effective.toText(), std::string("0.0000006"));
        QCOMPARE(sum.effectiveKept.toText(), std::string("0.000001"));
    }

    void timesAreReadAsRealFilesWriteThem_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("utc");
        QTest::addColumn<bool>("zone");
        const auto row = [](const char *text, const char *utc, bool zone) {
            QTest::newRow(text) << QByteArray(text) << QByteArray(utc) << zone;
        };
        row("2026-09-02T10:00:00Z", "2026-09-02T10:00:00Z", true);
        row("2026-09-02T10:00:00+02:00", "2026-09-02T08:00:00Z", true);
        row("2026-09-02T10:00:00-0530", "2026-09-02T15:30:00Z", true);
        row("2026-09-02 10:00:00", "2026-09-02T10:00:00Z", false);
        row("2026-09-02T10:00:00", "2026-09-02T10:00:00Z", false);
        row("2026-09-02 10:00:00 UTC", "2026-09-02T10:00:00Z", true);
        row("2026-09-02 10:00:00.000000 UTC", "2026-09-02T10:00:00Z", true);
        row("2026-09-02T10:00Z", "2026-09-02T10:00:00Z", true);
        row("2026-09-02", "2026-09-02T00:00:00Z", false);
        row("2026-09-02T10:00:00.123456Z", "2026-09-02T10:00:00Z", true);
        row("2026-09-02T09:59:59.999Z", "2026-09-02T10:00:00Z", true);
        row("2026-09-02T10:00:00.5", "2026-09-02T10:00:01Z", false);
    }

    void timesAreReadAsRealFilesWriteThem()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, utc);
        QFETCH(bool, zone);
        const Imported one(csvText(
            {goodCells({{"ChargePeriodStart", text.toStdString()}, {"ChargePeriodEnd", "2026-09-03T00:00:00Z"}})}));
        QCOMPARE(one.lines.size(), std::size_t(1));
        QCOMPARE(QByteArray::fromStdString(base::toRfc3339(one.lines[0].chargePeriod.start)), utc);
        QCOMPARE(one.finding(BillFindingText::NoZone), std::string(zone ? "none" : "1"));
    }

    void refusesRowsWithLineAndReason_data()
    {
        QTest::addColumn<QByteArray>("column");
        QTest::addColumn<QByteArray>("cell");
        QTest::addColumn<int>("reason");
        QTest::addColumn<QByteArray>("terms");
        const auto row = [](const char *name, const char *column, const char *cell, RejectReason reason,
                            const char *terms) {
            QTest::newRow(name) << QByteArray(column) << QByteArray(cell) << static_cast<int>(reason)
                                << QByteArray(terms);
        };
        row("no account", "BillingAccountId", "", RejectReason::MissingValue, "BillingAccountId");
        row("null amount", "BilledCost", "NULL", RejectReason::MissingValue, "BilledCost");
        row("null effective", "EffectiveCost", "\"null\"", RejectReason::MissingValue, "EffectiveCost");
        row("words for an amount", "BilledCost", "free", RejectReason::NotAnAmount, "BilledCost free");
        row("thousands", "BilledCost", "\"1,000.5\"", RejectReason::NotAnAmount, "BilledCost 1,000.5");
        row("NaN", "EffectiveCost", "NaN", RejectReason::NotAnAmount, "EffectiveCost NaN");
        row("infinity", "EffectiveCost", "-Inf", RejectReason::NotAnAmount, "EffectiveCost -Inf");
        row("above 64 bits", "BilledCost", "9223372036.854775808", RejectReason::AmountTooLarge,
            "BilledCost 9223372036.854775808");
        row("least of 64 bits", "BilledCost", "-9223372036.854775808", RejectReason::AmountTooLarge,
            "BilledCost -9223372036.854775808");
        row("far above", "BilledCost", "1e999", RejectReason::AmountTooLarge, "BilledCost 1e999");
        row("far below", "EffectiveCost", "-1e21", RejectReason::AmountTooLarge, "EffectiveCost -1e21");
        row("no currency", "BillingCurrency", "", RejectReason::MissingValue, "BillingCurrency");
        row("a token for a currency", "BillingCurrency", "Credits", RejectReason::NotACurrency, "Credits");
        row("American date", "ChargePeriodStart", "09/02/2026", RejectReason::NotATime, "ChargePeriodStart 09/02/2026");
        row("31st of September", "ChargePeriodEnd", "2026-09-31", RejectReason::NotATime, "ChargePeriodEnd 2026-09-31");
        row("no time", "BillingPeriodEnd", "", RejectReason::MissingValue, "BillingPeriodEnd");
        row("ends at its start", "ChargePeriodEnd", "2026-09-02T00:00:00Z", RejectReason::EmptyTimeRange,
            "ChargePeriodStart");
        row("month backwards", "BillingPeriodEnd", "2026-08-01", RejectReason::EmptyTimeRange, "BillingPeriodStart");
        row("unknown category", "ChargeCategory", "Gift", RejectReason::UnknownCategory, "Gift");
        row("a column too many", "ServiceName", "a,b", RejectReason::ColumnCount, "22 21");
        row("text after a quote", "ServiceName", "\"a\"b", RejectReason::TextAfterQuote, "");
    }

    void refusesRowsWithLineAndReason()
    {
        QFETCH(QByteArray, column);
        QFETCH(QByteArray, cell);
        QFETCH(int, reason);
        QFETCH(QByteArray, terms);
        const Cells bad = goodCells({{column.toStdString(), cell.toStdString()}});
        const Imported one(csvText({goodCells(), bad, goodCells()}));
        QVERIFY2(one.result, one.result ? "" : one.result.error().text.c_str());
        QCOMPARE(one.lines.size(), std::size_t(2));
        QCOMPARE(one.report.rejected.lines, std::uint64_t(1));
        QCOMPARE(static_cast<int>(one.report.rejections.at(0).reason), reason);
        QCOMPARE(one.rejection(0), "3: " + terms.toStdString());
        QCOMPARE(one.report.rejectCounts.size(), std::size_t(1));
        checkSums(one.report);
    }

    // A row that is refused for another reason still reports its amount.
    void refusedMoneyIsKnownAsFarAsItCanBeRead()
    {
        const Imported one(
            csvText({goodCells({{"ChargeCategory", "Gift"}, {"BilledCost", "7"}}),
                     goodCells({{"BilledCost", "x"}, {"EffectiveCost", "3"}}), goodCells({{"BillingCurrency", ""}}),
                     goodCells({{"ServiceName", "a,b"}}), goodCells({{"BilledCost", "99999999999"}})}));
        QCOMPARE(one.report.rejected.lines, std::uint64_t(5));
        const auto &sums = one.report.rejected.sums;
        QCOMPARE(sums.size(), std::size_t(2));
        QCOMPARE(sums[0].currency.code(), std::string_view());
        QCOMPARE(sums[0].unknownBilled, std::uint64_t(2));
        QCOMPARE(sums[1].lines, std::uint64_t(3));
        QCOMPARE(sums[1].billed.toText(), std::string("100000000006"));
        QCOMPARE(sums[1].effective.toText(), std::string("5.5"));
        QCOMPARE(sums[1].unknownBilled, std::uint64_t(1));
        checkSums(one.report);
    }

    // Amounts that can no longer be added up cause their lines to be refused, never the file.
    void sumsOfRefusedMoneyRefuseNoFile()
    {
        const Cells huge = goodCells({{"BilledCost", "9e19"}, {"EffectiveCost", "-9e19"}});
        const Imported one(csvText({goodCells(), huge, huge, huge, goodCells({{"BilledCost", "8e19"}}), goodCells()}));
        QVERIFY2(one.result, one.result ? "" : one.result.error().text.c_str());
        QCOMPARE(one.report.accepted.lines, std::uint64_t(2));
        QCOMPARE(one.report.rejected.lines, std::uint64_t(4));
        QCOMPARE(one.report.rejected.sums.at(0).unknownBilled, std::uint64_t(3));
        QCOMPARE(one.report.rejected.sums.at(0).unknownEffective, std::uint64_t(2));
        checkSums(one.report);
    }

    // No line is too large, but all of them together are: the whole file is refused, with the sum of all its lines.
    void aSumBeyondTheRangeRefusesTheFile()
    {
        const Cells largest = goodCells({{"BilledCost", "9223372036.854775807"}});
        std::vector<Cells> rows{goodCells(), largest, goodCells({{"BilledCost", "-3"}})};
        rows.resize(1000, goodCells()); // handed over in several batches
        const Imported one(csvText(rows));
        QVERIFY(!one.result);
        QVERIFY(one.result.error().code == base::ErrorCode::Overflow);
        QVERIFY2(
            one.result.error().text.starts_with("its charges add up to 9223373533.854775807 USD in BilledCost, and a "
                                                "bill can't exceed 9223372036.854775807 USD"),
            one.result.error().text.c_str());
        QVERIFY(one.result.error().source.ends_with(".csv"));
        QVERIFY(one.sink.bills.empty());
        const Imported twice(csvText({largest, goodCells({{"BilledCost", "-9223372036.854775807"}}), largest}));
        QVERIFY(!twice.result); // charges count even if credits offset them
        const Imported both(csvText({largest, goodCells({{"BilledCost", "-9223372036.854775807"}})}));
        QVERIFY2(both.result, both.result ? "" : both.result.error().text.c_str());
        QCOMPARE(both.lines.size(), std::size_t(2));
        checkSums(both.report);
    }

    void listOfRejectionsIsBoundedAndItsCountIsNot()
    {
        const std::vector<Cells> rows(1000, goodCells({{"BilledCost", "x"}}));
        const Imported one(csvText(rows));
        QCOMPARE(one.report.rejections.size(), ImportReport::kMostRejections);
        QCOMPARE(one.report.rejectCounts.at(0).lines, std::uint64_t(1000));
        QCOMPARE(one.report.read.lines, std::uint64_t(1000));
        QVERIFY(one.lines.empty());
        QCOMPARE(one.finding(BillFindingText::NoLines), std::string("none"));
        checkSums(one.report);
    }

    void currenciesAccountsAndPeriodsAreKeptApart()
    {
        const Cells euro = goodCells({{"BillingCurrency", "EUR"}, {"BilledCost", "-4"}});
        const Cells other = goodCells({{"BillingAccountId", "acc-2"}});
        const Cells next = goodCells({{"BillingPeriodStart", "2026-10-01"}, {"BillingPeriodEnd", "2026-11-01"}});
        const Imported one(csvText({goodCells(), euro, other, next, goodCells(), euro}));
        QCOMPARE(one.report.parts.size(), std::size_t(3));
        QCOMPARE(one.sink.bills.size(), std::size_t(3));
        QCOMPARE(one.report.parts[0].accepted.lines, std::uint64_t(4));
        QCOMPARE(one.report.parts[0].accepted.sums.size(), std::size_t(2));
        QCOMPARE(one.report.parts[0].accepted.sums[0].currency.code(), std::string_view("EUR"));
        QCOMPARE(one.report.parts[0].accepted.sums[0].billed.toText(), std::string("-8"));
        QCOMPARE(one.report.parts[0].accepted.sums[1].billed.toText(), std::string("3"));
        QCOMPARE(one.finding(BillFindingText::ChargeOutsidePeriod), std::string("1"));
        checkSums(one.report);
    }

    void valuesThatMayBeUnknownRefuseNoRow()
    {
        const Imported one(csvText({goodCells({{"ListCost", "99999999999"},
                                               {"ContractedCost", "?"},
                                               {"PricingQuantity", "many"},
                                               {"PricingCategory", "Barter"},
                                               {"Tags", "red"},
                                               {"SkuPriceDetails", "[1"}})}));
        const BillLine &l = one.lines.at(0);
        QVERIFY(!l.list && !l.contracted && !l.pricingQuantity.amount);
        QVERIFY(l.pricing == model::PricingCategory::Unknown);
        QVERIFY(l.tags.empty() && l.product.skuDetails.empty());
        QCOMPARE(l.extra.size(), std::size_t(6)); // each as it was written
        QCOMPARE(one.finding(BillFindingText::WordUnknown), std::string("PricingCategory Barter 1"));
        QCOMPARE(one.finding(BillFindingText::TagsUnreadable), std::string("1"));
        QVERIFY(one.finding(BillFindingText::ValueUnreadable) != "none");
    }

    void nullIsAWordOnlyWithoutQuotes()
    {
        const Imported one(csvText({goodCells({{"ResourceName", "\"NULL\""},
                                               {"ResourceId", "NULL"},
                                               {"ChargeClass", "null"},
                                               {"ListUnitPrice", "\"NULL\""}})}));
        const BillLine &l = one.lines.at(0);
        QCOMPARE(l.resource.name, std::string("NULL"));
        QVERIFY(l.resource.id.empty() && l.extra.empty());
        QCOMPARE(one.finding(BillFindingText::NullWord), std::string("1"));
    }

    void bytesThatAreNoUtf8AreReplacedAndNoted()
    {
        const Imported one(csvText({goodCells({{"ResourceName",
                                                "a\xFF"
                                                "b\xC3\xA4"},
                                               {"x_\xC0", "v"}})}));
        QCOMPARE(one.lines.at(0).resource.name,
                 std::string("a\xEF\xBF\xBD"
                             "b\xC3\xA4"));
        QCOMPARE(one.lines.at(0).extra.at(0).name, std::string("x_\xEF\xBF\xBD"));
        QCOMPARE(one.finding(BillFindingText::InvalidUtf8), std::string("1"));
    }

    void headerWithoutRowsIsSaid()
    {
        const Imported one(csvText({}));
        QVERIFY(one.report.outcome == ImportReport::Outcome::Imported);
        QCOMPARE(one.finding(BillFindingText::NoLines), std::string());
        QVERIFY(one.report.parts.empty());
    }

    void amazonLeavesPricesOutAndPrefixesTags()
    {
        const Imported one(csvText(
            {goodCells({{"ProviderName", "AWS"},
                        {"PublisherName", ""},
                        {"ListUnitPrice", ""},
                        {"SkuId", ""},
                        {"Tags", R"("{""user:team"":""vision"",""aws:x"":""1"",""user:a"":""2"",""a"":""3""}")"}})}));
        QCOMPARE(one.lines.at(0).tags,
                 (model::Labels{{"team", "vision"}, {"aws:x", "1"}, {"user:a", "2"}, {"a", "3"}}));
        QCOMPARE(one.finding(BillFindingText::PricesNull), std::string("1"));
        QCOMPARE(one.finding(BillFindingText::TagPrefix), std::string("1"));
        QCOMPARE(one.finding(BillFindingText::ValueMissing), std::string("PublisherName 1"));
        QCOMPARE(one.report.providers.at(0).provider, std::string("AWS"));
    }

    void azureTagsListCostAndIds()
    {
        const Imported one(csvText({goodCells({{"ProviderName", "Microsoft"},
                                               {"BillingAccountId", "/Providers/X"},
                                               {"ResourceId", "/subscriptions/A/vm"},
                                               {"CommitmentDiscountId", "/Reservations/R"},
                                               {"ListCost", "0"},
                                               {"ContractedCost", "0.0"},
                                               {"Tags", R"("""env"": ""prod"","" org"": ""trey"", ""org"": ""own""")"},
                                               {"x_SkuDetails", R"("{""VCPUs"": 96}")"}}),
                                    goodCells({{"ProviderName", "Microsoft"},
                                               {"BillingAccountId", "/providers/x"},
                                               {"EffectiveCost", "0"},
                                               {"BilledCost", "0"},
                                               {"ListCost", "0"}})}));
        QCOMPARE(one.lines.size(), std::size_t(2));
        QCOMPARE(one.report.parts.size(), std::size_t(1)); // one account in two spellings
        const BillLine &l = one.lines[0];
        QCOMPARE(l.resource.id + l.commitment.id, std::string("/subscriptions/a/vm/reservations/r"));
        QVERIFY(!l.list && !l.contracted);
        QVERIFY(one.lines[1].list && one.lines[1].list->isZero()); // zero, because it is free
        QCOMPARE(l.tags, (model::Labels{{"env", "prod"}, {"org", "own"}}));
        QCOMPARE(l.product.skuDetails, (model::Labels{{"VCPUs", "96"}}));
        QCOMPARE(one.finding(BillFindingText::TagsWithoutBraces), std::string("1"));
        QCOMPARE(one.finding(BillFindingText::TagKeyBlanks), std::string("1"));
        QCOMPARE(one.finding(BillFindingText::ListCostUnknown), std::string("1"));
        QCOMPARE(one.finding(BillFindingText::ContractedCostUnknown), std::string("1"));
        QCOMPARE(one.finding(BillFindingText::IdsLowerCase), std::string("1"));
        QCOMPARE(one.finding(BillFindingText::SkuDetailsFromExtra), std::string("1"));
    }

    void googleLabelsCreditsAndCommitments()
    {
        const Imported one(csvText({goodCells(
            {{"ProviderName", "Google Cloud"},
             {"x_Labels", R"("[{""Key"":""team"",""Value"":""vision""}]")"},
             {"x_ProjectLabels", R"("[{""key"":""team"",""value"":""other""},{""key"":""env"",""value"":""prod""}]")"},
             {"x_Tags", R"("[{""Key"":""cost"",""Value"":""7"",""x_Inherited"":true}]")"},
             {"x_Credits",
              R"("[{""Name"":""a"",""Amount"":-0.1234567890123456},{""Amount"":""-1"",""Type"":""DISCOUNT""}]")"},
             {"x_SubscriptionInstanceId", "sub-1"},
             {"x_ConsumptionModelDescription", "CUD"}})}));
        const BillLine &l = one.lines.at(0);
        QCOMPARE(l.tags, (model::Labels{{"team", "vision"}, {"env", "prod"}, {"cost", "7"}}));
        QCOMPARE(l.commitment.id + l.commitment.type, std::string("sub-1CUD"));
        QCOMPARE(l.extra.size(), std::size_t(6));
        QCOMPARE(one.finding(BillFindingText::TagsFromLabels), std::string("1"));
        QCOMPARE(one.finding(BillFindingText::CreditsApart), std::string("USD -1.1234567890123456 1"));
        QCOMPARE(one.finding(BillFindingText::CommitmentFromSubscription), std::string("1"));
    }

    void oracleRegionsSpellingAndAmortization()
    {
        const Imported one(csvText({goodCells({{"ProviderName", "Oracle"},
                                               {"EffectiveCost", "0.000"},
                                               {"BilledCost", "0.012"},
                                               {"ContractedCost", "NULL"},
                                               {"ChargeFrequency", "Usage-based"},
                                               {"RegionId", "NULL"},
                                               {"RegionName", "us-sanjose-1"}})}));
        const BillLine &l = one.lines.at(0);
        QCOMPARE(l.resource.regionId, std::string("us-sanjose-1"));
        QVERIFY(l.frequency == model::ChargeFrequency::UsageBased);
        QVERIFY(l.effective.isZero()); // the file's value is kept
        QCOMPARE(one.finding(BillFindingText::EffectiveCostZero), std::string("USD 0.012 1"));
        QCOMPARE(one.finding(BillFindingText::RegionFromName), std::string("1"));
        QCOMPARE(one.finding(BillFindingText::WordSpelling), std::string("ChargeFrequency 1"));
        QCOMPARE(one.finding(BillFindingText::ValueMissing), std::string("ContractedCost 1"));
    }
};

GPULEDGER_PLAIN_SUITE(TestFocusRows)

} // namespace tst_focusrows

#include "tst_focusrows.moc"
