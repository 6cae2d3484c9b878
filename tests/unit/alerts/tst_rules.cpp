// SPDX-License-Identifier: GPL-3.0-or-later
// Alert rules: bounds, working hours and the state machine, which is compared with a slow reference on random series
// with unknown values, jumps of the clock and restarts.
#include "app/alerts/rules/boundsuggest.h"
#include "app/alerts/rules/firing.h"
#include "app/alerts/rules/rulemachine.h"
#include "tests/support/suite.h"

#include <QtTest>

#include <random>

namespace tst_rules {

using namespace gpuledger;
using namespace gpuledger::alerts;

namespace {

constexpr std::int64_t kUnit = 1'000'000'000;
constexpr base::Seconds kStep{900};

base::UtcTime ruleTime(const char *text)
{
    return base::parseTime(text).value();
}

// Above 100 a day.
Rule ruleAbove(base::Seconds length, double hysteresis = 0)
{
    model::AlertRule configured;
    configured.name = "r";
    configured.metric = "idle-cost";
    configured.per = "team";
    configured.bound = "100 USD/day";
    configured.length = length;
    configured.hysteresis = hysteresis;
    return ruleOf(configured, base::Currency::usd(), base::TimeZone()).value();
}

// One reading every 15 minutes from midnight: a number of units, or kNone.
constexpr int kNone = -1;
std::vector<Reading> readingsOf(std::initializer_list<int> units)
{
    std::vector<Reading> out;
    base::UtcTime at = ruleTime("2026-11-02"); // a Monday
    for (const int one : units) {
        out.push_back({at, one == kNone ? std::nullopt : std::optional<std::int64_t>(one * kUnit)});
        at += kStep;
    }
    return out;
}

// The reference: the state after the last of `readings`, found without memory by looking back over all of them. The
// newest change of a firing scope decides whether it fires; before that, the time for which the condition held is
// counted backwards to the last reading at which it did not hold.
struct Expected {
    bool fires = false, pends = false;
    base::UtcTime since{};
};

bool isKnown(const Rule &rule, const Reading &reading)
{
    return reading.nanos && rule.worksAt(reading.at);
}

// How long the condition held up to the reading at `end`, since the reading at `begin` at the earliest.
base::Seconds heldUpTo(const Rule &rule, const std::vector<Reading> &all, std::size_t begin, std::size_t end)
{
    base::Seconds sum{0};
    for (std::size_t i = end; i > begin; --i) {
        const Reading &later = all[i], &earlier = all[i - 1];
        if (isKnown(rule, earlier) && !rule.holds(*earlier.nanos))
            break;
        const bool bothHold = isKnown(rule, later) && isKnown(rule, earlier) && rule.holds(*earlier.nanos);
        if (bothHold && later.at - earlier.at <= rule.longestStep())
            sum += later.at - earlier.at;
    }
    return sum;
}

Expected expectedOf(const Rule &rule, const std::vector<Reading> &heard)
{
    std::vector<Reading> all; // those that the clock did not repeat
    for (const Reading &one : heard) {
        if (all.empty() || one.at > all.back().at)
            all.push_back(one);
    }
    Expected out;
    std::size_t begin = 0; // after the last firing
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (!isKnown(rule, all[i]))
            continue;
        if (out.fires) {
            if (!rule.keepsFiring(*all[i].nanos)) {
                out = {};
                begin = i;
            }
            continue;
        }
        out.pends = rule.holds(*all[i].nanos);
        if (out.pends && heldUpTo(rule, all, begin, i) >= rule.length)
            out = {true, false, all[i].at};
    }
    return out;
}

} // namespace

class tst_rules : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsBounds()
    {
        const base::Currency usd = base::Currency::usd();
        QCOMPARE(boundOf(RuleMetric::IdleCost, "200 USD/day", usd)->nanos, 200 * kUnit);
        QCOMPARE(boundOf(RuleMetric::IdleCost, "0.5USD/day", usd)->nanos, kUnit / 2);
        QCOMPARE(boundOf(RuleMetric::Utilization, "30 %", usd)->nanos, 3 * kUnit / 10);
        QCOMPARE(boundOf(RuleMetric::Budget, "1.2", usd)->nanos, 12 * kUnit / 10);
        QVERIFY(boundOf(RuleMetric::Unallocated, "8 GPU", usd)->unit == RuleUnit::Gpus);
        QVERIFY(boundOf(RuleMetric::Unallocated, "8 USD/day", usd)->unit == RuleUnit::MoneyPerDay);
        QCOMPARE(boundOf(RuleMetric::AnomalyCost, "4", usd)->nanos, 4 * kUnit);
        QVERIFY(boundOf(RuleMetric::AnomalyCost, "4", usd)->unit == RuleUnit::Score);
        QCOMPARE(boundOf(RuleMetric::SourceLate, "2.5 h", usd)->nanos, 5 * kUnit / 2);
        QVERIFY(boundOf(RuleMetric::SourceLate, "2 h", usd)->unit == RuleUnit::Hours);
        QVERIFY(boundOf(RuleMetric::SpotInterruptions, "3 /day", usd)->unit == RuleUnit::TimesPerDay);
        QVERIFY(boundOf(RuleMetric::CommitmentExpiring, "30 d", usd)->unit == RuleUnit::Days);
        QVERIFY(!boundOf(RuleMetric::CommitmentExpiring, "30", usd));
        QVERIFY(!boundOf(RuleMetric::SourceLate, "2", usd) && !boundOf(RuleMetric::AnomalyCost, "4 %", usd));
        QVERIFY(!boundOf(RuleMetric::QueueWaiting, "8 USD/day", usd));
        for (const char *text :
             {"", "200", "200 EUR/day", "200 USD", "-1 USD/day", "0 USD/day", "1 2 USD/day", "USD/day"})
            QVERIFY2(!boundOf(RuleMetric::IdleCost, text, usd), text);
        QVERIFY(!boundOf(RuleMetric::IdleHours, "5 GPU", usd) && !boundOf(RuleMetric::Utilization, "30 USD/day", usd));
    }

    // Each metric takes its own example and one of its scopes.
    void everyMetricHasAnExample()
    {
        for (const std::string &name : ruleMetricNames()) {
            const RuleMetric metric = ruleMetricFromString(name).value();
            for (const std::string &scope : scopesOf(metric)) {
                model::AlertRule configured;
                configured.metric = name;
                configured.per = scope;
                configured.bound = boundExample(metric);
                const auto rule = ruleOf(configured, base::Currency::usd(), base::TimeZone());
                QVERIFY2(rule, name.c_str());
                QCOMPARE(std::string(toString(rule->scope)), scope);
                QCOMPARE(rule->longestStep(), isDaily(metric) ? base::kDay : base::Seconds{3600});
            }
        }
    }

    void readsWorkingHours()
    {
        const auto week = workingHoursOf("mon-fri 8-18, sat");
        QVERIFY(week);
        QCOMPARE(week->count(), std::size_t{5 * 10 + 24});
        QVERIFY(week->test(8) && !week->test(7) && week->test(17) && !week->test(18) && week->test(5 * 24));
        for (const char *text : {"", "monday", "fri-mon", "mon 18-8", "mon 8-25", "mon-fri 8-18,,", "mon 8"})
            QVERIFY2(!workingHoursOf(text), text);
    }

    void firesOnceTheConditionHeldLongEnough()
    {
        const Rule rule = ruleAbove(base::Seconds{1800});
        const auto readings = readingsOf({100, 101, 150, 130, 120, 90});
        const ScopeRun run = runOf(rule, readings);
        QVERIFY(run.firings == (std::vector<Firing>{{readings[3].at, readings[5].at, 130 * kUnit}}));
        QVERIFY(run.state.state == AlertState::Resolved);
        QVERIFY(runOf(rule, std::span(readings).first(3)).state.state == AlertState::Pending);
        QVERIFY(runOf(ruleAbove(base::Seconds{0}), std::span(readings).first(2)).state.state == AlertState::Firing);
    }

    void aShorterTimeIsNoAlert()
    {
        QVERIFY(runOf(ruleAbove(base::Seconds{1800}), readingsOf({150, 150, 50, 150, 150, 50})).firings.empty());
    }

    void missingDataNeitherFiresNorResolves()
    {
        const Rule rule = ruleAbove(base::Seconds{1800});
        QVERIFY(runOf(rule, readingsOf({150, 150, kNone, kNone, kNone})).firings.empty());
        // 15 minutes before the gap, and 15 after it.
        const auto readings = readingsOf({150, 150, kNone, kNone, 150, 150, kNone, kNone});
        const ScopeRun run = runOf(rule, readings);
        QVERIFY(run.firings == (std::vector<Firing>{{readings[5].at, std::nullopt, 150 * kUnit}}));
        QVERIFY(run.state.state == AlertState::Firing && !run.state.newest);
    }

    // Unlike what is unknown: of nothing there can't be too much or too little.
    void nothingLeftResolves()
    {
        const Rule rule = ruleAbove(base::Seconds{1800}, 0.9);
        auto readings = readingsOf({150, 150, 150, kNone, kNone});
        readings[3].nothing = readings[4].nothing = true;
        const ScopeRun run = runOf(rule, readings);
        QVERIFY(run.firings == (std::vector<Firing>{{readings[2].at, readings[3].at, 150 * kUnit}}));
        QVERIFY(!run.state.newest);
        readings = readingsOf({150, 150, kNone, 150, 150});
        readings[2].nothing = true; // the time before it does not count
        QVERIFY(runOf(rule, readings).firings.empty());
    }

    void hysteresisKeepsItFiring()
    {
        const auto readings = readingsOf({150, 95, 81, 80, 95});
        QVERIFY(runOf(ruleAbove(base::Seconds{0}), readings).firings.front().to == readings[1].at);
        const ScopeRun run = runOf(ruleAbove(base::Seconds{0}, 0.2), readings);
        QVERIFY(run.firings == (std::vector<Firing>{{readings[0].at, readings[3].at, 150 * kUnit}}));
    }

    void outsideOfWorkingHoursNothingHappens()
    {
        Rule rule = ruleAbove(base::Seconds{0});
        rule.hours = workingHoursOf("mon 1-2").value();
        const auto readings = readingsOf({150, 150, 150, 150, 150, 150, 150, 150, 50, 50});
        const ScopeRun run = runOf(rule, readings);
        QCOMPARE(run.firings.size(), std::size_t{1});
        QVERIFY(run.firings[0].from == ruleTime("2026-11-02T01:00:00Z") && !run.firings[0].to);
    }

    void tooLittleFiresBelow()
    {
        model::AlertRule configured;
        configured.name = "low";
        configured.metric = "utilization";
        configured.per = "all";
        configured.bound = "30 %";
        configured.hysteresis = 0.5;
        const Rule rule = ruleOf(configured, base::Currency::usd(), base::TimeZone()).value();
        std::vector<Reading> readings = readingsOf({0, 0, 0, 0});
        const std::int64_t shares[] = {300'000'000, 290'000'000, 100'000'000, 450'000'000};
        for (std::size_t i = 0; i < readings.size(); ++i)
            readings[i].nanos = shares[i];
        QVERIFY(runOf(rule, readings).firings == (std::vector<Firing>{{readings[1].at, readings[3].at, 100'000'000}}));
    }

    void aJumpForwardIsNoTimeThatItHeld()
    {
        const Rule rule = ruleAbove(base::Seconds{7200});
        std::vector<Reading> readings = readingsOf({150, 150});
        readings[1].at += base::kDay;
        QVERIFY(runOf(rule, readings).state.state == AlertState::Pending);
    }

    void resolvedIsOverAfterAMoment()
    {
        QVERIFY(runOf(ruleAbove(base::Seconds{0}), readingsOf({150, 50})).state.state == AlertState::Resolved);
        QVERIFY(runOf(ruleAbove(base::Seconds{0}), readingsOf({150, 50, 50})).state.state == AlertState::Inactive);
    }

    void keysAreStableAndDiffer()
    {
        const base::UtcTime at = ruleTime("2026-11-02T01:00:00Z");
        QCOMPARE(alertKey("r", "vision", at), alertKey("r", "vision", at));
        QCOMPARE(alertKey("r", "vision", at).size(), std::size_t{64});
        QVERIFY(alertKey("r", "vision", at) != alertKey("r", "vision", at + kStep));
        QVERIFY(alertKey("r", "vision", at) != alertKey("s", "vision", at));
        QVERIFY(alertKey("r", "vision", at) != alertKey("r", "speech", at));
    }

    void refusesStatesThatAreNone()
    {
        RuleMachine machine(ruleAbove(base::Seconds{0}));
        machine.add("a\tb\\\nc", readingsOf({150}).front());
        const std::string text = machine.exported();
        RuleMachine other(ruleAbove(base::Seconds{0}));
        QVERIFY(other.import(text));
        QVERIFY(other.scopes() == machine.scopes());
        for (std::size_t size = 0; size < text.size(); ++size) {
            const bool isHeadOnly = text.substr(0, size) == RuleMachine(ruleAbove(base::Seconds{0})).exported();
            QCOMPARE(static_cast<bool>(other.import(text.substr(0, size))), isHeadOnly);
            QVERIFY(isHeadOnly || other.scopes() == machine.scopes());
            QVERIFY(other.import(text));
        }
    }

    void aClockThatWasAheadDoesNotStopARule()
    {
        RuleMachine machine(ruleAbove(base::Seconds{0}));
        const Reading first = readingsOf({50}).front();
        machine.add("a", first);
        machine.goBackTo(first.at - kClockSlack); // a small correction
        QVERIFY(machine.scopes().at("a").at == first.at);
        machine.add("a", {first.at + 365 * base::kDay, std::nullopt});
        QVERIFY(!machine.add("a", {first.at + kStep, 150 * kUnit}));
        machine.goBackTo(first.at);
        QVERIFY(machine.add("a", {first.at + kStep, 150 * kUnit}));
        QVERIFY(machine.scopes().at("a").state == AlertState::Firing);
        machine.beginAgain("a", first.at);
        QVERIFY(machine.scopes().at("a").since == first.at);
    }

    // Bills cover a day only later: until then the day is not decided, and then once.
    void aDayThatIsKnownLateIsDecidedOnce()
    {
        model::AlertRule configured;
        configured.name = "odd";
        configured.metric = "anomaly-cost";
        configured.per = "team";
        configured.bound = "4";
        const Rule rule = ruleOf(configured, base::Currency::usd(), base::TimeZone()).value();
        const base::UtcTime first = ruleTime("2026-11-02");
        const auto on = [&](int day) { return first + day * base::kDay; };
        std::vector<Reading> readings{{on(0), 1 * kUnit}, {on(1), std::nullopt}, {on(2), std::nullopt}};
        RuleMachine machine(rule);
        int fired = 0;
        const auto run = [&](base::UtcTime now) {
            for (const Reading &reading : decidedOf(rule, readings, now)) {
                const auto moved = machine.add("vision", reading);
                fired += moved && moved->to == AlertState::Firing ? 1 : 0;
            }
        };
        run(on(2));
        QVERIFY(machine.scopes().at("vision").at == on(0));
        readings[1].nanos = 9 * kUnit;
        for (int round = 0; round < 3; ++round)
            run(on(3));
        QCOMPARE(fired, 1);
        QVERIFY(machine.scopes().at("vision").since == on(1));
        // What stays unknown is decided in the end, and so is what is not the newest.
        QCOMPARE(decidedOf(rule, readings, on(2) + kKnownLater).size(), std::size_t{3});
        readings.push_back({on(3), std::nullopt, true});
        QCOMPARE(decidedOf(rule, readings, on(3)).size(), std::size_t{4});
        // Values of hours are known when the hour is over, or never.
        QCOMPARE(decidedOf(ruleAbove(base::Seconds{0}), readings, on(2)).size(), readings.size());
    }

    void countsNotices()
    {
        const base::UtcTime at = ruleTime("2026-11-02");
        QCOMPARE(noticesPerWeek(6, {at, at + 14 * base::kDay}).value(), 3.0);
        QVERIFY(!noticesPerWeek(6, {at, at}));
        QVERIFY(isUnactionable({at, at + base::Seconds{3599}, 0}));
        QVERIFY(!isUnactionable({at, at + base::Seconds{3600}, 0}) && !isUnactionable({at, std::nullopt, 0}));
    }

    void equalsTheReferenceOnRandomSeries()
    {
        constexpr int kSeries = 300, kReadings = 60;
        std::mt19937 random(20261102);
        const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
        int fired = 0, resolved = 0;
        for (int series = 0; series < kSeries; ++series) {
            Rule rule = ruleAbove(base::Seconds{900 * below(5)}, below(3) * 0.1);
            if (below(3) == 0)
                rule.hours = workingHoursOf("mon-fri 2-14").value();
            RuleMachine machine(rule);
            std::vector<Reading> heard;
            base::UtcTime at = ruleTime("2026-11-02");
            std::optional<base::UtcTime> lastFired;
            for (int i = 0; i < kReadings; ++i) {
                at += below(12) == 0 ? base::Seconds{900 * (below(40) - 20)} : kStep; // the clock jumps either way
                const bool isUnknown = below(8) == 0;
                const std::int64_t units = below(4) == 0 ? below(200) : (i / 8) % 2 == 0 ? 120 : 60;
                heard.push_back({at, isUnknown ? std::nullopt : std::optional<std::int64_t>(units * kUnit)});
                const auto change = machine.add("vision", heard.back());
                const ScopeState state = machine.scopes().at("vision");
                const Expected expected = expectedOf(rule, heard);
                QCOMPARE(state.state == AlertState::Firing, expected.fires);
                QCOMPARE(state.state == AlertState::Pending, expected.pends);
                if (expected.fires)
                    QVERIFY(state.since == expected.since);
                if (change && change->to == AlertState::Firing) {
                    QVERIFY(!lastFired || *lastFired < change->at); // never twice for one time
                    lastFired = change->at;
                    ++fired;
                }
                resolved += change && change->to == AlertState::Resolved ? 1 : 0;
                if (below(10) == 0) { // a restart
                    RuleMachine next(rule);
                    QVERIFY(next.import(machine.exported()));
                    machine = next;
                }
            }
        }
        QVERIFY(fired > 100 && resolved > 50);
    }

    void aBoundFromThePast()
    {
        const auto past = [](int days, std::int64_t first, std::int64_t step) { // of a scope, two readings a day
            std::vector<Reading> all;
            for (int day = 0; day < days; ++day) {
                const base::UtcTime at = ruleTime("2026-10-01T00:00:00Z") + day * base::kDay;
                const std::int64_t value = first + day * step;
                all.push_back({at + base::Seconds{3600}, value - value / 2});
                all.push_back({at + base::Seconds{7200}, value + value / 2});
                all.push_back({at + base::Seconds{10800}, std::nullopt});
            }
            return std::map<std::string, std::vector<Reading>>{{"vision", all}};
        };
        const Rule cost = ruleAbove(base::Seconds{0});
        const auto usd = base::Currency::usd();
        // 100, 110 ... 370: the 90th percentile is 350.
        QCOMPARE(suggestedBound(cost, past(28, 100 * kUnit, 10 * kUnit), usd).value_or(""), std::string("500 USD/day"));
        QCOMPARE(suggestedBound(cost, past(28, 200 * kUnit, 0), usd).value_or(""), std::string("200 USD/day"));
        QCOMPARE(suggestedBound(cost, past(28, kUnit / 8, 0), usd).value_or(""), std::string("0.2 USD/day"));
        QCOMPARE(suggestedBound(cost, past(28, 1'500'000 * kUnit, 0), usd).value_or(""),
                 std::string("2000000 USD/day"));
        QVERIFY(!suggestedBound(cost, past(6, 100 * kUnit, 0), usd)); // too few days
        QVERIFY(!suggestedBound(cost, past(28, 0, 0), usd)); // nothing
        QVERIFY(!suggestedBound(cost, {}, usd));
        Rule use = cost;
        use.metric = RuleMetric::Utilization;
        use.bound.unit = RuleUnit::Share;
        QCOMPARE(suggestedBound(use, past(28, 430'000'000, 0), usd).value_or(""), std::string("40 %"));
        QCOMPARE(suggestedBound(use, past(28, 10'000'000, 0), usd).value_or(""), std::string("5 %"));
        Rule budget = cost;
        budget.metric = RuleMetric::Budget;
        QVERIFY(!suggestedBound(budget, past(28, 100 * kUnit, 0), usd));
        for (const std::string_view text : {"500 USD/day", "0.2 USD/day", "2000000 USD/day"})
            QVERIFY(boundOf(RuleMetric::IdleCost, text, usd));
    }
};

GPULEDGER_PLAIN_SUITE(tst_rules)

} // namespace tst_rules

#include "tst_rules.moc"
