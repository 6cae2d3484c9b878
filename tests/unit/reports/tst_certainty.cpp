// SPDX-License-Identifier: GPL-3.0-or-later
// How certain figures are: with labels missing at random, the truth lies within the range that a statement gives.
#include "app/ledger/ownerrules.h"
#include "app/reports/certainty.h"
#include "app/reports/statementbuilder.h"
#include "tests/support/suite.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <random>

using namespace gpuledger;
using base::GpuTime;
using base::Money;
using insight::LedgerAnswer;
using insight::LedgerRow;
using reports::Range;
using reports::Statement;
using reports::TeamStatement;
using reports::Uncertainty;

namespace {

const base::Currency kUsd = base::Currency::usd();
constexpr insight::Month kMonth{2026, 10};
constexpr std::int64_t kUnit = 1'000'000'000, kHour = 3600 * GpuTime::kTicksPerSecond;
using Random = std::mt19937_64;

std::int64_t pick(Random &random, std::int64_t from, std::int64_t to)
{
    return std::uniform_int_distribution<std::int64_t>(from, to - 1)(random);
}

struct Workload {
    std::string team, state;
    std::int64_t cost = 0, hours = 0;
    bool isHidden = false; // its label is missing
};

std::vector<Workload> company(Random &random)
{
    static const std::vector<std::string> kTeams{"vision", "speech", "search", "ads", "robots"};
    std::vector<Workload> all(static_cast<std::size_t>(pick(random, 20, 200)));
    for (Workload &one : all) {
        one.team = kTeams[static_cast<std::size_t>(pick(random, 0, static_cast<std::int64_t>(kTeams.size())))];
        one.state = std::array{"active", "idle", "unobserved"}[static_cast<std::size_t>(pick(random, 0, 3))];
        one.hours = pick(random, 1, 700);
        one.cost = one.hours * pick(random, kUnit / 2, 12 * kUnit);
        one.isHidden = pick(random, 0, 10) == 0;
    }
    return all;
}

// The owner that the rules assign to a workload with or without that label.
std::string ownerOf(const ledger::OwnerRules &rules, const Workload &one)
{
    model::Holder holder;
    holder.name = "pod";
    if (!one.isHidden)
        holder.labels["team"] = one.team;
    return rules.ownerOf(holder, nullptr, kMonth.range().start).team;
}

ledger::OwnerRules labelRules()
{
    model::OwnerRule label;
    label.kind = model::OwnerRule::Kind::Label;
    label.key = "team";
    return ledger::OwnerRules::create({label}).value();
}

LedgerRow rowOf(const std::string &team, const std::string &state, std::int64_t cost, std::int64_t hours,
                const std::string &origin = "billed", const std::string &category = "gpu")
{
    LedgerRow row;
    row.keys = {team, category, state, origin, "H100 SXM"};
    row.currency = kUsd;
    const bool priced = origin == "priced";
    row.billed = row.effective = Money(priced ? 0 : cost, kUsd);
    row.priced = Money(priced ? cost : 0, kUsd);
    row.gpuTime = {hours * kHour};
    row.hasGpuTime = hours != 0;
    return row;
}

Statement statementOf(std::vector<LedgerRow> rows, const char *now = "2026-11-05T00:00:00Z",
                      std::vector<LedgerRow> doubtful = {})
{
    LedgerAnswer after, doubts;
    after.rows = std::move(rows);
    doubts.rows = std::move(doubtful);
    const base::TimeRange covered{base::parseTime("2026-09-01T00:00:00Z").value(), kMonth.range().end};
    return reports::makeStatement({kMonth,
                                   reports::CostView::Billed,
                                   base::parseTime(now).value(),
                                   {},
                                   covered,
                                   after,
                                   {},
                                   {},
                                   {},
                                   {},
                                   {},
                                   nullptr,
                                   true,
                                   &doubts})
        .value();
}

// In the format of doubtDimensions().
LedgerRow doubtOf(LedgerRow row, const std::string &cluster, bool isShared, const std::string &priceDate = {})
{
    row.keys.insert(row.keys.end(), {cluster, isShared ? "equal" : "", priceDate});
    return row;
}

const TeamStatement *find(const Statement &statement, const std::string &team)
{
    for (const TeamStatement &one : statement.currencies.front().teams) {
        if (one.team == team)
            return &one;
    }
    return nullptr;
}

bool has(const Range &range, Uncertainty::Kind kind)
{
    return std::any_of(range.doubts.begin(), range.doubts.end(),
                       [&](const Uncertainty &one) { return one.kind == kind; });
}

} // namespace

class TestCertainty : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // With 10 % of the labels hidden at random, the truth lies inside the range in at least 95 % of 1,000 trials.
    void truthLiesInTheRange()
    {
        Random random(1);
        const auto rules = labelRules();
        int trials = 0, totals = 0, idles = 0, sure = 0;
        while (trials < 1000) {
            const std::vector<Workload> all = company(random);
            std::vector<LedgerRow> rows;
            for (const Workload &one : all)
                rows.push_back(rowOf(ownerOf(rules, one), one.state, one.cost, one.hours));
            const Statement statement = statementOf(std::move(rows));
            const std::string team = all.front().team;
            const TeamStatement *told = find(statement, team);
            if (!told)
                continue; // all of its labels are hidden
            ++trials;
            // In truth an unobserved hour is active or idle.
            std::int64_t total = 0, idle = 0;
            for (const Workload &one : all) {
                if (one.team != team)
                    continue;
                total += one.cost;
                idle += one.state == "idle" || (one.state == "unobserved" && random() % 2 == 0) ? one.cost : 0;
            }
            const auto &currency = statement.currencies.front();
            const Range t = reports::rangeOfTotal(statement, currency, told);
            const Range i = reports::rangeOfIdle(statement, currency, told);
            totals += t.low.nanos() <= total && total <= t.high.nanos() ? 1 : 0;
            idles += i.low.nanos() <= idle && idle <= i.high.nanos() ? 1 : 0;
            sure += t.isSure() ? 1 : 0;
            QVERIFY(!t.isOpen);
            // The range is not wider than necessary: it is as wide as the unowned cost.
            QCOMPARE(t.high.nanos() - t.low.nanos(), currency.unowned.nanos());
        }
        QVERIFY2(totals >= 950, qPrintable(QString::number(totals)));
        QVERIFY2(idles >= 950, qPrintable(QString::number(idles)));
        QVERIFY(sure < 100); // the trials really hid something
    }

    // Devices that several teams held at once, split equally: however much each of them used, the truth is in the
    // range.
    void equalSharesMayBeAnythingElse()
    {
        static const std::vector<std::string> kTeams{"vision", "speech", "search"};
        static const std::vector<std::string> kClusters{"east", "west"};
        Random random(2);
        for (int trial = 0; trial < 300; ++trial) {
            std::vector<LedgerRow> rows, doubts;
            std::map<std::string, std::int64_t> truth;
            for (int device = 0; device < 20; ++device) {
                const std::string &cluster = kClusters[static_cast<std::size_t>(pick(random, 0, 2))];
                const std::int64_t each = pick(random, kUnit, 9 * kUnit);
                std::vector<std::string> holders = kTeams;
                std::shuffle(holders.begin(), holders.end(), random);
                holders.resize(static_cast<std::size_t>(pick(random, 1, 4)));
                std::int64_t left = each * static_cast<std::int64_t>(holders.size());
                for (const std::string &team : holders) {
                    const bool isShared = holders.size() > 1;
                    rows.push_back(rowOf(team, "active", each, 1));
                    if (isShared)
                        doubts.push_back(doubtOf(rows.back(), cluster, true));
                    const std::int64_t used = team == holders.back() ? left : pick(random, 0, left + 1);
                    truth[team] += used;
                    left -= used;
                }
            }
            const Statement s = statementOf(std::move(rows), "2026-11-05T00:00:00Z", std::move(doubts));
            QVERIFY(s.knowsDoubts);
            for (const auto &[team, used] : truth) {
                const Range range = reports::rangeOfTotal(s, s.currencies.front(), find(s, team));
                QVERIFY(range.low.nanos() <= used && used <= range.high.nanos());
                QVERIFY(!range.isOpen);
                QVERIFY(range.low.nanos() >= 0);
            }
            QVERIFY(reports::rangeOfTotal(s, s.currencies.front(), nullptr).isSure());
        }
    }

    void sharesOfAnotherClusterAreNobodysDoubt()
    {
        const LedgerRow vision = rowOf("vision", "active", 4 * kUnit, 1), speech = rowOf("speech", "active", kUnit, 1);
        const Statement s = statementOf({vision, speech}, "2026-11-05T00:00:00Z",
                                        {doubtOf(vision, "east", true), doubtOf(speech, "west", true)});
        const Range range = reports::rangeOfTotal(s, s.currencies.front(), find(s, "vision"));
        QCOMPARE(range.low.nanos(), 0);
        QCOMPARE(range.high.nanos(), 4 * kUnit);
        QVERIFY(has(range, Uncertainty::Kind::SharedEqually));
    }

    void oldListPricesAreTold()
    {
        const LedgerRow row = rowOf("vision", "active", 4 * kUnit, 1, "priced");
        const auto doubtAt = [&](const char *date) {
            const Statement s = statementOf({row}, "2026-11-05T00:00:00Z", {doubtOf(row, "east", false, date)});
            return reports::rangeOfTotal(s, s.currencies.front(), find(s, "vision"));
        };
        QVERIFY(!has(doubtAt("2026-08-03"), Uncertainty::Kind::OldPrices)); // 90 days before November
        const Range old = doubtAt("2026-08-02");
        QVERIFY(has(old, Uncertainty::Kind::OldPrices) && old.isOpen);
        const auto doubt = std::find_if(old.doubts.begin(), old.doubts.end(), [](const Uncertainty &one) {
            return one.kind == Uncertainty::Kind::OldPrices;
        });
        QCOMPARE(doubt->amount.nanos(), 4 * kUnit);
        QCOMPARE(doubt->date, std::string("2026-08-02"));
        // Billed cost does not become outdated.
        const LedgerRow billed = rowOf("vision", "active", 4 * kUnit, 1);
        const Statement s =
            statementOf({billed}, "2026-11-05T00:00:00Z", {doubtOf(billed, "east", false, "2020-01-01")});
        QVERIFY(reports::rangeOfTotal(s, s.currencies.front(), find(s, "vision")).isSure());
    }

    void allTeamsTogetherAreSure()
    {
        const Statement s =
            statementOf({rowOf("vision", "active", 5 * kUnit, 1), rowOf("unowned", "idle", 3 * kUnit, 1)});
        const auto &currency = s.currencies.front();
        QVERIFY(reports::rangeOfTotal(s, currency, nullptr).isSure());
        const Range nobody = reports::rangeOfTotal(s, currency, find(s, "unowned"));
        QCOMPARE(nobody.low.nanos(), 0);
        QCOMPARE(nobody.high.nanos(), 3 * kUnit);
        const Range vision = reports::rangeOfTotal(s, currency, find(s, "vision"));
        QCOMPARE(vision.low.nanos(), 5 * kUnit);
        QCOMPARE(vision.high.nanos(), 8 * kUnit);
        // The statement of one team has the same doubts.
        const Statement one = reports::ofTeam(s, "vision");
        QVERIFY(reports::rangeOfTotal(one, one.currencies.front(), find(one, "vision")).high == vision.high);
    }

    void sharedCostIsNobodysSecret()
    {
        const Statement s =
            statementOf({rowOf("shared", "unallocated", 5 * kUnit, 1), rowOf("unowned", "active", 3 * kUnit, 1)});
        QVERIFY(reports::rangeOfTotal(s, s.currencies.front(), find(s, "shared")).isSure());
        QVERIFY(reports::rangeOfIdle(s, s.currencies.front(), find(s, "shared")).isSure());
    }

    void creditsNobodyOwnsLowerIt()
    {
        const Statement s = statementOf(
            {rowOf("vision", "active", 5 * kUnit, 1), rowOf("unowned", "", -2 * kUnit, 0, "billed", "credit")});
        const Range vision = reports::rangeOfTotal(s, s.currencies.front(), find(s, "vision"));
        QCOMPARE(vision.low.nanos(), 3 * kUnit);
        QCOMPARE(vision.high.nanos(), 5 * kUnit);
        const Range nobody = reports::rangeOfTotal(s, s.currencies.front(), find(s, "unowned"));
        QCOMPARE(nobody.low.nanos(), -2 * kUnit);
        QCOMPARE(nobody.high.nanos(), 0);
    }

    void sumsOutsideOfStatementsHaveARange()
    {
        const Money idle(5 * kUnit, kUsd);
        QVERIFY(reports::rangeOfSum(idle, {}).isSure());
        reports::SumUncertainty doubts;
        doubts.unobserved = Money(2 * kUnit, kUsd);
        const Range bounded = reports::rangeOfSum(idle, doubts);
        QVERIFY(!bounded.isOpen && bounded.low == idle);
        QCOMPARE(bounded.high.nanos(), 7 * kUnit);
        doubts.notFinal = Money(kUnit, kUsd);
        const Range open = reports::rangeOfSum(idle, doubts);
        QVERIFY(open.isOpen && has(open, Uncertainty::Kind::NotFinal));
    }

    void openDoubtsAreNamed()
    {
        LedgerRow unpriced = rowOf("vision", "active", 0, 4, "priced");
        unpriced.unpriced = unpriced.gpuTime;
        const Statement s =
            statementOf({rowOf("vision", "active", 5 * kUnit, 1, "priced"), unpriced}, "2026-10-20T00:00:00Z");
        const Range range = reports::rangeOfTotal(s, s.currencies.front(), find(s, "vision"));
        QVERIFY(range.isOpen);
        for (const auto kind : {Uncertainty::Kind::Estimated, Uncertainty::Kind::Unpriced, Uncertainty::Kind::Running})
            QVERIFY(has(range, kind));
        QVERIFY(!has(range, Uncertainty::Kind::Unowned));
    }
};

GPULEDGER_SUITE(TestCertainty)
#include "tst_certainty.moc"
