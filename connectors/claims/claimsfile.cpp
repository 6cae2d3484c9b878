// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/claims/claimsfile.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "connectors/format/smalltable.h"

#include <algorithm>
#include <set>

namespace gpuledger::claims {

using base::ErrorCode;
using base::Result;
using format::SmallTableRow;
using model::SavingsClaim;

namespace {

enum Cell : std::size_t { Tool, What, Scope, From, To, Saved, CurrencyCode };

constexpr format::SmallTableKind kClaims{"the file of claims", base::Remedy::WriteClaims, 1};
constexpr std::size_t kLongestCell = 200; // bytes
// What costs can be told apart by: ledger dimensions.
constexpr std::array<std::string_view, 13> kScopes{"account",   "category",  "cloud",        "cluster", "environment",
                                                   "gpu-model", "namespace", "region",       "service", "source",
                                                   "team",      "workload",  "workload-type"};

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view kBlanks = " \t";
    const std::size_t first = text.find_first_not_of(kBlanks);
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

// The parts of "a=b; c=d", and their two halves; false: a part has no name or no value.
bool eachPair(std::string_view text, char separator, auto &&each)
{
    while (!trimmed(text).empty()) {
        const std::size_t end = std::min(text.find(separator), text.size());
        const std::string_view part = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        const std::size_t at = std::min(part.find('='), part.size());
        const std::string_view name = trimmed(part.substr(0, at)),
                               value = trimmed(part.substr(std::min(at + 1, part.size())));
        if (name.empty() || value.empty() || !each(name, value))
            return false;
    }
    return true;
}

std::string shownCell(std::string_view text)
{
    return '"' + base::printable(std::string(text), kLongestCell) + '"';
}

// The days of "2026-10-05" or "2026-10"; std::nullopt: it is neither.
std::optional<std::pair<base::Day, base::Day>> daysOf(const std::string &text)
{
    constexpr std::size_t kMonth = 7, kDate = 10;
    if (text.size() != kMonth && text.size() != kDate)
        return std::nullopt;
    const auto first = base::parseTime(text.size() == kMonth ? text + "-01" : text);
    if (!first)
        return std::nullopt;
    const base::Day day = base::dayOf(*first);
    if (text.size() == kDate)
        return std::pair(day, day);
    base::Day last = day;
    while (base::toRfc3339(base::Day{last.number + 1}.start()).starts_with(text))
        ++last.number;
    return std::pair(day, last);
}

Result<void> readDays(const SmallTableRow &row, SavingsClaim &claim)
{
    const std::string &to = row.cells[To];
    const auto first = daysOf(row.cells[From]), last = to.empty() ? first : daysOf(to);
    if (!first)
        return kClaims.wrongLine(row.line, shownCell(row.cells[From]) + " is no day or month such as 2026-10");
    if (!last)
        return kClaims.wrongLine(row.line, shownCell(to) + " is no day or month such as 2026-10");
    claim.first = first->first;
    claim.last = last->second;
    if (claim.last < claim.first)
        return kClaims.wrongLine(row.line, "it ends before it begins");
    constexpr int kLongest = 366;
    if (claim.last.number - claim.first.number >= kLongest)
        return kClaims.wrongLine(row.line, "it is for more than a year");
    return {};
}

Result<void> readScope(const SmallTableRow &row, SavingsClaim &claim)
{
    const std::string &text = row.cells[Scope];
    std::string unknown;
    const bool isGood = eachPair(text, ';', [&](std::string_view name, std::string_view value) {
        if (std::find(kScopes.begin(), kScopes.end(), name) == kScopes.end())
            unknown = name;
        claim.scope.emplace_back(name, base::printableLine(std::string(value), kLongestCell));
        return unknown.empty();
    });
    if (!unknown.empty())
        return kClaims.wrongLine(row.line, shownCell(unknown) + " is nothing that costs are told apart by");
    if (!isGood)
        return kClaims.wrongLine(row.line, shownCell(text) + " is no scope such as cluster=prod; team=vision");
    std::sort(claim.scope.begin(), claim.scope.end());
    claim.scope.erase(std::unique(claim.scope.begin(), claim.scope.end()), claim.scope.end());
    return {};
}

Result<SavingsClaim> claimIn(const SmallTableRow &row)
{
    SavingsClaim claim;
    claim.tool = base::printableLine(row.cells[Tool], kLongestCell);
    claim.what = base::printableLine(row.cells[What], kLongestCell);
    GPULEDGER_TRY(readScope(row, claim));
    GPULEDGER_TRY(readDays(row, claim));
    const auto saved = base::Decimal::parse(row.cells[Saved]);
    if (!saved || !saved->toMoney(base::Currency::usd()))
        return kClaims.wrongLine(row.line, shownCell(row.cells[Saved]) + " is no amount such as 1234.56");
    claim.saved = *saved;
    if (const std::string &code = row.cells[CurrencyCode]; !code.empty()) {
        const auto currency = base::Currency::parse(code);
        if (!currency)
            return kClaims.wrongLine(row.line, shownCell(code) + " is no currency");
        claim.currency = *currency;
    }
    return claim;
}

} // namespace

Result<ColumnNames> columnNames(std::string_view format)
{
    ColumnNames names;
    std::copy(kColumnNames.begin(), kColumnNames.end(), names.begin());
    std::set<std::string_view> named;
    const bool isGood = eachPair(format, ',', [&](std::string_view name, std::string_view value) {
        const auto at = std::find(kColumnNames.begin(), kColumnNames.end(), name);
        if (at == kColumnNames.end() || !named.insert(name).second)
            return false;
        names[static_cast<std::size_t>(at - kColumnNames.begin())] = value;
        return true;
    });
    if (!isGood)
        return base::fail(ErrorCode::InvalidConfig, shownCell(format) + " does not name the columns of claims",
                          base::Remedy::NameClaimColumns);
    return names;
}

Result<std::vector<SavingsClaim>> readClaims(std::string_view csv, const ColumnNames &names)
{
    std::vector<format::SmallTableColumn> columns;
    for (std::size_t i = 0; i < names.size(); ++i)
        columns.push_back({names[i], i == From || i == Saved || names[i] != kColumnNames[i]});
    const auto rows = format::readSmallTable(csv, columns, kClaims);
    GPULEDGER_TRY(rows);
    std::vector<SavingsClaim> claims;
    for (const SmallTableRow &row : *rows) {
        auto claim = claimIn(row);
        GPULEDGER_TRY(claim);
        claims.push_back(std::move(*claim));
    }
    return claims;
}

} // namespace gpuledger::claims
