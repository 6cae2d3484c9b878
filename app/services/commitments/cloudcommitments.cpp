// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/commitments/cloudcommitments.h"

#include "app/base/remedy.h"
#include "app/ledger/bills/billitem.h"
#include "app/services/commitments/commitmentmemory.h"
#include "app/services/commitments/toldends.h"
#include "app/services/engine/engine.h"
#include "app/store/facts/factreader.h"
#include "app/store/values/billed.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace gpuledger::services {

using base::Day;
using base::Result;
using model::CloudCommitment;
using model::CommitmentCoverage;

namespace {

constexpr std::int32_t kDaysOfBill = 30; // that are looked at where the cloud tells of none
constexpr std::int32_t kLatestBill = 32; // how many days such a bill may be late

Result<std::optional<base::Money>> moneyOr(const std::optional<base::Decimal> &amount, base::Currency currency)
{
    if (!amount || currency == base::Currency())
        return std::optional<base::Money>();
    const auto money = amount->toMoney(currency);
    GPULEDGER_TRY(money);
    return std::optional(*money);
}

Result<CommitmentRow> commitmentRow(const std::string &source, CloudCommitment one)
{
    const auto perHour = moneyOr(one.perHour, one.currency);
    GPULEDGER_TRY(perHour);
    const auto unused = moneyOr(one.unused, one.currency);
    GPULEDGER_TRY(unused);
    return CommitmentRow{source, std::move(one), *perHour, *unused};
}

Result<CoverageRow> coverageRow(const std::string &source, CommitmentCoverage one)
{
    const auto onDemand = moneyOr(one.onDemand, one.currency);
    GPULEDGER_TRY(onDemand);
    return CoverageRow{source, std::move(one), *onDemand};
}

// What can't be shown is counted.
void addReport(const std::string &source, ports::CommitmentReport report, base::UtcTime now, CommitmentsAnswer &answer)
{
    answer.rejected += report.rejected;
    for (CloudCommitment &one : report.commitments) {
        if (one.end && *one.end <= now) // since it was read
            continue;
        if (!mayBeForGpus(one)) {
            ++answer.withoutGpus;
            continue;
        }
        if (auto row = commitmentRow(source, std::move(one)))
            answer.rows.push_back(std::move(*row));
        else
            ++answer.rejected;
    }
    for (CommitmentCoverage &one : report.coverage) {
        if (!namesGpus(one.cloud, one.machine)) {
            ++answer.withoutGpus;
            continue;
        }
        if (auto row = coverageRow(source, std::move(one)))
            answer.coverage.push_back(std::move(*row));
        else
            ++answer.rejected;
    }
}

Result<CommitmentsAnswer> keptAnswer(Engine &engine, const std::stop_token &stop)
{
    if (engine.reportMonth()) // its sources are those of another computer
        return base::fail(base::ErrorCode::NotFound, "a report has no commitments of clouds",
                          base::Remedy::UseReportOrigin);
    CommitmentsAnswer answer;
    answer.now = engine.clock().now();
    for (const model::SourceSettings &source : engine.setup().settings.sources) {
        if (!source.mayRead || !engine.kindOf(source).tellsCommitments())
            continue;
        if (stop.stop_requested())
            return base::fail(base::ErrorCode::Cancelled, "stopped");
        auto kept = keptCommitments(engine.cache(), source.name);
        GPULEDGER_TRY(kept);
        answer.readings.push_back({source.name, kept->readAt, kept->report.withheld, kept->failedAt, kept->failure});
        addReport(source.name, std::move(kept->report), answer.now, answer);
    }
    if (answer.readings.empty())
        return base::fail(base::ErrorCode::NotFound, "no source tells commitments", base::Remedy::AddCloudBill);
    return answer;
}

// What several sources tell, such as those of two subscriptions of one tenant, is told once: by the first of them.
void dropRepeated(CommitmentsAnswer &answer)
{
    std::set<std::pair<std::string, std::string>> known; // cloud and id
    std::erase_if(answer.rows, [&](const CommitmentRow &row) {
        const CloudCommitment &one = row.commitment;
        return !one.id.empty() && !known.insert({one.cloud, ledger::lowerCase(one.id)}).second;
    });
}

// Of one commitment on one day, amortized, nano-units.
struct BilledUse {
    std::int64_t used = 0, unused = 0;
    base::Currency currency;
    bool isMixed = false; // in several currencies
};

// By id in lower case, because clouds spell theirs in several ways.
using BilledUses = std::map<std::string, std::map<Day, BilledUse>>;

std::int32_t firstWanted(const CommitmentRow &row, Day today)
{
    return row.commitment.first && row.commitment.last ? row.commitment.first->number
                                                       : today.number - kLatestBill - kDaysOfBill;
}

Result<void> addUse(const store::BilledItem &billed, Day day, BilledUses &uses)
{
    const model::BillLine &line = *billed.line;
    if (line.commitment.id.empty() || line.category != model::ChargeCategory::Usage || billed.whole)
        return {};
    const auto found = uses.find(ledger::lowerCase(line.commitment.id));
    if (found == uses.end())
        return {};
    const auto [it, isNew] = found->second.try_emplace(day);
    BilledUse &use = it->second;
    if (isNew)
        use.currency = line.billed.currency();
    use.isMixed = use.isMixed || use.currency != line.billed.currency();
    return store::addAmount(line.commitment.status == model::UseStatus::Unused ? use.unused : use.used,
                            billed.effective);
}

// What the bills have of the answer's commitments, by day.
Result<BilledUses> billedUses(Engine &engine, const CommitmentsAnswer &answer, const std::stop_token &stop)
{
    BilledUses uses;
    const Day today = base::dayOf(answer.now);
    Day day = today;
    for (const CommitmentRow &row : answer.rows) {
        uses.try_emplace(ledger::lowerCase(row.commitment.id));
        day.number = std::min(day.number, std::max(firstWanted(row, today), std::int32_t{0}));
    }
    const auto facts = engine.cache().facts();
    GPULEDGER_TRY(facts);
    for (; day < today; ++day.number) {
        if (stop.stop_requested())
            return base::fail(base::ErrorCode::Cancelled, "stopped");
        GPULEDGER_TRY(
            (*facts)->billedOn(day, [&](const store::BilledItem &billed) { return addUse(billed, day, uses); }));
    }
    return uses;
}

// Sets what the bills have of a row's commitment.
Result<void> putBilledUse(const std::map<Day, BilledUse> &days, CommitmentRow &row)
{
    if (days.empty())
        return {};
    const CloudCommitment &told = row.commitment;
    const bool tellsDays = told.first && told.last;
    const Day last = tellsDays ? *told.last : std::prev(days.end())->first;
    const Day first = tellsDays ? *told.first : Day{last.number - kDaysOfBill + 1};
    BilledUse sum;
    std::optional<Day> firstBilled, lastBilled;
    for (auto it = days.lower_bound(first); it != days.end() && it->first <= last; ++it) {
        const BilledUse &use = it->second;
        if (!firstBilled) {
            firstBilled = it->first;
            sum.currency = use.currency;
        }
        lastBilled = it->first;
        sum.isMixed = sum.isMixed || use.isMixed || use.currency != sum.currency;
        GPULEDGER_TRY(store::addAmount(sum.used, use.used));
        GPULEDGER_TRY(store::addAmount(sum.unused, use.unused));
    }
    std::int64_t all = 0;
    if (sum.isMixed || __builtin_add_overflow(sum.used, sum.unused, &all) || all <= 0 || sum.used < 0 || sum.unused < 0)
        return {};
    row.billed = static_cast<double>(sum.used) / static_cast<double>(all);
    row.billedFirst = firstBilled;
    row.billedLast = lastBilled;
    return {};
}

void sortCommitments(CommitmentsAnswer &answer)
{
    const auto endOf = [](const CommitmentRow &row) { return row.commitment.end.value_or(base::UtcTime::max()); };
    std::stable_sort(answer.rows.begin(), answer.rows.end(), [&](const CommitmentRow &a, const CommitmentRow &b) {
        const base::UtcTime first = endOf(a), second = endOf(b);
        return std::tie(a.source, first, a.commitment.id) < std::tie(b.source, second, b.commitment.id);
    });
    std::stable_sort(answer.coverage.begin(), answer.coverage.end(), [](const CoverageRow &a, const CoverageRow &b) {
        return std::tie(a.source, a.coverage.machine, a.coverage.region, a.coverage.by)
            < std::tie(b.source, b.coverage.machine, b.coverage.region, b.coverage.by);
    });
    std::stable_sort(answer.readings.begin(), answer.readings.end(),
                     [](const CommitmentReading &a, const CommitmentReading &b) { return a.source < b.source; });
}

} // namespace

Result<CommitmentsAnswer> cloudCommitments(Engine &engine, const std::stop_token &stop)
{
    auto answer = keptAnswer(engine, stop);
    GPULEDGER_TRY(answer);
    sortCommitments(*answer);
    dropRepeated(*answer);
    if (!answer->rows.empty()) {
        const auto uses = billedUses(engine, *answer, stop);
        GPULEDGER_TRY(uses);
        for (CommitmentRow &row : answer->rows)
            GPULEDGER_TRY(putBilledUse(uses->at(ledger::lowerCase(row.commitment.id)), row));
    }
    return answer;
}

} // namespace gpuledger::services
