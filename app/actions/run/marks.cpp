// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/run/marks.h"

#include "app/actions/plan/checkjson.h"
#include "app/actions/plan/nametable.h"
#include "app/actions/plan/planner.h"
#include "app/actions/run/legacyresult.h"
#include "app/base/remedy.h"
#include "app/store/actions/actionstore.h"

namespace gpuledger::actions {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::ordered_json;

namespace {

constexpr NameTable<MarkEnd, 14> kEnds{{{MarkEnd::Objected, "objected"},
                                        {MarkEnd::Worked, "worked"},
                                        {MarkEnd::Left, "left"},
                                        {MarkEnd::Stopped, "stopped"},
                                        {MarkEnd::StoppedBefore, "stopped-before"},
                                        {MarkEnd::Failed, "failed"},
                                        {MarkEnd::Refused, "refused"},
                                        {MarkEnd::PlatformRefused, "platform-refused"},
                                        {MarkEnd::Changed, "changed"},
                                        {MarkEnd::Partly, "partly"},
                                        {MarkEnd::TooMuch, "too-much"},
                                        {MarkEnd::OneWay, "one-way"},
                                        {MarkEnd::GaveUp, "gave-up"},
                                        {MarkEnd::Resolved, "resolved"}}};
static_assert(isWhole(kEnds));
constexpr NameTable<MarkDelay, 2> kDelays{
    {{MarkDelay::Unwatched, "unwatched"}, {MarkDelay::ClockJumped, "clock-jumped"}}};
static_assert(isWhole(kDelays));

Result<void> mayMark(const MarkQuestion &question, const ActionEnvironment &environment)
{
    if (!environment.settings().actions.stopsMarked)
        return base::fail(ErrorCode::Refused, "nothing was marked: the configuration does not allow automatic stops",
                          base::Remedy::AllowStopMarked);
    if (question.after < kShortestNotice || question.after > kLongestNotice)
        return base::fail(ErrorCode::InvalidArgument, "a mark needs a notice of 10 minutes to 30 days");
    if (question.reason.size() > Confirmation::kLongestReason)
        return base::fail(ErrorCode::InvalidArgument, "the reason is longer than 2000 bytes");
    return {};
}

// Refuses to mark what the watch would never stop.
Result<void> withinLimits(const BlastRadius &blast)
{
    if (!blast.irreversible.empty())
        return base::fail(ErrorCode::Refused, "nothing was marked: some of these workloads can't be brought back",
                          base::Remedy::StopItYourself);
    if (blast.needsTypedCount())
        return base::fail(ErrorCode::Refused,
                          "nothing was marked: this is more than is ever stopped automatically at once",
                          base::Remedy::MarkLess);
    return {};
}

std::optional<MarkEvent> eventFrom(const Json &json)
{
    MarkEvent event;
    if (const auto delay = markDelayFrom(textIn(json, "delay"))) {
        event.kind = MarkEvent::Kind::Postponed;
        event.delay = *delay;
        return event;
    }
    const auto end = markEndFrom(textIn(json, "end"));
    if (!end)
        return std::nullopt;
    event.kind = MarkEvent::Kind::Over;
    event.end = *end;
    if (const auto check = json.find("check"); check != json.end())
        event.check = checkFrom(*check);
    if (const auto action = json.find("action"); action != json.end() && action->is_number_integer())
        event.action = action->get<std::int64_t>();
    if (const auto outcome = json.find("outcome"); outcome != json.end())
        event.result = resultIn(written(*outcome));
    event.detail = textIn(json, "detail");
    return event;
}

} // namespace

Result<Marked> makeMarks(const MarkQuestion &question, ActionContext &engine, std::stop_token stop)
{
    GPULEDGER_TRY(mayMark(question, engine.environment));
    auto plan = makePlan({question.holders, true}, engine.environment, engine.store, engine.clock, std::move(stop));
    GPULEDGER_TRY(plan);
    GPULEDGER_TRY(withinLimits(plan->blast));
    Marked marked{std::move(*plan), {}};
    const base::UtcTime now = engine.environment.clock().now();
    for (const PlannedStop &planned : marked.plan.stops) {
        if (!planned.isStoppable())
            continue;
        for (const insight::IdleItem &item : planned.items) {
            model::Lease lease;
            lease.kind = model::Lease::Kind::StopAfter;
            lease.holder = item.id;
            lease.until = now + question.after;
            lease.actor = engine.environment.actor();
            lease.reason = question.reason;
            lease.at = now;
            auto given = engine.store.grant(lease);
            GPULEDGER_TRY(given);
            marked.leases.push_back(std::move(*given));
        }
    }
    return marked;
}

std::string_view toString(MarkEnd end)
{
    return nameIn(kEnds, end);
}

std::string_view toString(MarkDelay delay)
{
    return nameIn(kDelays, delay);
}

std::optional<MarkEnd> markEndFrom(std::string_view text)
{
    return valueIn(kEnds, text);
}

std::optional<MarkDelay> markDelayFrom(std::string_view text)
{
    return valueIn(kDelays, text);
}

std::string dataOf(const MarkEvent &event)
{
    if (event.kind == MarkEvent::Kind::Postponed)
        return written({{"delay", toString(event.delay)}});
    Json json{{"end", toString(event.end)}};
    if (event.action != 0)
        json["action"] = event.action;
    if (event.check)
        json["check"] = jsonOf(*event.check);
    if (event.result.code != ResultCode::None)
        json["outcome"] = Json::parse(dataOf(event.result));
    if (!event.detail.empty())
        json["detail"] = event.detail;
    return written(json);
}

std::optional<MarkEvent> markIn(const store::AuditEvent &entry)
{
    if (entry.action != store::kEndLease && entry.action != store::kPostponeLease)
        return std::nullopt;
    const Json details = Json::parse(entry.details, nullptr, false);
    if (!details.is_object())
        return std::nullopt;
    const auto mark = details.find("mark");
    if (mark == details.end())
        return legacyMark(textIn(details, "reason"));
    return mark->is_object() ? eventFrom(*mark) : std::nullopt;
}

} // namespace gpuledger::actions
