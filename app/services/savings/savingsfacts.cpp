// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savings/savingsfacts.h"

#include "app/actions/environment/sidebyside.h"
#include "app/base/remedy.h"
#include "app/savings/assumptions/assumedrules.h"
#include "app/services/engine/engine.h"
#include "app/services/savings/usualassumptions.h"
#include "app/services/savingsinputs/spot/spotquotes.h"

#include <utility>

namespace gpuledger::services {

using base::ErrorCode;
using base::Result;
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

// The state of the price lists that count: their commitments and spot prices are among the facts.
Result<std::vector<store::PriceListState>> listStates(Engine &engine, const Setup &setup)
{
    const model::PriceSettings &prices = setup.settings.prices;
    const std::vector<std::string> told = sourcesWithPrices(engine, setup.settings);
    if (prices.own.empty() && prices.lists.empty() && told.empty())
        return std::vector<store::PriceListState>();
    auto all = engine.cache().prices().lists();
    GPULEDGER_TRY(all);
    std::erase_if(*all, [&](const store::PriceListState &state) { return !spotListKind(state.name, {prices, told}); });
    return all;
}

} // namespace

std::vector<SavingsEngine> savingsEngines()
{
    using savings::Kind;
    return {{Kind::Capacity, &capacityReplay},
            {Kind::Schedule, &scheduleReplay},
            {Kind::RightSize, &rightSizeReplay},
            {Kind::Spot, &spotReplay},
            {Kind::Commitments, &commitmentReplay}};
}

SavingsFacts::SavingsFacts(Engine &engine, std::vector<SavingsEngine> engines, bool onlyFacts)
    : m_engine(engine)
    , m_engines(std::move(engines))
    , m_onlyFacts(onlyFacts)
{
}

Result<SavingsList> SavingsFacts::list(const SavingsQuery &query, const Exclude &exclude, const std::stop_token &stop)
{
    const auto known = pastOfOneSetup(query, stop);
    GPULEDGER_TRY(known);
    const savings::Assumptions assumed = assumedAmong(query.assumptions, (*known)->key.setup->settings.savings);
    const auto &parts = (*known)->parts;
    std::vector<Result<Proposals>> answers(parts.size(), base::fail(ErrorCode::Cancelled, "cancelled"));
    actions::sideBySide(parts.size(), stop, [&](std::size_t i) { answers[i] = proposals(*parts[i], assumed, stop); });
    std::size_t count = 0;
    for (const Result<Proposals> &answer : answers) {
        GPULEDGER_TRY(answer);
        count += (*answer)->size();
    }
    std::vector<Proposal> all;
    all.reserve(count);
    std::vector<savings::Remark> warnings;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto &part = parts[i];
        all.insert(all.end(), (*answers[i])->begin(), (*answers[i])->end());
        if (!query.kind || *query.kind == part->kind) // they are about the facts of their kind
            warnings.insert(warnings.end(), part->replay.warnings.begin(), part->replay.warnings.end());
    }
    if (exclude)
        exclude(all);
    savings::RemainingCommitments remaining;
    for (const auto &part : (*known)->parts) {
        if (part->replay.remaining)
            remaining = [part = part.get(), &assumed](std::span<const savings::FreedTime *const> freed) {
                return part->replay.remaining(freed, savings::assumptionsOf(part->kind, assumed));
            };
    }
    auto list = savings::withoutDoubleCounting((*known)->range, std::move(all), remaining);
    GPULEDGER_TRY(list);
    list->warnings = std::move(warnings);
    return list;
}

Result<std::optional<savings::ProposalCurve>>
SavingsFacts::curve(const SavingsQuery &query, const std::string &proposal, const std::stop_token &stop)
{
    const auto known = pastOfOneSetup(query, stop);
    GPULEDGER_TRY(known);
    const savings::Assumptions assumed = assumedAmong(query.assumptions, (*known)->key.setup->settings.savings);
    for (const auto &part : (*known)->parts) {
        if (query.kind && part->kind != *query.kind)
            continue;
        auto found = part->replay.curve(proposal, savings::assumptionsOf(part->kind, assumed), stop);
        if (!found || *found)
            return found;
    }
    return std::optional<savings::ProposalCurve>();
}

void SavingsFacts::keepThrough(std::int64_t before, std::int64_t after)
{
    const std::lock_guard lock(m_mutex);
    if (m_newest && m_newest->key.generation == before)
        m_newest->key.generation = after;
}

// Reads again if the configuration changed meanwhile: engines ask for it one after the other. ofOneState() does the
// same for the cache.
Result<std::shared_ptr<SavingsFacts::Past>> SavingsFacts::pastOfOneSetup(const SavingsQuery &query,
                                                                         const std::stop_token &stop)
{
    constexpr int kTries = 5;
    for (int i = 1;; ++i) {
        const Setup *const setup = &m_engine.setup();
        const auto generation = m_engine.cache().generation();
        GPULEDGER_TRY(generation);
        auto lists = listStates(m_engine, *setup);
        GPULEDGER_TRY(lists);
        auto known = past({*generation, setup, query.range, query.cost, query.own, std::move(*lists)}, stop);
        if (&m_engine.setup() == setup || i == kTries)
            return known;
    }
}

Result<std::shared_ptr<SavingsFacts::Past>> SavingsFacts::past(const Key &key, const std::stop_token &stop)
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_newest && m_newest->key == key)
            return m_newest;
        m_newest.reset();
    }
    auto now = read(key, stop);
    GPULEDGER_TRY(now);
    // What was read while somebody wrote the cache or changed the configuration may be of two states.
    const auto generation = m_engine.cache().generation();
    const auto lists = listStates(m_engine, *key.setup);
    if (generation && *generation == key.generation && &m_engine.setup() == key.setup && lists && *lists == key.lists) {
        const std::lock_guard lock(m_mutex);
        m_newest = *now;
    }
    return now;
}

Result<std::shared_ptr<SavingsFacts::Past>> SavingsFacts::read(const Key &key, const std::stop_token &stop) const
{
    const auto range = replayedRange(m_engine, key.asked);
    GPULEDGER_TRY(range);
    auto now = std::make_shared<Past>();
    now->key = key;
    now->range = *range;
    std::shared_ptr<const SizedFacts> sized;
    std::vector<Result<SavingsReplay>> replays(m_engines.size(), base::fail(ErrorCode::Cancelled, "cancelled"));
    const auto readOne = [&](std::size_t i) {
        replays[i] = m_engines[i].read(m_engine, {*range, key.cost, &sized, key.own, m_onlyFacts}, stop);
    };
    // Until one has read what they share.
    std::size_t first = 0;
    for (; first < m_engines.size() && !sized && !stop.stop_requested(); ++first) {
        readOne(first);
        GPULEDGER_TRY(replays[first]);
    }
    actions::sideBySide(m_engines.size() - first, stop, [&](std::size_t i) { readOne(first + i); });
    for (std::size_t i = 0; i < m_engines.size(); ++i) {
        GPULEDGER_TRY(replays[i]);
        auto &part = now->parts.emplace_back(std::make_unique<Part>());
        part->kind = m_engines[i].kind;
        part->replay = std::move(*replays[i]);
    }
    return now;
}

Result<SavingsFacts::Proposals> SavingsFacts::proposals(Part &part, const savings::Assumptions &all,
                                                        const std::stop_token &stop)
{
    savings::Assumptions own = savings::assumptionsOf(part.kind, all);
    {
        const std::lock_guard lock(part.mutex);
        if (part.answer && part.assumed == own)
            return part.answer;
    }
    auto some = part.replay.proposals(own, stop);
    GPULEDGER_TRY(some);
    some->shrink_to_fit();
    for (Proposal &one : *some) { // it is kept here and in the lists that are made of it
        one.assumptions.share();
        one.evidence.share();
        one.risks.share();
    }
    auto answer = std::make_shared<const std::vector<Proposal>>(std::move(*some));
    const std::lock_guard lock(part.mutex);
    part.assumed = std::move(own);
    part.answer = answer;
    return answer;
}

} // namespace gpuledger::services
