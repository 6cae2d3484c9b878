// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/spot/spotoffer.h"

#include "app/savings/spot/spotoffertext.h"
#include "app/savings/spot/spotrefusal.h"
#include "app/savings/spot/spottypes.h"
#include "app/savings/spot/spotzones.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string_view>
#include <utility>

namespace gpuledger::savings {

using base::GpuTime;
using base::Money;
using base::Result;

namespace {

constexpr std::int32_t kSpotWeek = 168;
__extension__ using SpotNanos = __int128;

// All machine time on demand of its runs.
std::shared_ptr<const std::vector<FreedTime>> spotFreed(const SpotPast &past, const SpotCandidate &one)
{
    FreedTime out{one.resources, past.start, std::vector<GpuTime>(static_cast<std::size_t>(past.hours))};
    std::int64_t rest = one.ownSeconds;
    for (const auto &[hour, seconds] : one.ownHours) {
        out.hours[static_cast<std::size_t>(hour)] += GpuTime::wholeDevice(base::Seconds{seconds});
        rest -= seconds;
    }
    const std::int32_t first = std::clamp(one.firstHour, 0, past.hours - 1);
    const std::int32_t count = std::clamp(one.lastHour, first, past.hours - 1) - first + 1;
    const base::Seconds even{rest > 0 ? (rest + count - 1) / count : 0};
    for (std::int32_t hour = first; hour < first + count; ++hour)
        out.hours[static_cast<std::size_t>(hour)] += GpuTime::wholeDevice(even);
    return std::make_shared<const std::vector<FreedTime>>(std::vector{std::move(out)});
}

bool isSpotShareAbove(int percent, GpuTime part, GpuTime whole)
{
    return SpotNanos{part.ticks} * 100 > SpotNanos{whole.ticks} * percent;
}

Remark spotRemark(RemarkText text)
{
    return {text, {}};
}

// `usual`: what the configuration says of its kind.
std::optional<Remark> kindReason(const SpotCandidate &one, std::optional<std::int64_t> usual)
{
    if (one.interruptible == SpotAnswer::No)
        return spotRemark(RemarkText::SpotMarkedUninterruptible);
    if (one.interruptible == SpotAnswer::Yes)
        return std::nullopt;
    if (usual)
        return *usual != 0 ? std::nullopt : std::optional(spotRemark(RemarkText::SpotKindUninterruptible));
    if (one.batch)
        return std::nullopt;
    return spotRemark(one.inference ? RemarkText::SpotServesRequests : RemarkText::SpotWorkOfPeople);
}

std::optional<Remark> moneyReason(const SpotCandidate &one, const SpotRules &rules)
{
    if (isSpotShareAbove(rules.mostSpotPercent, one.spot, one.held))
        return spotRemark(RemarkText::SpotAlready);
    if (isSpotShareAbove(rules.mostUnpricedPercent, one.unpriced, one.held))
        return spotRemark(RemarkText::SpotUnpriced);
    if (one.ownSeconds > 0) // then only the money of these machines counts
        return isSpotShareAbove(rules.mostSharedPercent, one.shared, one.held)
            ? std::optional(spotRemark(RemarkText::SpotSharedMachines))
            : std::nullopt;
    if (one.sunk.ticks > 0 && one.sunk >= one.shared && one.sunk >= one.unknown)
        return spotRemark(RemarkText::SpotSunk);
    return spotRemark(one.shared > one.unknown ? RemarkText::SpotSharedMachines : RemarkText::SpotUnknownTerms);
}

std::optional<Remark> marketReason(const SpotCandidate &one, const SpotMarket *market)
{
    if (one.severalMarkets)
        return spotRemark(RemarkText::SpotSeveralMarkets);
    if (!market)
        return spotRemark(RemarkText::SpotUnknownMachine);
    const auto hasPrice = [&] {
        return market->price && !market->price->perHour.empty()
            && std::all_of(market->price->perHour.begin(), market->price->perHour.end(),
                           [](const base::Rate &rate) { return rate.nanosPerHour() > 0; });
    };
    if (!hasPrice())
        return Remark{RemarkText::SpotNoPrice, {textTerm(market->machine), textTerm(market->region)}};
    const SpotInterruptions &known = market->interruptions;
    const auto ofMarket = [&](RemarkText text) {
        return Remark{text, {textTerm(market->machine), textTerm(market->region)}};
    };
    if (known.basis == SpotBasis::None)
        return ofMarket(RemarkText::SpotNoHistory);
    if (known.basis == SpotBasis::History && shapeOf(known.history).upIntervals == 0)
        return ofMarket(RemarkText::SpotNeverCapacity);
    if (one.runs.empty())
        return spotRemark(one.begunEarlier > 0     ? RemarkText::SpotNoWholeRun
                              : one.unfinished > 0 ? RemarkText::SpotNoFinishedRun
                                                   : RemarkText::SpotNoRuns);
    return std::nullopt;
}

class SpotOffers {
public:
    SpotOffers(const SpotPast &past, const Assumptions &assumptions, const SpotRules &rules)
        : m_past(past)
        , m_assumptions(assumptions)
        , m_rules(rules)
    {
    }

    Result<std::vector<Proposal>> run(const std::stop_token &stop)
    {
        std::vector<SpotFound> all = lookAtAll();
        std::vector<Proposal> out;
        std::size_t excluded = 0;
        for (SpotFound &found : all) {
            if (stop.stop_requested())
                return base::fail(base::ErrorCode::Cancelled, "cancelled");
            auto proposal = found.work->tooLarge ? Result<Proposal>(tooLarge(found)) : proposalOf(found, stop);
            if (!proposal && proposal.error().code == base::ErrorCode::Overflow)
                proposal = tooLarge(found);
            GPULEDGER_TRY(proposal);
            if (!proposal->excludedBy || excluded++ < m_rules.mostExcluded)
                out.push_back(std::move(*proposal));
        }
        return out;
    }

    Result<std::optional<ProposalBasis>> basis(const std::string &id, base::UtcTime start, const std::stop_token &stop)
    {
        std::vector<SpotFound> all = lookAtAll();
        const auto found =
            std::find_if(all.begin(), all.end(), [&](const SpotFound &one) { return one.work->id == id; });
        if (found == all.end() || found->excludedBy || found->work->tooLarge)
            return std::optional<ProposalBasis>();
        const auto saved = replaySpotFound(m_past, *found, m_rules, m_models, stop);
        GPULEDGER_TRY(saved);
        return std::optional(basisOf(*found->work, *found->replay, start));
    }

private:
    // Those of the last week, the costliest first, without excluded ones that are not listed; together they share the
    // steps of the replay.
    std::vector<SpotFound> lookAtAll()
    {
        std::vector<const SpotCandidate *> order;
        for (const SpotCandidate &one : m_past.candidates) {
            if (one.held.ticks > 0 && one.lastHour >= m_past.hours - kSpotWeek)
                order.push_back(&one);
        }
        std::stable_sort(order.begin(), order.end(), [](const auto *a, const auto *b) {
            return std::pair(b->cost, std::string_view(a->id)) < std::pair(a->cost, std::string_view(b->id));
        });
        std::vector<SpotFound> all;
        std::size_t excluded = 0;
        for (const SpotCandidate *one : order) {
            SpotFound found = look(*one);
            if (!found.excludedBy || excluded++ < m_rules.mostExcluded)
                all.push_back(std::move(found));
        }
        const auto replayed =
            std::count_if(all.begin(), all.end(), [](const SpotFound &one) { return !one.excludedBy; });
        m_rules.mostRuns =
            std::min(m_rules.mostRuns, m_rules.mostSteps / static_cast<int>(std::max<std::ptrdiff_t>(replayed, 1)));
        return all;
    }

    ProposalBasis basisOf(const SpotCandidate &one, const SpotReplay &replay, base::UtcTime start) const
    {
        ProposalBasis out;
        out.currency = m_past.currency;
        out.hours = m_past.hours;
        out.inputs = {{"paths", static_cast<double>(replay.paths), {}},
                      {"seed", static_cast<double>(m_rules.seed), {}}};
        out.middleSaved = one.ownBase - spotCostAt(replay, 0.5);
        std::vector<std::int64_t> weights;
        for (const SpotPastRun &run : one.runs)
            weights.push_back(run.machines * run.seconds);
        const auto paid = base::allocateInteger(one.ownBase, weights),
                   spend = base::allocateInteger(one.ownCost, weights);
        for (std::size_t i = 0; i < one.runs.size(); ++i)
            out.rows.push_back({start, "run", "run " + std::to_string(i + 1), std::nullopt, paid[i],
                                paid[i] - replay.costOfRun[i], spend[i]});
        return out;
    }

public:
    Result<std::optional<ProposalCurve>> curve(const std::string &id, const std::stop_token &stop)
    {
        const auto one = std::find_if(m_past.candidates.begin(), m_past.candidates.end(),
                                      [&](const SpotCandidate &candidate) { return candidate.id == id; });
        if (one == m_past.candidates.end() || one->held.ticks <= 0 || one->ownBase <= 0)
            return std::optional<ProposalCurve>();
        SpotFound found = look(*one);
        if (found.excludedBy)
            return std::optional<ProposalCurve>();
        GPULEDGER_TRY(choosePools(found, stop));
        return curveOf(found, stop);
    }

private:
    // As the proposal does, with its share of the steps.
    Result<void> choosePools(SpotFound &found, const std::stop_token &stop)
    {
        if (!hasSpotPools(found))
            return {};
        SpotOffers all(m_past, m_assumptions, m_rules);
        all.lookAtAll();
        const auto saved = replaySpotFound(m_past, found, all.m_rules, m_models, stop);
        GPULEDGER_TRY(saved);
        return {};
    }

    // Evenly spaced as logarithms, in whole minutes.
    static std::vector<std::int64_t> curveIntervals(std::int64_t counted)
    {
        constexpr int kSteps = 12;
        constexpr double kFirst = 1, kLast = 240;
        std::vector<std::int64_t> out;
        for (int i = 0; i < kSteps; ++i)
            out.push_back(60 * std::llround(kFirst * std::pow(kLast / kFirst, i / (kSteps - 1.0))));
        if (counted > 0)
            out.push_back(counted);
        std::sort(out.begin(), out.end());
        out.erase(std::unique(out.begin(), out.end()), out.end());
        return out;
    }

    Result<std::optional<ProposalCurve>> curveOf(const SpotFound &found, const std::stop_token &stop)
    {
        constexpr int kIntervals = 13; // together they take about as long as the proposal
        SpotRules rules = m_rules;
        rules.paths = std::min(rules.paths, kSpotCurvePaths);
        rules.mostRuns = m_rules.mostRuns / kIntervals;
        ProposalCurve out;
        out.shape = ProposalCurve::Shape::Intervals;
        out.title = spotRemark(RemarkText::CurveOfCheckpoints);
        out.xAxis = {spotRemark(RemarkText::CurveCheckpointEvery), CurveUnit::Duration, {}, true};
        out.yAxis = {spotRemark(RemarkText::CurveShareOfOnDemand), CurveUnit::Share, {}};
        out.lines.push_back({spotRemark(RemarkText::CurveSpotCost), {}});
        out.reference = CurveReference{spotRemark(RemarkText::CurveOnDemand), 1};
        const std::int64_t counted = found.plan.checkpointEvery;
        const std::vector<SpotPool> pools = found.zones ? found.zones->pools : std::vector<SpotPool>();
        for (const std::int64_t every : curveIntervals(counted)) {
            SpotPlan plan = found.plan;
            plan.checkpointEvery = every;
            if (spotStepsOf(*found.work, *found.market, plan) > m_rules.mostRuns)
                continue; // hopeless, and slow to replay
            const auto replay = replaySpot(*found.work, *found.market, plan, rules, pools, m_models, stop);
            GPULEDGER_TRY(replay);
            const auto share = [&](double quantile) {
                return static_cast<double>(spotCostAt(*replay, quantile)) / static_cast<double>(found.work->ownBase);
            };
            out.x.push_back(static_cast<double>(every));
            out.p10.push_back(share(0.1));
            out.lines.front().y.push_back(share(0.5));
            out.p90.push_back(share(0.9));
        }
        if (out.x.empty())
            return std::optional<ProposalCurve>();
        const auto &costs = out.lines.front().y;
        const double best =
            out.x[static_cast<std::size_t>(std::min_element(costs.begin(), costs.end()) - costs.begin())];
        const auto mark = [&](RemarkText text, double every) {
            const base::Seconds seconds{static_cast<std::int64_t>(every)};
            out.marks.push_back({{text, {durationTerm(seconds)}}, every});
        };
        mark(RemarkText::CurveBestInterval, best);
        if (counted > 0 && static_cast<double>(counted) != best)
            mark(RemarkText::CurveCountedInterval, static_cast<double>(counted));
        return std::optional(std::move(out));
    }

    bool areCheckpointsAssumed(const SpotCandidate &one) const
    {
        return m_assumptions.changed().contains("checkpoint-every")
            || m_assumptions.isConfiguredOf(one.work, "checkpoint-every");
    }

    // What its pods write counts where nobody says more.
    std::optional<std::int64_t> checkpointsOf(const SpotCandidate &one) const
    {
        if (one.checkpointEvery || areCheckpointsAssumed(one))
            return one.checkpointEvery;
        return checkpointsSeen(one.writes);
    }

    SpotPlan planOf(const SpotCandidate &one) const
    {
        SpotPlan plan;
        plan.checkpointEvery = checkpointsOf(one).value_or(m_assumptions.numberOf(one.work, "checkpoint-every"));
        plan.checkpointCost = m_assumptions.numberOf(one.work, "checkpoint-cost");
        plan.restart = m_assumptions.numberOf(one.work, "restart");
        plan.deadline = one.deadline;
        plan.deadlineAt = one.deadlineAt;
        if (!plan.deadline && !plan.deadlineAt)
            plan.deadline = m_assumptions.statedOf(one.work, "deadline");
        plan.slackPercent = m_assumptions.numberOf(one.work, "spot-deadline-slack");
        return plan;
    }

    SpotFound look(const SpotCandidate &one) const
    {
        SpotFound found;
        found.work = &one;
        if (one.market >= 0)
            found.market = &m_past.markets[static_cast<std::size_t>(one.market)];
        found.plan = planOf(one);
        found.checkpointsKnown = checkpointsOf(one) || areCheckpointsAssumed(one);
        found.checkpointsSeen = !one.checkpointEvery && checkpointsOf(one);
        found.excludedBy = kindReason(one, m_assumptions.statedOf(one.work, "interruptible"));
        if (!found.excludedBy && m_past.hours - one.firstHour < 2 * kSpotWeek && one.runs.size() < 2)
            found.excludedBy = spotRemark(RemarkText::SpotFewDays);
        if (!found.excludedBy)
            found.excludedBy = moneyReason(one, m_rules);
        if (!found.excludedBy)
            found.excludedBy = marketReason(one, found.market);
        if (!found.excludedBy) {
            addSpotClosedForms(found);
            found.excludedBy = spotHopeless(found, m_rules);
        }
        return found;
    }

    Proposal tooLarge(SpotFound &found) const
    {
        found.replay.reset();
        found.excludedBy = spotRemark(RemarkText::TooLargeToCompute);
        return spotProposal(m_past, m_assumptions, found);
    }

    Result<Proposal> proposalOf(SpotFound &found, const std::stop_token &stop)
    {
        const SpotCandidate &one = *found.work;
        const auto most = spotAvoidable(m_past, one);
        GPULEDGER_TRY(most);
        std::optional<MoneyBand> band;
        if (!found.excludedBy) {
            const auto saved = replaySpotFound(m_past, found, m_rules, m_models, stop);
            GPULEDGER_TRY(saved);
            band = *saved;
            found.excludedBy = spotRefusal(found);
            if (!found.excludedBy && band->p50.nanos() <= 0)
                found.excludedBy = spotRemark(RemarkText::SpotNotCheaper);
        }
        Proposal out = spotProposal(m_past, m_assumptions, found);
        if (one.ownSeconds > 0)
            out.avoidable = Money(*most, m_past.currency);
        out.perMonth = band;
        if (!out.excludedBy)
            out.frees = spotFreed(m_past, one);
        return out;
    }

    const SpotPast &m_past;
    const Assumptions &m_assumptions;
    SpotRules m_rules;
    SpotModels m_models;
};

} // namespace

Result<std::vector<Proposal>> proposeSpots(const SpotPast &past, const Assumptions &assumptions, const SpotRules &rules,
                                           const std::stop_token &stop)
{
    if (past.hours <= 0)
        return std::vector<Proposal>{};
    return SpotOffers(past, assumptions, rules).run(stop);
}

Result<std::optional<ProposalCurve>> spotCurve(const SpotPast &past, const Assumptions &assumptions,
                                               const std::string &id, const SpotRules &rules,
                                               const std::stop_token &stop)
{
    if (past.hours <= 0)
        return std::optional<ProposalCurve>();
    return SpotOffers(past, assumptions, rules).curve(id, stop);
}

Result<std::optional<ProposalBasis>> spotBasis(const SpotPast &past, const Assumptions &assumptions,
                                               const std::string &id, base::UtcTime start, const SpotRules &rules,
                                               const std::stop_token &stop)
{
    if (past.hours <= 0)
        return std::optional<ProposalBasis>();
    return SpotOffers(past, assumptions, rules).basis(id, start, stop);
}

std::optional<std::int64_t> checkpointsSeen(const SpotWrites &writes)
{
    constexpr std::int64_t kWriteWindow = 300; // seconds
    if (writes.bursts < kFewestBursts || writes.longestWithout > 3 * writes.seconds / writes.bursts)
        return std::nullopt;
    const std::int64_t windows = writes.bursts * kWriteWindow;
    return std::max<std::int64_t>(1, (writes.seconds + windows / 2) / windows) * kWriteWindow;
}

} // namespace gpuledger::savings
