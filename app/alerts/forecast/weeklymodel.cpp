// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/alerts/forecast/weeklymodel.h"

#include "app/alerts/forecast/levelshift.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>

namespace gpuledger::alerts {

namespace {

constexpr double kFar = 6, kFarShare = 0.1, kSimilar = 0.5;
constexpr std::size_t kApart = 14; // days within which a similar value makes it no one-off
constexpr std::array<Candidate, kCandidates> kAll{{{true, 1.5, 1.5, 1},
                                                   {true, 4, 4, 1},
                                                   {true, 10, 10, 1},
                                                   {true, 30, 30, 1},
                                                   {true, 1.5, 21, kFade},
                                                   {false, 1.5, 1.5, 1},
                                                   {false, 4, 4, 1},
                                                   {false, 10, 10, 1},
                                                   {false, 30, 30, 1},
                                                   {false, 1.5, 21, kFade}}};
constexpr std::array<double, 5> kHalfLives{1.5, 4, 10, 21, 30}; // of all candidates, in days
constexpr int kRounds = 4; // of the factors, for weeks with unknown days
constexpr std::size_t kLeastOfWeek = 5; // known days

// Of values in ascending order.
double middleOf(std::span<const double> sorted)
{
    const std::size_t half = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half] + sorted[half - 1]) / 2;
}

// The median of the distances from the middle: the nearest values on both sides of it are merged.
double middleDistance(std::span<const double> sorted, double middle)
{
    const std::size_t half = sorted.size() / 2;
    std::size_t below = half, above = half; // values that were not taken yet: before and from here on
    double last = 0, before = 0;
    for (std::size_t taken = 0; taken <= half; ++taken) {
        before = last;
        const bool isBelow = above == sorted.size()
            || (below > 0 && std::abs(sorted[below - 1] - middle) < std::abs(sorted[above] - middle));
        last = std::abs((isBelow ? sorted[--below] : sorted[above++]) - middle);
    }
    return sorted.size() % 2 == 1 ? last : (last + before) / 2;
}

// The level of the seven days around a day, as if each had the factor 1; std::nullopt: too few are known.
std::optional<double> levelAround(std::span<const double> past, const std::array<double, kWeek> &factors,
                                  std::size_t day)
{
    const std::size_t first = std::min(day > 3 ? day - 3 : 0, past.size() - kWeek);
    double sum = 0, weight = 0;
    std::size_t known = 0;
    for (std::size_t i = first, weekday = first % kWeek; i < first + kWeek; ++i) {
        if (!std::isnan(past[i])) {
            sum += past[i];
            weight += factors[weekday];
            ++known;
        }
        weekday = weekday + 1 == kWeek ? 0 : weekday + 1;
    }
    if (known < kLeastOfWeek || weight <= 0)
        return std::nullopt;
    return sum / weight;
}

// The same for a past of known days, as if each had the factor 1.
class LevelsAround {
public:
    explicit LevelsAround(std::span<const double> past)
        : m_sums(past.size() + 1)
    {
        std::partial_sum(past.begin(), past.end(), m_sums.begin() + 1);
    }
    double at(std::size_t day) const
    {
        const std::size_t first = std::min(day > 3 ? day - 3 : 0, m_sums.size() - 1 - kWeek);
        return (m_sums[first + kWeek] - m_sums[first]) / static_cast<double>(kWeek);
    }

private:
    Values m_sums; // of the days before
};

// Values by the level around them, for each weekday.
class Ratios {
public:
    explicit Ratios(std::size_t days)
        : m_most(days / kWeek + 1)
        , m_values(kWeek * m_most)
    {
    }
    void clear() { m_counts.fill(0); }
    void add(std::size_t weekday, double ratio) { m_values[weekday * m_most + m_counts[weekday]++] = ratio; }
    double median(std::size_t weekday)
    {
        return medianOf(std::span(m_values).subspan(weekday * m_most, m_counts[weekday]));
    }

private:
    std::size_t m_most;
    Values m_values;
    std::array<std::size_t, kWeek> m_counts{};
};

// Weights of days by age, of one half-life.
class AgeWeights {
public:
    explicit AgeWeights(double halfLife)
        : m_halfLife(halfLife)
    {
        for (std::size_t age = 0; age < m_known.size(); ++age)
            m_known[age] = computed(age);
    }
    double at(std::size_t age) const { return age < m_known.size() ? m_known[age] : computed(age); }

private:
    double computed(std::size_t age) const { return std::exp2(-static_cast<double>(age) / m_halfLife); }

    double m_halfLife;
    std::array<double, 128> m_known{};
};

// What levels with one half-life are made of, whatever the season is.
struct AgedSums {
    double values = 0; // weighted by age
    std::array<double, kWeek> weights{}; // of the known days, by index of the day % 7

    AgedSums(std::span<const double> past, std::size_t first, const AgeWeights &ages)
    {
        for (std::size_t d = 0; d < kWeek; ++d) {
            double sum = 0, weight = 0;
            for (std::size_t i = first + (d + kWeek - first % kWeek) % kWeek; i < past.size(); i += kWeek) {
                const double share = std::isnan(past[i]) ? 0 : ages.at(past.size() - 1 - i);
                sum += share > 0 ? share * past[i] : 0;
                weight += share;
            }
            values += sum;
            weights[d] = weight;
        }
    }
    // The weighted mean of what is left without the season. A day with a small factor says less about the level:
    // sum / (sum of factors) is exact for a pure season.
    double level(const std::array<double, kWeek> &factors) const
    {
        double sum = 0;
        for (std::size_t d = 0; d < kWeek; ++d)
            sum += weights[d] * factors[d];
        return sum > 0 ? values / sum : 0;
    }
};

class Levels {
public:
    // From day `first` of the past on.
    Levels(std::span<const double> past, std::size_t first)
    {
        // Computed once: most of the time of a fit was spent on them.
        static const std::array<AgeWeights, kHalfLives.size()> kAges{
            AgeWeights(kHalfLives[0]), AgeWeights(kHalfLives[1]), AgeWeights(kHalfLives[2]), AgeWeights(kHalfLives[3]),
            AgeWeights(kHalfLives[4])};
        m_sums.reserve(kAges.size());
        for (const AgeWeights &ages : kAges)
            m_sums.emplace_back(past, first, ages);
    }
    double of(double halfLife, const std::array<double, kWeek> &factors) const
    {
        const auto at = std::find(kHalfLives.begin(), kHalfLives.end() - 1, halfLife);
        return m_sums[static_cast<std::size_t>(at - kHalfLives.begin())].level(factors);
    }

private:
    std::vector<AgedSums> m_sums;
};

} // namespace

// Orders the values.
double medianOf(std::span<double> values)
{
    if (values.empty())
        return kUnknownDay;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1)
        return *middle;
    return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

Values knownOf(std::span<const double> past)
{
    Values known;
    known.reserve(past.size());
    std::copy_if(past.begin(), past.end(), std::back_inserter(known), [](double value) { return !std::isnan(value); });
    return known;
}

std::span<const Candidate, kCandidates> candidates()
{
    return kAll;
}

Values WeeklyFit::ahead(std::size_t days) const
{
    Values out(days);
    double share = 1;
    for (std::size_t k = 0; k < days; ++k) {
        share *= how.fade;
        out[k] = (usual + (near - usual) * share) * factors[(length + k) % kWeek];
    }
    return out;
}

SumsAhead::Curve SumsAhead::curveOf(const std::array<double, kWeek> &factors, std::size_t length, double fade)
{
    Curve out{};
    double share = 1;
    std::size_t weekday = length % kWeek;
    for (std::size_t k = 0; k < kMost; ++k) {
        share *= fade;
        out[k + 1] = out[k] + share * factors[weekday];
        weekday = weekday + 1 == kWeek ? 0 : weekday + 1;
    }
    return out;
}

SumsAhead::SumsAhead(const std::vector<WeeklyFit> &fits)
    : m_whole(curveOf(fits.front().factors, fits.front().length, 1)) // the first candidate is weekly
    , m_faded(curveOf(fits.front().factors, fits.front().length, kFade))
{
    for (std::size_t c = 0; c < fits.size(); ++c) {
        m_usual[c] = fits[c].usual;
        m_more[c] = fits[c].near - fits[c].usual;
    }
}

std::array<double, kCandidates> SumsAhead::of(std::size_t days) const
{
    static const std::array<double, kWeek> kOnes{1, 1, 1, 1, 1, 1, 1};
    static const Curve kWhole = curveOf(kOnes, 0, 1), kFaded = curveOf(kOnes, 0, kFade);
    std::array<double, kCandidates> out;
    for (std::size_t c = 0; c < kCandidates; ++c) {
        const Candidate &how = kAll[c];
        const double whole = (how.weekly ? m_whole : kWhole)[days], faded = (how.weekly ? m_faded : kFaded)[days];
        out[c] = m_usual[c] * whole + m_more[c] * (how.fade == 1 ? whole : faded);
    }
    return out;
}

Values withoutOneOffs(std::span<const double> past)
{
    Values known = knownOf(past);
    std::sort(known.begin(), known.end());
    return withoutOneOffs(past, known);
}

Values withoutOneOffs(std::span<const double> past, std::span<const double> known)
{
    Values out(past.begin(), past.end());
    if (known.empty())
        return out;
    const double middle = middleOf(known);
    const double far = std::max(kFar * 1.4826 * middleDistance(known, middle), kFarShare * std::abs(middle));
    for (std::size_t i = 0; i < past.size(); ++i) {
        const double off = past[i] - middle;
        if (std::isnan(off) || std::abs(off) <= far)
            continue;
        bool alone = true;
        for (std::size_t j = i > kApart ? i - kApart : 0; j < past.size() && j <= i + kApart; ++j)
            alone = alone && (j == i || std::isnan(past[j]) || (past[j] - middle) / off < kSimilar);
        if (alone)
            out[i] = kUnknownDay;
    }
    return out;
}

std::array<double, kWeek> weekdayFactors(std::span<const double> past)
{
    std::array<double, kWeek> ones{};
    ones.fill(1);
    if (past.size() < kWeek)
        return ones;
    std::array<double, kWeek> factors = ones;
    double scale = 0;
    for (const double value : past)
        scale = std::max(scale, std::isnan(value) ? 0 : std::abs(value));
    // Where every day is known, each week has all weekdays, and another round finds the same.
    const bool isWhole = std::none_of(past.begin(), past.end(), [](double value) { return std::isnan(value); });
    const LevelsAround levels(isWhole ? past : std::span<const double>());
    Ratios ratios(past.size());
    for (int round = 0; round < (isWhole ? 1 : kRounds); ++round) {
        ratios.clear();
        for (std::size_t i = 0, weekday = 0; i < past.size(); ++i, weekday = weekday + 1 == kWeek ? 0 : weekday + 1) {
            const auto level = isWhole ? std::optional(levels.at(i))
                : std::isnan(past[i])  ? std::nullopt
                                       : levelAround(past, factors, i);
            if (level && std::abs(*level) > 1e-6 * scale)
                ratios.add(weekday, past[i] / *level);
        }
        double sum = 0;
        for (std::size_t d = 0; d < kWeek; ++d) {
            const double middle = ratios.median(d);
            factors[d] = std::isnan(middle) ? kUnknownDay : std::max(0.0, middle);
            sum += factors[d];
        }
        if (!(sum > 0)) // also if a weekday is unknown
            return ones;
        for (double &factor : factors)
            factor *= static_cast<double>(kWeek) / sum;
    }
    return factors;
}

std::vector<WeeklyFit> fitAll(std::span<const double> past)
{
    std::vector<WeeklyFit> fits;
    if (knownOf(past).empty())
        return fits;
    std::array<double, kWeek> ones{};
    ones.fill(1);
    const auto factors = weekdayFactors(past);
    const Levels levels(past, lastShift(past, factors));
    fits.reserve(kCandidates);
    for (const Candidate &how : candidates()) {
        WeeklyFit fit;
        fit.how = how;
        fit.factors = how.weekly ? factors : ones;
        fit.near = levels.of(how.near, fit.factors);
        fit.usual = how.usual == how.near ? fit.near : levels.of(how.usual, fit.factors);
        fit.length = past.size();
        fits.push_back(fit);
    }
    return fits;
}

} // namespace gpuledger::alerts
