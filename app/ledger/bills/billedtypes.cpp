// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/bills/billedtypes.h"

#include <algorithm>
#include <numeric>

namespace gpuledger::ledger {

namespace {

__extension__ using Wide = __int128;

constexpr std::int64_t kUnsureShare = 50; // differences up to 1/50 are ignored
constexpr std::int64_t kMostTypeTicks = std::int64_t{1} << 60;

void addTypeTicks(std::int64_t &sum, std::int64_t ticks)
{
    sum = std::min(sum, kMostTypeTicks) + std::min(ticks, kMostTypeTicks);
}

std::tuple<std::string, std::string, std::string> productOf(const store::BilledItem &billed)
{
    return {billed.source, billed.line->product.publisher, billed.line->product.serviceName};
}

} // namespace

BilledTypes::BilledTypes(const std::vector<NodeDay> &nodes)
    : m_nodes(nodes)
    , m_parents(nodes.size())
{
    std::iota(m_parents.begin(), m_parents.end(), std::size_t{0});
}

std::size_t BilledTypes::rootOf(std::size_t node)
{
    while (m_parents[node] != node) {
        m_parents[node] = m_parents[m_parents[node]];
        node = m_parents[node];
    }
    return node;
}

void BilledTypes::add(const store::BilledItem &billed, const BillItem &item, const BillMatch::Found &found,
                      bool isRefund)
{
    const std::size_t root = rootOf(found.nodes.front());
    for (const std::size_t node : found.nodes)
        m_parents[rootOf(node)] = root;
    store::BilledItem hours = billed;
    const bool takesBack = isRefund || (billed.quantity && *billed.quantity < 0);
    if (hours.quantity)
        hours.quantity = std::abs(*hours.quantity);
    const auto ticks = gpuTicksOf(hours, item);
    Line line{productOf(billed), root, {}};
    const bool isCorrection = billed.line->chargeClass == model::ChargeClass::Correction;
    (takesBack ? line.sum.refunded : isCorrection ? line.sum.corrected : line.sum.regular) = ticks.value_or(0);
    line.sum.isDoubtful = takesBack && !ticks;
    m_lines.push_back(std::move(line));
}

void BilledTypes::settle()
{
    if (m_isSettled)
        return;
    m_isSettled = true;
    for (const Line &line : m_lines) {
        Sum &sum = m_groups[rootOf(line.node)].products[line.product];
        addTypeTicks(sum.regular, line.sum.regular);
        addTypeTicks(sum.refunded, line.sum.refunded);
        addTypeTicks(sum.corrected, line.sum.corrected);
        sum.isDoubtful = sum.isDoubtful || line.sum.isDoubtful;
    }
    m_lines.clear();
    for (std::size_t node = 0; node < m_nodes.size(); ++node) {
        if (const auto group = m_groups.find(rootOf(node)); group != m_groups.end())
            group->second.seen += m_nodes[node].ticks;
    }
}

std::optional<BilledTypes::Split> BilledTypes::splitOf(const store::BilledItem &billed, const BillItem &item,
                                                       const BillMatch::Found &found)
{
    settle();
    const auto group = m_groups.find(rootOf(found.nodes.front()));
    if (group == m_groups.end())
        return std::nullopt;
    // A correction replaces hours that a refund took back. One that comes alone may be of the price, so it adds none.
    const auto paidOf = [](const Sum &sum) {
        return sum.isDoubtful ? 0 : sum.regular - sum.refunded + std::min(sum.refunded, sum.corrected);
    };
    const auto &products = group->second.products;
    const auto longest = std::max_element(products.begin(), products.end(), [&](const auto &a, const auto &b) {
        return paidOf(a.second) < paidOf(b.second);
    });
    const std::int64_t paid = paidOf(longest->second), seen = group->second.seen;
    const auto ticks = gpuTicksOf(billed, item);
    if (!ticks || paid <= seen + seen / kUnsureShare)
        return std::nullopt;
    Split split{seen, paid - seen, 0};
    const std::int64_t charged = longest->second.regular + longest->second.corrected;
    if (longest->first == productOf(billed))
        split.restOfLine = static_cast<std::int64_t>(static_cast<Wide>(*ticks) * split.rest / charged);
    return split;
}

} // namespace gpuledger::ledger
