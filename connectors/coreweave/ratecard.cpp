// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/coreweave/ratecard.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "connectors/auth/kubeconfigfile.h"
#include "connectors/format/csvreader.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

namespace gpuledger::coreweave {

using base::ErrorCode;
using base::Result;

namespace {

constexpr base::Day kAlways{-1'000'000};
constexpr std::int64_t kMostGpus = 1'024; // of one machine
constexpr std::size_t kMostCell = 200; // bytes
constexpr std::size_t kMostRates = 10'000;

std::string_view withoutBlanks(std::string_view text)
{
    constexpr std::string_view kBlanks = " \t";
    const std::size_t first = text.find_first_not_of(kBlanks);
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

class TextBytes final : public format::ByteSource {
public:
    explicit TextBytes(std::string_view text)
        : m_text(text)
    {
    }
    Result<std::size_t> read(std::span<char> to) override
    {
        const std::size_t count = std::min(to.size(), m_text.size());
        std::memcpy(to.data(), m_text.data(), count);
        m_text.remove_prefix(count);
        return count;
    }

private:
    std::string_view m_text;
};

struct Columns {
    std::optional<std::size_t> machine, gpus, currency, perHour, model, from, provider;
};

tl::unexpected<base::Error> wrongLine(std::uint64_t line, const std::string &why)
{
    return base::fail(ErrorCode::Parse, "the rate card can't be read: line " + std::to_string(line) + ": " + why,
                      base::Remedy::WriteRateCard);
}

Result<Columns> columnsOf(const format::TextRow &header)
{
    Columns columns;
    const std::array<std::pair<std::string_view, std::optional<std::size_t> *>, 7> names{
        {{"machine", &columns.machine},
         {"gpus", &columns.gpus},
         {"currency", &columns.currency},
         {"per_hour", &columns.perHour},
         {"gpu_model", &columns.model},
         {"from", &columns.from},
         {"provider", &columns.provider}}};
    for (std::size_t i = 0; i < header.size(); ++i) {
        for (const auto &[name, column] : names) {
            if (withoutBlanks(header[i]) != name)
                continue;
            if (*column)
                return wrongLine(header.line(), "the column " + std::string(name) + " is there twice");
            *column = i;
        }
    }
    constexpr std::size_t kRequired = 4;
    for (std::size_t i = 0; i < kRequired; ++i) {
        if (!*names[i].second)
            return wrongLine(header.line(), "there is no column " + std::string(names[i].first));
    }
    return columns;
}

std::string cellOf(const format::TextRow &row, std::optional<std::size_t> column)
{
    return column && *column < row.size() ? std::string(withoutBlanks(row[*column])) : std::string();
}

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
        return wrongLine(line, "\"" + base::printable(text, kMostCell) + "\" is no day such as 2026-11-01");
    return base::dayOf(*time);
}

Result<TypeRate> rateIn(const format::TextRow &row, const Columns &columns)
{
    TypeRate rate;
    const std::string gpus = cellOf(row, columns.gpus), code = cellOf(row, columns.currency),
                      price = cellOf(row, columns.perHour);
    const auto shown = [](const std::string &text) { return '"' + base::printable(text, kMostCell) + '"'; };
    const auto count = base::parseInt(gpus);
    if (!count || *count < 0 || *count > kMostGpus)
        return wrongLine(row.line(), shown(gpus) + " is no number of GPUs");
    const auto currency = base::Currency::parse(code);
    if (!currency)
        return wrongLine(row.line(), shown(code) + " is no currency");
    const auto perHour = base::Money::parse(price, *currency);
    if (!perHour || perHour->nanos() <= 0)
        return wrongLine(row.line(), shown(price) + " is no price above zero");
    rate.perHour = *perHour;
    rate.gpus = *count;
    rate.gpuModel = base::printableLine(cellOf(row, columns.model), kMostCell);
    return rate;
}

} // namespace

Result<RateCard> RateCard::parse(std::string_view csv)
{
    TextBytes bytes(csv);
    format::CsvReader reader(bytes);
    format::TextRow row;
    const auto hasHeader = reader.next(row);
    GPULEDGER_TRY(hasHeader);
    if (!*hasHeader)
        return base::fail(ErrorCode::Parse, "the rate card is empty", base::Remedy::WriteRateCard);
    const auto columns = columnsOf(row);
    GPULEDGER_TRY(columns);
    RateCard card;
    for (std::size_t rows = 0;; ++rows) {
        const auto isThere = reader.next(row);
        GPULEDGER_TRY(isThere);
        if (!*isThere)
            return card;
        if (rows == kMostRates)
            return base::fail(ErrorCode::TooMuch, "the rate card has more than 10,000 rows");
        if (row.problem() != format::TextRow::Problem::None)
            return wrongLine(row.line(), "it is no row of CSV");
        if (isOfOthers(cellOf(row, columns->provider)))
            continue;
        const std::string type = cellOf(row, columns->machine);
        if (type.empty())
            return wrongLine(row.line(), "it names no machine");
        const auto rate = rateIn(row, *columns);
        GPULEDGER_TRY(rate);
        const auto from = firstDayOf(cellOf(row, columns->from), row.line());
        GPULEDGER_TRY(from);
        if (!card.m_rates[type].emplace(*from, *rate).second)
            return wrongLine(row.line(), base::printable(type, kMostCell) + " has another price for the same days");
    }
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
