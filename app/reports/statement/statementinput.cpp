// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/statement/statementinput.h"

#include "app/model/money/ledgerline.h"

#include <algorithm>
#include <array>

namespace gpuledger::reports {

using base::Money;
using insight::LedgerDimension;
using insight::LedgerRow;

namespace {

constexpr std::array kDimensions{LedgerDimension::Team, LedgerDimension::Category, LedgerDimension::State,
                                 LedgerDimension::Origin, LedgerDimension::GpuModel};
constexpr std::array kWorkloadDimensions{LedgerDimension::Team, LedgerDimension::NameSpace, LedgerDimension::Workload,
                                         LedgerDimension::State};
constexpr std::array kMoreOfDoubts{LedgerDimension::Cluster, LedgerDimension::Sharing, LedgerDimension::PriceDate};

} // namespace

std::vector<LedgerDimension> statementDimensions()
{
    return {kDimensions.begin(), kDimensions.end()};
}

std::vector<LedgerDimension> doubtDimensions()
{
    std::vector<LedgerDimension> all = statementDimensions();
    all.insert(all.end(), kMoreOfDoubts.begin(), kMoreOfDoubts.end());
    return all;
}

std::vector<LedgerDimension> workloadDimensions()
{
    return {kWorkloadDimensions.begin(), kWorkloadDimensions.end()};
}

bool isDoubtful(const LedgerRow &row)
{
    return !row.keys[StatementKey::Sharing].empty()
        || (isEstimate(row) && !row.allocated && !row.keys[StatementKey::PriceDate].empty());
}

bool isEstimate(const LedgerRow &row)
{
    return row.keys[StatementKey::Origin] != model::toString(model::LedgerOrigin::Billed);
}

Money estimateOf(const LedgerRow &row)
{
    return row.allocated.value_or(row.priced);
}

// A month that is not over is not compared, and neither is a month when part of either was never fetched.
bool StatementInput::isComparable() const
{
    const auto hasEstimate = [](const std::vector<LedgerRow> &rows) {
        return std::any_of(rows.begin(), rows.end(), isEstimate);
    };
    const bool whole = !covered.empty() && !fetchedInPart && covered.start <= reports::before(month).range().start;
    return month.range().end <= now && !before.rows.empty()
        && (whole || (!hasEstimate(before.rows) && !hasEstimate(comparedRows())));
}

const std::vector<LedgerRow> &StatementInput::comparedRows() const
{
    return restated ? restated->now.rows : before.rows;
}

Money StatementInput::costOf(const LedgerRow &row) const
{
    return view == CostView::Billed ? row.billed : row.effective;
}

Money StatementInput::amountOf(const LedgerRow &row) const
{
    return isEstimate(row) ? estimateOf(row) : costOf(row);
}

} // namespace gpuledger::reports
