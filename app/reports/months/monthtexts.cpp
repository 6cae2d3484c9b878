// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/months/monthtexts.h"

#include "app/reports/months/rowreader.h"
#include "app/reports/sharing/neighbours.h"

namespace gpuledger::reports::texts {

using base::Currency;
using base::Money;
using base::Result;
using insight::LedgerAnswer;
using insight::LedgerRow;
using insight::LedgerTotal;

namespace {

constexpr char kBill[] = "bill", kAdjustment[] = "adjustment", kRules[] = "rules";
constexpr std::size_t kRowFigures = 9; // after the keys of a row

LedgerRow rowOf(Reader &reader, Currency report)
{
    LedgerRow row;
    for (std::size_t i = 1; i + kRowFigures < reader.size(); ++i)
        row.keys.push_back(reader.text());
    row.currency = reader.currency();
    row.billed = Money(reader.integer(), row.currency);
    row.effective = Money(reader.integer(), row.currency);
    row.gpuTime = {reader.integer()};
    row.hasGpuTime = reader.truth();
    row.gpuTimeComplete = reader.truth();
    row.priced = Money(reader.integer(), report);
    row.unpriced = {reader.integer()};
    if (const auto allocated = reader.integerOrNull())
        row.allocated = Money(*allocated, row.currency);
    return row;
}

LedgerTotal billOf(Reader &reader)
{
    LedgerTotal total;
    total.currency = reader.currency();
    for (Money LedgerTotal::*part :
         {&LedgerTotal::billBilled, &LedgerTotal::billEffective, &LedgerTotal::billed, &LedgerTotal::effective,
          &LedgerTotal::unexplainedBilled, &LedgerTotal::unexplainedEffective})
        total.*part = Money(reader.integer(), total.currency);
    return total;
}

MonthAdjustment adjustmentOf(Reader &reader)
{
    MonthAdjustment one;
    one.of = reader.month();
    one.closedAt = reader.time();
    one.key.currency = reader.currency();
    one.key.team = reader.text();
    one.key.category = reader.text();
    one.key.state = reader.text();
    one.amounts.billed = reader.integer();
    one.amounts.effective = reader.integer();
    one.amounts.estimated = reader.integer();
    return one;
}

// False: the row does not fit, or the line occurs twice.
bool takePast(MonthsFigures &to, Reader &reader)
{
    MonthFigures &month = to[reader.month()];
    AdjustmentKey key;
    key.currency = reader.currency();
    key.team = reader.text();
    key.category = reader.text();
    key.state = reader.text();
    AdjustmentAmounts amounts;
    amounts.billed = reader.integer();
    amounts.effective = reader.integer();
    amounts.estimated = reader.integer();
    return reader.fits() && month.emplace(std::move(key), amounts).second;
}

// Where rows of a kind are stored; null: no such rows.
LedgerAnswer *answerOf(MonthRecord &record, const std::string &kind)
{
    if (kind == kSum)
        return &record.after;
    if (kind == kBefore)
        return &record.before;
    if (kind == kWorkload)
        return &record.workloads;
    if (kind == kDoubt && record.doubts)
        return &*record.doubts;
    if (kind == kPossible && record.possible)
        return &*record.possible;
    if (kind == kNow && record.restated)
        return &record.restated->now;
    return kind == kOldRules && record.restated && record.restated->byOldRules ? &*record.restated->byOldRules
                                                                               : nullptr;
}

// Takes a row if it has as many keys as its kind requires.
bool take(ClosedMonth &to, Reader &reader)
{
    MonthRecord &record = to.record;
    const std::string kind = reader.kind();
    if (kind == kBill) {
        record.after.totals.push_back(billOf(reader));
    } else if (kind == kAdjustment) {
        record.adjustments.push_back(adjustmentOf(reader));
    } else if (kind == kPast || kind == kPastOthers) {
        return record.past && takePast(kind == kPast ? record.past->ofTeams : record.past->ofOthers, reader);
    } else if (kind == kRules) {
        to.rules = KeptRules();
        to.rules->id = reader.text();
        to.rules->text = reader.text();
    } else {
        LedgerAnswer *answer = answerOf(record, kind);
        const std::size_t keys = (kind == kWorkload       ? workloadDimensions()
                                      : kind == kDoubt    ? doubtDimensions()
                                      : kind == kPossible ? possibleDimensions()
                                                          : statementDimensions())
                                     .size();
        if (!answer || reader.size() != 1 + keys + kRowFigures)
            return false;
        const bool isThen = kind == kBefore || kind == kOldRules;
        answer->rows.push_back(rowOf(reader, isThen ? record.reportBefore.value_or(record.report) : record.report));
    }
    return reader.fits();
}

} // namespace

std::string ofBill(const LedgerTotal &total)
{
    return text(Json::array({kBill, codeOf(total.currency), total.billBilled.nanos(), total.billEffective.nanos(),
                             total.billed.nanos(), total.effective.nanos(), total.unexplainedBilled.nanos(),
                             total.unexplainedEffective.nanos()}));
}

std::string ofRow(std::string_view what, const LedgerRow &row)
{
    Json json = Json::array({std::string(what)});
    for (const std::string &key : row.keys)
        json.push_back(key);
    json.push_back(codeOf(row.currency));
    json.push_back(row.billed.nanos());
    json.push_back(row.effective.nanos());
    json.push_back(row.gpuTime.ticks);
    json.push_back(row.hasGpuTime);
    json.push_back(row.gpuTimeComplete);
    json.push_back(row.priced.nanos());
    json.push_back(row.unpriced.ticks);
    json.push_back(row.allocated ? Json(row.allocated->nanos()) : Json(nullptr));
    return text(json);
}

std::string ofAdjustment(const MonthAdjustment &one)
{
    return text(Json::array({kAdjustment, insight::toString(one.of), base::toRfc3339(one.closedAt),
                             codeOf(one.key.currency), one.key.team, one.key.category, one.key.state,
                             one.amounts.billed, one.amounts.effective, one.amounts.estimated}));
}

std::string ofPast(std::string_view what, const insight::Month &month, const AdjustmentKey &key,
                   const AdjustmentAmounts &amounts)
{
    return text(Json::array({std::string(what), insight::toString(month), codeOf(key.currency), key.team, key.category,
                             key.state, amounts.billed, amounts.effective, amounts.estimated}));
}

std::string ofRules(const KeptRules &rules)
{
    return text(Json::array({kRules, rules.id, rules.text}));
}

std::string ofKey(std::size_t number, const model::LedgerKey &key)
{
    return text(Json::array({"key", number, codeOf(key.currency), std::string(model::toString(key.category)),
                             std::string(model::toString(key.origin)), std::string(model::toString(key.match)),
                             key.source, key.team, key.state, key.workloadKind, key.environment, key.account,
                             key.accountName, key.service, key.cloud, key.region, key.cluster, key.gpuModel}));
}

std::string ofLine(base::Day day, std::size_t key, const model::LedgerAmounts &amounts)
{
    return text(Json::array({"line", insight::dayText(day), key, amounts.billed, amounts.effective, amounts.ticks,
                             amounts.unknownTime, amounts.priced, amounts.unpricedTicks, amounts.allocated}));
}

Result<ClosedMonth> read(const std::vector<std::string> &rows)
{
    if (rows.empty())
        return unreadable();
    auto out = readHeader(rows.front());
    GPULEDGER_TRY(out);
    const auto count = figureCountOf(rows.front());
    GPULEDGER_TRY(count);
    if (*count != rows.size())
        return unreadable();
    for (std::size_t i = 1; i < rows.size(); ++i) {
        Reader reader(rows[i]);
        if (!reader.fits() || !take(*out, reader))
            return unreadable();
    }
    return out;
}

} // namespace gpuledger::reports::texts
