// SPDX-License-Identifier: GPL-3.0-or-later
// Changed owner rules, previewed before they are used: the preview equals the ledger once they are in use.
#include "app/ledger/survey/rulesurvey.h"
#include "tests/support/fleets/randomhistory.h"
#include "tests/support/suite.h"

#include <QTest>

#include <map>

namespace tst_rulesurvey {

using namespace gpuledger;
using ledger::Claimed;
using ledger::OwnerRules;
using ledger::RulePreview;
using ledger::RuleSurvey;
using model::OwnerRule;
using tests::PartRow;
using tests::Scenario;
using Kind = OwnerRule::Kind;
using Match = OwnerRule::Match;

namespace {

constexpr std::int64_t kHour = 3600;
constexpr std::int64_t kDay = 86400;

OwnerRule rule(Kind kind, std::string key, std::string pattern = {}, std::string team = {}, Match match = Match::Exact)
{
    return {kind, match, std::move(key), std::move(pattern), std::move(team), {}, {}};
}

model::Settings with(std::vector<OwnerRule> owners)
{
    model::Settings settings = tests::pricedSettings();
    settings.owners = std::move(owners);
    return settings;
}

// The ledger's result once the rules are in use.
std::map<std::string, Claimed> teamsOf(const Scenario &fleet, const model::Settings &settings, int days)
{
    std::map<std::string, Claimed> teams;
    for (const PartRow &row : tests::attributed(fleet, settings, 0, days - 1)) {
        Claimed &team = teams[row.team];
        team.time.ticks += row.part.ticks;
        if (row.part.priced)
            team.nanos += row.part.costNanos;
        else
            team.unpriced.ticks += row.part.ticks;
    }
    return teams;
}

struct Look {
    std::shared_ptr<const RuleSurvey> survey;
    RulePreview preview;
};

Look look(const Scenario &fleet, const model::Settings &inUse, const std::vector<OwnerRule> &rules, int days,
          std::stop_token stop = {})
{
    tests::MemoryFacts facts;
    facts.add(fleet.batch);
    const auto ledger = ledger::Ledger::create(inUse).value();
    const OwnerRules other = OwnerRules::create(rules).value();
    std::vector<base::UtcTime> cuts = ledger->owners().boundaries();
    cuts.insert(cuts.end(), other.boundaries().begin(), other.boundaries().end());
    const base::TimeRange range{fleet.at(0), fleet.at(days * kDay)};
    auto survey = ledger->survey(facts, range, cuts, std::move(stop));
    if (!survey)
        return {};
    return {*survey, (*survey)->preview(other, ledger->owners())};
}

std::map<std::string, Claimed> sides(const RulePreview &preview, bool after)
{
    std::map<std::string, Claimed> teams;
    for (const RulePreview::Team &team : preview.teams) {
        const Claimed &claimed = after ? team.after : team.before;
        if (claimed.time.ticks > 0)
            teams[team.team] = claimed;
    }
    return teams;
}

// Two pods on one device, one after the other, then no holder.
struct TwoPods : Scenario {
    TwoPods()
        : Scenario(1)
    {
        const auto n = node("n1");
        const auto d = device("GPU-1");
        for (const char *name : {"a", "b"}) {
            const std::int64_t from = name[0] == 'a' ? 0 : 6 * kHour;
            const auto p = pod(name, std::string("u") + name, "n1");
            runs(p, from, from + 6 * kHour);
            reports(d, label(name), n, from, from + 6 * kHour, 50);
        }
        reports(d, kNone, n, 12 * kHour, kDay, 0);
        batch.holders[0].labels = {{"team", "vision"}, {"pod_template_hash", "123"}};
        batch.holders[1].labels = {{"cost_center", "42"}};
        batch.holders[1].namespaceLabels = {{"owner", "lab"}};
    }
};

} // namespace

class TestRuleSurvey : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void saysWhatTheLedgerWillSay()
    {
        for (unsigned seed = 1; seed <= 12; ++seed) {
            tests::Random random(seed);
            const Scenario fleet = tests::randomFleet(random, tests::Telling::Wild);
            OwnerRule dated = rule(Kind::Namespace, {}, ".+", {}, Match::Regex);
            dated.from = fleet.at(kDay + 12 * kHour + 7);
            dated.until = fleet.at(3 * kDay);
            const std::vector<OwnerRule> rules{rule(Kind::Label, "team"), dated};
            const model::Settings inUse = with({rule(Kind::NodePool, {}, ".+", "pool", Match::Regex)});
            const RulePreview preview = look(fleet, inUse, rules, tests::kHistoryDays).preview;
            const auto after = teamsOf(fleet, with(rules), tests::kHistoryDays);
            const auto before = teamsOf(fleet, inUse, tests::kHistoryDays);
            QVERIFY2(sides(preview, true) == after, qPrintable(QString::number(seed)));
            QVERIFY2(sides(preview, false) == before, qPrintable(QString::number(seed)));
            Claimed all;
            for (const auto &[team, claimed] : after)
                all += claimed;
            QVERIFY(preview.all == all);
            Claimed parts = preview.owned;
            parts += preview.unowned;
            parts += preview.shared;
            QVERIFY(parts == all);
        }
    }

    void tellsWhatEachRuleClaims()
    {
        const std::vector<OwnerRule> rules{rule(Kind::Label, "team"), rule(Kind::NodePool, {}, "gpu", "platform")};
        const RulePreview preview = look(TwoPods(), with({}), rules, 1).preview;
        QCOMPARE(preview.rules.size(), std::size_t{3});
        QCOMPARE(preview.rules[0].all.time.hours(), 6.0);
        QCOMPARE(preview.rules[0].teams, std::vector<std::string>{"vision"});
        QCOMPARE(preview.rules[1].all.time.hours(), 0.0);
        QCOMPARE(preview.rules[2].all.time.hours(), 6.0);
        QCOMPARE(preview.unowned.time.hours(), 6.0);
        QCOMPARE(preview.shared.time.hours(), 12.0);
        QCOMPARE(preview.owned.nanos, std::int64_t{6 * 3'600'000'000});
        QCOMPARE(preview.examples.size(), std::size_t{1});
        QCOMPARE(preview.examples.front().name, std::string("b"));
        QCOMPARE(preview.unownedWorkloads, std::size_t{1});
    }

    void ownsFreeTimeByANodePool()
    {
        TwoPods fleet;
        fleet.batch.nodes[0].labels["pool"] = "gpu";
        const RulePreview preview = look(fleet, with({}), {rule(Kind::NodePool, {}, "gpu", "platform")}, 1).preview;
        QCOMPARE(preview.rules[0].all.time.hours(), 24.0);
        QCOMPARE(preview.rules[0].held.time.hours(), 12.0);
        QCOMPARE(preview.shared.time.hours(), 0.0);
    }

    void suggestsLabelsThatTellTeams()
    {
        const RulePreview preview = look(TwoPods(), with({}), {rule(Kind::Label, "team")}, 1).preview;
        QCOMPARE(preview.labels.size(), std::size_t{3}); // without pod_template_hash
        // Labels that would give unowned time an owner come first.
        QCOMPARE(preview.labels[0].unowned.time.hours(), 6.0);
        QCOMPARE(preview.labels[1].unowned.time.hours(), 6.0);
        QCOMPARE(preview.labels[2].key, std::string("team"));
        QCOMPARE(preview.labels[2].unowned.time.hours(), 0.0);
        QCOMPARE(preview.labels[2].held.time.hours(), 6.0);
        QCOMPARE(preview.labels[2].values, std::size_t{1});
    }

    void ordersTeamsByWhatChanges()
    {
        const RulePreview preview =
            look(TwoPods(), with({rule(Kind::Label, "team")}), {rule(Kind::NamespaceLabel, "owner")}, 1).preview;
        QCOMPARE(preview.teams.size(), std::size_t{4});
        const auto team = [&](const std::string &name) {
            return *std::find_if(preview.teams.begin(), preview.teams.end(),
                                 [&](const auto &one) { return one.team == name; });
        };
        QCOMPARE(team("vision").before.time.hours(), 6.0);
        QCOMPARE(team("vision").after.time.hours(), 0.0);
        QCOMPARE(team("lab").after.time.hours(), 6.0);
        QCOMPARE(preview.teams.back().before.nanos, preview.teams.back().after.nanos);
        QCOMPARE(preview.ownedBefore.time.hours(), 6.0);
    }

    void fitsOnlyWhereItWasCut()
    {
        const TwoPods fleet;
        const auto survey = look(fleet, with({}), {}, 1).survey;
        OwnerRule dated = rule(Kind::Label, "team");
        dated.from = fleet.at(kDay);
        QVERIFY(survey->fits(OwnerRules::create({dated}).value()));
        dated.from = fleet.at(kHour);
        QVERIFY(!survey->fits(OwnerRules::create({dated}).value()));
        QVERIFY(look(fleet, with({}), {dated}, 1).survey->fits(OwnerRules::create({dated}).value()));
    }

    // A machine is matched by the labels of its node.
    void machinesAreAmongIt()
    {
        Scenario fleet(1);
        const auto n = fleet.node("box", {{"team", "vision"}}, false);
        const auto box = fleet.label("i-1");
        fleet.batch.subjects[box].kind = model::SubjectKind::Machine;
        fleet.reports(fleet.device("GPU-1"), box, n, 0, kDay, 1);
        const std::vector<OwnerRule> rules{rule(Kind::Label, "team")};
        const RulePreview preview = look(fleet, with({rule(Kind::Namespace, {})}), rules, 1).preview;
        QVERIFY(sides(preview, true) == teamsOf(fleet, with(rules), 1));
        QVERIFY(sides(preview, true).contains("vision"));
        QVERIFY(!sides(preview, false).contains("vision"));
        QCOMPARE(preview.labels.size(), std::size_t(1));
        QCOMPARE(preview.labels.front().key, std::string("team"));
    }

    void canBeStopped()
    {
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(look(TwoPods(), with({}), {}, 1, stop.get_token()).survey == nullptr);
    }

    void saysWhereAnExpressionIsWrong()
    {
        QVERIFY(!OwnerRules::problemOf("^ml-(?<team>[a-z]+)-"));
        const auto problem = OwnerRules::problemOf("^ml-[z-a]+");
        QVERIFY(problem.has_value());
        QCOMPARE(problem->offset, std::optional<std::size_t>(5));
        QVERIFY(OwnerRules::problemOf("(?<team>[a-z]+")->text.find("missing )") != std::string::npos);
        QVERIFY(OwnerRules::problemOf("\\(?<team>"
                                      "(")
                    .has_value());
    }
};

GPULEDGER_SUITE(TestRuleSurvey)

} // namespace tst_rulesurvey

#include "tst_rulesurvey.moc"
