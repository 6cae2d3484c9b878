// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/demo/bills/demobills.h"
#include "tests/support/fakes/memorybillsink.h"
#include "tests/support/suite.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace tst_demobills {

using namespace gpuledger;
using demo::DemoBills;
using ports::ImportReport;

namespace {

base::UtcTime at(std::string_view text)
{
    return base::parseTime(text).value();
}

// Imports everything; returns the number of new deliveries.
int importAll(DemoBills &bills, tests::MemoryBillSink &sink)
{
    int imported = 0;
    const auto deliveries = bills.deliveries({}).value();
    for (const ports::BillDelivery &delivery : deliveries)
        imported += bills.import(delivery, sink, {}).value().outcome == ImportReport::Outcome::Imported;
    return imported;
}

} // namespace

class DemoBillsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tellsWholeMonthsAndTheRunningOne()
    {
        const base::FrozenClock clock(at("2026-11-21T12:00:00Z"));
        DemoBills bills("bill", {}, clock);
        std::vector<std::string> files;
        const auto deliveries = bills.deliveries({}).value();
        for (const auto &delivery : deliveries)
            files.push_back(delivery.files.front().string());
        QCOMPARE(files,
                 (std::vector<std::string>{"aws-2026-09.demo", "gcp-2026-09.demo", "aws-2026-10.demo",
                                           "gcp-2026-10.demo", "aws-2026-11.demo", "gcp-2026-11.demo"}));
        tests::MemoryBillSink sink;
        QCOMPARE(importAll(bills, sink), 6);
        QCOMPARE(importAll(bills, sink), 0);
        for (const auto &[key, lines] : sink.bills) {
            const base::UtcTime end = lines.front().billingPeriod.end;
            for (const model::BillLine &line : lines) {
                QVERIFY(line.chargePeriod.start >= key.periodStart && line.chargePeriod.end <= end);
                QVERIFY(line.chargePeriod.end <= at("2026-11-20T00:00:00Z"));
            }
        }
    }

    void theRunningMonthGrowsAndThePastStays()
    {
        const base::FrozenClock first(at("2026-11-10T12:00:00Z")), later(at("2026-11-15T12:00:00Z"));
        tests::MemoryBillSink sink;
        DemoBills before("bill", {}, first), after("bill", {}, later);
        importAll(before, sink);
        const auto old = sink.bills;
        QCOMPARE(importAll(after, sink), 2);
        QCOMPARE(sink.bills.size(), old.size());
        for (const auto &[key, lines] : sink.bills) {
            const auto &was = old.at(key);
            if (key.periodStart == at("2026-11-01T00:00:00Z")) {
                QVERIFY(lines.size() > was.size());
                QVERIFY(std::equal(was.begin(), was.end(), lines.begin()));
            } else {
                QVERIFY(lines == was);
            }
        }
    }

    void goesBackTwelveMonths()
    {
        const base::FrozenClock clock(at("2026-11-21T12:00:00Z"));
        demo::Options year;
        year.months = 12;
        DemoBills bills("bill", year, clock), usual("usual", {}, clock);
        tests::MemoryBillSink sink, usualSink;
        QCOMPARE(importAll(bills, sink), 26);
        importAll(usual, usualSink);
        std::map<base::UtcTime, std::int64_t> perDay; // by month
        std::map<base::UtcTime, std::set<std::string>> machines;
        std::set<base::UtcTime> committed;
        for (const auto &[key, lines] : sink.bills) {
            const base::TimeRange month = lines.front().billingPeriod;
            std::int64_t sum = 0;
            for (const model::BillLine &line : lines) {
                sum += line.billed.nanos();
                if (line.category == model::ChargeCategory::Purchase)
                    committed.insert(month.start);
                if (line.product.skuDetails.contains("InstanceType"))
                    machines[month.start].insert(line.resource.id);
                // Before telemetry, tags say whose a machine was.
                if (line.product.skuDetails.contains("InstanceType") && month.start >= at("2026-09-01"))
                    QVERIFY(!line.tags.contains("team"));
            }
            perDay[month.start] += sum / (month.length() / base::kDay);
        }
        QCOMPARE(perDay.size(), std::size_t{13});
        QVERIFY(perDay.begin()->first == at("2025-11-01"));
        QVERIFY(perDay.at(at("2026-10-01")) > perDay.at(at("2025-11-01")));
        QVERIFY(machines.at(at("2026-10-01")).size() > machines.at(at("2025-11-01")).size());
        QVERIFY(*committed.begin() == at("2026-03-01")); // the commitment began then
        // What telemetry covers is the same with and without a past.
        for (const auto &[key, lines] : usualSink.bills) {
            const auto same = std::find_if(sink.bills.begin(), sink.bills.end(), [&, &lines = lines](const auto &bill) {
                return bill.second.front().billingAccountId == lines.front().billingAccountId
                    && bill.second.front().billingPeriod.start == lines.front().billingPeriod.start;
            });
            QVERIFY(same != sink.bills.end());
            QVERIFY(same->second == lines);
        }
    }

    // Machines that are held whole are rented on demand, from the last month before telemetry on; those of one workload
    // each all the time, one of them as a spot machine.
    void rentsTheMachinesThatAreHeldWhole()
    {
        const base::FrozenClock clock(at("2026-11-21T12:00:00Z"));
        demo::Options year;
        year.months = 12;
        year.gpus = 56;
        demo::Options more = year;
        more.heldWhole = true;
        DemoBills few("bill", year, clock), many("bill", more, clock);
        tests::MemoryBillSink fewSink, manySink;
        importAll(few, fewSink);
        importAll(many, manySink);
        const auto machinesIn = [](const tests::MemoryBillSink &sink) {
            std::map<base::UtcTime, std::set<std::string>> machines; // by month
            for (const auto &[key, lines] : sink.bills) {
                for (const model::BillLine &line : lines) {
                    if (line.product.skuDetails.contains("InstanceType"))
                        machines[line.billingPeriod.start].insert(line.resource.id);
                }
            }
            return machines;
        };
        const auto before = machinesIn(fewSink), after = machinesIn(manySink);
        QCOMPARE(before.size(), after.size());
        for (const auto &[month, machines] : before)
            QCOMPARE(after.at(month).size() - machines.size(), std::size_t{month >= at("2026-08-01") ? 6U : 3U});
        for (const auto &[key, lines] : manySink.bills) {
            for (const model::BillLine &line : lines) {
                const auto type = line.product.skuDetails.find("InstanceType");
                if (type == line.product.skuDetails.end() || type->second != "g5.12xlarge")
                    continue;
                const bool isSpot = line.resource.name == "gpu-a10g-train-0002";
                QVERIFY(line.pricing == (isSpot ? model::PricingCategory::Dynamic : model::PricingCategory::Standard));
                QVERIFY(line.list && line.list->nanos() > 0);
                QVERIFY(!isSpot || line.billed.nanos() * 2 < line.list->nanos() * 11 / 10);
                QVERIFY(line.billed == line.effective && line.billed.nanos() > 0);
            }
        }
    }

    // A pool that is given back costs its on-demand price up to that day and nothing from then on; everything else on
    // the bills of machines stays.
    void endsWithThePoolThatIsGivenBack()
    {
        const base::FrozenClock clock(at("2026-11-21T12:00:00Z"));
        const base::UtcTime until = at("2026-10-17");
        demo::Options with;
        with.months = 12;
        with.gpus = 200; // two of them
        demo::Options without = with;
        with.burstUntil = until;
        DemoBills many("bill", with, clock), few("bill", without, clock);
        tests::MemoryBillSink manySink, fewSink;
        importAll(many, manySink);
        importAll(few, fewSink);
        using Machines = std::map<std::pair<std::string, base::UtcTime>, model::BillLine>; // by id and day
        const auto machinesIn = [](const tests::MemoryBillSink &sink) {
            Machines machines;
            for (const auto &[key, lines] : sink.bills) {
                for (const model::BillLine &line : lines) {
                    if (line.product.skuDetails.contains("InstanceType"))
                        machines.emplace(std::pair(line.resource.id, line.chargePeriod.start), line);
                }
            }
            return machines;
        };
        const Machines all = machinesIn(manySink), others = machinesIn(fewSink);
        std::map<base::UtcTime, std::int64_t> perDay;
        for (const auto &[key, line] : all) {
            if (const auto same = others.find(key); same != others.end()) {
                QVERIFY(line.effective == same->second.effective && line.tags == same->second.tags);
                continue;
            }
            QVERIFY(line.resource.name.starts_with("gpu-burst-") && line.chargePeriod.end <= until);
            QVERIFY(line.pricing == model::PricingCategory::Standard && line.billed == line.effective);
            perDay[key.second] += line.billed.nanos();
        }
        QCOMPARE(all.size() - others.size(), 2 * perDay.size());
        QVERIFY(perDay.rbegin()->first == until - base::kDay);
        QVERIFY(perDay.begin()->first == at("2026-07-01")); // two months before telemetry
        QCOMPARE(static_cast<std::int64_t>(perDay.size()), (until - perDay.begin()->first) / base::kDay);
        for (const auto &[day, nanos] : perDay)
            QCOMPARE(nanos, 2 * 24 * 29'387'080'000); // the list price
    }

    void bothViewsOfAMonthAddUpToTheSame()
    {
        const base::FrozenClock clock(at("2026-11-21T12:00:00Z"));
        demo::Options year;
        year.months = 12;
        DemoBills bills("bill", year, clock);
        tests::MemoryBillSink sink;
        importAll(bills, sink);
        for (const auto &[key, lines] : sink.bills) {
            std::int64_t billed = 0, effective = 0;
            for (const model::BillLine &line : lines) {
                billed += line.billed.nanos();
                effective += line.effective.nanos();
            }
            QVERIFY(billed > 0);
            QCOMPARE(billed, effective); // the fee of each day equals the value of its hours
        }
    }

    void hasWhatAnInvoiceHas()
    {
        const base::FrozenClock clock(at("2026-11-01T12:00:00Z"));
        DemoBills bills("bill", {}, clock);
        tests::MemoryBillSink sink;
        importAll(bills, sink);
        std::set<model::ChargeCategory> categories;
        std::set<model::PricingCategory> prices;
        std::set<model::UseStatus> commitments;
        for (const auto &[key, lines] : sink.bills) {
            for (const model::BillLine &line : lines) {
                categories.insert(line.category);
                prices.insert(line.pricing);
                commitments.insert(line.commitment.status);
            }
        }
        using model::ChargeCategory;
        QVERIFY(categories
                == (std::set{ChargeCategory::Usage, ChargeCategory::Purchase, ChargeCategory::Tax,
                             ChargeCategory::Credit}));
        QVERIFY(prices.contains(model::PricingCategory::Dynamic));
        QCOMPARE(commitments.size(), std::size_t{3});
    }

    void refusesWhatItDoesNotHave()
    {
        const base::FrozenClock clock(at("2026-11-21T12:00:00Z"));
        DemoBills bills("bill", {}, clock);
        tests::MemoryBillSink sink;
        QVERIFY(bills.import({{"aws-2020-01.demo"}}, sink, {}).error().code == base::ErrorCode::NotFound);
        std::stop_source stop;
        stop.request_stop();
        const auto stopped = bills.import({{"aws-2026-10.demo"}}, sink, stop.get_token());
        QVERIFY(stopped.error().code == base::ErrorCode::Cancelled);
        QCOMPARE(sink.discarded, 1);
        QVERIFY(sink.bills.empty());
    }
};

GPULEDGER_SUITE(DemoBillsTest)

} // namespace tst_demobills

#include "tst_demobills.moc"
