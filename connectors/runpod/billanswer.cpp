// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/runpod/billanswer.h"

#include "app/base/text/text.h"
#include "connectors/format/json.h"
#include "connectors/format/numbertext.h"

#include <utility>

namespace gpuledger::runpod {

using base::Decimal;
using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;

namespace {

constexpr std::size_t kLongestId = 256; // bytes
constexpr const char *kTotal = "totalAmount";

tl::unexpected<base::Error> unreadableBill(const std::string &what)
{
    return base::fail(ErrorCode::Parse, "RunPod's answer can't be read: " + what);
}

Result<Decimal> amountOf(const Json &object, const char *member)
{
    const std::string text = format::textOf(object, member);
    auto amount = Decimal::parse(text);
    if (!amount && amount.error().code != ErrorCode::Overflow)
        return unreadableBill(std::string("it has no ") + member);
    return amount;
}

Result<void> addTo(Decimal &sum, const Decimal &amount)
{
    const auto more = sum.plus(amount);
    GPULEDGER_TRY(more);
    sum = *more;
    return {};
}

// The records of an answer that is whole and for `days`.
struct Answer {
    Json records;
    Json metadata;
};
Result<Answer> answerOf(const std::string &body, const base::TimeRange &days)
{
    auto tree = format::parseWithNumbersAsText(body);
    if (!tree)
        return unreadableBill(tree.error().text);
    if (!tree->is_object() || !format::memberOf(*tree, "records").is_array()
        || !format::memberOf(*tree, "metadata").is_object())
        return unreadableBill("it has no records");
    Answer answer{std::move((*tree)["records"]), std::move((*tree)["metadata"])};
    if (base::parseInt(format::textOf(answer.metadata, "recordCount"))
        != static_cast<std::int64_t>(answer.records.size()))
        return unreadableBill("it has another number of records than it says");
    const Json &query = format::memberOf(answer.metadata, "query");
    const auto start = base::parseTime(format::textOf(query, "startTime"));
    const auto end = base::parseTime(format::textOf(query, "endTime"));
    if (!start || !end || *start != days.start || *end != days.end || format::textOf(query, "bucketSize") != "day")
        return unreadableBill("it is for other days than were asked");
    return answer;
}

Result<base::Day> dayOfRecord(const Json &record, const base::TimeRange &days)
{
    const auto start = base::parseTime(format::textOf(record, "startTime"));
    const auto end = base::parseTime(format::textOf(record, "endTime"));
    if (!start || !end || !days.contains(*start))
        return unreadableBill("it has a day that was not asked");
    const base::Day day = base::dayOf(*start);
    if (*start != day.start() || *end != day.end())
        return unreadableBill("a record is not for one day");
    return day;
}

Result<void> addRecord(const Json &record, const FamilyShape &shape, const base::TimeRange &days,
                       std::vector<BillRow> &rows)
{
    const auto day = dayOfRecord(record, days);
    GPULEDGER_TRY(day);
    BillRow row{{day->start(), day->end()}, shape.family, {}, {}, {}};
    if (shape.id[0] != '\0') {
        row.id = base::printableLine(format::textOf(record, shape.id), kLongestId);
        if (row.id.empty())
            return unreadableBill(std::string("a record has no ") + shape.id);
    }
    auto rest = amountOf(record, kTotal);
    GPULEDGER_TRY(rest);
    for (const char *part : shape.parts) {
        if (part[0] == '\0')
            continue;
        const auto amount = amountOf(record, part);
        GPULEDGER_TRY(amount);
        rest = rest->minus(*amount);
        GPULEDGER_TRY(rest);
        row.part = part;
        row.amount = *amount;
        if (!amount->isZero())
            rows.push_back(row);
    }
    row.part.clear();
    row.amount = *rest;
    if (!rest->isZero())
        rows.push_back(row);
    if (rows.size() > kMostRows)
        return base::fail(ErrorCode::TooMuch, "a month of RunPod's bill has more than 200,000 amounts");
    return {};
}

} // namespace

Result<void> readRecords(const std::string &body, const FamilyShape &shape, const base::TimeRange &days,
                         std::vector<BillRow> &rows)
{
    const auto answer = answerOf(body, days);
    GPULEDGER_TRY(answer);
    for (const Json &record : answer->records)
        GPULEDGER_TRY(addRecord(record, shape, days, rows));
    return {};
}

Result<AccountTotals> readTotals(const std::string &body, const base::TimeRange &days)
{
    const auto answer = answerOf(body, days);
    GPULEDGER_TRY(answer);
    AccountTotals totals;
    for (const Json &record : answer->records) {
        const auto day = dayOfRecord(record, days);
        GPULEDGER_TRY(day);
        const auto amount = amountOf(record, kTotal);
        GPULEDGER_TRY(amount);
        GPULEDGER_TRY(addTo(totals.days[*day], *amount));
    }
    const auto all = amountOf(format::memberOf(answer->metadata, "totals"), kTotal);
    GPULEDGER_TRY(all);
    totals.all = *all;
    return totals;
}

Result<void> addDifferences(const AccountTotals &totals, const base::TimeRange &days, std::vector<BillRow> &rows)
{
    std::map<base::Day, Decimal> missing = totals.days;
    for (const BillRow &row : rows) {
        const auto at = missing.find(base::dayOf(row.period.start));
        if (at == missing.end())
            return unreadableBill("the account's total lacks a day that costs something");
        const auto less = at->second.minus(row.amount);
        GPULEDGER_TRY(less);
        at->second = *less;
    }
    Decimal ofDays;
    for (const auto &[day, amount] : totals.days)
        GPULEDGER_TRY(addTo(ofDays, amount));
    for (const auto &[day, amount] : missing) {
        if (!amount.isZero())
            rows.push_back({{day.start(), day.end()}, BillFamily::Account, {}, {}, amount});
    }
    const auto rest = totals.all.minus(ofDays);
    GPULEDGER_TRY(rest);
    if (!rest->isZero())
        rows.push_back({days, BillFamily::Account, {}, {}, *rest});
    return {};
}

} // namespace gpuledger::runpod
