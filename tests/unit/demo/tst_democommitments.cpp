// SPDX-License-Identifier: GPL-3.0-or-later
// What the demo company's cloud says of its commitments, against sums over the lines that its bills have later.
#include "connectors/demo/bills/demobills.h"
#include "connectors/demo/democommitments.h"
#include "tests/support/fakes/memorybillsink.h"
#include "tests/support/suite.h"

#include <QTest>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tst_democommitments {

using namespace gpuledger;
using base::Money;
using demo::DemoCommitments;
using model::BillLine;
using model::CloudCommitment;
using model::CommitmentCoverage;
using ports::CommitmentReport;

namespace {

constexpr demo::Options kSmall{.gpus = 56}, kLarge{.gpus = 400};

base::UtcTime at(std::string_view text)
{
    return base::parseTime(text).value();
}

const base::UtcTime kRead = at("2026-11-21T12:00:00Z"), kFirst = at("2026-10-21T00:00:00Z"),
                    kEnd = at("2026-11-20T00:00:00Z"); // the bill has the 19th then

CommitmentReport reportAt(base::UtcTime now, const demo::Options &options)
{
    const base::FrozenClock clock(now);
    return DemoCommitments("bill", options, clock).read(now, {}).value();
}

// The lines whose charges lie in the time, as DemoBills provides them later.
std::vector<BillLine> linesIn(base::UtcTime start, base::UtcTime end, const demo::Options &options)
{
    const base::FrozenClock later(end + 3 * base::kDay);
    demo::DemoBills bills("bill", options, later);
    tests::MemoryBillSink sink;
    const auto deliveries = bills.deliveries({}).value();
    for (const ports::BillDelivery &delivery : deliveries)
        bills.import(delivery, sink, {}).value();
    std::vector<BillLine> out;
    for (const auto &[key, lines] : sink.bills) {
        for (const BillLine &line : lines) {
            if (line.chargePeriod.start >= start && line.chargePeriod.end <= end)
                out.push_back(line);
        }
    }
    return out;
}

bool isUnused(const BillLine &line)
{
    return line.commitment.status == model::UseStatus::Unused;
}

// A share that is rounded down to a tenth of a percent: the exact one is less than that larger.
bool isRoundedDown(double told, double exact)
{
    constexpr double kTenth = 0.001, kTiny = 1e-9;
    const double tenths = told / kTenth;
    return exact >= told - kTiny && exact < told + kTenth && qAbs(tenths - qRound(tenths)) < kTiny;
}

base::Decimal decimalOf(std::int64_t nanos)
{
    return base::Decimal::of(Money(nanos, base::Currency::usd()));
}

} // namespace

class DemoCommitmentsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachCommitmentOfTheBillIsTold_data()
    {
        QTest::addColumn<int>("gpus");
        QTest::newRow("small") << kSmall.gpus;
        QTest::newRow("large") << kLarge.gpus;
    }
    void eachCommitmentOfTheBillIsTold()
    {
        QFETCH(int, gpus);
        const demo::Options options{.gpus = gpus};
        const CommitmentReport report = reportAt(kRead, options);
        QCOMPARE(report.rejected, std::uint64_t{0});
        QVERIFY(report.withheld.empty());
        std::set<std::string> ids, told;
        for (const BillLine &line : linesIn(kFirst, kEnd, options)) {
            if (!line.commitment.id.empty())
                ids.insert(line.commitment.id);
        }
        for (const CloudCommitment &one : report.commitments)
            told.insert(one.id);
        QCOMPARE(told.size(), report.commitments.size());
        QVERIFY(!ids.empty() && told == ids);
    }

    void isCalledAsOnTheBill()
    {
        const CommitmentReport report = reportAt(kRead, kLarge);
        QCOMPARE(report.commitments.size(), std::size_t{1});
        const CloudCommitment &one = report.commitments.front();
        int lines = 0;
        for (const BillLine &line : linesIn(kFirst, kEnd, kLarge)) {
            if (line.commitment.id != one.id)
                continue;
            ++lines;
            QCOMPARE(one.name, line.commitment.name);
            QCOMPARE(one.account, line.billingAccountId);
            QCOMPARE(one.cloud, line.product.provider);
            QVERIFY(one.terms.starts_with(line.commitment.type));
            QVERIFY(one.currency == line.billed.currency());
        }
        QVERIFY(lines > 60);
        QVERIFY(one.kind == model::CloudCommitmentKind::SavingsPlan);
        // It is sold as money, for any machine anywhere.
        QVERIFY(one.machine.empty() && one.region.empty() && !one.count && !one.isMachineGpu);
    }

    void figuresAreThoseOfTheBill()
    {
        for (const demo::Options &options : {kSmall, kLarge}) {
            const CommitmentReport report = reportAt(kRead, options);
            const CloudCommitment &one = report.commitments.front();
            QVERIFY(one.first == base::dayOf(kFirst) && one.last == base::dayOf(kEnd - base::Seconds{1}));
            std::int64_t used = 0, unused = 0, lastFee = 0;
            for (const BillLine &line : linesIn(kFirst, kEnd, options)) {
                if (line.commitment.id != one.id)
                    continue;
                (isUnused(line) ? unused : used) += line.effective.nanos();
                if (line.category == model::ChargeCategory::Purchase && line.chargePeriod.end == kEnd)
                    lastFee += line.billed.nanos();
            }
            QVERIFY(used > 0 && unused > 0 && lastFee > 0);
            QVERIFY(one.unused == decimalOf(unused));
            QVERIFY(one.perHour == decimalOf(lastFee / 24));
            QVERIFY(isRoundedDown(*one.utilization, static_cast<double>(used) / static_cast<double>(used + unused)));
        }
    }

    // By type and region, of machines on demand and of those that are covered; spot machines are in neither.
    void coverageIsThatOfTheBill()
    {
        struct Sums {
            std::int64_t covered = 0, onDemand = 0, cost = 0;
        };
        for (const demo::Options &options : {kSmall, kLarge}) {
            std::map<std::pair<std::string, std::string>, Sums> expected;
            for (const BillLine &line : linesIn(kFirst, kEnd, options)) {
                const auto type = line.product.skuDetails.find("InstanceType");
                if (type == line.product.skuDetails.end() || line.product.provider != "AWS"
                    || line.pricing == model::PricingCategory::Dynamic)
                    continue;
                Sums &sums = expected[{type->second, line.resource.regionId}];
                const bool isCovered = !line.commitment.id.empty();
                (isCovered ? sums.covered : sums.onDemand) += line.list.value().nanos();
                sums.cost += isCovered ? 0 : line.effective.nanos();
            }
            std::erase_if(expected, [](const auto &one) { return one.second.covered == 0; });
            const CommitmentReport report = reportAt(kRead, options);
            QVERIFY(!expected.empty());
            QCOMPARE(report.coverage.size(), expected.size());
            for (const CommitmentCoverage &one : report.coverage) {
                QVERIFY2(expected.contains({one.machine, one.region}), one.machine.c_str());
                const Sums &sums = expected.at({one.machine, one.region});
                QVERIFY(one.onDemand == decimalOf(sums.cost));
                QVERIFY(isRoundedDown(one.covered,
                                      static_cast<double>(sums.covered)
                                          / static_cast<double>(sums.covered + sums.onDemand)));
                QVERIFY(one.by == model::CloudCommitmentKind::SavingsPlan && one.cloud == "AWS");
                QCOMPARE(one.account, report.commitments.front().account);
                QVERIFY(one.first == report.commitments.front().first && one.last == report.commitments.front().last);
            }
        }
    }

    void someMachinesAreCoveredInPart()
    {
        std::map<std::string, double> covered;
        for (const CommitmentCoverage &one : reportAt(kRead, kLarge).coverage)
            covered[one.machine] = one.covered;
        QVERIFY(covered.contains("p5.48xlarge") && covered.contains("p4d.24xlarge"));
        for (const auto &[machine, share] : covered)
            QVERIFY2(share > 0 && share < 1, machine.c_str());
    }

    // It began six months before telemetry, which begins with October here, and is of a year.
    void endsWithItsTerm()
    {
        const demo::Options days{.gpus = 56, .days = 60};
        const CloudCommitment now = reportAt(kRead, days).commitments.front();
        QVERIFY(now.start == at("2026-04-01T00:00:00Z") && now.end == at("2027-03-31T23:59:59Z"));
        // Bills that go back further change nothing.
        const demo::Options back{.gpus = 56, .days = 60, .months = 12};
        const CloudCommitment same = reportAt(kRead, back).commitments.front();
        QVERIFY(same.start == now.start && same.end == now.end);
        // The first one was over: it was bought again.
        const demo::Options long400{.gpus = 56, .days = 400};
        const CloudCommitment again = reportAt(kRead, long400).commitments.front();
        QVERIFY(again.start == at("2026-05-01T00:00:00Z") && again.end == at("2027-04-30T23:59:59Z"));
    }

    // What was billed so far, if that is less than 30 days.
    void aBillThatHasJustBegun()
    {
        const demo::Options days{.gpus = 56, .days = 40};
        const CloudCommitment one = reportAt(at("2026-11-06T12:00:00Z"), days).commitments.front();
        QVERIFY(one.first == base::dayOf(at("2026-10-06T00:00:00Z")));
        QVERIFY(one.last == base::dayOf(at("2026-11-04T00:00:00Z")));
        const demo::Options few{.gpus = 56, .days = 10};
        const CloudCommitment begun = reportAt(at("2026-11-06T12:00:00Z"), few).commitments.front();
        QVERIFY(begun.first == base::dayOf(at("2026-11-01T00:00:00Z")));
        QVERIFY(begun.last == base::dayOf(at("2026-11-04T00:00:00Z")));
    }

    // Telemetry of a few days has no bill: a bill begins with a whole month.
    void nothingWithoutABill()
    {
        const demo::Options few{.gpus = 56, .days = 10};
        QVERIFY(reportAt(kRead, few) == CommitmentReport());
        QVERIFY(linesIn(kFirst, kEnd - 3 * base::kDay, few).empty());
    }

    void isTheSameEachTime()
    {
        QVERIFY(reportAt(kRead, kLarge) == reportAt(kRead, kLarge));
        QVERIFY(reportAt(kRead, kSmall) == reportAt(at("2026-11-21T23:59:59Z"), kSmall));
        QVERIFY(!(reportAt(kRead, kSmall) == reportAt(kRead + base::kDay, kSmall)));
        const base::FrozenClock other(at("2030-01-01T00:00:00Z"));
        QVERIFY(DemoCommitments("bill", kSmall, other).read(kRead, {}).value() == reportAt(kRead, kSmall));
    }

    void saysHowManyThereAre()
    {
        const base::FrozenClock clock(kRead);
        const auto findings = DemoCommitments("bill", kSmall, clock).probe({}).value();
        QCOMPARE(findings.size(), std::size_t{1});
        QVERIFY(findings.front().level == ports::Finding::Level::Good);
        QVERIFY(findings.front().text == ports::FindingText::CommitmentsFound);
        QVERIFY(findings.front().terms == std::vector<ports::FindingTerm>{std::uint64_t{1}});
    }

    void canBeStopped()
    {
        const base::FrozenClock clock(kRead);
        std::stop_source stop;
        stop.request_stop();
        DemoCommitments source("bill", kSmall, clock);
        const auto report = source.read(kRead, stop.get_token());
        QVERIFY(!report && report.error().code == base::ErrorCode::Cancelled);
        const auto findings = source.probe(stop.get_token());
        QVERIFY(!findings && findings.error().code == base::ErrorCode::Cancelled);
    }

    void refusesWrongSettings()
    {
        const base::FrozenClock clock(kRead);
        model::SourceSettings settings;
        settings.name = "bill";
        QCOMPARE(DemoCommitments::create(settings, clock).value()->name(), std::string("bill"));
        settings.options["gpus"] = "many";
        QVERIFY(DemoCommitments::create(settings, clock).error().code == base::ErrorCode::InvalidConfig);
    }
};

GPULEDGER_SUITE(DemoCommitmentsTest)

} // namespace tst_democommitments

#include "tst_democommitments.moc"
