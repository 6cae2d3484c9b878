// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/alerts/forecast/backtest.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace gpuledger::alerts {

namespace {

constexpr std::size_t kFirstOrigin = 7;
constexpr double kWithin = 0.8;
constexpr double kGrowth =
    0.9; // of the error with the length of a sum: 0.5 if days were independent, 1 if all shared one error
constexpr double kPower = 4; // of the weights of candidates
constexpr double kHalfLife = 42; // in days, of the weights of past errors
constexpr double kOverlap = 0.25; // how much the band widens for sums that overlap
constexpr double kOthers = 16; // separate trials that say as much as those of all series

struct Origin {
    std::size_t at = 0; // days known then
    double truth = 0; // the sum of the known days that followed
    std::array<double, kCandidates> said{}; // by each candidate, of the same days
};

// What the candidates say of the days after `at`, of those that are known.
void addSaid(Origin &origin, const FitMemo::Fits &fits, std::span<const double> followed, std::size_t known)
{
    const std::size_t horizon = followed.size();
    if (known == horizon) {
        origin.said = fits.sums.of(horizon);
        return;
    }
    for (std::size_t c = 0; c < fits.all.size(); ++c) {
        const Values ahead = fits.all[c].ahead(horizon);
        for (std::size_t k = 0; k < horizon; ++k)
            origin.said[c] += std::isnan(followed[k]) ? 0 : ahead[k];
    }
}

// Sums over the known days of a series, for any part of it.
class KnownSums {
public:
    explicit KnownSums(std::span<const double> days)
        : m_sums(days.size() + 1)
        , m_counts(days.size() + 1)
    {
        for (std::size_t i = 0; i < days.size(); ++i) {
            const bool isKnown = !std::isnan(days[i]);
            m_sums[i + 1] = m_sums[i] + (isKnown ? days[i] : 0);
            m_counts[i + 1] = m_counts[i] + (isKnown ? 1 : 0);
        }
    }
    double sum(std::size_t from, std::size_t count) const { return m_sums[from + count] - m_sums[from]; }
    std::size_t known(std::size_t from, std::size_t count) const { return m_counts[from + count] - m_counts[from]; }

private:
    Values m_sums; // of the days before
    std::vector<std::size_t> m_counts;
};

// The past from day `start` on is judged; what followed, without one-offs, which no candidate can foresee: `usual`
// begins at `start`.
std::vector<Origin> originsOf(std::size_t start, const Values &usual, std::size_t horizon, FitMemo &memo)
{
    const KnownSums sums(usual);
    std::vector<Origin> out;
    out.reserve(usual.size());
    for (std::size_t at = kFirstOrigin; at + horizon <= usual.size(); ++at) {
        const std::size_t known = sums.known(at, horizon);
        if (2 * known <= horizon)
            continue;
        const FitMemo::Fits &fits = memo.before(start + at);
        if (fits.all.empty())
            continue;
        Origin &origin = out.emplace_back();
        origin.at = at;
        origin.truth = sums.sum(at, horizon);
        addSaid(origin, fits, std::span(usual).subspan(at, horizon), known);
        if (known == horizon)
            continue;
        // As if every day were known.
        const double whole = static_cast<double>(horizon) / static_cast<double>(known);
        origin.truth *= whole;
        for (double &said : origin.said)
            said *= whole;
    }
    return out;
}

// What the candidates missed.
class Misses {
public:
    void add(const Origin &origin)
    {
        m_scale += std::abs(origin.truth);
        for (std::size_t c = 0; c < m_errors.size(); ++c)
            m_errors[c] += std::abs(origin.said[c] - origin.truth);
    }
    // Of the candidates; they add up to 1.
    Values weights() const
    {
        const std::size_t count = m_errors.size();
        Values weights(count, 1.0 / static_cast<double>(count));
        if (!(m_scale > 0))
            return weights;
        double sum = 0;
        for (std::size_t c = 0; c < count; ++c) {
            weights[c] = std::pow(m_scale / std::max(m_errors[c], 1e-9 * m_scale), kPower);
            sum += weights[c];
        }
        for (double &weight : weights)
            weight /= sum;
        return weights;
    }

private:
    Values m_errors = Values(candidates().size(), 0);
    double m_scale = 0;
};

double meanOf(const std::array<double, kCandidates> &said, const Values &weights)
{
    double sum = 0;
    for (std::size_t c = 0; c < weights.size(); ++c)
        sum += weights[c] * said[c];
    return sum;
}

// The error of a sum of h days after n days, in standard deviations of a day, if days are independent, by h: their own
// noise and that of the level.
double spreadOf(std::size_t n, std::size_t h)
{
    return std::sqrt(1 / static_cast<double>(h) + 1 / static_cast<double>(n));
}

// An error of the past, as if it were one of now.
struct Missed {
    double error = 0, weight = 0;
    bool operator<(const Missed &o) const { return error < o.error; }
};

// At each origin the candidates have the weights that were known then: those of origins whose days had passed.
std::vector<Missed> missedOf(const std::vector<Origin> &origins, std::size_t pastDays, std::size_t horizon)
{
    Misses known;
    std::size_t passed = 0;
    std::vector<Missed> out;
    for (const Origin &origin : origins) {
        for (; origins[passed].at + horizon <= origin.at; ++passed)
            known.add(origins[passed]);
        const double error = std::abs(meanOf(origin.said, known.weights()) - origin.truth);
        out.push_back({error * spreadOf(pastDays, horizon) / spreadOf(origin.at, horizon),
                       std::exp2(-static_cast<double>(pastDays - origin.at) / kHalfLife)});
    }
    return out;
}

// The 80 % quantile, as if there were `more` of weight, larger than all.
double bandOf(std::vector<Missed> errors, double more)
{
    std::sort(errors.begin(), errors.end());
    double total = more, below = 0, error = 0;
    for (const Missed &one : errors)
        total += one.weight;
    for (auto at = errors.begin(); at != errors.end() && below < kWithin * total; ++at) {
        below += at->weight;
        error = at->error;
    }
    return error;
}

// A forecast with what the same method said on the days of the past.
struct Trials {
    std::size_t horizon = 0;
    std::vector<Missed> missed; // sums of `horizon` days, the latest last; none with AheadParts::Sum
    Ahead ahead; // without the error

    // How many are separate, as they overlap.
    double separate() const
    {
        const auto h = static_cast<double>(horizon);
        return (static_cast<double>(missed.size()) + h - 1) / h;
    }
    double wider() const { return 1 + kOverlap / separate(); }
};

std::optional<Trials> trialsOf(std::span<const double> past, std::size_t daysAhead, AheadParts parts, FitMemo &memo)
{
    const std::size_t start = past.size() > kMostPast ? past.size() - kMostPast : 0;
    const auto judged = past.subspan(start);
    const auto known =
        static_cast<std::size_t>(std::count_if(judged.begin(), judged.end(), [](double v) { return !std::isnan(v); }));
    if (known < kLeastPast)
        return std::nullopt;
    Trials out;
    out.ahead.days.assign(daysAhead, 0);
    if (daysAhead == 0)
        return out;
    const std::size_t longest = std::max<std::size_t>(1, (judged.size() - kFirstOrigin + 1) / 2);
    static_assert((kMostPast - kFirstOrigin + 1) / 2 <= SumsAhead::kMost);
    out.horizon = std::min(daysAhead, longest);
    memo.begin(past);
    const auto origins = originsOf(start, memo.usual(), out.horizon, memo);
    Misses misses;
    for (const Origin &origin : origins)
        misses.add(origin);
    const Values weights = misses.weights();
    const auto &fits = memo.before(past.size()).all;
    for (std::size_t c = 0; c < fits.size(); ++c) {
        const Values days = fits[c].ahead(daysAhead);
        for (std::size_t k = 0; k < daysAhead; ++k)
            out.ahead.days[k] += weights[c] * days[k];
    }
    for (const double day : out.ahead.days)
        out.ahead.sum += day;
    if (parts == AheadParts::All)
        out.missed = missedOf(origins, judged.size(), out.horizon);
    return out;
}

} // namespace

void FitMemo::begin(std::span<const double> past)
{
    const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
    const auto differs = std::mismatch(m_past.begin(), m_past.end(), past.begin(), past.end(), same).first;
    const auto common = static_cast<std::size_t>(differs - m_past.begin());
    if (m_fits.size() > common + 1) // the fit before day `common` knows none of the days from it on
        m_fits.resize(common + 1);
    m_past.assign(past.begin(), past.end());
    if (m_sortedEnd > common)
        m_sortedEnd = m_sortedFirst = 0;
    m_usual = usualBefore(m_past.size());
}

// Windows that follow each other differ in one day at each end.
void FitMemo::sort(std::size_t first, std::size_t end)
{
    const bool follows = m_sortedFirst <= first && first <= m_sortedFirst + 1 && end == m_sortedEnd + 1;
    if (!follows || m_sortedEnd == 0) {
        m_sorted.clear();
        for (std::size_t i = first; i < end; ++i) {
            if (!std::isnan(m_past[i]))
                m_sorted.push_back(m_past[i]);
        }
        std::sort(m_sorted.begin(), m_sorted.end());
    } else {
        if (const double gone = m_past[m_sortedFirst]; first > m_sortedFirst && !std::isnan(gone))
            m_sorted.erase(std::lower_bound(m_sorted.begin(), m_sorted.end(), gone));
        if (const double come = m_past[end - 1]; !std::isnan(come))
            m_sorted.insert(std::upper_bound(m_sorted.begin(), m_sorted.end(), come), come);
    }
    m_sortedFirst = first;
    m_sortedEnd = end;
}

Values FitMemo::usualBefore(std::size_t at)
{
    const std::size_t first = at > kMostPast ? at - kMostPast : 0;
    sort(first, at);
    return withoutOneOffs(std::span(m_past).subspan(first, at - first), m_sorted);
}

const FitMemo::Fits &FitMemo::before(std::size_t at)
{
    if (m_fits.size() <= at)
        m_fits.resize(at + 1);
    std::optional<Fits> &fits = m_fits[at];
    if (fits)
        return *fits;
    fits.emplace();
    fits->all = fitAll(at == m_past.size() ? m_usual : usualBefore(at));
    if (!fits->all.empty())
        fits->sums = SumsAhead(fits->all);
    return *fits;
}

std::optional<Ahead> forecastAhead(std::span<const double> past, std::size_t daysAhead,
                                   const std::optional<OthersMissed> &others, AheadParts parts, FitMemo *memo)
{
    FitMemo unshared;
    auto trials = trialsOf(past, daysAhead, parts, memo ? *memo : unshared);
    if (!trials)
        return std::nullopt;
    Ahead out = std::move(trials->ahead);
    if (daysAhead == 0 || parts == AheadParts::Sum)
        return out;
    const auto h = static_cast<double>(trials->horizon), longer = static_cast<double>(daysAhead) / h;
    if (!trials->missed.empty())
        out.error = bandOf(trials->missed, trials->missed.back().weight);
    if (others && others->daysAhead == daysAhead) {
        const double own = trials->separate();
        out.error = (own * out.error + kOthers * others->share * std::abs(out.sum) / longer) / (own + kOthers);
    }
    out.error *= trials->wider() * std::pow(longer, kGrowth);
    return out;
}

std::optional<OthersMissed> missedByAll(std::span<const Values> pasts, std::size_t daysAhead)
{
    std::vector<Missed> all;
    std::size_t series = 0;
    for (const Values &past : pasts) {
        FitMemo memo;
        const auto trials = daysAhead > 0 ? trialsOf(past, daysAhead, AheadParts::All, memo) : std::nullopt;
        if (!trials || !(std::abs(trials->ahead.sum) > 0) || trials->missed.empty())
            continue;
        ++series;
        const double sum =
            std::abs(trials->ahead.sum) * static_cast<double>(trials->horizon) / static_cast<double>(daysAhead);
        for (const Missed &one : trials->missed)
            all.push_back({one.error / sum, one.weight});
    }
    constexpr std::size_t kLeastSeries = 3;
    if (series < kLeastSeries)
        return std::nullopt;
    return OthersMissed{daysAhead, bandOf(std::move(all), 0)};
}

} // namespace gpuledger::alerts
