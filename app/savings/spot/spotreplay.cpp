// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/spot/spotreplay.h"

#include "app/savings/spot/capacity/spotmodel.h"
#include "app/savings/spot/capacity/spotratepath.h"
#include "app/savings/spot/daly.h"
#include "app/savings/spot/spotestimate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace gpuledger::savings {

using base::ErrorCode;
using base::Result;

namespace {

__extension__ using SpotWide = __int128;

constexpr std::uint64_t kSpotPriceStream = 0x7072696365; // apart from that of the interruptions

struct SpotSums {
    std::int64_t runs = 0, interruptions = 0;
    double time = 0, late = 0, unfinished = 0; // machine-seconds of work: of all, and of such runs
    double end = 0, work = 0, paid = 0, wanted = 0; // seconds; the last two on spot machines
};

std::int64_t futureStart(const SpotInterruptions &known)
{
    std::int64_t end = 0;
    for (const SpotTrace &trace : known.history)
        end = std::max(end, trace.end());
    return known.now.value_or(end);
}

std::int64_t onDemandNanosOf(const SpotCandidate &work)
{
    const SpotWide rate = work.ownSeconds > 0 ? SpotWide{work.ownCost} * 3600 / work.ownSeconds : 0;
    return static_cast<std::int64_t>(std::clamp<SpotWide>(rate, 0, std::numeric_limits<std::int64_t>::max()));
}

// Of a machine: as the history has them, or by day, if these are known for at least half of the history.
std::vector<SpotPriceStep> pricesOver(const SpotPrice &price, const SpotTrace &trace)
{
    std::vector<SpotPriceStep> steps;
    if (price.ofHistory) {
        for (const SpotPriceStep &one : trace.prices)
            steps.push_back({one.start, one.nanosPerHour * std::max(trace.gpus, 1)});
        return steps;
    }
    std::int64_t known = 0;
    if (price.days.size() != price.perHour.size())
        return steps;
    for (std::size_t i = 0; i < price.days.size(); ++i) {
        const std::int64_t from = base::toUnix(price.days[i].start()), to = from + base::kDay.count();
        steps.push_back({from, price.perHour[i].nanosPerHour()});
        known += std::max<std::int64_t>(0, std::min(to, trace.end()) - std::max(from, trace.begin()));
    }
    return 2 * known >= trace.end() - trace.begin() ? steps : std::vector<SpotPriceStep>();
}

// The prices of one machine type, each as likely as it has time.
class SpotPriceDraw {
public:
    explicit SpotPriceDraw(const SpotPrice &price)
        : m_price(price)
    {
        if (price.seconds.size() != price.perHour.size())
            return;
        for (const std::int64_t seconds : price.seconds)
            m_until.push_back((m_until.empty() ? 0 : m_until.back()) + std::max<std::int64_t>(seconds, 1));
    }
    std::int64_t nanosPerHour(SeededRandom random) const
    {
        const auto &prices = m_price.perHour;
        if (m_until.empty())
            return prices[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(prices.size())))]
                .nanosPerHour();
        const auto at = std::upper_bound(m_until.begin(), m_until.end(), random.below(m_until.back()));
        return prices[static_cast<std::size_t>(at - m_until.begin())].nanosPerHour();
    }

private:
    const SpotPrice &m_price;
    std::vector<std::int64_t> m_until; // sums of the times of the prices
};

class SpotReplayer {
public:
    SpotReplayer(const SpotCandidate &work, const SpotMarket &market, const SpotPlan &plan, const SpotRules &rules,
                 const std::vector<SpotPool> &pools, SpotModels &models)
        : m_work(work)
        , m_market(market)
        , m_plan(plan)
        , m_rules(rules)
        , m_model(models.of(pools.empty() ? market.interruptions.history : std::vector<SpotTrace>(),
                            futureStart(market.interruptions)))
        , m_follows(!pools.empty() && !pools.front().history.prices.empty())
        , m_pools(models.of(pools, futureStart(market.interruptions)))
    {
        m_ofRuns.resize(work.runs.size(), 0);
        for (const SpotPastRun &run : work.runs)
            m_machineSeconds += SpotWide{run.machines} * run.seconds;
        m_prices.emplace_back(*market.price);
        for (const SpotOther &other : market.others)
            m_prices.emplace_back(other.price);
        for (const SpotPool &pool : pools)
            m_priceOfPool.push_back(priceOf(pool));
    }

    Result<SpotReplay> run(const std::stop_token &stop)
    {
        SpotReplay out;
        const auto runs = static_cast<std::int64_t>(m_work.runs.size());
        out.paths = static_cast<int>(std::min<double>(
            m_rules.paths,
            std::max<double>(kFewestSpotPaths, m_rules.mostRuns / spotStepsOf(m_work, m_market, m_plan))));
        for (int i = 0; i < out.paths; ++i) {
            const auto cost = path(static_cast<std::uint64_t>(i) * static_cast<std::uint64_t>(runs), stop);
            GPULEDGER_TRY(cost);
            out.cost.push_back(*cost);
        }
        std::sort(out.cost.begin(), out.cost.end());
        for (const double sum : m_ofRuns)
            out.costOfRun.push_back(std::llround(sum / out.paths));
        const auto all = static_cast<double>(m_sums.runs);
        out.interruptions = static_cast<double>(m_sums.interruptions) / all;
        out.lost = m_sums.paid > 0 ? std::max(0.0, 1 - m_sums.wanted / m_sums.paid) : 0;
        out.later = m_sums.end / m_sums.work - 1;
        out.missed = m_sums.late / m_sums.time;
        out.unfinished = m_sums.unfinished / m_sums.time;
        out.sets = m_pools.sets();
        return out;
    }

private:
    SpotOutcome future(const SpotWork &work, const SpotPastRun &run, std::uint64_t stream) const
    {
        const SeededRandom random(m_rules.seed, stream);
        if (m_model.empty()) {
            SpotRatePath rate(m_market.interruptions.perHour * run.machines, random);
            return runOnSpot(work, SpotPolicy::Wait, [&] { return rate.next(); });
        }
        SpotModel::Path past(m_model, random, work.horizon);
        return runOnSpot(work, SpotPolicy::Wait, [&] { return past.next(); });
    }

    // The place of its type's price in m_prices.
    std::size_t priceOf(const SpotPool &pool) const
    {
        const auto other = std::find_if(m_market.others.begin(), m_market.others.end(),
                                        [&](const SpotOther &one) { return one.machine == pool.history.instanceType; });
        return other == m_market.others.end() ? 0 : static_cast<std::size_t>(other - m_market.others.begin()) + 1;
    }

    std::int64_t drawnPrice(std::size_t type, std::uint64_t stream) const
    {
        return m_prices[type].nanosPerHour(SeededRandom(m_rules.seed ^ kSpotPriceStream, stream));
    }

    // What the machine time that counts would have cost in one future, in nano-units.
    Result<std::int64_t> path(std::uint64_t stream, const std::stop_token &stop)
    {
        SpotWide sum = 0; // nano-units x seconds / hour
        bool fits = true;
        const auto add = [&](SpotWide seconds, std::int64_t nanosPerHour) {
            SpotWide part = 0;
            fits = !__builtin_mul_overflow(seconds, SpotWide{nanosPerHour}, &part)
                && !__builtin_add_overflow(sum, part, &sum) && fits;
        };
        for (std::size_t i = 0; i < m_work.runs.size(); ++i) {
            const SpotPastRun &run = m_work.runs[i];
            const SpotWide before = sum;
            if (stop.stop_requested())
                return base::fail(ErrorCode::Cancelled, "cancelled");
            const SpotWork work = spotWorkOf(m_plan, run);
            SpotOutcome end;
            if (m_pools.empty()) {
                end = future(work, run, stream);
                add(SpotWide{run.machines} * end.spotSeconds, drawnPrice(0, stream));
            } else {
                const SpotPoolOutcome moved = runOnPools(work, SpotPolicy::Wait, m_pools, m_rules.seed, stream);
                end = moved.run;
                if (m_follows)
                    add(run.machines * moved.nanoSeconds, 1);
                for (std::size_t pool = 0; pool < moved.seconds.size() && !m_follows; ++pool) {
                    if (moved.seconds[pool] > 0)
                        add(SpotWide{run.machines} * moved.seconds[pool], drawnPrice(m_priceOfPool[pool], stream));
                }
            }
            if (!end.finished) // it is then done on demand, from its start
                add(SpotWide{run.machines} * run.seconds, onDemandNanosOf(m_work));
            note(work, run, end);
            m_ofRuns[i] += static_cast<double>(sum - before) * static_cast<double>(m_work.ownSeconds)
                / static_cast<double>(m_machineSeconds) / 3600;
            ++stream;
        }
        SpotWide scaled = 0;
        fits = !__builtin_mul_overflow(sum, SpotWide{m_work.ownSeconds}, &scaled) && fits;
        const SpotWide cost = (scaled / m_machineSeconds + 3599) / 3600;
        if (!fits || cost > std::numeric_limits<std::int64_t>::max())
            return base::fail(ErrorCode::Overflow, "the cost of a workload on spot machines is too large");
        return static_cast<std::int64_t>(cost);
    }

    void note(const SpotWork &work, const SpotPastRun &run, const SpotOutcome &end)
    {
        const std::int64_t deadline = deadlineOf(m_plan, run);
        const std::int64_t until = end.finished ? end.end : work.horizon;
        ++m_sums.runs;
        const double time = static_cast<double>(run.machines) * static_cast<double>(run.seconds);
        m_sums.time += time;
        m_sums.late += until > deadline ? time : 0;
        m_sums.unfinished += end.finished ? 0 : time;
        m_sums.interruptions += end.interruptions;
        m_sums.end += static_cast<double>(until);
        m_sums.work += static_cast<double>(run.seconds);
        m_sums.paid += static_cast<double>(run.machines) * static_cast<double>(end.spotSeconds);
        m_sums.wanted +=
            end.finished ? static_cast<double>(run.machines) * static_cast<double>(work.needed(work.work)) : 0;
    }

    const SpotCandidate &m_work;
    const SpotMarket &m_market;
    const SpotPlan &m_plan;
    const SpotRules &m_rules;
    const SpotModel &m_model;
    const bool m_follows; // prices are those of the pools
    const SpotPoolModel &m_pools; // empty: one zone, or a rate
    std::vector<SpotPriceDraw> m_prices; // of the market, then of its others
    std::vector<std::size_t> m_priceOfPool;
    SpotWide m_machineSeconds = 0;
    SpotSums m_sums;
    std::vector<double> m_ofRuns; // nano-units, sums of all paths
};

bool hasPools(const SpotCandidate &work, const SpotMarket &market)
{
    return market.interruptions.basis == SpotBasis::History && !work.runs.empty() && market.price
        && !market.price->perHour.empty();
}

// The zones of one machine type, with prices of the whole machine.
std::vector<SpotPool> poolsOfType(const std::vector<SpotTrace> &history, const SpotPrice &price)
{
    std::vector<SpotPool> pools = poolsOf(history, meanSpotRate(price));
    for (SpotPool &pool : pools)
        pool.history.prices = pricesOver(price, pool.history);
    return pools;
}

// All, or the best for the longest run. They have prices over time if each has.
std::vector<SpotPool> bestOf(std::vector<SpotPool> pools, const SpotCandidate &work, const SpotMarket &market,
                             const SpotPlan &plan, const SpotRules &rules, SpotModels &models)
{
    const bool isKnown =
        std::none_of(pools.begin(), pools.end(), [](const SpotPool &pool) { return pool.history.prices.empty(); });
    for (SpotPool &pool : pools) {
        if (!isKnown)
            pool.history.prices.clear();
    }
    const SpotPastRun &longest =
        *std::max_element(work.runs.begin(), work.runs.end(),
                          [](const SpotPastRun &a, const SpotPastRun &b) { return a.seconds < b.seconds; });
    SpotWork one = spotWorkOf(plan, longest);
    one.onDemand = base::Rate(onDemandNanosOf(work), market.price->perHour.front().currency());
    return models.cheapest(one, std::move(pools), futureStart(market.interruptions), rules.seed);
}

} // namespace

base::Rate meanSpotRate(const SpotPrice &price)
{
    SpotWide sum = 0, time = 0;
    for (std::size_t i = 0; i < price.perHour.size(); ++i) {
        const std::int64_t seconds = i < price.seconds.size() ? std::max<std::int64_t>(price.seconds[i], 1) : 1;
        sum += SpotWide{price.perHour[i].nanosPerHour()} * seconds;
        time += seconds;
    }
    return {static_cast<std::int64_t>(sum / time), price.perHour.front().currency()};
}

std::vector<SpotPool> spotPoolsOf(const SpotCandidate &work, const SpotMarket &market, const SpotPlan &plan,
                                  const SpotRules &rules, SpotModels &models)
{
    if (!hasPools(work, market))
        return {};
    std::vector<SpotPool> pools = poolsOfType(market.interruptions.history, *market.price);
    return pools.size() < 2 ? std::vector<SpotPool>() : bestOf(std::move(pools), work, market, plan, rules, models);
}

std::vector<SpotPool> spotTypePoolsOf(const SpotCandidate &work, const SpotMarket &market, const SpotPlan &plan,
                                      const SpotRules &rules, SpotModels &models)
{
    if (market.others.empty() || !hasPools(work, market))
        return {};
    std::vector<SpotPool> pools = poolsOfType(market.interruptions.history, *market.price);
    for (const SpotOther &other : market.others) {
        for (SpotPool &pool : poolsOfType(other.history, other.price))
            pools.push_back(std::move(pool));
    }
    return bestOf(std::move(pools), work, market, plan, rules, models);
}

std::int64_t deadlineOf(const SpotPlan &plan, const SpotPastRun &run)
{
    if (plan.deadlineAt && *plan.deadlineAt > run.start)
        return (*plan.deadlineAt - run.start).count();
    return plan.deadline.value_or(run.seconds + run.seconds * plan.slackPercent / 100);
}

SpotWork spotWorkOf(const SpotPlan &plan, const SpotPastRun &run)
{
    SpotWork work;
    work.work = run.seconds;
    work.checkpointEvery = plan.checkpointEvery;
    work.checkpointCost = plan.checkpointCost;
    work.restart = plan.restart;
    work.horizon = usualHorizon(work);
    return work;
}

double spotRateOf(const SpotInterruptions &interruptions)
{
    return interruptions.basis == SpotBasis::History ? shapeOf(interruptions.history).perHour() : interruptions.perHour;
}

double spotStepsOf(const SpotCandidate &work, const SpotMarket &market, const SpotPlan &plan)
{
    const double states = market.interruptions.basis == SpotBasis::History ? 2 : 1; // of one interruption
    const double each = spotRateOf(market.interruptions);
    double sum = 0;
    for (const SpotPastRun &run : work.runs) {
        const double perHour = each * run.machines;
        sum += perHour > 0 ? states * perHour * dalyHours(spotWorkOf(plan, run), perHour) : 0;
    }
    return std::max(sum, static_cast<double>(work.runs.size()));
}

Result<SpotReplay> replaySpot(const SpotCandidate &work, const SpotMarket &market, const SpotPlan &plan,
                              const SpotRules &rules, const std::stop_token &stop)
{
    SpotModels models;
    return replaySpot(work, market, plan, rules, spotPoolsOf(work, market, plan, rules, models), models, stop);
}

Result<SpotReplay> replaySpot(const SpotCandidate &work, const SpotMarket &market, const SpotPlan &plan,
                              const SpotRules &rules, const std::vector<SpotPool> &pools, SpotModels &models,
                              const std::stop_token &stop)
{
    return SpotReplayer(work, market, plan, rules, pools, models).run(stop);
}

} // namespace gpuledger::savings
