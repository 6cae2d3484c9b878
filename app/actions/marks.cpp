// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/marks.h"

#include "app/actions/evidence.h"
#include "app/actions/planner.h"
#include "app/base/text.h"

#include <algorithm>

namespace gpuledger::actions {

using base::ErrorCode;
using base::Result;

namespace {

constexpr std::array<std::string_view, 12> kEnds{"objected",       "worked",   "left",    "stopped",
                                                 "stopped-before", "failed",   "refused", "platform-refused",
                                                 "partly",         "too-much", "one-way", "gave-up"};
constexpr std::array<std::string_view, 2> kDelays{"unwatched", "clock-jumped"};
constexpr std::string_view kOver = "the mark is over (", kFresh = "a fresh notice (", kAction = ": action ";

Result<void> allowed(const MarkQuestion &question, const World &world)
{
    if (!world.settings().actions.stopsMarked)
        return base::fail(ErrorCode::Refused,
                          "nothing is marked: the configuration does not let the watch stop anything",
                          "write actions: { stop_marked: true } into the configuration");
    if (question.after < kShortestNotice || question.after > kLongestNotice)
        return base::fail(ErrorCode::InvalidArgument, "a mark needs a notice of 10 minutes to 30 days");
    if (question.reason.size() > Confirmation::kLongestReason)
        return base::fail(ErrorCode::InvalidArgument, "the reason is longer than 2000 bytes");
    return {};
}

// What the watch would never stop is not marked.
Result<void> withinLimits(const Blast &blast)
{
    if (!blast.irreversible.empty())
        return base::fail(ErrorCode::Refused, "nothing is marked: some of this can't be brought back",
                          "look at it yourself, and stop it at once");
    if (blast.needsTypedCount())
        return base::fail(ErrorCode::Refused, "nothing is marked: the watch never stops so much at once",
                          "mark less, or stop it yourself");
    return {};
}

template <std::size_t N>
std::optional<std::size_t> placeOf(const std::array<std::string_view, N> &names, std::string_view name)
{
    const auto it = std::find(names.begin(), names.end(), name);
    return it == names.end() ? std::nullopt : std::optional(static_cast<std::size_t>(it - names.begin()));
}

} // namespace

Result<Marked> makeMarks(const MarkQuestion &question, Engine &engine, std::stop_token stop)
{
    GPULEDGER_TRY(allowed(question, engine.world));
    auto plan = makePlan({question.holders, true}, engine.world, engine.store, engine.clock, std::move(stop));
    GPULEDGER_TRY(plan);
    GPULEDGER_TRY(withinLimits(plan->blast));
    Marked marked{std::move(*plan), {}};
    const base::UtcTime now = engine.world.clock().now();
    for (const PlannedStop &planned : marked.plan.stops) {
        if (!planned.isStoppable())
            continue;
        for (const insight::IdleItem &item : planned.items) {
            model::Lease lease;
            lease.kind = model::Lease::Kind::StopAfter;
            lease.holder = item.id;
            lease.until = now + question.after;
            lease.actor = engine.world.actor();
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
    return kEnds.at(static_cast<std::size_t>(end));
}

std::string_view toString(MarkDelay delay)
{
    return kDelays.at(static_cast<std::size_t>(delay));
}

std::string sentenceOf(const MarkEvent &event)
{
    if (event.kind == MarkEvent::Kind::Postponed)
        return std::string(kFresh) + std::string(toString(event.delay)) + ')';
    std::string text = std::string(kOver) + std::string(toString(event.end)) + ')';
    if (event.action != 0)
        text += std::string(kAction) + std::to_string(event.action);
    if (event.check)
        text += ": " + sentenceOf(*event.check);
    else if (!event.detail.empty())
        text += ": " + event.detail;
    return text;
}

std::optional<MarkEvent> markInSentence(const std::string &sentence)
{
    MarkEvent event;
    const bool isOver = sentence.starts_with(kOver);
    const auto close = sentence.find(')');
    if ((!isOver && !sentence.starts_with(kFresh)) || close == std::string::npos)
        return std::nullopt;
    event.kind = isOver ? MarkEvent::Kind::Over : MarkEvent::Kind::Postponed;
    const std::size_t begin = (isOver ? kOver : kFresh).size();
    const std::string name = sentence.substr(begin, close - begin);
    const auto place = isOver ? placeOf(kEnds, name) : placeOf(kDelays, name);
    if (!place)
        return std::nullopt;
    if (!isOver) {
        event.delay = static_cast<MarkDelay>(*place);
        return event;
    }
    event.end = static_cast<MarkEnd>(*place);
    std::string rest = sentence.substr(close + 1);
    if (rest.starts_with(kAction)) {
        const auto cut = std::min(rest.find(':', kAction.size()), rest.size());
        event.action = base::parseInt(std::string_view(rest).substr(kAction.size(), cut - kAction.size())).value_or(0);
        rest.erase(0, cut);
    }
    if (rest.starts_with(": "))
        rest.erase(0, 2);
    event.check = checkInSentence(rest);
    if (!event.check)
        event.detail = std::move(rest);
    return event;
}

} // namespace gpuledger::actions
