// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/alerts/prometheus/promtests.h"

#include "app/alerts/prometheus/promalert.h"
#include "app/alerts/prometheus/promtext.h"
#include "app/model/fleet/poolname.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace gpuledger::alerts::prom {

namespace {

constexpr int kWeekHours = 168;
constexpr int kEpochHour = 72; // the clock of promtool starts on a Thursday, three days after Monday
constexpr int kFullHours = 2; // after which the last hour is known
constexpr int kChainMinutes = 90;
constexpr base::Seconds kHourOfTest{3600}, kMinuteOfTest{60}, kMargin{600};

std::string number(double value)
{
    std::array<char, 32> text{};
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

std::string label(std::string_view name, std::string_view value)
{
    return std::string(name) + '=' + inQuotes(value);
}

std::string clusterOf(const RulesToExport &question)
{
    return question.source.cluster.empty() ? question.source.name : question.source.cluster;
}

// Names and values of the labels of the scope that a test is about. The GPUs of tests are in no pool, and so without
// such a label.
std::vector<std::pair<std::string, std::string>> testLabels(RuleScope scope, const RulesToExport &question)
{
    if (scope == RuleScope::Team && !question.testTeam.empty())
        return {{"team", question.testTeam}};
    if (scope == RuleScope::Cluster || scope == RuleScope::Pool)
        return {{"cluster", clusterOf(question)}};
    return {};
}

// As the summary of an alert has it.
std::string scopeName(RuleScope scope, const RulesToExport &question)
{
    if (scope == RuleScope::Team)
        return question.testTeam;
    if (scope == RuleScope::Pool)
        return model::poolName({clusterOf(question), {}});
    return scope == RuleScope::Cluster ? clusterOf(question) : std::string();
}

std::string recorded(const ScopeAmount &what, const RulesToExport &question)
{
    std::string braces;
    for (const auto &[name, value] : testLabels(what.first, question))
        braces += '{' + label(name, value) + '}';
    return recordName(what) + braces;
}

std::string inputLine(const std::string &series, double value, std::int64_t minutes)
{
    return "  - { series: " + inQuotes(series) + ", values: \"" + number(value) + 'x' + std::to_string(minutes)
        + "\" }\n";
}

std::string testHead(const std::string &name)
{
    return "- name: " + inQuotes(name) + "\n  interval: 1m\n  input_series:\n";
}

// GPUs of the model that has a price, in its cluster.
std::string gpuSeries(const RulesToExport &question, const std::string &pod)
{
    std::string labels =
        label("UUID", "GPU-" + (pod.empty() ? "free" : pod)) + ", " + label("Hostname", kTestNamespace);
    if (!question.prices.empty())
        labels += ", " + label("modelName", question.prices.front().gpuModel);
    if (!pod.empty())
        labels += ", " + label("exported_namespace", kTestNamespace) + ", " + label("exported_pod", pod);
    return "DCGM_FI_DEV_GPU_UTIL{" + labels + '}';
}

// What is recorded of one busy, one idle and one free GPU. std::nullopt: nothing.
std::optional<double> expectedOf(Amount amount, const RulesToExport &question)
{
    const double idle = question.threshold > 0 ? 1 : 0;
    const double price = question.prices.empty() ? 0 : static_cast<double>(question.prices.front().nanosPerHour) / 1e9;
    switch (amount) {
    case Amount::Held:
        return 2;
    case Amount::Busy:
    case Amount::Free:
        return 1;
    case Amount::Idle:
        return idle > 0 ? std::optional(idle) : std::nullopt;
    case Amount::IdleCost:
        return idle > 0 ? std::optional(price) : std::nullopt;
    case Amount::FreeCost:
        break;
    }
    return price;
}

std::string chainTest(const RulesToExport &question, const std::set<ScopeAmount> &amounts)
{
    const std::string cluster = clusterOf(question);
    // Samples without the label of a cluster belong to the one that is named after the source.
    const bool hasPrice = !question.prices.empty() && question.prices.front().cluster == cluster;
    std::string expected;
    for (const ScopeAmount &one : amounts) {
        if (isCost(one.second) && !hasPrice)
            continue;
        const auto value = expectedOf(one.second, question);
        expected += "  - expr: " + recordName(one) + "\n    eval_time: 60m\n    exp_samples:";
        expected += value
            ? "\n    - { labels: " + inQuotes(recorded(one, question)) + ", value: " + number(*value) + " }\n"
            : " []\n";
    }
    if (expected.empty())
        return {};
    return testHead("one busy, one idle and one free GPU") + inputLine(gpuSeries(question, "busy"), 100, kChainMinutes)
        + inputLine(gpuSeries(question, "idle"), 0, kChainMinutes)
        + inputLine(gpuSeries(question, {}), 0, kChainMinutes) + "  promql_expr_test:\n" + expected;
}

// When a condition that always holds has made the rule fire, from the epoch: in the first working hours that are long
// enough, so that promtool needs little time.
base::Seconds firingTime(const Rule &rule)
{
    if (!longestSpan(rule))
        return kFullHours * kHourOfTest + rule.length;
    int hours = 0; // that it has worked without a break
    for (int hour = kFullHours;; ++hour) {
        hours = rule.hours->test(static_cast<std::size_t>((hour + kEpochHour) % kWeekHours)) ? hours + 1 : 0;
        const base::Seconds at = (hour + 1 - hours) * kHourOfTest + rule.length + kMargin;
        if (hours > 0 && at < (hour + 1) * kHourOfTest)
            return at;
    }
}

// What a rule watches has this value. Shares are of eight GPUs.
std::string valueSeries(const Rule &rule, double value, std::int64_t minutes, const RulesToExport &question)
{
    constexpr double kGpus = 8, kHours = 24;
    const std::vector<ScopeAmount> amounts = amountsOf(rule);
    if (amounts.size() > 1)
        return inputLine(recorded(amounts.front(), question), value * kGpus, minutes)
            + inputLine(recorded(amounts.back(), question), kGpus, minutes);
    return inputLine(recorded(amounts.front(), question), rule.bound.unit == RuleUnit::Gpus ? value : value / kHours,
                     minutes);
}

std::string alertTest(const Rule &rule, bool fires, const RulesToExport &question)
{
    const base::Seconds at = firingTime(rule);
    const auto minutes = (at + kHourOfTest) / kMinuteOfTest;
    const double bound = boundOf(rule);
    const bool isMore = rule.isBelow() != fires;
    const double value = isMore ? bound * 2 : bound / 2;
    const std::string scope = scopeName(rule.scope, question);
    std::string out =
        testHead(rule.name + (fires ? " fires" : " is quiet")) + valueSeries(rule, value, minutes, question);
    out +=
        "  alert_rule_test:\n  - eval_time: " + std::to_string(at.count()) + "s\n    alertname: " + inQuotes(rule.name);
    if (!fires)
        return out + "\n    exp_alerts: []\n";
    out += "\n    exp_alerts:\n    - exp_labels: { severity: " + std::string(toString(rule.severity))
        + ", rule: " + inQuotes(rule.name) + ", per: " + std::string(toString(rule.scope));
    for (const auto &[name, labelled] : testLabels(rule.scope, question))
        out += ", " + name + ": " + inQuotes(labelled);
    return out
        + " }\n      exp_annotations:\n        summary: " + inQuotes(summaryText(rule, question.currency, scope, value))
        + "\n        link: " + inQuotes(linkText()) + "\n        command: " + inQuotes(commandText()) + '\n';
}

} // namespace

std::string testsYaml(const RulesToExport &question, const std::vector<Rule> &rules,
                      const std::set<ScopeAmount> &amounts)
{
    std::string tests = chainTest(question, amounts);
    for (const Rule &rule : rules)
        tests += alertTest(rule, true, question) + alertTest(rule, false, question);
    return "# promtool test rules, of the file with the rules beside this one.\nrule_files: [" + inQuotes(question.file)
        + "]\nevaluation_interval: 1m\n" + (tests.empty() ? "tests: []\n" : "tests:\n" + tests);
}

} // namespace gpuledger::alerts::prom
