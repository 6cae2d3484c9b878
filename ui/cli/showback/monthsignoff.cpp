// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/showback/monthsignoff.h"

#include "app/base/text/text.h"
#include "app/services/billing/billingservice.h"
#include "app/store/damage/setaside.h"
#include "app/store/months/monthstore.h"
#include "ui/format/actions/resultphrase.h"
#include "ui/format/phrases/phrase.h"

#include <algorithm>

namespace gpuledger::cli {

using base::ErrorCode;
using base::Result;
using reports::MonthState;
using reports::MonthStatus;
using reports::Objection;
using reports::SignOff;

namespace {

constexpr std::size_t kShownHash = 16; // digits in a table

std::string listed(const std::vector<Objection> &objections)
{
    std::string text;
    for (const Objection &objection : objections)
        text += (text.empty() ? "" : "; ") + ui::textOf(objection).english();
    return text;
}

tl::unexpected<base::Error> refusal(const SignOff &result, const std::string &reason)
{
    std::string text = ui::textOf(result).english(), hint;
    if (result.outcome == SignOff::Outcome::FiguresChanged)
        hint = "look at them again";
    if (result.outcome == SignOff::Outcome::AlreadyClosed)
        hint = "what comes later is an adjustment of a month that is open";
    if (result.outcome == SignOff::Outcome::Refused) {
        const auto &objections = result.status.objections;
        text += ": " + listed(objections);
        const bool yields =
            std::all_of(objections.begin(), objections.end(), [](const Objection &o) { return o.yieldsToReason(); });
        if (yields && reason.empty())
            hint = "resolve it, or give a reason for closing anyway: --reason TEXT";
    }
    return base::fail(ErrorCode::Refused, std::move(text), std::move(hint));
}

std::string question(const MonthStatus &status, const std::string &reason)
{
    std::string text = "Closes " + insight::toString(status.month)
        + " permanently: its statement stays as it is now, and" + " what comes later is booked as an adjustment.\n";
    for (const Objection &objection : status.objections)
        text += "    despite       " + base::printable(ui::textOf(objection).english(), 4000) + '\n';
    return text + (reason.empty() ? "" : "    reason        " + base::printable(reason, 8000) + '\n');
}

Result<void> agree(Session &session, const MonthStatus &status, const std::string &reason)
{
    Output &out = session.out();
    const std::string month = insight::toString(status.month);
    if (!out.canAsk())
        return base::fail(ErrorCode::Refused, month + " was not closed: it was not confirmed",
                          "add --yes when it may be closed without a question");
    out.notice(question(status, reason));
    const auto yes = out.ask("Close it? [y/N] ", session.stop());
    GPULEDGER_TRY(yes);
    if (!*yes)
        return base::fail(ErrorCode::Refused, month + " was not closed: you did not agree");
    return {};
}

Json timeOrNull(const std::optional<base::UtcTime> &t)
{
    return t ? toJson(*t) : Json(nullptr);
}

std::string dayOrDash(const std::optional<base::UtcTime> &t)
{
    return t ? base::toRfc3339(*t) : "-";
}

// When it was really written, if that differs from the time it states.
std::string recordedText(const store::AuditEntry &entry)
{
    if (!entry.recorded)
        return "-";
    return store::isWrittenApart(entry) ? base::toRfc3339(entry.recorded->real) : "then";
}

// The details as logged; coded values also in words: "result" of an action, "reason" of a mark.
Json detailsOf(const store::AuditEvent &event)
{
    Json details = Json::parse(event.details, nullptr, false);
    if (details.is_discarded())
        return nullptr;
    const auto outcome = details.find("outcome");
    if (event.action.starts_with(store::kActionPrefix) && outcome != details.end())
        details["result"] = ui::plainText(actions::resultIn(outcome->dump()));
    if (const auto mark = actions::markIn(event); mark && details.contains("mark"))
        details["reason"] = ui::plainText(*mark);
    return details;
}

// The details of an entry for a table, besides who and when.
std::string detailOf(const store::AuditEvent &event)
{
    const Json details = Json::parse(event.details, nullptr, false);
    const auto textIn = [&](const char *key) {
        const auto it = details.is_object() ? details.find(key) : details.end();
        return it != details.end() && it->is_string() ? it->get<std::string>() : std::string();
    };
    if (event.action == store::kDecide)
        return textIn("team") + ": " + textIn("what") + " (" + textIn("owner") + ", " + textIn("due") + ")";
    if (event.action == store::kSettleDecision)
        return "decision " + (details.contains("decision") ? details["decision"].dump() : "?") + ' ' + textIn("state");
    if (event.action == store::kChooseSaving) {
        std::string text = textIn("state");
        for (const char *key : {"owner", "day", "reason"})
            text += (textIn(key).empty() ? "" : ", ") + textIn(key);
        return text;
    }
    if (event.action == store::kConfirmDamage)
        return "what it held: " + textIn("outcome");
    if (event.action == store::kReviewTeam)
        return "team " + textIn("team") + ", figures " + textIn("figures").substr(0, kShownHash);
    if (event.action != store::kCloseMonth)
        return "figures " + textIn("figures").substr(0, kShownHash);
    const std::string reason = textIn("reason");
    return "hash " + textIn("hash").substr(0, kShownHash) + (reason.empty() ? "" : ", reason: " + reason);
}

} // namespace

Json toJson(const MonthStatus &status)
{
    const bool closed = status.state == MonthState::Closed, reviewed = status.state == MonthState::Reviewed;
    Json json{{"state", std::string(reports::toString(status.state))}};
    json["closed_at"] = closed ? timeOrNull(status.at) : Json(nullptr);
    json["closed_by"] = closed ? textOrNull(status.by) : Json(nullptr);
    json["reason"] = textOrNull(status.reason);
    json["hash"] = textOrNull(status.hash);
    json["reviewed_at"] = reviewed ? timeOrNull(status.at) : status.review ? toJson(status.review->at) : Json(nullptr);
    json["reviewed_by"] = reviewed ? textOrNull(status.by)
        : status.review            ? textOrNull(status.review->by)
                                   : Json(nullptr);
    json["changed_since_review"] = status.outdated
        ? Json{{"reviewed_at", toJson(status.outdated->at)}, {"reviewed_by", textOrNull(status.outdated->by)}}
        : Json(nullptr);
    return json;
}

Result<void> review(Session &session, const insight::Month &month, const std::vector<std::string> &team)
{
    const auto workspace = session.workspace(false);
    GPULEDGER_TRY(workspace);
    const auto result = team.empty() ? (*workspace)->billing().reviewMonth(month)
                                     : (*workspace)->billing().reviewTeam(month, team.front());
    GPULEDGER_TRY(result);
    if (result->outcome != SignOff::Outcome::Done)
        return refusal(*result, "-");
    session.out().note(ui::textOf(*result).english());
    return {};
}

Result<void> closeMonth(Session &session, const insight::Month &month, const std::string &reason, bool agreed)
{
    const auto workspace = session.workspace(false);
    GPULEDGER_TRY(workspace);
    std::string seen;
    if (!agreed) {
        const auto status = (*workspace)->billing().monthStatus(month);
        GPULEDGER_TRY(status);
        const bool isRefused = std::any_of(status->objections.begin(), status->objections.end(),
                                           [&](const Objection &o) { return reason.empty() || !o.yieldsToReason(); });
        if (status->state == MonthState::Closed)
            return refusal({SignOff::Outcome::AlreadyClosed, *status}, reason);
        if (isRefused)
            return refusal({SignOff::Outcome::Refused, *status}, reason);
        GPULEDGER_TRY(agree(session, *status, reason));
        seen = status->figures;
    }
    const auto result = (*workspace)->billing().closeMonth(month, reason, seen);
    GPULEDGER_TRY(result);
    if (result->outcome != SignOff::Outcome::Done)
        return refusal(*result, reason);
    session.out().note(ui::textOf(*result).english() + "; SHA-256 of its figures: " + result->status.hash);
    return {};
}

Result<void> printMonths(Session &session)
{
    const auto workspace = session.workspace();
    GPULEDGER_TRY(workspace);
    const auto months = (*workspace)->billing().months();
    GPULEDGER_TRY(months);
    Output &out = session.out();
    if (out.json()) {
        Json json{{"months", Json::array()}};
        for (const MonthStatus &status : *months) {
            Json one{{"month", insight::toString(status.month)}, {"over", status.isOver}};
            one.update(toJson(status));
            one["damaged"] = status.isDamaged;
            json["months"].push_back(std::move(one));
        }
        return out.print(json);
    }
    ui::TextTable table({{"month"}, {"state"}, {"since"}, {"by"}, {"reason"}, {"hash"}});
    for (const MonthStatus &status : *months) {
        const std::string state(reports::toString(status.state));
        table.add({insight::toString(status.month),
                   status.isDamaged      ? state + ", damaged"
                       : status.outdated ? state + ", changed since its review"
                       : status.isOver   ? state
                                         : state + ", not over",
                   dayOrDash(status.at), status.by.empty() ? "-" : status.by,
                   status.reason.empty() ? "-" : status.reason,
                   status.hash.empty() ? "-"
                       : out.csv()     ? status.hash
                                       : status.hash.substr(0, kShownHash)});
    }
    return out.print(out.csv() ? table.toCsv() : table.toText(out.bold()));
}

Result<void> printHistory(Session &session, const std::optional<insight::Month> &month)
{
    const auto workspace = session.workspace();
    GPULEDGER_TRY(workspace);
    auto entries = (*workspace)->auditLog();
    GPULEDGER_TRY(entries);
    if (month)
        std::erase_if(*entries,
                      [&](const store::AuditEntry &entry) { return entry.event.object != insight::toString(*month); });
    Output &out = session.out();
    if (out.json()) {
        Json json{{"entries", Json::array()}};
        for (const store::AuditEntry &entry : *entries) {
            const auto &recorded = entry.recorded;
            json["entries"].push_back({{"sequence", entry.sequence},
                                       {"at", toJson(entry.event.at)},
                                       {"recorded_at", recorded ? toJson(recorded->real) : Json(nullptr)},
                                       {"steady_ns", recorded ? Json(recorded->steady) : Json(nullptr)},
                                       {"boot", recorded ? Json(recorded->boot) : Json(nullptr)},
                                       {"actor", textOrNull(entry.event.actor)},
                                       {"action", entry.event.action},
                                       {"object", entry.event.object},
                                       {"details", detailsOf(entry.event)},
                                       {"previous", textOrNull(entry.previous)},
                                       {"hash", entry.hash}});
        }
        return out.print(json);
    }
    ui::TextTable table({{"no."}, {"when"}, {"recorded"}, {"who"}, {"what"}, {"of"}, {"details"}});
    for (const store::AuditEntry &entry : *entries)
        table.add({std::to_string(entry.sequence), base::toRfc3339(entry.event.at), recordedText(entry),
                   entry.event.actor.empty() ? "-" : entry.event.actor, entry.event.action, entry.event.object,
                   detailOf(entry.event)});
    if (out.csv())
        return out.print(table.toCsv());
    return out.print(table.empty() ? "nothing was signed off yet\n" : table.toText(out.bold()));
}

} // namespace gpuledger::cli
