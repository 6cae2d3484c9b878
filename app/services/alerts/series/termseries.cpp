// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/alerts/series/termseries.h"

#include "app/ledger/bills/billitem.h"

#include <algorithm>

namespace gpuledger::services {

using base::Day;
using base::Result;

namespace {

constexpr std::int32_t kLongestFeeDays = 3 * 366; // of a commitment, from now
constexpr std::int64_t kNanosOfDay = 1'000'000'000;

bool isTermFee(const store::BilledItem &item)
{
    return item.line->category == model::ChargeCategory::Purchase && !item.whole
        && item.line->frequency == model::ChargeFrequency::OneTime;
}

} // namespace

bool CommitmentTerms::add(Day day, const store::BilledItem &item)
{
    const model::BillLine &line = *item.line;
    if (line.commitment.id.empty())
        return false;
    Term &term = m_terms.try_emplace(line.commitment.id, Term{day, std::nullopt, std::nullopt}).first->second;
    if (!isTermFee(item))
        return false;
    if (day.start() >= line.billingPeriod.end)
        term.last = std::max(term.last.value_or(day), day);
    return true;
}

void CommitmentTerms::tell(const ToldEnd &told)
{
    const Day last = base::dayOf(told.end - base::Seconds{1});
    const std::string id = ledger::lowerCase(told.id);
    bool isBilled = false;
    for (auto &[billed, term] : m_terms) {
        if (ledger::lowerCase(billed) != id)
            continue;
        term.told = last;
        isBilled = true;
    }
    if (!isBilled && told.mayBeForGpus)
        m_terms.try_emplace(told.id, Term{base::dayOf(told.readAt), std::nullopt, last});
}

RuleSeries CommitmentTerms::take(base::TimeRange range) const
{
    RuleSeries out;
    for (const auto &[id, term] : m_terms) {
        std::vector<alerts::Reading> readings;
        const std::optional<Day> last = term.last ? term.last : term.told;
        for (Day day = std::max(base::dayOf(range.start), term.first); day.end() <= range.end; ++day.number) {
            alerts::Reading reading{day.end(), std::nullopt, last && day > *last};
            if (last && !reading.nothing)
                reading.nanos = (last->number - day.number) * kNanosOfDay;
            readings.push_back(reading);
        }
        if (!readings.empty())
            out.emplace(id, std::move(readings));
    }
    return out;
}

Result<RuleSeries> expiringSeriesOf(View &view, const SeriesQuestion &question,
                                    const std::vector<model::SourceSettings> &sources)
{
    CommitmentTerms terms;
    const base::TimeRange range{question.range.start, std::max(question.range.start, question.now)};
    bool isFee = true;
    const auto read = [&](Day day) {
        return view.facts->billedOn(day, [&](const store::BilledItem &item) -> Result<void> {
            isFee = terms.add(day, item) || isFee;
            return {};
        });
    };
    Day day = base::dayOf(range.start);
    for (; day.start() < range.end; ++day.number)
        GPULEDGER_TRY(read(day));
    // The future has nothing but fees; each of them is in every day of its term.
    for (const Day last{day.number + kLongestFeeDays}; isFee && day < last; ++day.number) {
        isFee = false;
        GPULEDGER_TRY(read(day));
    }
    if (!question.cache)
        return terms.take(range);
    const auto told = toldEnds(*question.cache, sources);
    GPULEDGER_TRY(told);
    for (const auto &[id, end] : *told)
        terms.tell(end);
    return terms.take(range);
}

} // namespace gpuledger::services
