// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/table/columnfit.h"

#include <algorithm>
#include <numeric>

namespace gpuledger::widgets {

namespace {

// Distributes `amount` by weight without exceeding any limit; returns the undistributed rest.
int share(std::vector<int> &widths, const std::vector<int> &limits, std::vector<int> weights, int amount)
{
    for (;;) {
        for (std::size_t i = 0; i < widths.size(); ++i) {
            if (widths[i] >= limits[i])
                weights[i] = 0;
        }
        int total = std::accumulate(weights.begin(), weights.end(), 0);
        if (amount <= 0 || total <= 0)
            return amount;
        for (std::size_t i = 0; i < widths.size(); ++i) {
            if (weights[i] == 0)
                continue;
            const int part =
                std::min(static_cast<int>(static_cast<long long>(amount) * weights[i] / total), limits[i] - widths[i]);
            total -= weights[i];
            widths[i] += part;
            amount -= part;
        }
    }
}

} // namespace

std::vector<int> fitColumns(const std::vector<ColumnWish> &wishes, int room)
{
    std::vector<int> widths;
    std::vector<int> limits;
    std::vector<int> weights;
    for (const ColumnWish &wish : wishes)
        widths.push_back(wish.wanted);
    const int wanted = std::accumulate(widths.begin(), widths.end(), 0);
    const bool tooWide = wanted > room;
    for (const ColumnWish &wish : wishes) {
        const int least = std::min(wish.least, wish.wanted);
        limits.push_back(tooWide ? wish.wanted : std::max(wish.most, wish.wanted));
        weights.push_back(tooWide ? wish.wanted - least : wish.stretch);
    }
    if (!tooWide) {
        share(widths, limits, weights, room - wanted);
        return widths;
    }
    // Those that are not firm give way first.
    std::vector<int> least;
    int others = 0;
    for (const ColumnWish &wish : wishes) {
        least.push_back(std::min(wish.least, wish.wanted));
        others += wish.firm ? wish.wanted : least.back();
    }
    const bool firmFits = others <= room;
    for (std::size_t i = 0; i < wishes.size(); ++i) {
        widths[i] = wishes[i].firm && firmFits ? wishes[i].wanted : least[i];
        if (wishes[i].firm == firmFits)
            weights[i] = 0;
    }
    share(widths, limits, weights, room - std::accumulate(widths.begin(), widths.end(), 0));
    return widths;
}

} // namespace gpuledger::widgets
