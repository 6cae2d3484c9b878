// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/config/alertedit.h"

#include "app/alerts/rules/rule.h"
#include "app/services/config/config.h"
#include "app/services/config/configtext.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace gpuledger::services {

namespace {

std::string writtenShare(double share)
{
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), share);
    return {text.data(), end.ptr};
}

std::string writtenWhen(const model::AlertRule &rule)
{
    const auto metric = alerts::ruleMetricFromString(rule.metric);
    const bool isBelow = metric && alerts::fallsBelow(*metric);
    NewSource::Parts when{{"metric", rule.metric}, {"per", rule.per}, {isBelow ? "below" : "above", rule.bound}};
    if (rule.length > base::Seconds{0})
        when.emplace_back("for", writtenLength(rule.length));
    return writtenFlowMap(when);
}

std::string writtenStep(const model::Escalation &step)
{
    return "{ after: " + writtenLength(step.after) + ", send: " + writtenFlowList(step.send) + " }";
}

std::string writtenEscalation(const std::vector<model::Escalation> &steps)
{
    if (steps.size() == 1)
        return writtenStep(steps.front());
    std::string out;
    for (const model::Escalation &step : steps)
        out += (out.empty() ? "[" : ", ") + writtenStep(step);
    return out + ']';
}

// On one line, with the keys that differ from their defaults.
std::string writtenAlert(const model::AlertRule &rule)
{
    std::string out = "{ name: " + writtenScalar(rule.name) + ", when: " + writtenWhen(rule);
    if (rule.hysteresis > 0)
        out += ", hysteresis: " + writtenShare(rule.hysteresis);
    if (!rule.workingHours.empty())
        out += ", working_hours: " + writtenScalar(rule.workingHours);
    if (rule.severity != model::AlertRule().severity)
        out += ", severity: " + writtenScalar(rule.severity);
    if (!rule.send.empty())
        out += ", send: " + writtenFlowList(rule.send);
    if (!rule.escalate.empty())
        out += ", escalate: " + writtenEscalation(rule.escalate);
    if (rule.markAfter)
        out += ", mark: { after: " + writtenLength(*rule.markAfter) + " }";
    return out + " }";
}

bool sameAlerts(const std::vector<model::AlertRule> &a, const std::vector<model::AlertRule> &b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), sameAlert);
}

} // namespace

bool sameAlert(const model::AlertRule &a, const model::AlertRule &b)
{
    return a.name == b.name && a.metric == b.metric && a.per == b.per && a.bound == b.bound && a.length == b.length
        && a.hysteresis == b.hysteresis && a.workingHours == b.workingHours && a.severity == b.severity
        && a.send == b.send && a.markAfter == b.markAfter && a.escalate == b.escalate;
}

base::Result<std::string> withAlerts(std::string_view text, const AlertsChange &change,
                                     const std::filesystem::path &file, const ports::SourceKinds &kinds)
{
    const auto before = settingsOf(text, file, kinds);
    GPULEDGER_TRY(before);
    if (!sameAlerts(before->alerts, change.before))
        return otherMeanwhile(file, "the alert rules");
    std::vector<ListItem> items;
    std::vector<model::AlertRule> wanted;
    for (const AlertsChange::Rule &one : change.after) {
        const bool kept = one.from && *one.from < before->alerts.size();
        const bool same = kept && sameAlert(before->alerts[*one.from], one.rule);
        items.push_back({kept ? one.from : std::nullopt, same ? std::string() : writtenAlert(one.rule)});
        wanted.push_back(one.rule);
    }
    const auto result = withList(text, "alerts", items);
    if (!result || !sameBut("alerts", text, *result))
        return notUnderstood(file, "alert rules");
    const auto after = settingsOf(*result, file, kinds);
    GPULEDGER_TRY(after);
    if (!sameAlerts(after->alerts, wanted))
        return notUnderstood(file, "alert rules");
    return *result;
}

base::Result<std::string> withFiscalYear(std::string_view text, int before, int after,
                                         const std::filesystem::path &file, const ports::SourceKinds &kinds)
{
    const auto now = settingsOf(text, file, kinds);
    GPULEDGER_TRY(now);
    if (now->fiscalYearStarts != before)
        return otherMeanwhile(file, "the beginning of the fiscal year");
    if (after == before)
        return std::string(text);
    const auto result = withValue(text, {{"fiscal_year_starts", 0}}, std::to_string(after));
    if (!result || !sameBut("fiscal_year_starts", text, *result))
        return notUnderstood(file, "beginning of the fiscal year");
    const auto then = settingsOf(*result, file, kinds);
    GPULEDGER_TRY(then);
    if (then->fiscalYearStarts != after)
        return notUnderstood(file, "beginning of the fiscal year");
    return *result;
}

} // namespace gpuledger::services
