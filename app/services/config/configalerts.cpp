// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/run/marks.h"
#include "app/alerts/outbox/routes.h"
#include "app/alerts/rules/rule.h"
#include "app/services/config/confignode.h"

#include <algorithm>
#include <set>
#include <utility>

namespace gpuledger::services {

namespace {

constexpr std::string_view kTargetExample = "{ name: oncall, kind: slack, url: env:SLACK_URL }";
constexpr std::string_view kWhenExample = "{ metric: idle-cost, per: team, above: 200 USD/day, for: 2h }";
constexpr std::string_view kStepExample = "{ after: 2h, send: [manager] }";
constexpr std::string_view kEventExample = "{ name: GPU week, from: 2026-11-23, to: 2026-11-27 }";
constexpr std::size_t kLongestRuleName = 64;
constexpr base::Seconds kShortestStep{60}, kLongestStep = 30 * base::kDay;
constexpr std::int32_t kLongestEvent = 366; // days

// Without a user, a query or a fragment, which may contain a credential.
void readPlainUrl(const ConfigValue &value, const std::vector<std::string> &schemes, std::string_view example,
                  std::string &url)
{
    const auto text = value.text(example);
    if (!text)
        return;
    const auto scheme =
        std::find_if(schemes.begin(), schemes.end(), [&](const std::string &one) { return text->starts_with(one); });
    if (scheme == schemes.end() || text->size() == scheme->size())
        value.problem("must start with " + joined(schemes) + ", for example " + std::string(example));
    else if (text->find_first_of("@?#", scheme->size()) != std::string::npos)
        value.problem("must not contain @, ? or #; what is secret is a reference of its own, such as env:NAME");
    else
        url = *text;
}

void requireSecret(ConfigMap &map, std::string_view key, const std::string &example, model::SecretRef &secret)
{
    if (const auto value = map.require(key, example))
        secret = value->secret().value_or(model::SecretRef{});
}

void takeSecret(ConfigMap &map, std::string_view key, model::SecretRef &secret)
{
    if (const auto value = map.take(key))
        secret = value->secret().value_or(model::SecretRef{});
}

void readWebhook(ConfigMap &map, model::AlertTarget &target)
{
    if (const auto url = map.require("url", "url: env:HOOK_URL")) {
        const bool isPlain = url->node.IsScalar() && url->node.Scalar().starts_with("http");
        if (isPlain)
            readPlainUrl(*url, {"https://", "http://"}, "https://hooks.example.org/gpu", target.url);
        else
            target.secret = url->secret().value_or(model::SecretRef{});
    }
    takeSecret(map, "secret", target.signing);
    const auto previous = map.take("previous_secret");
    if (!previous)
        return;
    target.previousSigning = previous->secret().value_or(model::SecretRef{});
    if (target.signing.kind == model::SecretRef::Kind::None)
        previous->problem("goes only with secret, which has the new one");
}

// What is known to the receiver beside its address, and whose certificates it may have.
void readAccess(ConfigMap &map, model::AlertTarget &target)
{
    const bool isOwnServer = target.kind == "alertmanager" || target.kind == "webhook"; // not one of a provider
    if (const auto tls = isOwnServer || target.kind == "email" ? map.take("tls") : std::nullopt)
        readAuthority(*tls, target.caFile);
    const auto auth = isOwnServer ? map.take("auth") : std::nullopt;
    if (!auth)
        return;
    target.auth = readAuth(*auth);
    if (target.auth.kind == model::AuthSettings::Kind::SigV4 && target.kind == "webhook")
        auth->problem("can't be of type sigv4 for a webhook; write basic, bearer or mtls");
}

// The address is that of another region.
void readPager(ConfigMap &map, model::AlertTarget &target)
{
    requireSecret(map, "key", "key: env:ALERT_KEY", target.secret);
    if (const auto url = map.take("url"))
        readPlainUrl(*url, {"https://", "http://"}, "https://events.eu.pagerduty.com", target.url);
}

void readEmail(ConfigMap &map, model::AlertTarget &target)
{
    if (const auto url = map.require("url", "url: \"smtp://mail.example.org:587\""))
        readPlainUrl(*url, {"smtp://", "smtps://"}, "smtp://mail.example.org:587", target.url);
    if (const auto from = map.require("from", "from: gpu@example.org"))
        target.from = from->text("gpu@example.org").value_or("");
    if (const auto to = map.require("to", "to: [ oncall@example.org ]")) {
        for (const ConfigValue &one : to->list("[ oncall@example.org ]"))
            target.to.push_back(one.text("oncall@example.org").value_or(""));
    }
    if (const auto user = map.take("user"))
        target.user = user->text("gpu").value_or("");
    takeSecret(map, "password", target.password);
}

void readTargetFields(ConfigMap &map, model::AlertTarget &target)
{
    if (target.kind == "slack" || target.kind == "teams")
        requireSecret(map, "url", "url: env:SLACK_URL", target.secret);
    else if (target.kind == "pagerduty" || target.kind == "opsgenie")
        readPager(map, target);
    else if (target.kind == "webhook")
        readWebhook(map, target);
    else if (target.kind == "email")
        readEmail(map, target);
    else if (target.kind == "alertmanager") {
        if (const auto url = map.require("url", "url: \"http://127.0.0.1:9093\""))
            readPlainUrl(*url, {"https://", "http://"}, "http://127.0.0.1:9093", target.url);
    }
}

model::AlertTarget readTarget(const ConfigValue &value)
{
    model::AlertTarget target;
    ConfigMap map(value, kTargetExample);
    if (!map.valid())
        return target;
    if (const auto name = map.require("name", "name: oncall"))
        target.name = name->text("oncall").value_or("");
    const auto kind = map.require("kind", "kind: slack");
    target.kind = kind
        ? kind->choice({"slack", "teams", "pagerduty", "opsgenie", "webhook", "email", "alertmanager", "desktop"})
              .value_or("")
        : "";
    if (target.kind.empty())
        return target; // without a kind, the allowed keys are unknown
    readTargetFields(map, target);
    readAccess(map, target);
    map.finish({"url", "key", "secret", "previous_secret", "tls", "auth", "from", "to", "user", "password"});
    return target;
}

std::string refusalOf(const base::Error &error)
{
    return error.text + (error.hint.empty() ? "" : "; " + error.hint);
}

void readBound(ConfigMap &map, alerts::RuleMetric metric, base::Currency currency, model::AlertRule &rule)
{
    const bool isBelow = alerts::fallsBelow(metric);
    const auto above = map.take("above"), below = map.take("below");
    const auto &wanted = isBelow ? below : above, &other = isBelow ? above : below;
    const std::string key = isBelow ? "below" : "above";
    if (other)
        other->problem("does not go with this metric; write " + key);
    if (!wanted && !other)
        map.require(key, key + ": " + std::string(alerts::boundExample(metric)));
    const auto text = wanted ? wanted->text(alerts::boundExample(metric)) : std::nullopt;
    if (!text)
        return;
    rule.bound = *text;
    if (const auto bound = alerts::boundOf(metric, *text, currency); !bound)
        wanted->problem(refusalOf(bound.error()));
}

std::string readPer(const ConfigValue &value, alerts::RuleMetric metric)
{
    const auto allowed = alerts::scopesOf(metric);
    const bool knowsProjects = std::find(allowed.begin(), allowed.end(), "project") != allowed.end();
    if (knowsProjects || !value.node.IsScalar() || value.node.Scalar() != "project")
        return value.choice(allowed).value_or("");
    std::string words;
    for (const std::string &one : allowed)
        words += (words.empty() ? "" : one == allowed.back() ? " or " : ", ") + one;
    value.problem("does not go with this metric, because only bills say to which project a machine belongs, days later;"
                  " write per: "
                  + words + ", or a budget for the project");
    return {};
}

void readWhen(const ConfigValue &value, base::Currency currency, model::AlertRule &rule)
{
    ConfigMap map(value, kWhenExample);
    if (!map.valid())
        return;
    const auto word = map.require("metric", "metric: idle-cost");
    rule.metric = word ? word->choice(alerts::ruleMetricNames()).value_or("") : "";
    const auto metric = alerts::ruleMetricFromString(rule.metric);
    if (!metric)
        return; // without a metric, the allowed values are unknown
    if (const auto per = map.require("per", "per: " + alerts::scopesOf(*metric).front()))
        rule.per = readPer(*per, *metric);
    readBound(map, *metric, currency, rule);
    if (const auto length = map.take("for"))
        rule.length = length->duration().value_or(base::Seconds{0});
    map.finish();
}

bool isRuleName(const std::string &name)
{
    return !name.empty() && name.size() <= kLongestRuleName
        && name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")
        == std::string::npos;
}

model::Escalation readStep(const ConfigValue &value, const std::vector<model::AlertTarget> &targets,
                           const model::AlertRule &rule)
{
    model::Escalation step;
    ConfigMap fields(value, kStepExample);
    if (!fields.valid())
        return step;
    const base::Seconds least = rule.escalate.empty() ? kShortestStep : rule.escalate.back().after + kShortestStep;
    if (const auto after = fields.require("after", "after: 2h")) {
        const auto length = after->duration();
        step.after = length.value_or(least);
        if (length && (*length < kShortestStep || *length > kLongestStep))
            after->problem("must be from 1m to 30d");
        else if (length && *length < least)
            after->problem("must be longer than that of the step before it");
    }
    if (const auto send = fields.require("send", "send: [manager]")) {
        step.send = readSend(*send, targets);
        if (step.send.empty())
            send->problem("must name a target, such as [manager]");
        std::set<std::string> told(rule.send.begin(), rule.send.end());
        for (const model::Escalation &earlier : rule.escalate)
            told.insert(earlier.send.begin(), earlier.send.end());
        for (const std::string &name : step.send) {
            if (!told.insert(name).second)
                send->problem(inQuotes(name) + " is told already");
        }
    }
    fields.finish();
    return step;
}

// One step, or a list of them.
void readEscalation(const ConfigValue &value, const std::vector<model::AlertTarget> &targets,
                    const std::vector<model::AlertRoute> &routes, model::AlertRule &rule)
{
    const bool isRouted = std::any_of(routes.begin(), routes.end(), [&](const model::AlertRoute &route) {
        return alerts::mayTell(route, rule.per, rule.severity);
    });
    if (rule.send.empty() && !isRouted)
        value.problem("goes only with send, or with a route that tells alerts of this rule: its time begins when the "
                      "first target is told");
    const auto steps = value.node.IsSequence() ? value.list(kStepExample) : std::vector<ConfigValue>{value};
    for (const ConfigValue &one : steps)
        rule.escalate.push_back(readStep(one, targets, rule));
}

void readAlertMark(const ConfigValue &value, model::AlertRule &rule)
{
    ConfigMap fields(value, "{ after: 24h }");
    if (const auto after = fields.require("after", "after: 24h")) {
        rule.markAfter = after->duration();
        if (rule.markAfter && (*rule.markAfter < actions::kShortestNotice || *rule.markAfter > actions::kLongestNotice))
            after->problem("must be from 10m to 30d");
    }
    fields.finish();
    if (!rule.metric.empty() && rule.metric != "idle-cost" && rule.metric != "idle-hours")
        value.problem("goes only with the metrics idle-cost and idle-hours");
}

model::AlertRule readAlert(const ConfigValue &value, base::Currency currency,
                           const std::vector<model::AlertTarget> &targets, const std::vector<model::AlertRoute> &routes)
{
    constexpr double kMostHysteresis = 0.9;
    model::AlertRule rule;
    ConfigMap map(value, "{ name: idle-cost, when: " + std::string(kWhenExample) + " }");
    if (!map.valid())
        return rule;
    if (const auto name = map.require("name", "name: idle-cost")) {
        rule.name = name->text("idle-cost").value_or("");
        if (!rule.name.empty() && !isRuleName(rule.name))
            name->problem("must be at most 64 letters, digits, dots, dashes and underscores");
    }
    if (const auto when = map.require("when", "when: " + std::string(kWhenExample)))
        readWhen(*when, currency, rule);
    if (const auto share = map.take("hysteresis"))
        rule.hysteresis = share->number(0, kMostHysteresis).value_or(0);
    if (const auto hours = map.take("working_hours")) {
        rule.workingHours = hours->text("\"mon-fri 8-18\"").value_or("");
        const auto week = alerts::workingHoursOf(rule.workingHours);
        if (!rule.workingHours.empty() && !week)
            hours->problem(refusalOf(week.error()));
    }
    if (const auto severity = map.take("severity"))
        rule.severity = severity->choice(alerts::ruleSeverityNames()).value_or("warning");
    if (const auto send = map.take("send"))
        rule.send = readSend(*send, targets);
    if (const auto escalate = map.take("escalate"))
        readEscalation(*escalate, targets, routes, rule);
    if (const auto mark = map.take("mark"))
        readAlertMark(*mark, rule);
    map.finish();
    return rule;
}

// "2026-11-23" as the number of the day.
std::optional<std::int32_t> readEventDay(const ConfigValue &value)
{
    constexpr std::size_t kDateLength = 10;
    if (const auto time = value.time()) {
        if (value.node.Scalar().size() == kDateLength)
            return base::dayOf(*time).number;
        value.problem("must be a day such as 2026-11-23");
    }
    return std::nullopt;
}

model::KnownEvent readEvent(const ConfigValue &value)
{
    model::KnownEvent event;
    ConfigMap map(value, kEventExample);
    if (!map.valid())
        return event;
    if (const auto name = map.require("name", "name: GPU week"))
        event.name = name->text("GPU week").value_or("");
    const auto from = map.require("from", "from: 2026-11-23"), to = map.require("to", "to: 2026-11-27");
    const auto first = from ? readEventDay(*from) : std::nullopt, last = to ? readEventDay(*to) : std::nullopt;
    if (first && last) {
        event.from = *first;
        event.to = *last;
        if (*last < *first)
            to->problem("must not be before from");
        else if (*last - *first >= kLongestEvent)
            to->problem("must be at most 366 days after from");
    }
    if (const auto teams = map.take("teams")) {
        for (const ConfigValue &one : teams->list("[ research ]"))
            event.teams.push_back(one.text("research").value_or(""));
    }
    if (const auto yearly = map.take("yearly"))
        event.yearly = yearly->boolean().value_or(false);
    map.finish();
    return event;
}

template <typename Named>
void addNamed(const ConfigValue &value, std::vector<Named> &list, Named one, std::string_view what)
{
    const bool isKnown = !one.name.empty()
        && std::any_of(list.begin(), list.end(), [&](const Named &other) { return other.name == one.name; });
    if (isKnown)
        value.problem("has the same name as another entry: " + inQuotes(one.name) + "; names of " + std::string(what)
                      + " must be unique");
    else
        list.push_back(std::move(one));
}

} // namespace

void readTargets(ConfigMap &map, model::Settings &settings)
{
    if (const auto targets = map.take("targets")) {
        for (const ConfigValue &one : targets->list("[ " + std::string(kTargetExample) + " ]"))
            addNamed(one, settings.targets, readTarget(one), "targets");
    }
}

void readAlerts(ConfigMap &map, model::Settings &settings, const std::vector<model::AlertTarget> &targets,
                const std::vector<model::AlertRoute> &routes)
{
    if (const auto alerts = map.take("alerts")) {
        for (const ConfigValue &one : alerts->list("[ { name: idle-cost, when: { … } } ]"))
            addNamed(one, settings.alerts, readAlert(one, settings.currency, targets, routes), "alerts");
    }
    if (const auto events = map.take("events")) {
        for (const ConfigValue &one : events->list("[ " + std::string(kEventExample) + " ]"))
            addNamed(one, settings.events, readEvent(one), "events");
    }
}

} // namespace gpuledger::services
