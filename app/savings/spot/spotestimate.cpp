// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/spot/spotestimate.h"

#include "app/savings/spot/capacity/spotmodel.h"
#include "app/savings/spot/capacity/spotratepath.h"
#include "app/savings/spot/daly.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace gpuledger::savings {

using base::ErrorCode;
using base::Money;
using base::Result;

namespace {

constexpr std::int64_t kLongestRun = kLongestSpotState;
constexpr int kMostPaths = 1'000'000;
constexpr int kMostMachines = 100'000; // GPUs
constexpr int kLeastIntervals = 5; // available ones, of a history shorter than twice the work
constexpr std::array kQuantiles{0.1, 0.5, 0.9};

tl::unexpected<base::Error> wrong(const std::string &what)
{
    return base::fail(ErrorCode::InvalidArgument, what);
}

Result<void> checkWork(const SpotWork &work)
{
    if (work.work < 1 || work.work > kLongestRun)
        return wrong("the work must take from a second to ten years");
    if (work.checkpointEvery < 0 || work.checkpointCost < 0 || work.restart < 0 || work.checkpointEvery > kLongestRun
        || work.checkpointCost > kLongestRun || work.restart > kLongestRun)
        return wrong("the checkpoint interval, its cost and the restart must take from nothing to ten years");
    if (work.deadline && (*work.deadline < 1 || *work.deadline > kLongestRun))
        return wrong("the deadline must be from a second to ten years away");
    if (work.gpus < 1 || work.gpus > kMostMachines)
        return wrong("the number of GPUs must be from 1 to " + std::to_string(kMostMachines));
    if (work.onDemand.nanosPerHour() <= 0 || work.spot.nanosPerHour() <= 0)
        return wrong("the prices per GPU-hour must be above zero");
    return {};
}

Result<void> checkHistory(const std::vector<SpotTrace> &past, const SpotWork &work)
{
    const SpotShape shape = shapeOf(past);
    if (shape.observed == 0)
        return base::fail(ErrorCode::NotFound, "there is no interruption history before the start",
                          "start later, or give a rate of interruptions instead of " + std::to_string(past.size())
                              + " traces");
    if (shape.upIntervals < kLeastIntervals && shape.observed < 2 * work.needed(work.work))
        return base::fail(ErrorCode::NotFound,
                          "the interruption history before the start has only " + std::to_string(shape.upIntervals)
                              + " intervals with capacity, too few to project from",
                          "give at least " + std::to_string(kLeastIntervals)
                              + ", a history of twice the work, or a rate of interruptions");
    return {};
}

template <typename T> SpotBand<T> bandOf(std::vector<T> values, std::size_t paths)
{
    std::sort(values.begin(), values.end());
    SpotBand<T> band;
    for (std::size_t i = 0; i < band.size(); ++i) {
        const auto rank = static_cast<std::size_t>(std::ceil(kQuantiles[i] * static_cast<double>(paths)));
        if (rank >= 1 && rank <= values.size())
            band[i] = values[rank - 1];
    }
    return band;
}

// Sums up runs. Amounts are of one currency, so their nanos order them.
class BandSum {
public:
    explicit BandSum(const SpotWork &work)
        : m_work(work)
    {
    }
    Result<void> add(const SpotOutcome &run) { return add(run, run); }
    Result<void> add(const SpotPoolOutcome &pools) { return add(pools.run, pools); }
    SpotBands bands() const
    {
        SpotBands bands;
        const base::Currency currency = m_work.spot.currency();
        const SpotBand<std::int64_t> nanos = bandOf(m_costs, m_paths);
        for (std::size_t i = 0; i < nanos.size(); ++i) {
            if (nanos[i])
                bands.cost[i] = Money{*nanos[i], currency};
        }
        bands.hours = bandOf(m_hours, m_paths);
        bands.interruptions = bandOf(m_interruptions, m_paths);
        if (m_work.deadline)
            bands.missed = part(m_late);
        bands.unfinished = part(m_paths - m_costs.size());
        if (m_costs.size() == m_paths)
            bands.meanCost = Money{static_cast<std::int64_t>(m_sum / static_cast<Wide>(m_paths)), currency};
        return bands;
    }
    double fellBack() const { return part(m_fallen); }

private:
    __extension__ using Wide = __int128;
    // `priced` says what the run cost.
    template <typename Priced> Result<void> add(const SpotOutcome &run, const Priced &priced)
    {
        ++m_paths;
        m_late += m_work.deadline && (!run.finished || run.end > *m_work.deadline) ? 1 : 0;
        m_fallen += run.fellBack ? 1 : 0;
        if (!run.finished)
            return {};
        const auto cost = priced.cost(m_work);
        GPULEDGER_TRY(cost);
        m_costs.push_back(cost->nanos());
        m_sum += cost->nanos();
        m_hours.push_back(static_cast<double>(run.end) / 3600);
        m_interruptions.push_back(run.interruptions);
        return {};
    }
    double part(std::size_t count) const { return static_cast<double>(count) / static_cast<double>(m_paths); }

    const SpotWork &m_work;
    std::size_t m_paths = 0, m_late = 0, m_fallen = 0;
    std::vector<std::int64_t> m_costs;
    std::vector<double> m_hours;
    std::vector<int> m_interruptions;
    Wide m_sum = 0;
};

class SpotFutures {
public:
    SpotFutures(const SpotQuestion &question, const std::vector<SpotTrace> &past, std::int64_t start)
        : m_question(question)
        , m_model(past, start)
    {
    }
    // The same futures for each policy and deadline.
    Result<BandSum> run(SpotPolicy policy) const
    {
        BandSum sum(m_question.work);
        for (int i = 0; i < m_question.paths; ++i)
            GPULEDGER_TRY(sum.add(future(policy, SeededRandom(m_question.seed, static_cast<std::uint64_t>(i)))));
        return sum;
    }

private:
    SpotOutcome future(SpotPolicy policy, SeededRandom random) const
    {
        if (m_model.empty()) {
            SpotRatePath path(m_question.perHour, random);
            return runOnSpot(m_question.work, policy, [&] { return path.next(); });
        }
        SpotModel::Path path(m_model, random, m_question.work.horizon);
        return runOnSpot(m_question.work, policy, [&] { return path.next(); });
    }

    const SpotQuestion &m_question;
    SpotModel m_model;
};

// The same for pools; sums up what they were used for.
class PoolFutures {
public:
    PoolFutures(const SpotQuestion &question, std::vector<SpotPool> past, std::int64_t start)
        : m_question(question)
        , m_correlation(capacityCorrelation(past))
        , m_model(std::move(past), start)
    {
    }
    Result<BandSum> run(SpotPolicy policy)
    {
        BandSum sum(m_question.work);
        m_seconds.assign(m_model.size(), 0);
        m_interruptions.assign(m_model.size(), 0);
        for (int i = 0; i < m_question.paths; ++i) {
            const SpotPoolOutcome one =
                runOnPools(m_question.work, policy, m_model, m_question.seed, static_cast<std::uint64_t>(i));
            GPULEDGER_TRY(sum.add(one));
            for (std::size_t pool = 0; pool < one.seconds.size(); ++pool) {
                m_seconds[pool] += static_cast<double>(one.seconds[pool]);
                m_interruptions[pool] += one.interruptions[pool];
            }
        }
        return sum;
    }
    // Of the last run.
    void addUse(SpotEstimate &estimate) const
    {
        SpotPoolsUse use{{}, m_correlation, m_model.sets()};
        const double seconds = std::accumulate(m_seconds.begin(), m_seconds.end(), 0.0);
        const double all = std::accumulate(m_interruptions.begin(), m_interruptions.end(), 0.0);
        for (std::size_t pool = 0; pool < m_seconds.size(); ++pool)
            use.pools.push_back(
                {seconds > 0 ? m_seconds[pool] / seconds : 0, m_interruptions[pool] / m_question.paths});
        estimate.perHour = seconds > 0 ? 3600 * all / seconds : 0;
        estimate.pools = std::move(use);
    }

private:
    const SpotQuestion &m_question;
    std::optional<double> m_correlation;
    SpotPoolModel m_model;
    std::vector<double> m_seconds, m_interruptions; // by pool
};

std::optional<Money> costOfHours(const SpotWork &work, double hours)
{
    if (!std::isfinite(hours) || hours * 3600 > static_cast<double>(kLongestRun))
        return std::nullopt;
    const auto cost =
        work.spot.times(base::GpuTime::wholeDevice(base::Seconds{std::llround(hours * 3600) * work.gpus}));
    return cost ? std::optional(*cost) : std::nullopt;
}

SpotReason reasonOf(const SpotEstimate &estimate, const SpotWork &work)
{
    const SpotBands &bands = estimate.waiting;
    if (work.deadline && *work.deadline < work.needed(work.work))
        return SpotReason::DeadlineTooShort;
    if (work.checkpointEvery == 0 && estimate.expectedHours > kSpotHopeless * estimate.onDemandHours)
        return SpotReason::NeverEnds;
    if (work.deadline && (!bands.hours[2] || *bands.hours[2] * 3600 > static_cast<double>(*work.deadline)))
        return SpotReason::DeadlineAtRisk;
    if (bands.unfinished > kSpotMostUnfinished)
        return SpotReason::NoCapacity;
    if (!bands.cost[1] || bands.cost[1]->nanos() >= estimate.onDemandCost.nanos())
        return SpotReason::NotCheaper;
    return SpotReason::Suitable;
}

void addClosedForm(SpotEstimate &estimate, const SpotWork &work)
{
    estimate.expectedHours = dalyHours(work, estimate.perHour);
    SpotWork best = work;
    best.checkpointEvery = estimate.bestEvery = dalyBestInterval(work, estimate.perHour);
    estimate.bestCost = costOfHours(work, dalyHours(best, estimate.perHour));
}

Result<void> checkPools(const SpotQuestion &question)
{
    if (question.pools.size() > kMostSpotPools)
        return wrong("there can be at most " + std::to_string(kMostSpotPools) + " pools");
    for (const SpotPool &pool : question.pools) {
        if (pool.price.nanosPerHour() <= 0)
            return wrong("the prices per GPU-hour must be above zero");
    }
    return {};
}

std::vector<SpotTrace> historiesOf(const SpotQuestion &question)
{
    std::vector<SpotTrace> all = question.history;
    if (!question.pools.empty())
        all.clear();
    for (const SpotPool &pool : question.pools)
        all.push_back(pool.history);
    return all;
}

// The bands of both policies.
template <typename Futures> Result<void> addBands(SpotEstimate &estimate, const SpotWork &work, Futures &futures)
{
    if (work.deadline) {
        const auto fallback = futures.run(SpotPolicy::FallBack);
        GPULEDGER_TRY(fallback);
        estimate.fallback = fallback->bands();
        estimate.fellBack = fallback->fellBack();
    }
    const auto waiting = futures.run(SpotPolicy::Wait);
    GPULEDGER_TRY(waiting);
    estimate.waiting = waiting->bands();
    return {};
}

// `past`: of the pools, or of the history.
Result<void> addFuturesOf(SpotEstimate &estimate, const SpotQuestion &question, const std::vector<SpotTrace> &past,
                          std::int64_t start)
{
    if (question.pools.empty()) {
        const SpotFutures futures(question, past, start);
        return addBands(estimate, question.work, futures);
    }
    std::vector<SpotPool> pools = question.pools;
    for (std::size_t i = 0; i < pools.size(); ++i)
        pools[i].history = past[i];
    PoolFutures futures(question, std::move(pools), start);
    GPULEDGER_TRY(addBands(estimate, question.work, futures));
    futures.addUse(estimate);
    return {};
}

} // namespace

std::int64_t usualHorizon(const SpotWork &work)
{
    return std::min(kLongestRun,
                    std::max({10 * work.needed(work.work), std::int64_t{30 * 86400}, work.deadline.value_or(0)}));
}

Result<SpotEstimate> estimateSpot(SpotQuestion question)
{
    SpotWork &work = question.work;
    GPULEDGER_TRY(checkWork(work));
    if (question.paths < 1 || question.paths > kMostPaths || !(question.perHour >= 0 && question.perHour <= 3600))
        return wrong("the rate must be from 0 to 3600 interruptions per hour, and there must be paths");
    work.horizon = std::min(kLongestRun,
                            std::max(work.horizon > 0 ? work.horizon : usualHorizon(work), work.deadline.value_or(0)));
    GPULEDGER_TRY(checkPools(question));
    const std::vector<SpotTrace> histories = historiesOf(question);
    std::vector<SpotTrace> past;
    std::int64_t start = 0;
    for (const SpotTrace &trace : histories)
        start = std::max(start, trace.end());
    start = question.start.value_or(start);
    for (const SpotTrace &trace : histories)
        past.push_back(before(trace, start));
    SpotEstimate estimate;
    estimate.perHour = question.perHour;
    if (!histories.empty()) {
        GPULEDGER_TRY(checkHistory(past, work));
        estimate.shape = shapeOf(past);
        estimate.perHour = estimate.shape.perHour();
    }
    const auto onDemand = work.onDemand.times(base::GpuTime::wholeDevice(base::Seconds{work.work * work.gpus}));
    GPULEDGER_TRY(onDemand);
    estimate.onDemandCost = *onDemand;
    estimate.onDemandHours = static_cast<double>(work.work) / 3600;
    GPULEDGER_TRY(addFuturesOf(estimate, question, past, start));
    addClosedForm(estimate, work);
    if (estimate.waiting.meanCost && !onDemand->isZero())
        estimate.discount = 1 - estimate.waiting.meanCost->toDouble() / onDemand->toDouble();
    estimate.reason = reasonOf(estimate, work);
    return estimate;
}

} // namespace gpuledger::savings
