// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savingsinputs/rightsizelisted.h"

#include "app/savings/spot/spotoffer.h"
#include "app/services/savingsinputs/spot/spotfacts.h"

#include <algorithm>

namespace gpuledger::services {

using savings::RightSizeWorkload;

namespace {

constexpr std::int32_t kListedHours = 168; // the last week, as both lists have it

// As the ids of proposals are compared.
std::string listedName(const RightSizeWorkload &one)
{
    return one.cluster + '/' + one.target;
}

// The first `most` by falling cost, then by name, which is only made where costs are equal.
template <typename One, typename Cost, typename Name>
void keepCostliest(std::vector<One> &all, std::size_t most, Cost costOf, Name nameOf)
{
    if (all.size() <= most)
        return;
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(most);
    std::partial_sort(all.begin(), end, all.end(), [&](const One &a, const One &b) {
        const std::int64_t first = costOf(a), second = costOf(b);
        return first != second ? first > second : nameOf(a) < nameOf(b);
    });
    all.erase(end, all.end());
}

} // namespace

bool ListedWorkloads::isRecent(std::int32_t lastHour) const
{
    return lastHour >= m_hours - kListedHours;
}

std::string ListedWorkloads::nameOf(std::int32_t series) const
{
    const RightSizeWorkload &one = *m_series[static_cast<std::size_t>(series)].first;
    return (one.cluster + '/').append(seriesTarget(one.target, one.controllerKind, one.controllerName));
}

void ListedWorkloads::add(const RightSizeWorkload &one, std::int32_t series)
{
    if (series < 0)
        return;
    Series &sum = m_series[static_cast<std::size_t>(series)];
    if (!sum.first) {
        sum.first = &one;
        sum.isListed = false;
    }
    sum.held += one.held;
    sum.ownSeconds += one.ownSeconds;
    sum.lastHour = std::max(sum.lastHour, one.lastHour);
    sum.isListed = __builtin_add_overflow(sum.cost, one.cost, &sum.cost) || sum.isListed;
    if (one.hours.empty() && one.held.ticks > 0 && isRecent(one.lastHour))
        m_shared.push_back(&one);
}

void ListedWorkloads::choose()
{
    std::vector<std::int32_t> shared;
    for (std::size_t i = 0; i < m_series.size(); ++i) {
        Series &one = m_series[i];
        if (one.ownSeconds > 0 || one.held.ticks <= 0 || !isRecent(one.lastHour))
            one.isListed = true;
        else if (!one.isListed)
            shared.push_back(static_cast<std::int32_t>(i));
    }
    keepCostliest(
        shared, savings::SpotRules().mostExcluded,
        [&](std::int32_t series) { return m_series[static_cast<std::size_t>(series)].cost; },
        [&](std::int32_t series) { return nameOf(series); });
    for (const std::int32_t series : shared)
        m_series[static_cast<std::size_t>(series)].isListed = true;
    keepCostliest(
        m_shared, savings::RightSizeRules().mostExcluded, [](const RightSizeWorkload *one) { return one->cost; },
        [](const RightSizeWorkload *one) { return listedName(*one); });
    std::sort(m_shared.begin(), m_shared.end(), std::less<>());
}

bool ListedWorkloads::has(const RightSizeWorkload &one, std::int32_t series) const
{
    return series < 0 || !one.hours.empty() || m_series[static_cast<std::size_t>(series)].isListed
        || std::binary_search(m_shared.begin(), m_shared.end(), &one, std::less<>());
}

} // namespace gpuledger::services
