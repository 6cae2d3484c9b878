// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/alerts/alerttext.h"

#include "app/alerts/outbox/routes.h"
#include "app/model/settings.h"
#include "ui/format/local/celltext.h"
#include "ui/format/local/localtext.h"
#include "widgets/state/plaintext.h"

namespace gpuledger::ui {

using alerts::AlertState;
using alerts::RuleUnit;

QString AlertText::metric(const std::string &name)
{
    if (name == "idle-cost")
        return tr("idle cost", "what an alert watches");
    if (name == "idle-hours")
        return tr("idle GPU-hours", "what an alert watches");
    if (name == "utilization")
        return tr("utilization", "what an alert watches");
    if (name == "allocation-without-use")
        return tr("allocation without use", "what an alert watches");
    if (name == "unallocated")
        return tr("unallocated capacity", "what an alert watches");
    if (name == "budget")
        return tr("spend of the budget", "what an alert watches");
    if (name == "forecast")
        return tr("forecast of the budget", "what an alert watches");
    if (name == "attribution-coverage")
        return tr("cost with an owner", "what an alert watches");
    return specialMetric(name);
}

QString AlertText::specialMetric(const std::string &name)
{
    if (name == "anomaly-cost")
        return tr("cost anomaly", "what an alert watches");
    if (name == "anomaly-utilization")
        return tr("utilization anomaly", "what an alert watches");
    if (name == "source-late")
        return tr("age of the last sync", "what an alert watches");
    if (name == "queue-waiting")
        return tr("waiting demand for GPUs", "what an alert watches");
    if (name == "reconciliation")
        return tr("unexplained share of the bill", "what an alert watches");
    if (name == "commitment-unused")
        return tr("unused cost", "what an alert watches: of each commitment");
    if (name == "commitment-expiring")
        return tr("remaining time", "what an alert watches: of each commitment");
    if (name == "price-change")
        return tr("price change", "what an alert watches");
    if (name == "spot-interruptions")
        return tr("spot interruptions", "what an alert watches");
    return textOf(name);
}

QString AlertText::per(const std::string &name)
{
    if (name == "team")
        return tr("each team", "whose value an alert watches");
    if (name == "cluster")
        return tr("each cluster", "whose value an alert watches");
    if (name == "pool")
        return tr("each node pool", "whose value an alert watches");
    if (name == "all")
        return tr("everything", "whose value an alert watches");
    if (name == "source")
        return tr("each source", "whose value an alert watches");
    if (name == "model")
        return tr("each GPU model", "whose value an alert watches");
    if (name == "commitment")
        return tr("each commitment", "whose value an alert watches");
    if (name == "label")
        return tr("each label with a budget", "whose value an alert watches");
    if (name == "project")
        return tr("each cloud project with a budget", "whose value an alert watches");
    return textOf(name);
}

QString AlertText::severity(const std::string &name)
{
    if (name == "info")
        return tr("info", "severity");
    if (name == "warning")
        return tr("warning", "severity");
    if (name == "critical")
        return tr("critical", "severity");
    return textOf(name);
}

QString AlertText::state(AlertState state)
{
    switch (state) {
    case AlertState::Inactive:
        return tr("inactive", "state of an alert");
    case AlertState::Pending:
        return tr("pending", "state of an alert");
    case AlertState::Firing:
        return tr("firing", "state of an alert");
    case AlertState::Resolved:
        return tr("resolved", "state of an alert");
    }
    return {};
}

QString AlertText::scope(const std::string &per, const std::string &scope)
{
    if (per == "all")
        return tr("all", "an alert about everything");
    if (per == "pool" && scope.ends_with('/')) // see model::poolName()
        return tr("%1, no pool", "nodes of a cluster").arg(textOf(scope.substr(0, scope.size() - 1)));
    return per == "team" ? LocalText::teamName(scope) : LocalText::valueName(textOf(scope));
}

QString AlertText::delivery(services::OutboxState state)
{
    switch (state) {
    case services::OutboxState::Waiting:
        return tr("waiting", "a message");
    case services::OutboxState::Delivered:
        return tr("delivered", "a message");
    case services::OutboxState::Dead:
        return tr("not delivered", "a message");
    case services::OutboxState::Cancelled:
        return tr("cancelled", "a message");
    case services::OutboxState::Unknown:
        return tr("unknown", "state of a message");
    }
    return {};
}

QString AlertText::notice(model::NoticeState state)
{
    switch (state) {
    case model::NoticeState::Firing:
        return tr("firing", "state of an alert");
    case model::NoticeState::Resolved:
        return tr("resolved", "state of an alert");
    case model::NoticeState::Test:
        return tr("test", "a message");
    }
    return {};
}

QString AlertText::value(std::optional<std::int64_t> nanos, RuleUnit unit, base::Currency currency)
{
    if (!nanos)
        return dash();
    const double amount = units(*nanos);
    switch (unit) {
    case RuleUnit::MoneyPerDay:
        return tr("%1 per day", "an amount").arg(LocalText::money(amount, codeOf(currency)));
    case RuleUnit::HoursPerDay:
        return tr("%1 h per day", "a number").arg(LocalText::number(amount, 1));
    case RuleUnit::Gpus:
        return tr("%1 GPUs", "a number").arg(LocalText::number(amount, 1));
    case RuleUnit::Share:
        return LocalText::percent(amount);
    case RuleUnit::Hours:
        return tr("%1 h", "a number").arg(LocalText::number(amount, 1));
    case RuleUnit::TimesPerDay:
        return tr("%1 per day", "a number").arg(LocalText::number(amount, 1));
    case RuleUnit::Days:
        return tr("%1 d", "a number of days").arg(LocalText::number(amount, 0));
    case RuleUnit::Score:
        break;
    }
    return LocalText::number(amount, 2);
}

QString AlertText::times(int count)
{
    return count == 1 ? tr("once") : tr("%n times", nullptr, count);
}

QString AlertText::routed(const std::vector<model::AlertRoute> &routes, const model::AlertRule &rule)
{
    constexpr int kLongestName = 60, kLongestList = 400; // characters
    QStringList all;
    for (const model::AlertRoute &route : routes) {
        if (!alerts::mayTell(route, rule.per, rule.severity))
            continue;
        QStringList names;
        for (const std::string &target : route.send)
            names.append(widgets::plainLine(textOf(target), kLongestName));
        const QString told = names.join(QLatin1String(", "));
        const QString of = widgets::plainLine(textOf(route.team.empty() ? route.cluster : route.team), kLongestName);
        all.append(of.isEmpty() ? told : tr("%1 (%2)", "targets and the team or cluster").arg(told, of));
    }
    return all.isEmpty()
        ? QString()
        : widgets::plainLine(tr("Routes also tell %1.").arg(all.join(QLatin1String(", "))), kLongestList);
}

QString AlertText::example(const std::string &metric, base::Currency currency)
{
    const auto known = alerts::ruleMetricFromString(metric);
    if (!known)
        return {};
    return textOf(alerts::boundExample(*known)).replace(QLatin1String("USD"), codeOf(currency));
}

} // namespace gpuledger::ui
