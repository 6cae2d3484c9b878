// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savings/savingsservice.h"

#include "app/base/remedy.h"
#include "app/services/engine/engine.h"
#include "app/services/savings/savingsengines.h"

#include <iterator>
#include <utility>
#include <vector>

namespace gpuledger::services {

using base::ErrorCode;
using base::Result;
using savings::Kind;
using savings::Proposal;
using savings::SavingsList;

namespace {

constexpr base::Seconds kReplayedPast{28 * 86400};
constexpr base::Seconds kReplayedHour{3600};

// Whole hours of the fetched data; of a report, only those of its month.
Result<base::TimeRange> replayedRange(Engine &engine, const std::optional<base::TimeRange> &asked)
{
    const auto facts = engine.cache().facts();
    GPULEDGER_TRY(facts);
    const auto covered = (*facts)->coveredRange();
    GPULEDGER_TRY(covered);
    base::TimeRange known = *covered;
    if (const auto month = engine.reportMonth())
        known = known.intersect(month->range());
    if (known.empty())
        return base::fail(ErrorCode::InvalidArgument, "there is no past to replay: no usage was fetched so far",
                          base::Remedy::SyncOrCheckDataFolder);
    const base::UtcTime last = base::floorTo(known.end, kReplayedHour);
    const base::TimeRange wanted = asked.value_or(base::TimeRange{last - kReplayedPast, last});
    const base::TimeRange cut = known.intersect(wanted);
    const base::TimeRange hours{base::ceilTo(cut.start, kReplayedHour), base::floorTo(cut.end, kReplayedHour)};
    if (hours.empty())
        return base::fail(ErrorCode::InvalidArgument,
                          "the range from " + base::toRfc3339(wanted.start) + " to " + base::toRfc3339(wanted.end)
                              + " has no whole hour with data",
                          "usage is known from " + base::toRfc3339(known.start) + " to " + base::toRfc3339(known.end));
    return hours;
}

Result<std::vector<Proposal>> proposalsOf(Engine &engine, const SavingsQuestion &question, const std::stop_token &stop)
{
    std::vector<Proposal> all;
    for (const auto engineOfKind :
         {&capacityProposals, &scheduleProposals, &rightSizeProposals, &spotProposals, &commitmentProposals}) {
        if (stop.stop_requested())
            return base::fail(ErrorCode::Cancelled, "cancelled");
        auto some = engineOfKind(engine, question, stop);
        GPULEDGER_TRY(some);
        all.insert(all.end(), std::make_move_iterator(some->begin()), std::make_move_iterator(some->end()));
    }
    return all;
}

// What the whole list says of one kind.
SavingsList partOf(SavingsList list, Kind kind)
{
    std::erase_if(list.items, [&](const Proposal &one) { return one.kind != kind; });
    for (savings::SavingsSum &sum : list.sums)
        std::erase_if(sum.byKind, [&](const auto &one) { return one.first != kind; });
    std::erase_if(list.sums, [](const savings::SavingsSum &sum) { return sum.byKind.empty(); });
    for (savings::SavingsSum &sum : list.sums)
        sum.perMonth = sum.byKind.front().second;
    return list;
}

} // namespace

Result<SavingsList> SavingsService::savings(std::optional<Kind> kind, std::optional<base::TimeRange> range,
                                            model::CostView cost, const std::stop_token &stop)
{
    return ofOneState(m_engine.cache(), [&]() -> Result<SavingsList> {
        const auto replayed = replayedRange(m_engine, range);
        GPULEDGER_TRY(replayed);
        auto proposals = proposalsOf(m_engine, {*replayed, cost}, stop);
        GPULEDGER_TRY(proposals);
        SavingsList list = savings::withoutDoubleCounting(*replayed, std::move(*proposals));
        return kind ? partOf(std::move(list), *kind) : std::move(list);
    });
}

} // namespace gpuledger::services
