// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/demo/bills/demobills.h"
#include "connectors/demo/demobudgets.h"
#include "tests/support/fakes/memorybillsink.h"
#include "tests/support/suite.h"

#include <QTest>

#include <algorithm>
#include <string>
#include <vector>

namespace tst_demobudgets {

using namespace gpuledger;
using demo::DemoBudgets;
using model::CloudBudget;

namespace {

constexpr demo::Options kSmall{.gpus = 56};

base::UtcTime at(std::string_view text)
{
    return base::parseTime(text).value();
}

std::vector<CloudBudget> read(base::UtcTime now)
{
    const base::FrozenClock clock(now);
    const auto list = DemoBudgets("bill", kSmall, clock).read({}).value();
    return list.withoutMoney == 0 && list.rejected == 0 ? list.budgets : std::vector<CloudBudget>();
}

const CloudBudget &named(const std::vector<CloudBudget> &budgets, std::string_view name)
{
    static const CloudBudget kNone;
    const auto it =
        std::find_if(budgets.begin(), budgets.end(), [&](const CloudBudget &one) { return one.name == name; });
    return it == budgets.end() ? kNone : *it;
}

// What the bills have of the days before `end`, by the lines that DemoBills provides later.
base::Decimal billed(base::UtcTime start, base::UtcTime end, const std::string &service)
{
    const base::FrozenClock later(end + 3 * base::kDay);
    demo::DemoBills bills("bill", kSmall, later);
    tests::MemoryBillSink sink;
    const auto deliveries = bills.deliveries({}).value();
    for (const ports::BillDelivery &delivery : deliveries)
        bills.import(delivery, sink, {}).value();
    base::Money sum(0, base::Currency::usd());
    for (const auto &[key, lines] : sink.bills) {
        for (const model::BillLine &line : lines) {
            if (line.chargePeriod.start >= start && line.chargePeriod.end <= end
                && (service.empty() || line.product.serviceName == service))
                sum = sum.plus(line.billed).value();
        }
    }
    return base::Decimal::of(sum);
}

} // namespace

class DemoBudgetsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // On the 21st, the bill has the 19th, and the cloud's figure ends with the 18th.
    void spendingIsThatOfTheBillADayBefore()
    {
        const auto budgets = read(at("2026-11-21T12:00:00Z"));
        QCOMPARE(budgets.size(), std::size_t{4});
        const base::UtcTime end = at("2026-11-19T00:00:00Z");
        QVERIFY(named(budgets, "All clouds").spent == billed(at("2026-11-01T00:00:00Z"), end, ""));
        QVERIFY(named(budgets, "EC2").spent == billed(at("2026-11-01T00:00:00Z"), end, "Amazon Elastic Compute Cloud"));
        QVERIFY(named(budgets, "Bedrock").spent == billed(at("2026-10-01T00:00:00Z"), end, "Amazon Bedrock"));
        const CloudBudget &google = named(budgets, "ml-serving");
        QVERIFY(google.limit && !google.spent && !google.forecast);
        for (const char *name : {"All clouds", "EC2", "Bedrock"}) {
            const CloudBudget &one = named(budgets, name);
            // Near what it will be: most costs are those of machines that always run.
            QVERIFY2(one.forecast->toDouble() > 0.8 * one.limit->toDouble(), name);
            QVERIFY2(one.forecast->toDouble() < 1.2 * one.limit->toDouble(), name);
            QVERIFY2(one.spent->toDouble() < one.forecast->toDouble(), name);
        }
    }

    void onlyOneIsForTheWholeBill()
    {
        const auto budgets = read(at("2026-11-21T12:00:00Z"));
        for (const CloudBudget &one : budgets) {
            QCOMPARE(one.isWholeBill, one.name == "All clouds");
            QCOMPARE(one.scope.empty(), one.name == "All clouds" || one.name == "ml-serving");
            QVERIFY(one.currency == base::Currency::usd() && !one.account.empty());
        }
    }

    void periodsAreThoseOfTheCalendar()
    {
        const auto budgets = read(at("2026-11-21T12:00:00Z"));
        const auto period = [&](std::string_view name) {
            const CloudBudget &one = named(budgets, name);
            return base::toRfc3339(one.first->start()).substr(0, 10) + ' '
                + base::toRfc3339(one.last->start()).substr(0, 10);
        };
        QCOMPARE(period("All clouds"), std::string("2026-11-01 2026-11-30"));
        QCOMPARE(period("Bedrock"), std::string("2026-10-01 2026-12-31"));
        QCOMPARE(period("ml-serving"), std::string("2026-01-01 2026-12-31"));
        const auto february = read(at("2024-02-29T23:59:59Z"));
        QVERIFY(named(february, "EC2").last == base::dayOf(at("2024-02-29T00:00:00Z")));
        QVERIFY(named(february, "Bedrock").last == base::dayOf(at("2024-03-31T00:00:00Z")));
    }

    // The limits stay, and nothing is known of a month of which no day was billed.
    void aMonthBegins()
    {
        const auto begun = read(at("2026-11-02T12:00:00Z")), later = read(at("2026-11-04T00:00:00Z")),
                   end = read(at("2026-11-30T23:00:00Z"));
        QVERIFY(!named(begun, "All clouds").spent && !named(begun, "All clouds").forecast);
        QVERIFY(named(begun, "Bedrock").spent);
        QVERIFY(named(later, "All clouds").spent == billed(at("2026-11-01T00:00:00Z"), at("2026-11-02T00:00:00Z"), ""));
        for (const CloudBudget &one : begun) {
            QVERIFY(named(later, one.name).limit == one.limit && named(end, one.name).limit == one.limit);
            QVERIFY(one.limit && !one.limit->isZero() && !one.limit->isNegative());
        }
    }

    void canBeStopped()
    {
        const base::FrozenClock clock(at("2026-11-21T12:00:00Z"));
        std::stop_source stop;
        stop.request_stop();
        const auto list = DemoBudgets("bill", kSmall, clock).read(stop.get_token());
        QVERIFY(!list && list.error().code == base::ErrorCode::Cancelled);
    }

    void refusesWrongSettings()
    {
        const base::FrozenClock clock(at("2026-11-21T12:00:00Z"));
        model::SourceSettings settings;
        settings.name = "bill";
        QCOMPARE(DemoBudgets::create(settings, clock).value()->name(), std::string("bill"));
        settings.options["gpus"] = "many";
        QVERIFY(DemoBudgets::create(settings, clock).error().code == base::ErrorCode::InvalidConfig);
    }
};

GPULEDGER_SUITE(DemoBudgetsTest)

} // namespace tst_demobudgets

#include "tst_demobudgets.moc"
