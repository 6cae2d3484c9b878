// SPDX-License-Identifier: GPL-3.0-or-later
// The texts in which a month is stored: the rows of a closed month, one per line, and the statement of a report, which
// strangers can sign as well.
#include "app/reports/files/reportmonth.h"
#include "app/reports/months/monthrecord.h"
#include "app/reports/months/monthtexts.h"
#include "app/store/values/billed.h"
#include "tests/fuzz/fuzz.h"

#include <algorithm>

// Needed to link: the file with the names of rows also has the sums of the ledger, whose additions are in the file that
// writes bills into a database. No target adds any up.
namespace gpuledger::store {

base::Result<void> addAmount(std::int64_t &, std::int64_t)
{
    fuzz::check(false, "no text of a month is added up by the ledger");
    return {};
}

} // namespace gpuledger::store

namespace gpuledger::fuzz {

namespace {

std::vector<std::string> linesOf(std::string_view bytes)
{
    std::vector<std::string> rows;
    while (!bytes.empty()) {
        const std::size_t end = std::min(bytes.find('\n'), bytes.size());
        rows.emplace_back(bytes.substr(0, end));
        bytes.remove_prefix(std::min(end + 1, bytes.size()));
    }
    return rows;
}

void readStatement(std::string_view bytes)
{
    const auto month = reports::keptMonthOf(bytes);
    if (!month)
        return;
    for (const reports::CostView view : {reports::CostView::Billed, reports::CostView::Effective}) {
        (void)reports::makeStatement(month->record, month->status, view, {});
        (void)reports::makeStatement(month->record, month->status, view, "vision");
    }
    if (const auto text = reports::toText(*month))
        check(reports::keptMonthOf(*text).has_value(), "a statement that was read can be written and read again");
}

} // namespace

void fuzz(std::string_view bytes)
{
    readStatement(bytes);
    const std::vector<std::string> rows = linesOf(bytes);
    if (rows.empty())
        return;
    (void)reports::figureCountOf(rows.front());
    (void)reports::statusOfHeader(rows.front(), "hash");
    const auto month = reports::decode(rows);
    if (!month)
        return;
    (void)reports::figuresHash(month->record);
    (void)reports::teamHashes(month->record);
    const std::string header = reports::texts::ofHeader(*month, rows.size());
    check(reports::figureCountOf(header) == rows.size(), "a header that was read can be written and read again");
}

} // namespace gpuledger::fuzz
