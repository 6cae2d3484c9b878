// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/alerts/noticewords.h"

#include "app/base/money/money.h"
#include "app/model/action.h"
#include "app/model/fleet/poolname.h"
#include "app/services/config/configedit.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

namespace gpuledger::services {

using alerts::Rule;
using alerts::RuleMetric;
using alerts::RuleScope;
using alerts::RuleUnit;

namespace {

constexpr std::int64_t kNanosPerCent = 10'000'000;
constexpr std::int64_t kNanosPerPermille = 1'000'000;

// Without zeros at the end, and without a point that nothing follows.
std::string withoutZeros(std::string decimal)
{
    decimal.erase(decimal.find_last_not_of('0') + 1);
    if (decimal.ends_with('.'))
        decimal.pop_back();
    return decimal;
}

std::int64_t roundedTo(std::int64_t nanos, std::int64_t step)
{
    const std::int64_t half = step / 2;
    const std::int64_t rest = nanos % step;
    return nanos - rest + (rest >= half ? step : rest <= -half ? -step : 0);
}

// With two decimals, or all if it is less than a cent; whole amounts without decimals.
std::string amountWords(std::int64_t nanos)
{
    if (std::abs(nanos) < kNanosPerCent)
        return withoutZeros(base::Money(nanos, base::Currency::usd()).toDecimal());
    constexpr std::size_t kDropped = 7; // of nine decimals
    std::string text = base::Money(roundedTo(nanos, kNanosPerCent), base::Currency::usd()).toDecimal();
    text.erase(text.size() - kDropped);
    return text.ends_with(".00") ? text.substr(0, text.size() - 3) : text;
}

const char *metricPhrase(RuleMetric metric)
{
    switch (metric) {
    case RuleMetric::IdleCost:
        return "Idle cost";
    case RuleMetric::IdleHours:
        return "Idle GPU time";
    case RuleMetric::Utilization:
        return "Utilization";
    case RuleMetric::AllocationWithoutUse:
        return "Idle share of the allocated GPU time";
    case RuleMetric::Unallocated:
        return "Unallocated capacity";
    case RuleMetric::Budget:
        return "Spent share of the budget";
    case RuleMetric::Forecast:
        return "Forecast share of the budget";
    case RuleMetric::AttributionCoverage:
        return "Cost that has an owner";
    case RuleMetric::AnomalyCost:
        return "Cost anomaly";
    case RuleMetric::AnomalyUtilization:
        return "Utilization anomaly";
    case RuleMetric::SourceLate:
        return "Age of the last sync";
    case RuleMetric::QueueWaiting:
        return "Waiting demand for GPUs";
    case RuleMetric::Reconciliation:
        return "Unexplained share of the bill";
    case RuleMetric::CommitmentUnused:
        return "Unused cost";
    case RuleMetric::PriceChange:
        return "Price change";
    case RuleMetric::SpotInterruptions:
        return "Rate of spot interruptions";
    case RuleMetric::CommitmentExpiring:
        return "Remaining time";
    }
    return "The value";
}

std::string scopePhrase(const Rule &rule, const std::string &scope)
{
    if (rule.metric == RuleMetric::Reconciliation)
        return {}; // of all GPUs, and of everything else on the bill
    if (rule.scope == RuleScope::All)
        return " of all GPUs";
    if (rule.scope == RuleScope::Pool && scope.ends_with('/')) // see model::poolName()
        return " of " + scope.substr(0, scope.size() - 1) + " without a pool";
    const std::string per(alerts::toString(rule.scope));
    return scope.empty() ? " without a " + per : " of " + per + ' ' + scope;
}

bool isPlainWord(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.'
        || c == '_';
}

std::string linkEncoded(const std::string &text)
{
    constexpr std::string_view kHexDigits = "0123456789ABCDEF";
    std::string out;
    for (const char c : text) {
        if (isPlainWord(c) || c == '~') {
            out += c;
            continue;
        }
        const auto byte = static_cast<unsigned char>(c);
        out += '%';
        out += kHexDigits[byte >> 4U];
        out += kHexDigits[byte & 15U];
    }
    return out;
}

std::string shellQuoted(const std::string &text)
{
    if (!text.empty() && std::all_of(text.begin(), text.end(), isPlainWord))
        return text;
    std::string out = "'";
    for (const char c : text)
        out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + '\'';
}

// What pages and commands are filtered by to show the scope, as names and values; empty: they are not.
std::vector<std::pair<std::string, std::string>> filterOf(const Rule &rule, const std::string &scope)
{
    if (rule.metric == RuleMetric::Budget || rule.metric == RuleMetric::Forecast)
        return {};
    if (rule.scope == RuleScope::Team || rule.scope == RuleScope::Cluster)
        return {{std::string(alerts::toString(rule.scope)), scope}};
    if (rule.scope != RuleScope::Pool)
        return {};
    const model::PoolOfCluster pool = model::poolOf(scope);
    return {{"cluster", pool.cluster}, {"node-pool", pool.pool}};
}

// "label:cost-center" of "cost-center=42", "node-label:rack" of "node-label:rack=7".
std::string labelOf(const std::string &scope)
{
    const std::string label = scope.substr(0, scope.find('='));
    const bool isWhole = label.starts_with("namespace-label:") || label.starts_with("node-label:");
    return isWhole ? label : "label:" + label;
}

} // namespace

std::string alertValueText(const Rule &rule, std::optional<std::int64_t> nanos, base::Currency currency)
{
    if (!nanos)
        return {};
    if (rule.bound.unit == RuleUnit::Score)
        return amountWords(*nanos);
    if (rule.bound.unit != RuleUnit::Share)
        return amountWords(*nanos) + ' ' + alerts::unitText(rule.bound.unit, currency);
    const std::int64_t percent = roundedTo(*nanos, kNanosPerPermille) * 100;
    return withoutZeros(base::Money(percent, base::Currency::usd()).toDecimal()) + " %";
}

std::string alertSummary(const Rule &rule, const std::string &scope, std::optional<std::int64_t> nanos,
                         base::Currency currency, bool isOver)
{
    const std::string bound =
        std::string(rule.isBelow() ? "below " : "above ") + alertValueText(rule, rule.bound.nanos, currency);
    const std::string value = nanos ? alertValueText(rule, nanos, currency) : "unknown now";
    return metricPhrase(rule.metric) + scopePhrase(rule, scope) + " is " + value + ", " + (isOver ? "was " : "")
        + bound;
}

std::string alertLink(const Rule &rule, const std::string &scope)
{
    const std::string page = alerts::isAboutIdle(rule.metric) ? "idle" : "overview";
    std::string link = "gpuledger://" + page + "?span=day";
    for (const auto &[name, value] : filterOf(rule, scope))
        link += '&' + name + '=' + linkEncoded(value);
    return link;
}

std::string alertItemLink(const std::string &link, const std::string &item)
{
    return link + "&at.item=" + linkEncoded(item);
}

std::string spanText(base::Seconds span)
{
    constexpr std::int64_t kMinute = 60, kHour = 3600, kDay = 86400;
    const std::int64_t all = std::max<std::int64_t>(span.count(), 0);
    const std::int64_t days = all / kDay, hours = all % kDay / kHour, minutes = all % kHour / kMinute;
    const auto both = [](std::int64_t more, const char *unit, std::int64_t less, const char *small) {
        return std::to_string(more) + unit + (less > 0 ? ' ' + std::to_string(less) + small : std::string());
    };
    if (days > 0)
        return both(days, "d", hours, "h");
    return hours > 0 ? both(hours, "h", minutes, "m") : std::to_string(minutes) + 'm';
}

std::string alertConsequence(base::Seconds markAfter)
{
    return "What passes every check is marked, and stopped " + writtenLength(markAfter)
        + " later. To object, set the annotation " + model::kKeepUntil
        + "=DATE on the object, or keep it in GPU Ledger";
}

std::string markConsequence(base::UtcTime until)
{
    return "It is stopped at " + base::toRfc3339(until)
        + " or later, if it still passes every check. To object, set the annotation " + model::kKeepUntil
        + "=DATE on the object, or run the command of this message";
}

std::string markLink(const std::string &team, const std::string &item)
{
    return alertItemLink("gpuledger://idle?span=day" + (team.empty() ? std::string() : "&team=" + linkEncoded(team)),
                         item);
}

std::string keepCommand(const std::string &item, const std::string &date)
{
    return "gpuledger-cli act keep " + shellQuoted(item) + " --until " + date;
}

std::string alertCommand(const Rule &rule, const std::string &scope)
{
    std::string filter;
    for (const auto &[name, value] : filterOf(rule, scope))
        filter += " --" + name + '=' + shellQuoted(value);
    if (!filter.empty())
        return std::string("gpuledger-cli ") + (alerts::isAboutIdle(rule.metric) ? "idle" : "summary") + filter;
    if (rule.metric == RuleMetric::Budget || rule.metric == RuleMetric::Forecast)
        return "gpuledger-cli forecast --by "
            + (rule.scope == RuleScope::Label ? shellQuoted(labelOf(scope))
                                              : std::string(alerts::toString(rule.scope)));
    return alerts::isAboutIdle(rule.metric) && rule.scope == RuleScope::All ? "gpuledger-cli idle"
                                                                            : "gpuledger-cli alerts evaluate";
}

} // namespace gpuledger::services
