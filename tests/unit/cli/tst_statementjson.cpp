// SPDX-License-Identifier: GPL-3.0-or-later
// `showback --json` of random companies: the totals of the listed teams and the steps next to them add up to the bill,
// to the nano-unit, in both views and in every currency.
#include "app/ledger/commit/ledgerwriter.h"
#include "app/services/billing/billingservice.h"
#include "tests/support/fleets/randomcompany.h"
#include "tests/support/suite.h"
#include "ui/cli/showback/showbackjson.h"

#include <QTest>

namespace tst_statementjson {

using namespace gpuledger;
using namespace gpuledger::tests;
using cli::Json;
using reports::CostView;

namespace {

std::int64_t nanosOf(const Json &money)
{
    const auto currency = base::Currency::parse(money.at("currency").get<std::string>()).value();
    return base::Money::parse(money.at("amount").get<std::string>(), currency).value().nanos();
}

// A day of GPU time after the last one that any of the company's bills covers: the price book estimates it.
void addUnbilledDay(Company &company)
{
    const base::UtcTime start = company.fleet.at((kHistoryDays + 6) * 86400);
    Scenario day(1, base::toRfc3339(start).substr(0, 10));
    const auto node = day.node("unbilled");
    const auto device = day.device("GPU-unbilled");
    const auto label = day.label("train");
    day.runs(day.pod("train", "u1", "unbilled"), 0, Scenario::kDaySeconds);
    day.reports(device, label, node, 0, 10 * 3600, 50.0);
    const auto store = store::LedgerStore::open(company.folder).value();
    if (!ledger::LedgerWriter(*store, company.ledger->rollup()).commit("later", day.batch))
        qFatal("no facts");
}

} // namespace

class StatementJsonTest : public QObject {
    Q_OBJECT

    struct Seen {
        std::set<std::string> reasons;
        int bills = 0, none = 0;
    };

    void expectSteps(const reports::Statement &statement, Seen &seen)
    {
        const Json json = cli::toJson(statement);
        for (const Json &currency : json.at("currencies")) {
            const Json &steps = currency.at("steps_to_bill");
            QCOMPARE(steps.is_null(), currency.at("bill").is_null());
            if (steps.is_null()) {
                ++seen.none;
                continue;
            }
            ++seen.bills;
            std::int64_t sum = 0;
            for (const Json &team : currency.at("teams"))
                sum += nanosOf(team.at("total"));
            for (const Json &step : steps) {
                seen.reasons.insert(step.at("reason").get<std::string>());
                const std::int64_t amount = nanosOf(step.at("amount"));
                QVERIFY(amount != 0);
                QVERIFY(step.at("amount").at("currency") == currency.at("currency"));
                if (step.contains("less"))
                    QCOMPARE(nanosOf(step.at("less")), -amount);
                sum += amount;
            }
            QCOMPARE(sum, nanosOf(currency.at("bill")));
        }
    }

private Q_SLOTS:
    void teamsAndStepsAddUpToTheBill()
    {
        Seen seen;
        for (std::uint64_t seed = 1; seed <= 6; ++seed) {
            Company company(seed, static_cast<Telling>(seed % 3));
            addUnbilledDay(company);
            for (const auto view : {CostView::Billed, CostView::Effective}) {
                const auto all = company.workspace->billing().statement(company.month(), view, {});
                QVERIFY2(all, all ? "" : all.error().text.c_str());
                expectSteps(*all, seen);
                std::set<std::string> teams;
                for (const auto &currency : all->currencies)
                    for (const auto &team : currency.teams)
                        teams.insert(team.team);
                for (const std::string &team : teams)
                    expectSteps(reports::ofTeam(*all, team), seen);
            }
        }
        QVERIFY(seen.bills > 50);
        QVERIFY(seen.reasons.contains("estimated"));
        QVERIFY(seen.reasons.contains("other-teams"));
    }

    // A bill with rejected lines: the missing amount is a step as well.
    void aDifferenceIsAStep()
    {
        Company company(1, Telling::Tidy);
        auto statement = company.workspace->billing().statement(company.month(), CostView::Billed, {}).value();
        for (auto &currency : statement.currencies)
            currency.bill = base::Money(currency.bill.nanos() + 7, currency.currency);
        Seen seen;
        expectSteps(statement, seen);
        QVERIFY(seen.reasons.contains("difference"));
    }
};

GPULEDGER_SUITE(StatementJsonTest)

} // namespace tst_statementjson

#include "tst_statementjson.moc"
