// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/alerts/series/billseries.h"

#include "app/alerts/forecast/period.h"
#include "app/ledger/rates/expectedrates.h"
#include "app/services/spend/ledgeranswers.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gpuledger::services {

using base::Day;
using base::Result;

namespace {

insight::Month monthBefore(Day day)
{
    const alerts::Period month = alerts::Period::around(alerts::PeriodKind::Month, day).before();
    return *insight::monthFromString(base::toRfc3339(month.begin.start()).substr(0, 7));
}

} // namespace

std::optional<double> unexplainedShare(const insight::Reconciliation &month)
{
    std::optional<double> most;
    for (const insight::ReconcileTotal &total : month.totals) {
        const double bill = std::abs(total.billBilled.toDouble());
        if (!(bill > 0))
            continue;
        const double off = std::abs(total.unexplainedBilled.toDouble()) + std::abs(total.differenceBilled.toDouble());
        most = std::max(most.value_or(0), off / bill);
    }
    return most;
}

Result<RuleSeries> reconciliationSeriesOf(const SeriesQuestion &question, base::Currency report)
{
    std::map<insight::Month, std::optional<double>> shares;
    RuleSeries out;
    std::vector<alerts::Reading> &readings = out["all"];
    for (Day day = base::dayOf(question.range.start); day.end() <= question.range.end; ++day.number) {
        const insight::Month month = monthBefore(Day{day.number + 1 - ledger::kOpenBillDays});
        if (!shares.contains(month)) {
            const auto answer =
                ofOneState(*question.cache, [&] { return reconciliationOf(*question.cache, report, month); });
            GPULEDGER_TRY(answer);
            shares.emplace(month, unexplainedShare(*answer));
        }
        readings.push_back({day.end(), std::nullopt});
        if (const auto share = shares.at(month))
            readings.back().nanos = std::llround(*share * static_cast<double>(base::Money::kNanosPerUnit));
    }
    return out;
}

Result<void> UnusedCommitments::add(Day day, const store::BilledItem &item)
{
    const model::BillLine &line = *item.line;
    if (line.category != model::ChargeCategory::Usage || item.whole)
        return {};
    if (item.covers)
        m_days[line.billingAccountId].insert(day);
    if (line.commitment.id.empty())
        return {};
    Commitment &of = m_commitments[line.commitment.id];
    of.account = line.billingAccountId;
    of.isInReportCurrency = of.isInReportCurrency && line.billed.currency() == m_report;
    if (line.commitment.status != model::UseStatus::Unused)
        return {};
    return store::addAmount(of.unused[day], item.effective);
}

RuleSeries UnusedCommitments::take(base::TimeRange range) const
{
    RuleSeries out;
    for (const auto &[id, of] : m_commitments) {
        const auto found = m_days.find(of.account);
        const std::set<Day> days = found == m_days.end() ? std::set<Day>() : found->second;
        const Day open = days.empty() ? Day{} : Day{days.rbegin()->number + 1 - ledger::kOpenBillDays};
        std::vector<alerts::Reading> &readings = out[id];
        for (Day day = base::dayOf(range.start); day.end() <= range.end; ++day.number) {
            readings.push_back({day.end(), std::nullopt});
            const auto unused = of.unused.find(day);
            if (of.isInReportCurrency && day < open && days.contains(day))
                readings.back().nanos = unused == of.unused.end() ? 0 : unused->second;
        }
        while (!readings.empty() && !readings.back().nanos)
            readings.pop_back();
    }
    return out;
}

Result<RuleSeries> unusedSeriesOf(View &view, const SeriesQuestion &question, base::Currency report)
{
    UnusedCommitments sums(report);
    for (Day day = base::dayOf(question.range.start); day.end() <= question.range.end; ++day.number) {
        GPULEDGER_TRY(view.facts->billedOn(day, [&](const store::BilledItem &item) { return sums.add(day, item); }));
    }
    return sums.take(question.range);
}

} // namespace gpuledger::services
