// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/alerts/alertsdeskprint.h"

#include "app/base/text/text.h"
#include "ui/format/phrases/figures.h"

#include <algorithm>

namespace gpuledger::cli {

using services::AlertHistory;
using services::OutboxEntry;
using services::OutboxState;
using services::Silence;

namespace {

const char *outboxWord(OutboxState state)
{
    switch (state) {
    case OutboxState::Delivered:
        return "delivered";
    case OutboxState::Dead:
        return "dead";
    case OutboxState::Cancelled:
        return "cancelled";
    case OutboxState::Unknown:
        return "unknown";
    case OutboxState::Waiting:
        break;
    }
    return "waiting";
}

const char *outcomeWord(ports::DeliveryOutcome outcome)
{
    switch (outcome) {
    case ports::DeliveryOutcome::Retry:
        return "retry";
    case ports::DeliveryOutcome::Refused:
        return "refused";
    case ports::DeliveryOutcome::Delivered:
        break;
    }
    return "delivered";
}

Json alertTime(const std::optional<base::UtcTime> &time)
{
    return time ? cli::toJson(*time) : Json();
}

std::string orAll(const std::string &text)
{
    return text.empty() ? "all" : base::printable(text, 64);
}

std::string joinedScopes(const OutboxEntry &entry)
{
    constexpr std::size_t kMostShown = 3;
    const std::vector<std::string> &scopes = entry.scopes;
    std::string out;
    for (std::size_t i = 0; i < std::min(scopes.size(), kMostShown); ++i)
        out += (i > 0 ? ", " : "") + (scopes[i].empty() ? std::string("(none)") : base::printable(scopes[i], 40));
    const std::size_t more = entry.unlisted + scopes.size() - std::min(scopes.size(), kMostShown);
    return more > 0 ? out + ", and " + std::to_string(more) + " more" : out;
}

} // namespace

Json deliveryJson(const std::string &target, const ports::Delivery &delivery)
{
    return {{"target", target}, {"outcome", outcomeWord(delivery.outcome)}, {"detail", textOrNull(delivery.detail)}};
}

std::string deliveryText(const std::string &target, const ports::Delivery &delivery)
{
    const std::string name = base::printable(target, 64);
    const std::string why = delivery.detail.empty() ? "." : ": " + base::printable(delivery.detail, 300);
    switch (delivery.outcome) {
    case ports::DeliveryOutcome::Retry:
        return "The target " + name + " did not take the message" + why;
    case ports::DeliveryOutcome::Refused:
        return "The target " + name + " refused the message" + why;
    case ports::DeliveryOutcome::Delivered:
        break;
    }
    return "The target " + name + " has the message" + why;
}

Json changeLine(const services::AlertChange &change)
{
    return {{"at", cli::toJson(change.at)},
            {"rule", change.rule},
            {"scope", change.scope},
            {"from", std::string(alerts::toString(change.from))},
            {"to", std::string(alerts::toString(change.to))},
            {"value", textOrNull(change.value)},
            {"key", textOrNull(change.key)}};
}

Json deliveryLine(const OutboxEntry &entry)
{
    return {{"message", entry.id},
            {"target", entry.target},
            {"rule", entry.rule},
            {"scopes", entry.scopes},
            {"more_scopes", entry.unlisted},
            {"notice", std::string(model::toString(entry.notice))},
            {"state", outboxWord(entry.state)},
            {"attempts", entry.attempts},
            {"created", cli::toJson(entry.createdAt)},
            {"next", alertTime(entry.nextAt)},
            {"delivered", alertTime(entry.deliveredAt)},
            {"detail", textOrNull(entry.detail)}};
}

Json silenceJson(const Silence &silence)
{
    return {{"silence", silence.id},
            {"rule", textOrNull(silence.rule)},
            {"scope", textOrNull(silence.scope)},
            {"from", cli::toJson(silence.from)},
            {"until", cli::toJson(silence.until)},
            {"by", silence.by},
            {"reason", textOrNull(silence.reason)}};
}

std::string silenceText(const Silence &silence, const base::TimeZone &zone)
{
    return "Silence " + std::to_string(silence.id) + " holds back notices until " + ui::timeText(silence.until, zone)
        + " (alert: " + orAll(silence.rule) + ", scope: " + orAll(silence.scope) + ").";
}

Json alertHistoryJson(const AlertHistory &history)
{
    Json json{{"changes", Json::array()},
              {"messages", Json::array()},
              {"silences", Json::array()},
              {"acknowledged", Json::array()}};
    for (const auto &one : history.changes)
        json["changes"].push_back(changeLine(one));
    for (const OutboxEntry &one : history.outbox)
        json["messages"].push_back(deliveryLine(one));
    for (const Silence &one : history.silences)
        json["silences"].push_back(silenceJson(one));
    for (const auto &one : history.acknowledged)
        json["acknowledged"].push_back(
            {{"key", one.key}, {"by", one.by}, {"note", textOrNull(one.note)}, {"at", cli::toJson(one.at)}});
    return json;
}

std::string alertHistoryCsv(const AlertHistory &history)
{
    ui::TextTable table({{"at"}, {"rule"}, {"scope"}, {"from"}, {"to"}, {"value"}, {"key"}});
    for (const auto &one : history.changes)
        table.add({base::toRfc3339(one.at), one.rule, one.scope, std::string(alerts::toString(one.from)),
                   std::string(alerts::toString(one.to)), one.value, one.key});
    return table.toCsv();
}

std::string alertHistoryText(const AlertHistory &history, const base::TimeZone &zone, bool bold)
{
    ui::TextTable changes({{"time"}, {"alert"}, {"scope"}, {"from"}, {"to"}, {"value"}});
    for (const auto &one : history.changes)
        changes.add({ui::timeText(one.at, zone), one.rule, one.scope.empty() ? "(none)" : one.scope,
                     std::string(alerts::toString(one.from)), std::string(alerts::toString(one.to)),
                     one.value.empty() ? "unknown" : one.value});
    ui::TextTable messages(
        {{"message"}, {"target"}, {"alert"}, {"scopes"}, {"notice"}, {"state"}, {"attempts"}, {"detail"}});
    for (const OutboxEntry &one : history.outbox)
        messages.add({std::to_string(one.id), one.target, one.rule, joinedScopes(one),
                      std::string(model::toString(one.notice)), outboxWord(one.state), std::to_string(one.attempts),
                      base::printable(one.detail, 80)});
    std::string out = changes.empty() ? "No alert changed its state.\n" : changes.toText(bold);
    out += messages.empty() ? "Nothing was sent.\n" : messages.toText(bold);
    for (const Silence &one : history.silences)
        out += silenceText(one, zone) + '\n';
    return out;
}

} // namespace gpuledger::cli
