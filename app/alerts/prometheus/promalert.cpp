// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/alerts/prometheus/promalert.h"

#include "app/alerts/prometheus/promrecords.h"
#include "app/alerts/prometheus/promteams.h"
#include "app/alerts/prometheus/promtext.h"

#include <array>
#include <cstdio>

namespace gpuledger::alerts::prom {

namespace {

constexpr int kHoursOfWeek = 168, kMondayInPrometheus = 1; // it counts from Sunday
constexpr base::Seconds kChecked{400 * 86400}, kCheckedStep{86400};
constexpr double kPromNanosPerOne = 1e9;
constexpr char kValue[] = R"({{ $value | printf "%.6g" }})";

// The five-minute means of an hour, of which there are twelve.
std::string sumOfHour(const ScopeAmount &what)
{
    return "sum_over_time(" + recordName(what) + "[59m:5m])";
}

bool isUtc(const base::TimeZone &zone, base::UtcTime at)
{
    for (base::Seconds ahead{0}; ahead < kChecked; ahead += kCheckedStep) {
        if (zone.offsetAt(at + ahead).count() != 0)
            return false;
    }
    return true;
}

bool alwaysWorks(const Rule &rule)
{
    return !rule.hours || rule.hours->all();
}

// Hours of the week as Prometheus counts them, from Sunday 00:00 UTC.
std::string hoursExpression(const WeekHours &hours)
{
    const auto works = [&](int hour) {
        return hours.test(static_cast<std::size_t>((hour + kHoursOfWeek - 24 * kMondayInPrometheus) % kHoursOfWeek));
    };
    std::vector<std::string> parts;
    for (int begin = 0; begin < kHoursOfWeek;) {
        int end = begin;
        while (end < kHoursOfWeek && works(end))
            ++end;
        if (end > begin)
            parts.push_back("(day_of_week() * 24 + hour() >= " + std::to_string(begin) + " < " + std::to_string(end)
                            + ')');
        begin = end + (end == begin ? 1 : 0);
    }
    return "and on () (\n" + joined(parts, "or") + "\n)";
}

std::string unitOf(const Rule &rule, base::Currency currency)
{
    return rule.bound.unit == RuleUnit::Share ? std::string() : ' ' + unitText(rule.bound.unit, currency);
}

std::string summary(const Rule &rule, base::Currency currency, const std::string &scope, const std::string &value)
{
    const std::string unit = unitOf(rule, currency);
    return std::string(toString(rule.metric)) + " of "
        + (rule.scope == RuleScope::All ? "all GPUs" : std::string(toString(rule.scope)) + ' ' + scope) + ": " + value
        + unit + ", " + (rule.isBelow() ? "below " : "above ") + decimal(rule.bound.nanos) + unit;
}

} // namespace

std::optional<WorkingSpan> longestSpan(const Rule &rule)
{
    if (alwaysWorks(rule))
        return std::nullopt;
    WorkingSpan longest, now;
    for (int hour = 0; hour < 2 * kHoursOfWeek; ++hour) { // a span may go over Sunday night
        const bool works = rule.hours->test(static_cast<std::size_t>(hour % kHoursOfWeek));
        if (works && now.hours == 0)
            now.begin = hour % kHoursOfWeek;
        now.hours = works ? now.hours + 1 : 0;
        if (now.hours > longest.hours)
            longest = now;
    }
    return longest;
}

std::string whyNot(const Rule &rule, const RulesToExport &question)
{
    if (rule.metric == RuleMetric::Budget || rule.metric == RuleMetric::Forecast)
        return "what a period has cost so far is not in Prometheus";
    if (rule.metric == RuleMetric::AttributionCoverage)
        return "which cost has an owner is not in Prometheus";
    const std::vector<ScopeAmount> amounts = amountsOf(rule);
    if (amounts.empty())
        return "its metric is not one that Prometheus can compute";
    if (!question.source.isOnly && (rule.scope == RuleScope::All || rule.scope == RuleScope::Team))
        return "it adds up several sources, and each Prometheus knows only its own GPUs; use per: cluster or pool";
    if (rule.scope == RuleScope::Team && rule.metric == RuleMetric::Unallocated)
        return "a GPU that nobody holds has no pod that tells its team; use per: cluster or pool";
    if (rule.scope == RuleScope::Team) {
        if (std::string problem = teamProblem(question.owners); !problem.empty())
            return problem;
    }
    if (isCost(amounts.front().second) && question.prices.empty())
        return "no GPU of this source has a price";
    const auto span = longestSpan(rule);
    if (!span)
        return {};
    if (!isUtc(rule.zone, question.at))
        return "its working hours are in " + rule.zone.name() + ", and Prometheus knows only UTC";
    constexpr base::Seconds kLeft{900};
    if (rule.length + kLeft > base::Seconds{span->hours * 3600L})
        return "its condition must hold for longer than its working hours last without a break";
    return {};
}

double boundOf(const Rule &rule)
{
    return static_cast<double>(rule.bound.nanos) / kPromNanosPerOne;
}

std::string alertExpression(const Rule &rule)
{
    const std::vector<ScopeAmount> amounts = amountsOf(rule);
    std::string value;
    if (amounts.size() > 1) // a share
        value = sumOfHour(amounts.front()) + " / " + sumOfHour(amounts.back());
    else
        value = (rule.bound.unit == RuleUnit::Gpus ? "" : "24 * ") + sumOfHour(amounts.front())
            + " / scalar(count_over_time(vector(1)[59m:5m]))";
    const std::string condition = value + (rule.isBelow() ? " < " : " > ") + decimal(rule.bound.nanos);
    return alwaysWorks(rule) ? condition : '(' + condition + ")\n" + hoursExpression(*rule.hours);
}

std::string linkText()
{
    return "gpuledger://alerts";
}

std::string commandText()
{
    return "gpuledger-cli alerts evaluate";
}

std::string summaryText(const Rule &rule, base::Currency currency, const std::string &scope, double value)
{
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.6g", value);
    return summary(rule, currency, scope, text.data());
}

std::string alertYaml(const Rule &rule, base::Currency currency)
{
    std::string out, scope;
    if (rule.clearNanos != rule.bound.nanos)
        out += "  # " + commented(rule.name) + ": its hysteresis is not exported; it resolves at the bound.\n";
    out += "  - alert: " + inQuotes(rule.name) + "\n    expr: |-\n" + indented(alertExpression(rule), 6) + '\n';
    if (rule.length.count() > 0)
        out += "    for: " + std::to_string(rule.length.count()) + "s\n";
    out += "    labels: { severity: " + std::string(toString(rule.severity)) + ", rule: " + inQuotes(rule.name)
        + ", per: " + std::string(toString(rule.scope)) + " }\n";
    for (const std::string &label : scopeLabels(rule.scope)) // as model::poolName()
        scope += (scope.empty() ? "{{ $labels." : "/{{ $labels.") + label + " }}";
    out += "    annotations:\n      summary: " + inQuotes(summary(rule, currency, scope, kValue))
        + "\n      link: " + inQuotes(linkText()) + "\n      command: " + inQuotes(commandText()) + '\n';
    return out;
}

} // namespace gpuledger::alerts::prom
