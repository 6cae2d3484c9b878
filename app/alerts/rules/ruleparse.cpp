// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/alerts/rules/rule.h"
#include "app/base/text/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace gpuledger::alerts {

using base::Result;

namespace {

constexpr std::int64_t kPerCent = 100;
constexpr std::array<std::string_view, 7> kWeekDays{"mon", "tue", "wed", "thu", "fri", "sat", "sun"};
constexpr int kHoursOfDay = 24;

std::string_view withoutBlanks(std::string_view text)
{
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ')
        text.remove_suffix(1);
    return text;
}

// The unit that the text after the number names for the metric.
std::optional<RuleUnit> unitNamed(RuleMetric metric, std::string_view unit, base::Currency currency)
{
    const bool isMoney = unit == unitText(RuleUnit::MoneyPerDay, currency);
    const bool isGpus = unit == "GPU" || unit == "GPUs";
    switch (metric) {
    case RuleMetric::IdleCost:
    case RuleMetric::CommitmentUnused:
        return isMoney ? std::optional(RuleUnit::MoneyPerDay) : std::nullopt;
    case RuleMetric::IdleHours:
        return unit == "h/day" ? std::optional(RuleUnit::HoursPerDay) : std::nullopt;
    case RuleMetric::Unallocated:
        if (isGpus)
            return RuleUnit::Gpus;
        return isMoney ? std::optional(RuleUnit::MoneyPerDay) : std::nullopt;
    case RuleMetric::QueueWaiting:
        return isGpus ? std::optional(RuleUnit::Gpus) : std::nullopt;
    case RuleMetric::AnomalyCost:
    case RuleMetric::AnomalyUtilization:
        return unit.empty() || unit == "score" ? std::optional(RuleUnit::Score) : std::nullopt;
    case RuleMetric::SourceLate:
        return unit == "h" ? std::optional(RuleUnit::Hours) : std::nullopt;
    case RuleMetric::CommitmentExpiring:
        return unit == "d" ? std::optional(RuleUnit::Days) : std::nullopt;
    case RuleMetric::SpotInterruptions:
        return unit == "/day" ? std::optional(RuleUnit::TimesPerDay) : std::nullopt;
    default:
        return unit.empty() || unit == "%" ? std::optional(RuleUnit::Share) : std::nullopt;
    }
}

std::string boundHint(RuleMetric metric, base::Currency currency)
{
    const std::string money = "200 " + unitText(RuleUnit::MoneyPerDay, currency);
    std::string example(boundExample(metric));
    if (metric == RuleMetric::IdleCost || metric == RuleMetric::CommitmentUnused)
        example = money;
    else if (metric == RuleMetric::Unallocated)
        example += " or " + money;
    return "write, for example, " + example;
}

std::optional<std::size_t> weekDay(std::string_view name)
{
    const auto at = std::find(kWeekDays.begin(), kWeekDays.end(), name);
    return at == kWeekDays.end() ? std::nullopt : std::optional(static_cast<std::size_t>(at - kWeekDays.begin()));
}

// "a-b" into both; a single one twice.
std::pair<std::string_view, std::string_view> endsOf(std::string_view text)
{
    const std::size_t dash = text.find('-');
    if (dash == std::string_view::npos)
        return {text, text};
    return {text.substr(0, dash), text.substr(dash + 1)};
}

// "mon-fri 8-18", "sat"; false if it can't be read.
bool addClause(std::string_view clause, WeekHours &week)
{
    const std::size_t blank = clause.find(' ');
    const auto [firstDay, lastDay] = endsOf(clause.substr(0, blank));
    const auto first = weekDay(firstDay), last = weekDay(lastDay);
    std::int64_t from = 0, to = kHoursOfDay;
    if (blank != std::string_view::npos) {
        const auto [begin, end] = endsOf(withoutBlanks(clause.substr(blank)));
        from = base::parseInt(begin).value_or(-1);
        to = base::parseInt(end).value_or(-1);
    }
    if (!first || !last || *last < *first || from < 0 || to <= from || to > kHoursOfDay)
        return false;
    for (std::size_t day = *first; day <= *last; ++day) {
        for (std::int64_t hour = from; hour < to; ++hour)
            week.set(day * kHoursOfDay + static_cast<std::size_t>(hour));
    }
    return true;
}

template <typename Word> tl::unexpected<base::Error> unknownWord(Word &&what, const std::string &word)
{
    return base::fail(base::ErrorCode::InvalidArgument,
                      std::string(what) + " is unknown: \"" + base::printable(word, 40) + '"');
}

} // namespace

Result<Bound> boundOf(RuleMetric metric, std::string_view text, base::Currency currency)
{
    text = withoutBlanks(text);
    const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
    const auto number = base::Money::parse(text.substr(0, end), currency);
    const std::string_view unit = withoutBlanks(text.substr(end));
    const auto named = unitNamed(metric, unit, currency);
    if (!number || number->nanos() <= 0 || !named)
        return base::fail(base::ErrorCode::InvalidArgument,
                          '"' + base::printable(text, 40) + "\" is not a threshold above 0 for "
                              + std::string(toString(metric)),
                          boundHint(metric, currency));
    Bound bound{*named, number->nanos()};
    if (unit == "%")
        bound.nanos /= kPerCent;
    return bound;
}

Result<WeekHours> workingHoursOf(std::string_view text)
{
    WeekHours week;
    for (std::string_view rest = text; !rest.empty();) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        if (!addClause(withoutBlanks(rest.substr(0, comma)), week)) {
            week.reset();
            break;
        }
        rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    if (week.none())
        return base::fail(base::ErrorCode::InvalidArgument,
                          '"' + base::printable(text, 40)
                              + "\" can't be read as working hours, such as mon-fri 8-18, sat 9-12");
    return week;
}

Result<Rule> ruleOf(const model::AlertRule &configured, base::Currency currency, const base::TimeZone &zone)
{
    Rule rule;
    rule.name = configured.name;
    const auto metric = ruleMetricFromString(configured.metric);
    if (!metric)
        return unknownWord("the metric", configured.metric);
    rule.metric = *metric;
    for (const RuleScope scope :
         {RuleScope::Team, RuleScope::Cluster, RuleScope::Pool, RuleScope::All, RuleScope::Source, RuleScope::Model,
          RuleScope::Commitment, RuleScope::Label, RuleScope::Project}) {
        if (toString(scope) == configured.per)
            rule.scope = scope;
    }
    if (toString(rule.scope) != configured.per)
        return unknownWord("the scope", configured.per);
    for (const RuleSeverity severity : {RuleSeverity::Info, RuleSeverity::Warning, RuleSeverity::Critical}) {
        if (toString(severity) == configured.severity)
            rule.severity = severity;
    }
    const auto bound = boundOf(*metric, configured.bound, currency);
    GPULEDGER_TRY(bound);
    rule.bound = *bound;
    const auto moved = std::llround(static_cast<double>(bound->nanos) * configured.hysteresis);
    rule.clearNanos = rule.isBelow() ? bound->nanos + moved : bound->nanos - moved;
    rule.length = configured.length;
    rule.zone = zone;
    rule.hoursText = configured.workingHours;
    if (!configured.workingHours.empty()) {
        const auto hours = workingHoursOf(configured.workingHours);
        GPULEDGER_TRY(hours);
        rule.hours = *hours;
    }
    return rule;
}

} // namespace gpuledger::alerts
