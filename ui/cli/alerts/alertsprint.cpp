// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/alerts/alertsprint.h"

#include "app/base/text/text.h"
#include "ui/cli/program/reachprint.h"
#include "ui/format/phrases/figures.h"

namespace gpuledger::cli {

using alerts::Rule;
using alerts::RuleUnit;
using services::AlertEvaluation;
using services::AlertReplay;
using services::FiredScope;
using services::FiringScope;
using services::RuleResult;

namespace {

constexpr double kNanosPerUnit = 1e9;
constexpr int kWeekDecimals = 1;

Json valueJson(const Rule &rule, std::optional<std::int64_t> nanos, base::Currency currency)
{
    if (!nanos)
        return nullptr;
    if (rule.bound.unit == RuleUnit::MoneyPerDay)
        return cli::toJson(std::optional(base::Money(*nanos, currency)));
    return cli::toJson(std::optional(static_cast<double>(*nanos) / kNanosPerUnit));
}

// Exact, for programs.
std::string plainValue(std::optional<std::int64_t> nanos)
{
    return nanos ? base::Money(*nanos, base::Currency::usd()).toDecimal() : std::string();
}

std::string valueText(const Rule &rule, std::optional<std::int64_t> nanos, base::Currency currency)
{
    if (!nanos)
        return "unknown";
    if (rule.bound.unit == RuleUnit::Share)
        return ui::percentText(static_cast<double>(*nanos) / kNanosPerUnit);
    if (rule.bound.unit == RuleUnit::Score)
        return ui::amountText(*nanos);
    return ui::amountText(*nanos) + ' ' + alerts::unitText(rule.bound.unit, currency);
}

std::string conditionText(const Rule &rule, base::Currency currency)
{
    return std::string(rule.isBelow() ? "below " : "above ") + valueText(rule, rule.bound.nanos, currency);
}

std::string scopeText(const std::string &scope)
{
    return scope.empty() ? "(none)" : scope;
}

Json ruleJson(const Rule &rule, base::Currency currency)
{
    return {{"name", rule.name},
            {"metric", std::string(alerts::toString(rule.metric))},
            {"per", std::string(alerts::toString(rule.scope))},
            {"condition", rule.isBelow() ? "below" : "above"},
            {"threshold", valueJson(rule, rule.bound.nanos, currency)},
            {"unit", alerts::unitText(rule.bound.unit, currency)},
            {"for_seconds", rule.length.count()},
            {"resolves_at", valueJson(rule, rule.clearNanos, currency)},
            {"working_hours", textOrNull(rule.hoursText)},
            {"severity", std::string(alerts::toString(rule.severity))}};
}

// What moved the scopes that are anomalies, one line each.
std::string driversText(const AlertEvaluation &answer)
{
    std::string out;
    for (const RuleResult &one : answer.rules) {
        for (const FiringScope &firing : one.firing) {
            for (const std::string &driver : firing.drivers)
                out += one.rule.name + ", " + scopeText(firing.scope) + ": " + driver + '\n';
        }
    }
    return out;
}

// Which scopes are within known events.
std::string eventsText(const AlertEvaluation &answer)
{
    std::string out;
    for (const RuleResult &one : answer.rules) {
        for (const auto &[event, scopes] : one.events) {
            for (const std::string &scope : scopes)
                out +=
                    one.rule.name + ", " + scopeText(scope) + ": within the event " + base::printable(event, 80) + '\n';
        }
    }
    return out;
}

Json eventsJson(const RuleResult &result)
{
    Json json = Json::array();
    for (const auto &[event, scopes] : result.events)
        json.push_back({{"name", event}, {"scopes", scopes}});
    return json;
}

std::string joinedEvents(const std::set<std::string> &names)
{
    std::string out;
    for (const std::string &name : names)
        out += (out.empty() ? "" : ", ") + base::printable(name, 80);
    return out;
}

// Whom a rule tells.
Json sendJson(const model::AlertRule &configured)
{
    Json steps = Json::array();
    for (const model::Escalation &step : configured.escalate)
        steps.push_back({{"after_seconds", step.after.count()}, {"send", step.send}});
    return {{"send", configured.send}, {"escalate", std::move(steps)}};
}

std::string sendText(const model::AlertRule &configured)
{
    std::string out;
    const auto add = [&](const std::vector<std::string> &names, const std::string &after) {
        for (const std::string &name : names)
            out += (out.empty() ? "" : ", ") + base::printable(name, 40) + after;
    };
    add(configured.send, "");
    for (const model::Escalation &step : configured.escalate)
        add(step.send, " after " + ui::durationText(step.after));
    return out;
}

// "team vision, severity critical"
std::string conditionsText(const model::AlertRoute &route)
{
    std::string out;
    const auto add = [&](const char *key, const std::string &value) {
        if (!value.empty())
            out += (out.empty() ? "" : ", ") + std::string(key) + ' ' + base::printable(value, 80);
    };
    add("team", route.team);
    add("severity", route.severity);
    add("cluster", route.cluster);
    return out;
}

} // namespace

Json rulesJson(const std::vector<Rule> &rules, const AlertRoutes &routes, const model::Settings &settings)
{
    Json json{{"rules", Json::array()}, {"routes", Json::array()}};
    for (const model::AlertRoute &route : routes)
        json["routes"].push_back({{"team", textOrNull(route.team)},
                                  {"severity", textOrNull(route.severity)},
                                  {"cluster", textOrNull(route.cluster)},
                                  {"send", route.send}});
    for (std::size_t i = 0; i < rules.size(); ++i) {
        Json rule = ruleJson(rules[i], settings.currency);
        rule.update(sendJson(settings.alerts.at(i)));
        json["rules"].push_back(std::move(rule));
    }
    return json;
}

std::string rulesCsv(const std::vector<Rule> &rules, base::Currency currency)
{
    ui::TextTable table(
        {{"name"}, {"metric"}, {"per"}, {"condition"}, {"threshold"}, {"unit"}, {"for_seconds"}, {"severity"}});
    for (const Rule &rule : rules)
        table.add({rule.name, std::string(alerts::toString(rule.metric)), std::string(alerts::toString(rule.scope)),
                   rule.isBelow() ? "below" : "above", plainValue(rule.bound.nanos),
                   alerts::unitText(rule.bound.unit, currency), std::to_string(rule.length.count()),
                   std::string(alerts::toString(rule.severity))});
    return table.toCsv();
}

std::string rulesText(const std::vector<Rule> &rules, const AlertRoutes &routes, const model::Settings &settings,
                      bool bold)
{
    ui::TextTable table({{"alert"}, {"metric"}, {"per"}, {"fires"}, {"for"}, {"severity"}, {"tells"}});
    for (std::size_t i = 0; i < rules.size(); ++i) {
        const Rule &rule = rules[i];
        table.add({rule.name, std::string(alerts::toString(rule.metric)), std::string(alerts::toString(rule.scope)),
                   conditionText(rule, settings.currency), ui::durationText(rule.length),
                   std::string(alerts::toString(rule.severity)), sendText(settings.alerts.at(i))});
    }
    ui::TextTable further({{"alerts of"}, {"tell as well"}});
    for (const model::AlertRoute &route : routes) {
        model::AlertRule told;
        told.send = route.send;
        further.add({conditionsText(route), sendText(told)});
    }
    return table.toText(bold) + (further.empty() ? std::string() : further.toText(bold));
}

Json evaluationJson(const AlertEvaluation &answer)
{
    Json json{{"at", cli::toJson(answer.at)},
              {"data", cli::toJson(answer.reach)},
              {"rules", Json::array()},
              {"firing", Json::array()}};
    for (const RuleResult &one : answer.rules) {
        Json rule = ruleJson(one.rule, answer.currency);
        rule["state"] = std::string(alerts::toString(one.state));
        rule["scopes"] = one.scopes;
        rule["unknown"] = one.unknown;
        rule["events"] = eventsJson(one);
        json["rules"].push_back(std::move(rule));
        for (const FiringScope &firing : one.firing)
            json["firing"].push_back({{"rule", one.rule.name},
                                      {"scope", firing.scope},
                                      {"since", cli::toJson(firing.since)},
                                      {"value", valueJson(one.rule, firing.value, answer.currency)},
                                      {"peak", valueJson(one.rule, firing.peak, answer.currency)},
                                      {"threshold", valueJson(one.rule, one.rule.bound.nanos, answer.currency)},
                                      {"unit", alerts::unitText(one.rule.bound.unit, answer.currency)},
                                      {"severity", std::string(alerts::toString(one.rule.severity))},
                                      {"drivers", firing.drivers},
                                      {"key", firing.key}});
    }
    return json;
}

std::string evaluationCsv(const AlertEvaluation &answer)
{
    ui::TextTable table({{"rule"}, {"scope"}, {"since"}, {"value"}, {"threshold"}, {"unit"}, {"key"}});
    for (const RuleResult &one : answer.rules) {
        for (const FiringScope &firing : one.firing)
            table.add({one.rule.name, firing.scope, base::toRfc3339(firing.since), plainValue(firing.value),
                       plainValue(one.rule.bound.nanos), alerts::unitText(one.rule.bound.unit, answer.currency),
                       firing.key});
    }
    return table.toCsv();
}

std::string evaluationText(const AlertEvaluation &answer, const base::TimeZone &zone, bool bold)
{
    ui::TextTable rules({{"alert"},
                         {"state"},
                         {"fires"},
                         {"scopes", ui::TextTable::Align::Right},
                         {"unknown", ui::TextTable::Align::Right}});
    ui::TextTable firing({{"firing"}, {"scope"}, {"since"}, {"value"}, {"fires"}, {"severity"}});
    for (const RuleResult &one : answer.rules) {
        rules.add({one.rule.name, std::string(alerts::toString(one.state)), conditionText(one.rule, answer.currency),
                   std::to_string(one.scopes), std::to_string(one.unknown)});
        for (const FiringScope &scope : one.firing)
            firing.add({one.rule.name, scopeText(scope.scope), ui::timeText(scope.since, zone),
                        valueText(one.rule, scope.value, answer.currency), conditionText(one.rule, answer.currency),
                        std::string(alerts::toString(one.rule.severity))});
    }
    return rules.toText(bold) + (firing.empty() ? "Nothing fires.\n" : firing.toText(bold)) + driversText(answer)
        + eventsText(answer);
}

Json alertReplayJson(const AlertReplay &answer)
{
    Json json{{"rule", ruleJson(answer.rule, answer.currency)},
              {"from", cli::toJson(answer.range.start)},
              {"to", cli::toJson(answer.range.end)},
              {"events", answer.events},
              {"fired", Json::array()}};
    for (const FiredScope &one : answer.fired)
        json["fired"].push_back({{"scope", one.scope},
                                 {"from", cli::toJson(one.firing.from)},
                                 {"before", one.before},
                                 {"to", one.firing.to ? cli::toJson(*one.firing.to) : Json()},
                                 {"peak", valueJson(answer.rule, one.firing.peak, answer.currency)}});
    json["notices_per_week"] = cli::toJson(answer.noticesPerWeek);
    json["unactionable"] = answer.unactionable;
    return json;
}

std::string alertReplayCsv(const AlertReplay &answer)
{
    ui::TextTable table({{"scope"}, {"from"}, {"to"}, {"peak"}, {"unit"}, {"before"}});
    for (const FiredScope &one : answer.fired)
        table.add({one.scope, base::toRfc3339(one.firing.from), one.firing.to ? base::toRfc3339(*one.firing.to) : "",
                   plainValue(one.firing.peak), alerts::unitText(answer.rule.bound.unit, answer.currency),
                   one.before ? "true" : "false"});
    return table.toCsv();
}

std::string alertReplayText(const AlertReplay &answer, const base::TimeZone &zone, bool bold)
{
    ui::TextTable table({{"scope"}, {"fired"}, {"until"}, {"peak"}});
    for (const FiredScope &one : answer.fired)
        table.add({scopeText(one.scope), ui::timeText(one.firing.from, zone) + (one.before ? " (before)" : ""),
                   one.firing.to ? ui::timeText(*one.firing.to, zone) : "still fires",
                   valueText(answer.rule, one.firing.peak, answer.currency)});
    const std::string head = "Alert " + answer.rule.name + ", " + conditionText(answer.rule, answer.currency) + " for "
        + ui::durationText(answer.rule.length) + ", from " + ui::timeText(answer.range.start, zone) + " to "
        + ui::timeText(answer.range.end, zone) + '\n';
    if (!answer.noticesPerWeek)
        return head + "Nothing is known about that time.\n";
    return head + (answer.fired.empty() ? "" : table.toText(bold)) + std::to_string(answer.notices) + " notices, "
        + ui::fixed(*answer.noticesPerWeek, kWeekDecimals) + " a week; " + std::to_string(answer.unactionable)
        + " of them were over within an hour, too soon to act on\n"
        + (answer.events.empty() ? "" : "Nothing fires within events: " + joinedEvents(answer.events) + '\n');
}

} // namespace gpuledger::cli
