// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/alerts/forecast/weeklymodel.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace gpuledger::alerts {

namespace {

constexpr double kFar = 6, kFarShare = 0.1, kSimilar = 0.5;
constexpr std::size_t kApart = 14; // days within which a similar value makes it no one-off
constexpr int kRounds = 4; // of the factors, for weeks with unknown days
constexpr std::size_t kLeastOfWeek = 5; // known days

double medianOf(Values values)
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
    for (const double value : past) {
        if (!std::isnan(value))
            known.push_back(value);
    }
    return known;
}

// The level of the seven days around a day, as if each had the factor 1; std::nullopt: too few are known.
std::optional<double> levelAround(std::span<const double> past, const std::array<double, kWeek> &factors,
                                  std::size_t day)
{
    if (past.size() < kWeek)
        return std::nullopt;
    const std::size_t first = std::min(day > 3 ? day - 3 : 0, past.size() - kWeek);
    double sum = 0, weight = 0;
    std::size_t known = 0;
    for (std::size_t i = first; i < first + kWeek; ++i) {
        if (std::isnan(past[i]))
            continue;
        sum += past[i];
        weight += factors[i % kWeek];
        ++known;
    }
    if (known < kLeastOfWeek || weight <= 0)
        return std::nullopt;
    return sum / weight;
}

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
    double halfLife() const { return m_halfLife; }

private:
    double computed(std::size_t age) const { return std::exp2(-static_cast<double>(age) / m_halfLife); }

    double m_halfLife;
    std::array<double, 128> m_known{};
};

// Computed once: most of the time of a fit was spent on them.
const AgeWeights &weightsOf(double halfLife)
{
    static const std::array<AgeWeights, 5> kAll{AgeWeights(1.5), AgeWeights(4), AgeWeights(10), AgeWeights(21),
                                                AgeWeights(30)};
    return *std::find_if(kAll.begin(), kAll.end() - 1,
                         [&](const AgeWeights &one) { return one.halfLife() == halfLife; });
}

// The weighted mean of what is left without the season.
double levelOf(std::span<const double> past, const std::array<double, kWeek> &factors, const AgeWeights &ages)
{
    double sum = 0, weights = 0;
    for (std::size_t i = 0, weekday = 0; i < past.size(); ++i, weekday = weekday + 1 == kWeek ? 0 : weekday + 1) {
        if (std::isnan(past[i]))
            continue;
        // A day with a small factor says less about the level: sum / (sum of factors) is exact for a pure season.
        const double weight = ages.at(past.size() - 1 - i);
        sum += weight * past[i];
        weights += weight * factors[weekday];
    }
    return weights > 0 ? sum / weights : 0;
}

} // namespace

std::span<const Candidate, kCandidates> candidates()
{
    static constexpr std::array<Candidate, kCandidates> kAll{{{true, 1.5, 1.5, 1},
                                                              {true, 4, 4, 1},
                                                              {true, 10, 10, 1},
                                                              {true, 30, 30, 1},
                                                              {true, 1.5, 21, 0.8},
                                                              {false, 1.5, 1.5, 1},
                                                              {false, 4, 4, 1},
                                                              {false, 10, 10, 1},
                                                              {false, 30, 30, 1},
                                                              {false, 1.5, 21, 0.8}}};
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

Values withoutOneOffs(std::span<const double> past)
{
    Values out(past.begin(), past.end());
    const double middle = medianOf(knownOf(past));
    Values distances;
    for (const double value : past) {
        if (!std::isnan(value))
            distances.push_back(std::abs(value - middle));
    }
    const double far = std::max(kFar * 1.4826 * medianOf(distances), kFarShare * std::abs(middle));
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
    std::array<double, kWeek> factors = ones;
    double scale = 0;
    for (const double value : past)
        scale = std::max(scale, std::isnan(value) ? 0 : std::abs(value));
    // Where every day is known, each week has all weekdays, and another round finds the same.
    const bool isWhole = std::none_of(past.begin(), past.end(), [](double value) { return std::isnan(value); });
    for (int round = 0; round < (isWhole ? 1 : kRounds); ++round) {
        std::array<Values, kWeek> ratios;
        for (Values &of : ratios)
            of.reserve(past.size() / kWeek + 1);
        for (std::size_t i = 0; i < past.size(); ++i) {
            const auto level = levelAround(past, factors, i);
            if (!std::isnan(past[i]) && level && std::abs(*level) > 1e-6 * scale)
                ratios[i % kWeek].push_back(past[i] / *level);
        }
        double sum = 0;
        for (std::size_t d = 0; d < kWeek; ++d) {
            factors[d] = ratios[d].empty() ? kUnknownDay : std::max(0.0, medianOf(std::move(ratios[d])));
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
    for (const Candidate &how : candidates()) {
        WeeklyFit fit;
        fit.how = how;
        fit.factors = how.weekly ? factors : ones;
        fit.near = levelOf(past, fit.factors, weightsOf(how.near));
        fit.usual = how.usual == how.near ? fit.near : levelOf(past, fit.factors, weightsOf(how.usual));
        fit.length = past.size();
        fits.push_back(fit);
    }
    return fits;
}

} // namespace gpuledger::alerts
