// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/spot/capacity/spotpools.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace gpuledger::savings {

namespace {

constexpr std::uint64_t kSpotSetStream = 0x73657473; // apart from each other
constexpr int kChoicePaths = 200;

struct CommonTime {
    std::int64_t from = 0, to = 0;
    std::int64_t length() const { return std::max<std::int64_t>(to - from, 0); }
};

CommonTime commonTime(const CommonTime &a, const CommonTime &b)
{
    return {std::max(a.from, b.from), std::min(a.to, b.to)};
}

CommonTime timeOf(const SpotTrace &trace)
{
    return {trace.begin(), trace.end()};
}

// Walks through the capacity and the price of a trace; the seconds asked for ascend.
class TraceCursor {
public:
    explicit TraceCursor(const SpotPool &pool)
        : m_pool(pool)
    {
    }
    bool isUpAt(std::int64_t second)
    {
        const auto &all = m_pool.history.intervals;
        while (m_interval + 1 < all.size() && all[m_interval].end() <= second)
            ++m_interval;
        return m_interval < all.size() && all[m_interval].available;
    }
    std::int64_t priceAt(std::int64_t second)
    {
        const auto &all = m_pool.history.prices;
        while (m_price < all.size() && all[m_price].start <= second)
            ++m_price;
        return m_price > 0 ? all[m_price - 1].nanosPerHour : m_pool.price.nanosPerHour();
    }

private:
    const SpotPool &m_pool;
    std::size_t m_interval = 0, m_price = 0;
};

std::optional<double> pairCorrelation(const SpotPool &a, const SpotPool &b)
{
    const CommonTime time = commonTime(timeOf(a.history), timeOf(b.history));
    if (time.length() == 0)
        return std::nullopt;
    std::set<std::int64_t> ends{time.to};
    for (const SpotPool *pool : {&a, &b}) {
        for (const SpotInterval &one : pool->history.intervals) {
            if (one.end() > time.from && one.end() < time.to)
                ends.insert(one.end());
        }
    }
    TraceCursor first(a), second(b);
    double both = 0, ofFirst = 0, ofSecond = 0;
    std::int64_t at = time.from;
    for (const std::int64_t end : ends) {
        const double part = static_cast<double>(end - at) / static_cast<double>(time.length());
        const bool isFirst = first.isUpAt(at), isSecond = second.isUpAt(at);
        ofFirst += isFirst ? part : 0;
        ofSecond += isSecond ? part : 0;
        both += isFirst && isSecond ? part : 0;
        at = end;
    }
    const double spread = ofFirst * (1 - ofFirst) * ofSecond * (1 - ofSecond);
    if (spread < 1e-18)
        return std::nullopt;
    return std::clamp((both - ofFirst * ofSecond) / std::sqrt(spread), -1.0, 1.0);
}

} // namespace

std::vector<SpotPool> poolsOf(const std::vector<SpotTrace> &traces, base::Rate price)
{
    std::vector<SpotPool> out;
    for (const SpotTrace &trace : traces) {
        const auto same = std::find_if(out.begin(), out.end(), [&](const SpotPool &pool) {
            return pool.history.zone == trace.zone && pool.history.instanceType == trace.instanceType;
        });
        if (same == out.end())
            out.push_back({trace, price});
        else if (trace.end() > same->history.end())
            same->history = trace;
    }
    return out;
}

std::optional<double> capacityCorrelation(const std::vector<SpotPool> &pools)
{
    double sum = 0;
    int pairs = 0;
    for (std::size_t a = 0; a < pools.size(); ++a) {
        for (std::size_t b = a + 1; b < pools.size(); ++b) {
            if (const auto one = pairCorrelation(pools[a], pools[b])) {
                sum += *one;
                ++pairs;
            }
        }
    }
    return pairs > 0 ? std::optional(sum / pairs) : std::nullopt;
}

SpotPoolModel::SpotPoolModel(std::vector<SpotPool> pools, std::int64_t start, SpotTuning tuning)
    : m_pools(std::move(pools))
{
    if (m_pools.size() > kMostSpotPools)
        m_pools.resize(kMostSpotPools);
    struct Draft {
        std::vector<std::size_t> pools;
        CommonTime time;
    };
    std::vector<Draft> drafts;
    for (std::size_t i = 0; i < m_pools.size(); ++i) {
        m_perHour.push_back(shapeOf({m_pools[i].history}).perHour());
        const CommonTime own = timeOf(m_pools[i].history);
        if (own.length() == 0)
            continue;
        const auto fits = std::find_if(drafts.begin(), drafts.end(), [&](const Draft &draft) {
            return 2 * commonTime(draft.time, own).length() >= std::min(draft.time.length(), own.length());
        });
        if (fits == drafts.end()) {
            drafts.push_back({{i}, own});
            continue;
        }
        fits->pools.push_back(i);
        fits->time = commonTime(fits->time, own);
    }
    for (Draft &draft : drafts)
        m_sets.push_back(setOf(std::move(draft.pools), draft.time.from, draft.time.to, start, tuning));
}

// Whether the same pools have capacity as in the last one; times in which they do not change are joined.
std::vector<SpotInterval> SpotPoolModel::timesAsLast(const std::vector<Joint> &joint)
{
    std::vector<SpotInterval> out;
    for (std::size_t i = 0; i < joint.size(); ++i) {
        if (i > 0 && joint[i].available == joint[i - 1].available)
            out.back().length += joint[i].length;
        else
            out.push_back({joint[i].start, joint[i].length, joint[i].available == joint.back().available});
    }
    return out;
}

SpotPoolModel::Set SpotPoolModel::setOf(std::vector<std::size_t> pools, std::int64_t from, std::int64_t to,
                                        std::int64_t start, const SpotTuning &tuning) const
{
    std::set<std::int64_t> begins{from};
    std::vector<TraceCursor> cursors;
    for (const std::size_t pool : pools) {
        cursors.emplace_back(m_pools[pool]);
        for (const SpotInterval &one : m_pools[pool].history.intervals)
            begins.insert(std::clamp(one.start, from, to));
        for (const SpotPriceStep &one : m_pools[pool].history.prices)
            begins.insert(std::clamp(one.start, from, to));
    }
    begins.erase(to);
    std::vector<Joint> joint;
    SpotTrace any;
    for (auto at = begins.begin(); at != begins.end(); ++at) {
        const auto next = std::next(at);
        Joint one{*at, (next == begins.end() ? to : *next) - *at, 0, {}};
        for (std::size_t i = 0; i < pools.size(); ++i) {
            one.available |= cursors[i].isUpAt(*at) ? 1U << pools[i] : 0U;
            one.nanosPerHour[pools[i]] = cursors[i].priceAt(*at);
        }
        const bool isUp = one.available != 0;
        if (!any.intervals.empty() && any.intervals.back().available == isUp)
            any.intervals.back().length += one.length;
        else
            any.intervals.push_back({one.start, one.length, isUp});
        joint.push_back(one);
    }
    const bool isAlwaysUp = any.intervals.size() == 1 && any.intervals.front().available;
    SpotModel model = isAlwaysUp ? SpotModel(std::move(any), timesAsLast(joint), start, tuning)
                                 : SpotModel({std::move(any)}, start, tuning);
    return {std::move(pools), std::move(joint), std::move(model)};
}

int SpotPoolModel::best(const SpotPoolState &state) const
{
    int best = -1;
    const auto rank = [&](int pool) {
        const auto at = static_cast<std::size_t>(pool);
        return std::tuple(state.nanosPerHour[at], m_perHour[at], pool);
    };
    for (int pool = 0; pool < static_cast<int>(m_pools.size()); ++pool) {
        if ((state.available >> pool & 1U) != 0 && (best < 0 || rank(pool) < rank(best)))
            best = pool;
    }
    return best;
}

SpotPoolModel::SetPath::SetPath(const Set &set, SeededRandom random, std::int64_t horizon)
    : m_set(set)
    , m_path(set.any, random, horizon)
{
    advance();
}

void SpotPoolModel::SetPath::takePiece()
{
    const SpotPiece piece = m_path.nextPiece();
    if (m_available != piece.state.available)
        m_raw = m_given = 0;
    m_available = piece.state.available;
    m_at = piece.from;
    m_end = piece.from + piece.state.seconds;
    const auto after = std::upper_bound(m_set.joint.begin(), m_set.joint.end(), m_at,
                                        [](std::int64_t second, const Joint &one) { return second < one.start; });
    m_next = static_cast<std::size_t>(after - m_set.joint.begin()) - 1;
}

// To the next time that is, stretched, at least a second long.
void SpotPoolModel::SetPath::advance()
{
    while (m_left == 0) {
        if (m_at >= m_end)
            takePiece();
        m_index = m_next++;
        const Joint &one = m_set.joint[m_index];
        const std::int64_t end = std::min(m_end, one.start + one.length);
        m_raw += end - m_at;
        m_at = end;
        const auto until = static_cast<std::int64_t>(
            std::llround(static_cast<double>(m_raw) * m_path.stretch(m_available.value_or(false))));
        m_left = std::max<std::int64_t>(until - m_given, 0);
        if (m_left == 0 && m_given == 0 && m_at >= m_end)
            m_left = 1;
        m_given += m_left;
    }
}

void SpotPoolModel::SetPath::pass(std::int64_t seconds)
{
    m_left -= seconds;
    advance();
}

SpotPoolModel::Path::Path(const SpotPoolModel &model, std::uint64_t seed, std::uint64_t path, std::int64_t horizon)
{
    for (std::size_t i = 0; i < model.m_sets.size(); ++i)
        m_sets.emplace_back(model.m_sets[i], SeededRandom(seed ^ (kSpotSetStream * i), path), horizon);
}

SpotPoolState SpotPoolModel::Path::next()
{
    SpotPoolState out;
    out.seconds = std::numeric_limits<std::int64_t>::max();
    for (const SetPath &set : m_sets) {
        out.seconds = std::min(out.seconds, set.left());
        out.available |= set.now().available;
        for (const std::size_t pool : set.pools())
            out.nanosPerHour[pool] = set.now().nanosPerHour[pool];
    }
    for (SetPath &set : m_sets)
        set.pass(out.seconds);
    return out;
}

base::Result<base::Money> SpotPoolOutcome::cost(const SpotWork &work) const
{
    const auto onDemand =
        work.onDemand.times(base::GpuTime::wholeDevice(base::Seconds{run.onDemandSeconds * work.gpus}));
    GPULEDGER_TRY(onDemand);
    Wide onSpot = 0;
    if (__builtin_mul_overflow(nanoSeconds, Wide{work.gpus}, &onSpot)
        || onSpot / 3600 > std::numeric_limits<std::int64_t>::max())
        return base::fail(base::ErrorCode::Overflow, "the cost on spot machines is too large");
    return base::Money(static_cast<std::int64_t>(onSpot / 3600), work.spot.currency()).plus(*onDemand);
}

namespace {

// The states between two interruptions in one pool, or until one has capacity.
struct SpotStay {
    int pool = -1;
    std::int64_t seconds = 0;
    std::vector<std::pair<std::int64_t, std::int64_t>> prices; // from second of the stay, nano-units per GPU-hour
};

class SpotStays {
public:
    SpotStays(const SpotPoolModel &model, std::uint64_t seed, std::uint64_t path, std::int64_t horizon)
        : m_model(model)
        , m_path(model, seed, path, horizon)
        , m_horizon(horizon)
        , m_state(m_path.next())
    {
    }
    // A stay that lasts longer than the horizon is cut there.
    void next(SpotStay &stay)
    {
        stay.pool = m_model.best(m_state);
        stay.seconds = 0;
        stay.prices.clear();
        do {
            const std::int64_t nanos = stay.pool < 0 ? 0 : m_state.nanosPerHour[static_cast<std::size_t>(stay.pool)];
            if (stay.prices.empty() || stay.prices.back().second != nanos)
                stay.prices.emplace_back(stay.seconds, nanos);
            stay.seconds += m_state.seconds;
            m_state = m_path.next();
        } while (goesOn(stay.pool) && stay.seconds <= m_horizon);
    }

private:
    bool goesOn(int pool) const { return pool < 0 ? m_state.available == 0 : (m_state.available >> pool & 1U) != 0; }

    const SpotPoolModel &m_model;
    SpotPoolModel::Path m_path;
    std::int64_t m_horizon;
    SpotPoolState m_state;
};

// What the first `paid` seconds of a stay cost.
SpotPoolOutcome::Wide stayCost(const SpotStay &stay, std::int64_t paid)
{
    SpotPoolOutcome::Wide sum = 0;
    for (std::size_t i = 0; i < stay.prices.size(); ++i) {
        const std::int64_t end = i + 1 < stay.prices.size() ? stay.prices[i + 1].first : stay.seconds;
        const std::int64_t seconds = std::min(end, paid) - stay.prices[i].first;
        sum += seconds > 0 ? SpotPoolOutcome::Wide{seconds} * stay.prices[i].second : 0;
    }
    return sum;
}

} // namespace

SpotPoolOutcome runOnPools(const SpotWork &work, SpotPolicy policy, const SpotPoolModel &model, std::uint64_t seed,
                           std::uint64_t path)
{
    SpotPoolOutcome out;
    out.seconds.resize(model.size());
    out.interruptions.resize(model.size());
    SpotRun run(work, policy);
    SpotStays stays(model, seed, path, work.horizon);
    SpotStay stay;
    for (bool isOn = true; isOn;) {
        stays.next(stay);
        const std::int64_t paid = run.outcome().spotSeconds;
        const int interruptions = run.outcome().interruptions;
        isOn = run.pass(stay.seconds, stay.pool >= 0);
        if (stay.pool < 0)
            continue;
        const auto pool = static_cast<std::size_t>(stay.pool);
        const std::int64_t more = run.outcome().spotSeconds - paid;
        out.seconds[pool] += more;
        out.interruptions[pool] += run.outcome().interruptions - interruptions;
        out.nanoSeconds += stayCost(stay, more);
    }
    out.run = run.outcome();
    return out;
}

double meanPoolCost(const SpotWork &work, const SpotPoolModel &model, std::uint64_t seed)
{
    if (model.empty())
        return std::numeric_limits<double>::infinity();
    double sum = 0;
    for (int i = 0; i < kChoicePaths; ++i) {
        const SpotPoolOutcome one = runOnPools(work, SpotPolicy::Wait, model, seed, static_cast<std::uint64_t>(i));
        sum += static_cast<double>(one.nanoSeconds);
        sum +=
            one.run.finished ? 0 : static_cast<double>(work.work) * static_cast<double>(work.onDemand.nanosPerHour());
    }
    return sum;
}

SpotPoolSet cheapestPoolSet(std::size_t pools, std::size_t most,
                            const std::function<double(const SpotPoolSet &)> &meanCost)
{
    SpotPoolSet left(pools), set;
    std::iota(left.begin(), left.end(), std::size_t{0});
    if (pools <= most)
        return left;
    while (set.size() < most) {
        std::size_t best = 0;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < left.size(); ++i) {
            set.push_back(left[i]);
            const double cost = meanCost(set);
            set.pop_back();
            if (cost < least) {
                least = cost;
                best = i;
            }
        }
        set.push_back(left[best]);
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(best));
    }
    return set;
}

std::vector<SpotPool> cheapestPools(const SpotWork &work, std::vector<SpotPool> pools, std::int64_t start,
                                    std::uint64_t seed, std::size_t most)
{
    const auto poolsIn = [&](const SpotPoolSet &set) {
        std::vector<SpotPool> out;
        for (const std::size_t pool : set)
            out.push_back(pools[pool]);
        return out;
    };
    return poolsIn(cheapestPoolSet(pools.size(), std::min(most, kMostSpotPools), [&](const SpotPoolSet &set) {
        return meanPoolCost(work, SpotPoolModel(poolsIn(set), start), seed);
    }));
}

} // namespace gpuledger::savings
