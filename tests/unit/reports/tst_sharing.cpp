// SPDX-License-Identifier: GPL-3.0-or-later
// Whoever pays for shared and idle cost: no amount is lost or created, and the rule is applied as configured.
#include "app/ledger/rules/ownerrules.h"
#include "app/reports/sharing/sharing.h"
#include "app/services/config/config.h"
#include "app/services/config/configedit.h"
#include "tests/support/suite.h"

#include <QTest>

#include <limits>
#include <numeric>
#include <random>

namespace tst_sharing {

using namespace gpuledger;
using base::Money;
using reports::Sharing;
using reports::SharingRule;
using reports::SharingRules;
using reports::SharingTeam;

namespace {

const base::Currency kUsd = base::Currency::usd();
constexpr std::int64_t kUnit = 1'000'000'000, kHour = 3600 * base::GpuTime::kTicksPerSecond;

SharingTeam team(const std::string &name, std::int64_t total, std::int64_t idle = 0, std::int64_t hours = 0)
{
    return {name, Money(total * kUnit, kUsd), Money(idle * kUnit, kUsd), base::GpuTime{hours * kHour}};
}

std::vector<std::int64_t> movedBy(const std::vector<SharingTeam> &teams, const SharingRules &rules)
{
    std::vector<std::int64_t> units;
    const Sharing sharing = reports::shareOut(teams, rules, kUsd).value();
    for (const Money &one : sharing.moved)
        units.push_back(one.nanos() / kUnit);
    return units;
}

const std::vector<SharingTeam> &company()
{
    static const std::vector<SharingTeam> kTeams{team("ads", 300, 100, 10), team("shared", 80, 0, 5),
                                                 team("unowned", 50, 20, 5), team("vision", 100, 0, 30)};
    return kTeams;
}

using Units = std::vector<std::int64_t>;

} // namespace

class TestSharing : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sharedCostGoesByTheRule()
    {
        QVERIFY(movedBy(company(), {SharingRule::Holder, SharingRule::OwnLine, {}}) == (Units{0, 0, 0, 0}));
        QVERIFY(movedBy(company(), {SharingRule::Holder, SharingRule::Proportional, {}}) == (Units{60, -80, 0, 20}));
        QVERIFY(movedBy(company(), {SharingRule::Holder, SharingRule::GpuHours, {}}) == (Units{20, -80, 0, 60}));
        QVERIFY(movedBy(company(), {SharingRule::Holder, SharingRule::Even, {}}) == (Units{40, -80, 0, 40}));
        const SharingRules fixed{SharingRule::Holder, SharingRule::Fixed, {{"ads", 1}, {"vision", 3}, {"gone", 9}}};
        QVERIFY(movedBy(company(), fixed) == (Units{20, -80, 0, 60}));
    }

    // A report from a stranger can contain the largest amounts, and the smallest one can't be negated.
    void theLargestAmountsAreShared()
    {
        const Money least(std::numeric_limits<std::int64_t>::min(), kUsd);
        const Money most(std::numeric_limits<std::int64_t>::max(), kUsd), zero(0, kUsd);
        const std::vector<SharingTeam> idle{{"ads", most, least, {}}, team("vision", 1)};
        const auto own = reports::shareOut(idle, {SharingRule::OwnLine, SharingRule::OwnLine, {}}, kUsd);
        QVERIFY(!own && own.error().code == base::ErrorCode::Overflow);
        const auto moved = reports::shareOut(idle, {SharingRule::Proportional, SharingRule::OwnLine, {}}, kUsd);
        QVERIFY2(moved, moved ? "" : moved.error().text.c_str());
        QCOMPARE(moved->moved[0].nanos() + moved->moved[1].nanos(), std::int64_t{0});
        const std::vector<SharingTeam> shared{{"shared", least, zero, {}}, team("vision", 1)};
        QVERIFY(!reports::shareOut(shared, {SharingRule::Holder, SharingRule::Even, {}}, kUsd));
    }

    // Unowned cost is not shared out, idle or not.
    void idleCostGoesByTheRule()
    {
        QVERIFY(movedBy(company(), {SharingRule::Even, SharingRule::OwnLine, {}}) == (Units{-50, 0, 0, 50}));
        QVERIFY(movedBy(company(), {SharingRule::Proportional, SharingRule::OwnLine, {}})
                == (Units{-33, 0, 0, 33})); // 200 and 100: two thirds of 100, and a third
        const Sharing own =
            reports::shareOut(company(), {SharingRule::OwnLine, SharingRule::OwnLine, {}}, kUsd).value();
        QCOMPARE(own.ownLine.nanos(), 100 * kUnit);
        QCOMPARE(own.moved[0].nanos(), -100 * kUnit);
    }

    void withoutATakerItStays()
    {
        QVERIFY(movedBy({team("shared", 80), team("unowned", 5)}, {SharingRule::Holder, SharingRule::Even, {}})
                == (Units{0, 0}));
        QVERIFY(movedBy(company(), {SharingRule::Holder, SharingRule::Fixed, {{"gone", 1}}}) == (Units{0, 0, 0, 0}));
    }

    // For any company and any rules the charges of all teams add up to the cost, to the nano-unit.
    void nothingIsLostOrMade()
    {
        std::mt19937_64 random(9);
        const auto any = [&](std::int64_t from, std::int64_t to) {
            return std::uniform_int_distribution<std::int64_t>(from, to)(random);
        };
        for (int round = 0; round < 2000; ++round) {
            std::vector<SharingTeam> teams;
            for (std::int64_t n = any(0, 12); n >= 0; --n) {
                const std::string name = n == 0 ? "shared" : n == 1 ? "unowned" : "team-" + std::to_string(n);
                const std::int64_t total = any(-1'000'000'000'000, 900'000'000'000'000'000 / 13);
                teams.push_back({name, Money(total, kUsd), Money(any(0, std::max<std::int64_t>(0, total)), kUsd),
                                 base::GpuTime{any(0, 5000) * kHour}});
            }
            SharingRules rules{static_cast<SharingRule>(any(0, 5)), static_cast<SharingRule>(any(1, 5)), {}};
            for (int n = 0; n < 5; ++n)
                rules.weights["team-" + std::to_string(any(2, 12))] = static_cast<double>(any(0, 100)) / 8;
            const Sharing sharing = reports::shareOut(teams, rules, kUsd).value();
            std::int64_t sum = sharing.ownLine.nanos();
            for (const Money &one : sharing.moved)
                sum += one.nanos();
            QCOMPARE(sum, 0);
            for (std::size_t i = 0; i < teams.size(); ++i)
                QVERIFY(teams[i].team != ledger::kUnowned || sharing.moved[i].isZero());
        }
    }

    void configurationIsWrittenAndRead_data()
    {
        QTest::addColumn<QByteArray>("before");
        QTest::newRow("not there") << QByteArray("version: 1\n# mine\nsources: []\n");
        QTest::newRow("there") << QByteArray(
            "version: 1\nshared_costs: { idle: even, shared: even } # why\nsources: []\n");
        QTest::newRow("as a block") << QByteArray(
            "version: 1\nshared_costs:\n  idle: holder\n  shared: gpu_hours\nsources: []\n");
    }
    void configurationIsWrittenAndRead()
    {
        QFETCH(QByteArray, before);
        const std::filesystem::path file = "/nowhere/config.yaml";
        const auto settingsOf = [&](const std::string &text) {
            return services::parseConfig(text, "/nowhere", {}).settings;
        };
        model::Settings wanted = settingsOf(before.toStdString());
        const model::Settings old = wanted;
        for (const SharingRules &rules :
             {SharingRules{SharingRule::Proportional, SharingRule::Even, {}},
              SharingRules{SharingRule::OwnLine, SharingRule::Fixed, {{"a: b", 1.5}, {"x", 2}}}}) {
            wanted.idleSharing = std::string(reports::toString(rules.idle));
            wanted.sharedCosts = std::string(reports::toString(rules.shared));
            wanted.sharedWeights = rules.weights;
            const auto text = services::withSharing(before.toStdString(), old, wanted, file, {});
            QVERIFY2(text, text ? "" : text.error().text.c_str());
            QVERIFY(reports::sharingRules(settingsOf(*text)) == rules);
            QVERIFY(!before.contains("# mine") || text->find("# mine") != std::string::npos);
            // Someone else was faster.
            const auto late = services::withSharing(*text, old, wanted, file, {});
            QVERIFY(!late && late.error().code == base::ErrorCode::StorageBusy);
        }
    }
};

GPULEDGER_SUITE(TestSharing)

} // namespace tst_sharing

#include "tst_sharing.moc"
