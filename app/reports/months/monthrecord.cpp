// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/months/monthrecord.h"

#include "app/base/crypto/sha256.h"
#include "app/reports/months/monthtexts.h"
#include "app/reports/statement/statementbuilder.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace gpuledger::reports {

using base::Result;
using insight::LedgerAnswer;
using insight::LedgerRow;

namespace {

MonthStatus draftOf(const MonthRecord &record)
{
    MonthStatus status;
    status.month = record.month;
    return status;
}

// The workloads that a statement names, in either view.
Result<LedgerAnswer> shownWorkloads(const MonthRecord &record)
{
    using Name = std::tuple<std::string, std::string, std::string>; // team, namespace, workload
    std::set<Name> shown;
    for (const CostView view : {CostView::Billed, CostView::Effective}) {
        const auto statement = makeStatement(record, draftOf(record), view, {});
        GPULEDGER_TRY(statement);
        for (const CurrencyStatement &currency : statement->currencies) {
            for (const TeamStatement &team : currency.teams) {
                for (const StatementWorkload &one : team.workloads)
                    shown.emplace(team.team, one.nameSpace, one.name);
            }
        }
    }
    LedgerAnswer out;
    for (const LedgerRow &row : record.workloads.rows) {
        if (shown.contains({row.keys[0], row.keys[1], row.keys[2]}))
            out.rows.push_back(row);
    }
    return out;
}

void addFigures(std::vector<std::string> &rows, const MonthRecord &record)
{
    for (const insight::LedgerTotal &total : record.after.totals)
        rows.push_back(texts::ofBill(total));
    for (const LedgerRow &row : record.after.rows)
        rows.push_back(texts::ofRow(texts::kSum, row));
    for (const MonthAdjustment &one : record.adjustments)
        rows.push_back(texts::ofAdjustment(one));
}

void addPast(std::vector<std::string> &rows, const PastMonths &past)
{
    for (const auto &[month, figures] : past.ofTeams) {
        for (const auto &[key, amounts] : figures)
            rows.push_back(texts::ofPast(texts::kPast, month, key, amounts));
    }
    for (const auto &[month, figures] : past.ofOthers) {
        for (const auto &[key, amounts] : figures)
            rows.push_back(texts::ofPast(texts::kPastOthers, month, key, amounts));
    }
}

} // namespace

Result<Statement> makeStatement(const MonthRecord &record, const MonthStatus &status, CostView view,
                                const std::string &team)
{
    return makeStatement({record.month, view, record.made, team, record.covered, record.after, record.before,
                          record.workloads, record.adjustments, status, record.sharing,
                          record.restated ? &*record.restated : nullptr, record.knowsBefore,
                          record.doubts ? &*record.doubts : nullptr, record.possible ? &*record.possible : nullptr,
                          record.fetchedInPart});
}

std::string figuresHash(const MonthRecord &record)
{
    std::vector<std::string> rows;
    addFigures(rows, record);
    base::Sha256 hash;
    if (!record.sharing.movesNothing()) // otherwise the hash is the same as before there were such rules
        rows.push_back(texts::ofSharing(record.sharing));
    for (const std::string &row : rows)
        hash.add(row + '\n');
    return hash.hex();
}

std::map<std::string, std::string> teamHashes(const MonthRecord &record)
{
    const auto dimensions = statementDimensions();
    const auto at = std::find(dimensions.begin(), dimensions.end(), insight::LedgerDimension::Team);
    const auto column = static_cast<std::size_t>(at - dimensions.begin());
    std::map<std::string, base::Sha256> sums;
    for (const LedgerRow &row : record.after.rows)
        sums[row.keys[column]].add(texts::ofRow(texts::kSum, row) + '\n');
    for (const MonthAdjustment &one : record.adjustments)
        sums[one.key.team].add(texts::ofAdjustment(one) + '\n');
    const std::string others = record.sharing.movesNothing() ? std::string() : figuresHash(record);
    std::map<std::string, std::string> out;
    for (auto &[team, sum] : sums) {
        sum.add(others);
        out[team] = sum.hex();
    }
    return out;
}

Result<ClosedTexts> encode(const ClosedMonth &month, const LineSource &lines)
{
    ClosedTexts out;
    out.rows.emplace_back(); // the header, written once the number of figures is known
    addFigures(out.rows, month.record);
    for (const LedgerRow &row : month.record.before.rows)
        out.rows.push_back(texts::ofRow(texts::kBefore, row));
    if (const auto &restated = month.record.restated) {
        for (const LedgerRow &row : restated->now.rows)
            out.rows.push_back(texts::ofRow(texts::kNow, row));
        if (restated->byOldRules) {
            for (const LedgerRow &row : restated->byOldRules->rows)
                out.rows.push_back(texts::ofRow(texts::kOldRules, row));
        }
    }
    if (const auto &past = month.record.past)
        addPast(out.rows, *past);
    const auto workloads = shownWorkloads(month.record);
    GPULEDGER_TRY(workloads);
    for (const LedgerRow &row : workloads->rows)
        out.rows.push_back(texts::ofRow(texts::kWorkload, row));
    for (const LedgerRow &row : month.record.doubts ? month.record.doubts->rows : std::vector<LedgerRow>())
        out.rows.push_back(texts::ofRow(texts::kDoubt, row));
    for (const LedgerRow &row : month.record.possible ? month.record.possible->rows : std::vector<LedgerRow>())
        out.rows.push_back(texts::ofRow(texts::kPossible, row));
    if (month.rules)
        out.rows.push_back(texts::ofRules(*month.rules));
    out.figureCount = out.rows.size();
    std::map<model::LedgerKey, std::size_t> keys;
    GPULEDGER_TRY(
        lines([&](base::Day day, const model::LedgerKey &key, const model::LedgerAmounts &amounts) -> Result<void> {
            const auto [it, isNew] = keys.emplace(key, keys.size());
            if (isNew)
                out.rows.push_back(texts::ofKey(it->second, key));
            out.rows.push_back(texts::ofLine(day, it->second, amounts));
            return {};
        }));
    out.rows.front() = texts::ofHeader(month, out.figureCount);
    return out;
}

Result<std::size_t> figureCountOf(const std::string &header)
{
    return texts::figureCountOf(header);
}

Result<ClosedMonth> decode(const std::vector<std::string> &figures)
{
    return texts::read(figures);
}

MonthStatus statusOf(const ClosedMonth &month, std::string hash)
{
    MonthStatus status;
    status.month = month.record.month;
    status.state = MonthState::Closed;
    status.isOver = true;
    status.at = month.record.made;
    status.by = month.by;
    status.reason = month.reason;
    status.review = month.review;
    status.hash = std::move(hash);
    return status;
}

std::optional<MonthStatus> statusOfHeader(const std::string &header, std::string hash)
{
    const auto month = texts::readHeader(header);
    if (!month)
        return std::nullopt;
    return statusOf(*month, std::move(hash));
}

} // namespace gpuledger::reports
