// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/coreweave/ratecard.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "connectors/auth/kubeconfigfile.h"
#include "connectors/format/smalltable.h"

#include <algorithm>
#include <array>
#include <optional>

namespace gpuledger::coreweave {

using base::ErrorCode;
using base::Result;

namespace {

constexpr base::Day kAlways{-1'000'000};
constexpr std::int64_t kMostGpus = 1'024; // of one machine
constexpr std::size_t kMostCell = 200; // bytes

enum Column : std::size_t { Machine, Gpus, Currency, PerHour, GpuModel, From, Provider };

const std::array<format::SmallTableColumn, 7> &rateColumns()
{
    static const std::array<format::SmallTableColumn, 7> kColumns{{{"machine", true},
                                                                   {"gpus", true},
                                                                   {"currency", true},
                                                                   {"per_hour", true},
                                                                   {"gpu_model"},
                                                                   {"from"},
                                                                   {"provider"}}};
    return kColumns;
}

constexpr format::SmallTableKind kRateCard{"the rate card", base::Remedy::WriteRateCard, 10};

bool isOfOthers(const std::string &provider)
{
    std::string lower = provider;
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return !lower.empty() && lower != "coreweave";
}

Result<base::Day> firstDayOf(const std::string &text, std::uint64_t line)
{
    if (text.empty())
        return kAlways;
    constexpr std::size_t kDate = 10; // "2026-11-01"
    const auto time = base::parseTime(text);
    if (!time || text.size() != kDate)
        return kRateCard.wrongLine(line, "\"" + base::printable(text, kMostCell) + "\" is no day such as 2026-11-01");
    return base::dayOf(*time);
}

Result<TypeRate> rateIn(const format::SmallTableRow &row)
{
    TypeRate rate;
    const std::string &gpus = row.cells[Gpus], &code = row.cells[Currency], &price = row.cells[PerHour];
    const auto shown = [](const std::string &text) { return '"' + base::printable(text, kMostCell) + '"'; };
    const auto count = base::parseInt(gpus);
    if (!count || *count < 0 || *count > kMostGpus)
        return kRateCard.wrongLine(row.line, shown(gpus) + " is no number of GPUs");
    const auto currency = base::Currency::parse(code);
    if (!currency)
        return kRateCard.wrongLine(row.line, shown(code) + " is no currency");
    const auto perHour = base::Money::parse(price, *currency);
    if (!perHour || perHour->nanos() <= 0)
        return kRateCard.wrongLine(row.line, shown(price) + " is no price above zero");
    rate.perHour = *perHour;
    rate.gpus = *count;
    rate.gpuModel = base::printableLine(row.cells[GpuModel], kMostCell);
    return rate;
}

} // namespace

Result<RateCard> RateCard::parse(std::string_view csv)
{
    const auto rows = format::readSmallTable(csv, rateColumns(), kRateCard);
    GPULEDGER_TRY(rows);
    RateCard card;
    for (const format::SmallTableRow &row : *rows) {
        if (isOfOthers(row.cells[Provider]))
            continue;
        const std::string &type = row.cells[Machine];
        if (type.empty())
            return kRateCard.wrongLine(row.line, "it names no machine");
        const auto rate = rateIn(row);
        GPULEDGER_TRY(rate);
        const auto from = firstDayOf(row.cells[From], row.line);
        GPULEDGER_TRY(from);
        if (!card.m_rates[type].emplace(*from, *rate).second)
            return kRateCard.wrongLine(row.line,
                                       base::printable(type, kMostCell) + " has another price for the same days");
    }
    return card;
}

Result<RateCard> RateCard::read(const std::filesystem::path &file)
{
    const auto text = auth::readSmallFile(file);
    GPULEDGER_TRY(text);
    if (!*text)
        return base::fail(ErrorCode::NotFound, "there is no rate card at " + base::printable(file.string(), 256),
                          base::Remedy::CheckPathAndPermissions);
    return parse(**text);
}

const TypeRate *RateCard::rateOf(const std::string &type, base::Day day) const
{
    const auto rates = m_rates.find(type);
    if (rates == m_rates.end())
        return nullptr;
    const auto later = rates->second.upper_bound(day);
    return later == rates->second.begin() ? nullptr : &std::prev(later)->second;
}

} // namespace gpuledger::coreweave
