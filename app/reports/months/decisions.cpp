// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/months/decisions.h"

#include "app/base/text/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace gpuledger::reports {

using base::Currency;
using base::ErrorCode;
using base::Money;
using base::Result;
using Json = nlohmann::ordered_json;

namespace {

__extension__ using Wide = __int128;

// whole x part / of, rounded half away from zero. std::nullopt: it does not fit.
std::optional<std::int64_t> scaled(std::int64_t whole, std::int64_t part, std::int64_t of)
{
    const Wide product = static_cast<Wide>(whole) * part;
    const Wide half = of / 2;
    const Wide result = (product < 0 ? product - half : product + half) / of;
    constexpr Wide kMost = std::numeric_limits<std::int64_t>::max();
    return result > kMost || result < -kMost ? std::nullopt : std::optional(static_cast<std::int64_t>(result));
}

// One line, trimmed.
std::string oneLine(const std::string &text)
{
    const auto isSpace = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
    const auto first = std::find_if_not(text.begin(), text.end(), isSpace);
    const auto last = std::find_if_not(text.rbegin(), text.rend(), isSpace).base();
    std::string line = first < last ? std::string(first, last) : std::string();
    std::replace_if(line.begin(), line.end(), isSpace, ' ');
    return base::printable(line, 3 * DecisionDraft::kLongestText);
}

Result<std::string> written(const std::string &text, const char *what)
{
    std::string line = oneLine(text);
    if (line.empty())
        return base::fail(ErrorCode::InvalidArgument, std::string("a decision needs ") + what);
    if (line.size() > DecisionDraft::kLongestText)
        return base::fail(ErrorCode::InvalidArgument,
                          std::string(what) + " of a decision is longer than "
                              + std::to_string(DecisionDraft::kLongestText) + " bytes");
    return line;
}

std::string textIn(const Json &json, const char *key)
{
    const auto it = json.is_object() ? json.find(key) : json.end();
    return it != json.end() && it->is_string() ? it->get<std::string>() : std::string();
}

std::optional<std::int64_t> numberIn(const Json &json, const char *key)
{
    const auto it = json.is_object() ? json.find(key) : json.end();
    return it != json.end() && it->is_number_integer() ? std::optional(it->get<std::int64_t>()) : std::nullopt;
}

std::optional<Money> moneyIn(const Json &json, const char *key, Currency currency)
{
    const auto amount = Money::parse(textIn(json, key), currency);
    return amount ? std::optional(*amount) : std::nullopt;
}

std::optional<base::Day> dayIn(const Json &json, const char *key)
{
    const auto time = base::parseTime(textIn(json, key));
    return time ? std::optional(base::dayOf(*time)) : std::nullopt;
}

std::optional<Measure> measureFromString(std::string_view text)
{
    for (const Measure measure : {Measure::Total, Measure::Idle}) {
        if (toString(measure) == text)
            return measure;
    }
    return std::nullopt;
}

std::optional<DecisionState> stateFromString(std::string_view text)
{
    for (const DecisionState state : {DecisionState::Open, DecisionState::Done, DecisionState::Dropped}) {
        if (toString(state) == text)
            return state;
    }
    return std::nullopt;
}

std::optional<Decision> decisionOf(const store::AuditEntry &entry)
{
    const store::AuditEvent &event = entry.event;
    const Json json = Json::parse(event.details, nullptr, false);
    const auto month = insight::monthFromString(event.object);
    const auto currency = Currency::parse(textIn(json, "currency"));
    const auto measure = measureFromString(textIn(json, "measure"));
    const auto due = dayIn(json, "due");
    if (!month || !currency || !measure || !due)
        return std::nullopt;
    const auto total = moneyIn(json, "total", *currency), idle = moneyIn(json, "idle", *currency);
    const bool effective = textIn(json, "cost") == "effective";
    if (!total || !idle || (!effective && textIn(json, "cost") != "billed"))
        return std::nullopt;
    Decision out;
    out.id = entry.sequence;
    out.at = event.at;
    out.by = event.actor;
    out.draft = {*month,
                 textIn(json, "team"),
                 textIn(json, "what"),
                 textIn(json, "owner"),
                 *due,
                 *measure,
                 effective ? CostView::Effective : CostView::Billed,
                 {*total, *idle, std::nullopt},
                 moneyIn(json, "target", *currency)};
    if (const auto ticks = numberIn(json, "active_ticks"))
        out.draft.before.active = base::GpuTime{*ticks};
    return out;
}

void settleBy(std::vector<Decision> &decisions, const store::AuditEvent &event)
{
    const Json json = Json::parse(event.details, nullptr, false);
    const auto id = numberIn(json, "decision");
    const auto state = stateFromString(textIn(json, "state"));
    const auto it = std::find_if(decisions.begin(), decisions.end(), [&](const Decision &d) { return d.id == id; });
    if (it == decisions.end() || !state || it->state != DecisionState::Open)
        return;
    it->state = *state;
    it->settledAt = event.at;
    it->settledBy = event.actor;
}

} // namespace

std::string_view toString(Measure measure)
{
    return measure == Measure::Total ? "total" : "idle";
}

std::string_view toString(DecisionState state)
{
    switch (state) {
    case DecisionState::Open:
        return "open";
    case DecisionState::Done:
        return "done";
    case DecisionState::Dropped:
        return "dropped";
    }
    return {};
}

Figures figuresOf(const TeamStatement &team)
{
    Figures figures{team.total(), team.idle, std::nullopt};
    for (const StatementLine &line : team.lines) {
        if (line.state != "active" || !line.gpuTime || !line.gpuTimeComplete)
            continue;
        figures.active = figures.active.value_or(base::GpuTime{}) + *line.gpuTime;
    }
    return figures;
}

std::optional<Outcome> outcomeOf(const Decision &decision, const insight::Month &month, const Figures &after)
{
    const DecisionDraft &draft = decision.draft;
    if (month <= draft.month || after.total.currency() != draft.before.total.currency())
        return std::nullopt;
    Outcome out{month, after, std::nullopt, std::nullopt, false};
    const Money &now = after.of(draft.measure);
    out.meetsTarget = draft.target && now.nanos() <= draft.target->nanos();
    const auto &worked = draft.before.active;
    if (!worked || !after.active || worked->ticks <= 0 || after.active->ticks <= 0)
        return out;
    const auto expected = scaled(draft.before.of(draft.measure).nanos(), after.active->ticks, worked->ticks);
    if (!expected)
        return out;
    out.expected = Money(*expected, now.currency());
    const auto brought = out.expected->minus(now);
    out.brought = brought ? std::optional(*brought) : std::nullopt;
    return out;
}

Result<DecisionDraft> checked(DecisionDraft draft)
{
    auto what = written(draft.what, "a text");
    GPULEDGER_TRY(what);
    draft.what = std::move(*what);
    auto owner = written(draft.owner, "someone responsible for it");
    GPULEDGER_TRY(owner);
    draft.owner = std::move(*owner);
    if (draft.due.start() < draft.month.range().start)
        return base::fail(ErrorCode::InvalidArgument,
                          "a decision must be due after the start of the month that it belongs to");
    const Currency currency = draft.before.total.currency();
    if (draft.before.idle.currency() != currency || (draft.target && draft.target->currency() != currency))
        return base::fail(ErrorCode::InvalidArgument, "a decision must have a single currency");
    if (draft.target && draft.target->nanos() < 0)
        return base::fail(ErrorCode::InvalidArgument, "the target of a decision can't be below zero");
    return draft;
}

store::AuditEvent toEvent(const DecisionDraft &draft, base::UtcTime at, std::string by)
{
    Json json{{"team", draft.team},
              {"what", draft.what},
              {"owner", draft.owner},
              {"due", insight::dayText(draft.due)},
              {"measure", std::string(toString(draft.measure))},
              {"cost", draft.view == CostView::Effective ? "effective" : "billed"},
              {"currency", std::string(draft.before.total.currency().code())},
              {"total", draft.before.total.toDecimal()},
              {"idle", draft.before.idle.toDecimal()}};
    if (draft.before.active)
        json["active_ticks"] = draft.before.active->ticks;
    if (draft.target)
        json["target"] = draft.target->toDecimal();
    return {at, std::move(by), store::kDecide, insight::toString(draft.month),
            json.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

store::AuditEvent toEvent(const Decision &settled, base::UtcTime at, std::string by)
{
    const Json json{{"decision", settled.id}, {"state", std::string(toString(settled.state))}};
    return {at, std::move(by), store::kSettleDecision, insight::toString(settled.draft.month), json.dump()};
}

std::vector<Decision> decisionsOf(const std::vector<store::AuditEntry> &log)
{
    std::vector<Decision> decisions;
    for (const store::AuditEntry &entry : log) {
        if (entry.event.action == store::kSettleDecision)
            settleBy(decisions, entry.event);
        if (entry.event.action != store::kDecide)
            continue;
        if (auto decision = decisionOf(entry))
            decisions.push_back(std::move(*decision));
    }
    return decisions;
}

} // namespace gpuledger::reports
