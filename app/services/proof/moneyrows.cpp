// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/proof/moneyrows.h"

#include <algorithm>
#include <tuple>

namespace gpuledger::services {

using base::Result;
using insight::MoneyRow;
using insight::Proof;

namespace {

constexpr std::size_t kWait = 4 * Proof::kMostRows; // rows that are buffered before the largest are chosen

MoneyRow rowOf(const ledger::LedgerPart &part, bool isEffective)
{
    const model::LedgerKey &key = *part.key;
    MoneyRow row;
    row.day = part.day;
    row.source = key.source;
    row.account = key.account;
    row.service = key.service;
    row.team = key.team;
    row.category = std::string(model::toString(key.category));
    row.state = key.state;
    row.match = std::string(model::toString(key.match));
    row.origin = std::string(model::toString(key.origin));
    if (part.node)
        row.resource = part.node->cluster + '/' + (part.node->node ? part.node->node->name : std::string());
    if (part.node && part.amounts.priced != 0) {
        for (const std::string &source : part.node->priceSources)
            row.priceSource += (row.priceSource.empty() ? "" : "; ") + source;
    }
    if (!part.bill)
        return row;
    const model::BillLine &line = *part.bill->line;
    row.source = part.bill->source;
    row.place = part.bill->place;
    row.lines = part.bill->lines;
    row.description = line.description;
    if (!line.resource.id.empty())
        row.resource = line.resource.id;
    row.charge = base::Money(isEffective ? part.bill->effective : part.bill->billed, line.billed.currency());
    return row;
}

std::int64_t size(std::int64_t amount)
{
    return amount < 0 ? amount : -amount; // the largest first; negative, because the lowest value has no positive
                                          // counterpart
}

} // namespace

Result<void> MoneyRows::add(const ledger::LedgerPart &part)
{
    if (!m_meaning.amount || !m_meaning.isPart(part.day, *part.key))
        return {};
    const std::int64_t amount = m_meaning.amount(*part.key, part.amounts);
    if (amount == 0)
        return {};
    model::LedgerAmounts effective; // which of a bill's two amounts is used
    effective.effective = 1;
    Row row{amount, rowOf(part, m_meaning.amount(*part.key, effective) != 0)};
    if (!m_meaning.share)
        return push(std::move(row));
    m_unsplit[*part.key].push_back(std::move(row));
    return {};
}

Result<void> MoneyRows::push(Row row)
{
    if (m_meaning.currency)
        row.row.amount = base::Money(row.amount, *m_meaning.currency);
    else
        row.row.time = base::GpuTime{row.amount};
    m_rows.push_back(std::move(row));
    return m_rows.size() >= kWait ? drop() : Result<void>();
}

Result<void> MoneyRows::end(const model::LedgerKey &key, const model::LedgerAmounts &amounts)
{
    const auto found = m_unsplit.find(key);
    if (found == m_unsplit.end())
        return {};
    std::vector<Row> rows = std::move(found->second);
    m_unsplit.erase(found);
    std::int64_t left = m_meaning.share(key, m_meaning.amount(key, amounts));
    for (Row &row : rows) {
        row.amount = m_meaning.share(key, row.amount);
        left -= row.amount;
    }
    const auto largest = std::min_element(rows.begin(), rows.end(),
                                          [](const Row &a, const Row &b) { return size(a.amount) < size(b.amount); });
    largest->amount += left; // at most a nano-unit per addition
    for (Row &row : rows) {
        if (row.amount != 0)
            GPULEDGER_TRY(push(std::move(row)));
    }
    return {};
}

Result<void> MoneyRows::drop()
{
    if (m_rows.size() <= Proof::kMostRows)
        return {};
    const auto end = m_rows.begin() + static_cast<std::ptrdiff_t>(Proof::kMostRows);
    std::nth_element(m_rows.begin(), end, m_rows.end(), [](const Row &a, const Row &b) {
        return std::tuple(size(a.amount), a.row.day, std::string_view(a.row.place), std::string_view(a.row.team))
            < std::tuple(size(b.amount), b.row.day, std::string_view(b.row.place), std::string_view(b.row.team));
    });
    for (auto it = end; it != m_rows.end(); ++it) {
        ++m_leftOut;
        GPULEDGER_TRY(store::addAmount(m_leftOutSum, it->amount));
    }
    m_rows.erase(end, m_rows.end());
    return {};
}

Result<void> MoneyRows::moveTo(Proof &proof)
{
    GPULEDGER_TRY(drop());
    std::sort(m_rows.begin(), m_rows.end(), [](const Row &a, const Row &b) {
        return std::tuple(a.row.day, std::string_view(a.row.place), std::string_view(a.row.resource),
                          std::string_view(a.row.team), std::string_view(a.row.state), size(a.amount))
            < std::tuple(b.row.day, std::string_view(b.row.place), std::string_view(b.row.resource),
                         std::string_view(b.row.team), std::string_view(b.row.state), size(b.amount));
    });
    for (Row &one : m_rows)
        proof.money.push_back(std::move(one.row));
    proof.leftOut = m_leftOut;
    if (m_leftOut > 0 && m_meaning.currency)
        proof.leftOutAmount = base::Money(m_leftOutSum, *m_meaning.currency);
    else if (m_leftOut > 0)
        proof.leftOutTime = base::GpuTime{m_leftOutSum};
    return {};
}

} // namespace gpuledger::services
