// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/alerts/forecast/backtest.h"

#include <algorithm>
#include <cmath>

namespace gpuledger::alerts {

namespace {

constexpr std::size_t kFirstOrigin = 7;
constexpr double kWithin = 0.8;
constexpr double kGrowth =
    0.85; // of the error with the length of a sum: 0.5 if days were independent, 1 if all shared one error
constexpr double kPower = 4; // of the weights

struct Origin {
    double truth = 0; // the sum of the known days that followed
    Values said; // by each candidate, of the same days
};

// What followed is judged without one-offs, which no candidate can foresee.
std::vector<Origin> originsOf(std::span<const double> past, const Values &usual, std::size_t horizon)
{
    std::vector<Origin> out;
    for (std::size_t at = kFirstOrigin; at + horizon <= past.size(); ++at) {
        const auto fits = fitAll(withoutOneOffs(past.subspan(0, at)));
        Origin origin;
        origin.said.assign(candidates().size(), 0);
        std::size_t known = 0;
        std::vector<Values> ahead;
        for (const WeeklyFit &fit : fits)
            ahead.push_back(fit.ahead(horizon));
        for (std::size_t k = 0; k < horizon && !fits.empty(); ++k) {
            if (std::isnan(usual[at + k]))
                continue;
            ++known;
            origin.truth += usual[at + k];
            for (std::size_t c = 0; c < fits.size(); ++c)
                origin.said[c] += ahead[c][k];
        }
        if (2 * known > horizon) {
            // As if every day were known.
            const double whole = static_cast<double>(horizon) / static_cast<double>(known);
            origin.truth *= whole;
            for (double &said : origin.said)
                said *= whole;
            out.push_back(std::move(origin));
        }
    }
    return out;
}

// They add up to 1.
Values weightsOf(const std::vector<Origin> &origins)
{
    const std::size_t count = candidates().size();
    Values errors(count, 0);
    double scale = 0;
    for (const Origin &origin : origins) {
        scale += std::abs(origin.truth);
        for (std::size_t c = 0; c < count; ++c)
            errors[c] += std::abs(origin.said[c] - origin.truth);
    }
    Values weights(count, 1.0 / static_cast<double>(count));
    const double least = 1e-9 * scale;
    if (!(scale > 0))
        return weights;
    double sum = 0;
    for (std::size_t c = 0; c < count; ++c) {
        weights[c] = std::pow(scale / std::max(errors[c], least), kPower);
        sum += weights[c];
    }
    for (double &weight : weights)
        weight /= sum;
    return weights;
}

double quantileOfErrors(const std::vector<Origin> &origins, const Values &weights)
{
    Values errors;
    for (const Origin &origin : origins) {
        double said = 0;
        for (std::size_t c = 0; c < weights.size(); ++c)
            said += weights[c] * origin.said[c];
        errors.push_back(std::abs(said - origin.truth));
    }
    if (errors.empty())
        return 0;
    const auto rank = static_cast<std::size_t>(std::ceil(kWithin * static_cast<double>(errors.size() + 1)));
    const std::size_t at = std::min(rank, errors.size()) - 1;
    std::nth_element(errors.begin(), errors.begin() + static_cast<std::ptrdiff_t>(at), errors.end());
    return errors[at];
}

} // namespace

std::optional<Ahead> forecastAhead(std::span<const double> past, std::size_t daysAhead)
{
    if (past.size() > kMostPast)
        past = past.subspan(past.size() - kMostPast);
    const auto known =
        static_cast<std::size_t>(std::count_if(past.begin(), past.end(), [](double v) { return !std::isnan(v); }));
    if (known < kLeastPast)
        return std::nullopt;
    Ahead out;
    out.days.assign(daysAhead, 0);
    if (daysAhead == 0)
        return out;
    const std::size_t longest = std::max<std::size_t>(1, (past.size() - kFirstOrigin + 1) / 2);
    const std::size_t horizon = std::min(daysAhead, longest);
    const Values usual = withoutOneOffs(past);
    const auto origins = originsOf(past, usual, horizon);
    const Values weights = weightsOf(origins);
    const auto fits = fitAll(usual);
    for (std::size_t c = 0; c < fits.size(); ++c) {
        const Values days = fits[c].ahead(daysAhead);
        for (std::size_t k = 0; k < daysAhead; ++k)
            out.days[k] += weights[c] * days[k];
    }
    for (const double day : out.days)
        out.sum += day;
    const double longer = static_cast<double>(daysAhead) / static_cast<double>(horizon);
    out.error = quantileOfErrors(origins, weights) * std::pow(longer, kGrowth);
    return out;
}

} // namespace gpuledger::alerts
