// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/query/measuresums.h"
#include "app/services/engine/engine.h"
#include "app/services/savings/proposalacts.h"
#include "app/services/savings/realizedfacts.h"
#include "app/services/savings/realizedmemo.h"
#include "app/services/savings/realizedparts.h"
#include "app/services/savings/realizedstops.h"
#include "app/services/savings/savingsservice.h"
#include "app/store/actions/actionstore.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::services {

using base::Result;
using savings::Choice;

namespace {

constexpr std::uint64_t kRealizedSeed = 1;

using ActionLog = std::vector<model::ActionRecord>;

bool wasDone(const model::ActionRecord &record)
{
    using model::ActionState;
    const bool isDone = record.state == ActionState::Verified || record.state == ActionState::Undone;
    const auto &cost = record.intent.perMonth;
    return record.intent.kind == model::ActionKind::Stop && isDone && cost && cost->nanos() > 0;
}

std::optional<base::UtcTime> undoneAt(const model::ActionRecord &stop, const ActionLog &log)
{
    if (stop.state != model::ActionState::Undone)
        return std::nullopt;
    for (const model::ActionRecord &one : log) {
        const bool isDone = one.state == model::ActionState::Verified; // an earlier one may have failed
        if (isDone && one.intent.kind == model::ActionKind::Undo && one.intent.undoes == stop.id)
            return one.intent.at;
    }
    return stop.changedAt;
}

WorkloadOfCluster stoppedWorkload(const model::ActionRecord &stop,
                                  const std::map<std::string, WorkloadOfCluster> &holders)
{
    for (const std::string &id : holdersIn(stop)) {
        if (const auto found = holders.find(id); found != holders.end())
            return found->second;
    }
    const model::TargetRef &target = stop.intent.target;
    return {target.cluster,
            insight::workloadName(target.nameSpace, target.kind, target.name, {}, model::SubjectKind::Pod)};
}

// Whether a stop falls into the days between the weeks that are compared for an accepted proposal about its workload.
bool isDoneThrough(const model::ActionRecord &stop, const Choice &accepted)
{
    const base::Day day = base::dayOf(stop.intent.at);
    return realizedBegun(accepted) <= day && day <= realizedDone(accepted);
}

} // namespace

std::vector<Choice> stopsAsChoices(const ActionLog &log, const std::map<std::string, WorkloadOfCluster> &holders,
                                   const std::vector<Choice> &accepted)
{
    std::multimap<std::string, const Choice *> taken; // accepted proposals by their workload
    for (const Choice &one : accepted) {
        if (auto name = realizedWorkloadOf(one); !name.empty())
            taken.emplace(std::move(name), &one);
    }
    std::vector<Choice> out;
    for (const model::ActionRecord &record : log) {
        if (!wasDone(record))
            continue;
        const WorkloadOfCluster work = stoppedWorkload(record, holders);
        const std::string name = work.first + '/' + work.second;
        const auto [first, last] = taken.equal_range(name);
        if (std::any_of(first, last, [&](const auto &known) { return isDoneThrough(record, *known.second); }))
            continue;
        Choice one;
        one.id = -record.id;
        one.at = one.since = record.intent.at;
        one.by = record.intent.actor;
        one.kind = savings::Kind::Schedule; // it ends what nobody uses
        one.target = work.second;
        one.team = record.intent.owner;
        one.draft.proposal = std::string(toString(one.kind)) + ':' + name;
        one.draft.reason = record.intent.reason;
        one.stop = savings::DoneStop{record.id, undoneAt(record, log)};
        out.push_back(std::move(one));
    }
    return out;
}

// The stops of the action log; none in a report. A damaged log has none: whoever asks for the log is told.
Result<std::vector<Choice>> SavingsService::stopsDone(const std::vector<Choice> &accepted)
{
    if (m_engine.reportMonth())
        return std::vector<Choice>();
    auto log = m_engine.cache().actions().all();
    if (!log && log.error().code == base::ErrorCode::StorageCorrupt)
        log = ActionLog();
    GPULEDGER_TRY(log);
    std::vector<model::ActionRecord> done;
    std::copy_if(log->begin(), log->end(), std::back_inserter(done), wasDone);
    if (done.empty())
        return std::vector<Choice>();
    const auto facts = m_engine.cache().facts();
    GPULEDGER_TRY(facts);
    const auto holders = holdersOfStops(**facts, done);
    GPULEDGER_TRY(holders);
    return stopsAsChoices(*log, *holders, accepted);
}

Result<RealizedPasts> SavingsService::realizedPast(model::CostView cost, std::optional<base::UtcTime> end,
                                                   const std::stop_token &stop)
{
    return ofOneState(m_engine.cache(), [&]() -> Result<RealizedPasts> {
        RealizedPasts out;
        auto accepted = choices();
        GPULEDGER_TRY(accepted);
        std::erase_if(*accepted, [](const Choice &one) { return one.draft.state != savings::ChoiceState::Accepted; });
        auto stops = stopsDone(*accepted);
        GPULEDGER_TRY(stops);
        out.of = std::move(*accepted);
        out.of.insert(out.of.end(), stops->begin(), stops->end());
        if (out.of.empty())
            return out;
        const Setup &setup = m_engine.setup();
        const auto view = viewOf(m_engine.cache(), *setup.ledger, cost);
        GPULEDGER_TRY(view);
        auto covered = view->facts->coveredRange();
        GPULEDGER_TRY(covered);
        if (end)
            covered->end = std::max(covered->start, std::min(covered->end, *end));
        const auto generation = m_engine.cache().generation();
        GPULEDGER_TRY(generation);
        RealizedMemo::Key key{*generation, &setup, cost, *covered, {}};
        for (const Choice &one : out.of)
            key.of.emplace_back(one.id, one.stop ? one.stop->undone : std::nullopt);
        if (auto known = m_realized->find(key)) {
            out.pasts = std::move(*known);
            return out;
        }
        auto pasts = realizedPasts(*view->attribution, out.of, *covered, setup.settings.currency, stop);
        GPULEDGER_TRY(pasts);
        m_realized->keep(std::move(key), *pasts);
        out.pasts = std::move(*pasts);
        return out;
    });
}

std::vector<savings::Realized> measuredOf(const RealizedPasts &known)
{
    std::vector<savings::Realized> out;
    for (std::size_t i = 0; i < known.of.size(); ++i) {
        savings::Realized &one =
            out.emplace_back(savings::measureRealized(known.pasts[i], known.of[i].id, kRealizedSeed));
        if (known.of[i].stop)
            one.stop = known.of[i];
    }
    return out;
}

Result<std::vector<savings::Realized>> SavingsService::realized(model::CostView cost, const std::stop_token &stop)
{
    const auto known = realizedPast(cost, std::nullopt, stop);
    GPULEDGER_TRY(known);
    return measuredOf(*known);
}

} // namespace gpuledger::services
