// SPDX-License-Identifier: GPL-3.0-or-later
// The part of Workspace that answers about money.
#include "app/services/workspaceprivate.h"

#include <algorithm>
#include <set>

namespace gpuledger::services {

using base::Result;
using insight::ReconcileKind;
using insight::ReconcileLine;
using insight::ReconcileTotal;
using model::LedgerAmounts;
using model::LedgerCategory;
using model::LedgerKey;

namespace {

bool asksForWorkloads(const insight::LedgerQuery &query)
{
    const auto told = [](insight::LedgerDimension dimension) {
        return dimension == insight::LedgerDimension::Workload || dimension == insight::LedgerDimension::NameSpace;
    };
    return std::any_of(query.by.begin(), query.by.end(), told)
        || std::any_of(query.include.begin(), query.include.end(), [&](const auto &one) { return told(one.first); });
}

// What the bills say goes beside what the lines add up to; a currency that only one of them has is zero in the other.
void putBills(insight::LedgerAnswer &answer, const store::BillTotals &bills)
{
    for (const auto &[currency, amounts] : bills) {
        auto it = std::find_if(answer.totals.begin(), answer.totals.end(),
                               [&](const insight::LedgerTotal &total) { return total.currency == currency; });
        if (it == answer.totals.end()) {
            const base::Money zero(0, currency);
            it = answer.totals.insert(answer.totals.end(), {currency, zero, zero, zero, zero, zero, zero});
        }
        it->billBilled = base::Money(amounts.billed, currency);
        it->billEffective = base::Money(amounts.effective, currency);
    }
    std::sort(answer.totals.begin(), answer.totals.end(),
              [](const insight::LedgerTotal &a, const insight::LedgerTotal &b) { return a.currency < b.currency; });
}

// Sums of the lines of a month by what they are told as.
class Reconciler {
public:
    explicit Reconciler(base::Currency report)
        : m_report(report)
    {
    }

    Result<void> add(const LedgerKey &key, const LedgerAmounts &amounts)
    {
        if (key.origin == model::LedgerOrigin::Priced)
            return addTo(m_telemetry[{ReconcileKind::Priced, key.cloud}], amounts);
        if (key.category == LedgerCategory::NotBilled)
            return addTo(m_telemetry[{ReconcileKind::NotBilled, key.cloud}], amounts);
        Currency &currency = m_currencies[key.currency];
        GPULEDGER_TRY(addTo(currency.ledger, amounts));
        if (key.category == LedgerCategory::Unexplained)
            GPULEDGER_TRY(addTo(currency.unexplained, amounts));
        GPULEDGER_TRY(addTo(currency.lines[kindOf(key)], amounts));
        const bool compared = key.category == LedgerCategory::Gpu && !key.cluster.empty() && key.currency == m_report
            && amounts.unpricedTicks == 0;
        return compared ? addTo(currency.compared, amounts) : Result<void>();
    }

    Result<insight::Reconciliation> take(const store::BillTotals &bills,
                                         const std::vector<store::EffectiveZero> &zeros) &&
    {
        insight::Reconciliation answer;
        for (const auto &[currency, amounts] : bills)
            m_currencies[currency].bill = amounts;
        for (auto &[code, sums] : m_currencies) {
            auto total = totalOf(code, sums, zeros);
            GPULEDGER_TRY(total);
            answer.totals.push_back(std::move(*total));
        }
        for (const auto &[kind, amounts] : m_telemetry) {
            ReconcileLine line{kind.first, kind.second, {}, {}, {}, base::GpuTime{amounts.ticks}, 0};
            if (amounts.unpricedTicks < amounts.ticks)
                line.priced = base::Money(amounts.priced, m_report);
            answer.telemetry.push_back(std::move(line));
        }
        return answer;
    }

private:
    using Kind = std::pair<ReconcileKind, std::string>;
    struct Currency {
        store::BillAmounts bill;
        LedgerAmounts ledger, unexplained;
        LedgerAmounts compared; // billed and priced
        std::map<Kind, LedgerAmounts> lines;
    };

    static Kind kindOf(const LedgerKey &key)
    {
        if (key.category == LedgerCategory::Unexplained)
            return {ReconcileKind::Unexplained, {}};
        if (key.category != LedgerCategory::Gpu)
            return {ReconcileKind::NotGpu, std::string(model::toString(key.category))};
        if (key.match == model::LedgerMatch::None)
            return {ReconcileKind::Unobserved, key.cloud};
        return {ReconcileKind::Matched, std::string(model::toString(key.match))};
    }

    static Result<void> addTo(LedgerAmounts &to, const LedgerAmounts &amounts)
    {
        GPULEDGER_TRY(store::addAmount(to.billed, amounts.billed));
        GPULEDGER_TRY(store::addAmount(to.effective, amounts.effective));
        GPULEDGER_TRY(store::addAmount(to.ticks, amounts.ticks));
        GPULEDGER_TRY(store::addAmount(to.priced, amounts.priced));
        GPULEDGER_TRY(store::addAmount(to.unpricedTicks, amounts.unpricedTicks));
        to.unknownTime += amounts.unknownTime;
        return {};
    }

    static Result<base::Money> difference(std::int64_t a, std::int64_t b, base::Currency currency)
    {
        return base::Money(a, currency).minus(base::Money(b, currency));
    }

    Result<ReconcileTotal> totalOf(base::Currency code, const Currency &sums,
                                   const std::vector<store::EffectiveZero> &zeros) const
    {
        ReconcileTotal total;
        total.currency = code;
        total.billBilled = base::Money(sums.bill.billed, code);
        total.billEffective = base::Money(sums.bill.effective, code);
        total.ledgerBilled = base::Money(sums.ledger.billed, code);
        total.ledgerEffective = base::Money(sums.ledger.effective, code);
        total.unexplainedBilled = base::Money(sums.unexplained.billed, code);
        total.unexplainedEffective = base::Money(sums.unexplained.effective, code);
        const auto billed = difference(sums.ledger.billed, sums.bill.billed, code);
        const auto effective = difference(sums.ledger.effective, sums.bill.effective, code);
        GPULEDGER_TRY(billed);
        GPULEDGER_TRY(effective);
        total.differenceBilled = *billed;
        total.differenceEffective = *effective;
        for (const auto &[kind, amounts] : sums.lines) {
            ReconcileLine line{kind.first,
                               kind.second,
                               base::Money(amounts.billed, code),
                               base::Money(amounts.effective, code),
                               {},
                               {},
                               0};
            const bool timed = kind.first == ReconcileKind::Matched || kind.first == ReconcileKind::Unobserved;
            if (timed && amounts.unknownTime == 0)
                line.gpuTime = base::GpuTime{amounts.ticks};
            if (kind.first == ReconcileKind::Matched && amounts.unpricedTicks < amounts.ticks)
                line.priced = base::Money(amounts.priced, m_report);
            total.lines.push_back(std::move(line));
        }
        if (sums.compared.ticks > 0) {
            const auto change = difference(sums.compared.billed, sums.compared.priced, code);
            const auto amortized = difference(sums.compared.effective, sums.compared.priced, code);
            GPULEDGER_TRY(change);
            GPULEDGER_TRY(amortized);
            total.lines.push_back({ReconcileKind::Adjustment,
                                   {},
                                   *change,
                                   *amortized,
                                   base::Money(sums.compared.priced, m_report),
                                   base::GpuTime{sums.compared.ticks},
                                   0});
        }
        for (const store::EffectiveZero &zero : zeros) {
            if (zero.currency == code)
                total.lines.push_back({ReconcileKind::EffectiveZero,
                                       zero.provider,
                                       base::Money(zero.billed, code),
                                       base::Money(0, code),
                                       {},
                                       {},
                                       zero.lines});
        }
        return total;
    }

    base::Currency m_report;
    std::map<base::Currency, Currency> m_currencies;
    std::map<Kind, LedgerAmounts> m_telemetry;
};

} // namespace

Result<insight::LedgerAnswer> Workspace::ledger(const insight::LedgerQuery &query)
{
    const Setup &setup = d->setup();
    if (query.range.empty())
        return base::fail(base::ErrorCode::InvalidArgument, "the range of days is empty");
    std::set<std::string> notes;
    insight::LedgerSums sums(query, setup.settings.currency,
                             [&](const base::Money &amount, base::UtcTime at) -> std::optional<base::Money> {
                                 auto converted = setup.ledger->converted(amount, *query.showIn, at);
                                 if (!converted)
                                     return std::nullopt;
                                 notes.insert(std::move(converted->note));
                                 return converted->amount;
                             });
    const auto add = [&](base::Day day, const LedgerKey &key, const LedgerAmounts &amounts) {
        return sums.add(day, key, amounts);
    };
    if (asksForWorkloads(query)) {
        auto facts = d->cache->facts();
        GPULEDGER_TRY(facts);
        GPULEDGER_TRY(setup.ledger->linesWithWorkloads(sums.first(), sums.last(), **facts, add));
    } else {
        auto cube = d->cache->cube();
        GPULEDGER_TRY(cube);
        GPULEDGER_TRY((*cube)->ledger(sums.first(), sums.last(), add));
    }
    auto answer = sums.take();
    GPULEDGER_TRY(answer);
    const auto bills = d->cache->billTotals(sums.first(), sums.last(), store::LedgerStore::BillCheck::Kept);
    GPULEDGER_TRY(bills);
    putBills(*answer, *bills);
    answer->conversions.assign(notes.begin(), notes.end());
    return answer;
}

Result<reports::Statement> Workspace::statement(const insight::Month &month, reports::CostView view,
                                                const std::string &team)
{
    const auto rows = [&](const insight::Month &of, std::vector<insight::LedgerDimension> by) {
        insight::LedgerQuery query;
        query.range = of.range();
        query.by = std::move(by);
        return ledger(query);
    };
    const auto after = rows(month, reports::statementDimensions());
    GPULEDGER_TRY(after);
    const auto before = rows(reports::before(month), reports::statementDimensions());
    GPULEDGER_TRY(before);
    const auto workloads = rows(month, reports::workloadDimensions());
    GPULEDGER_TRY(workloads);
    const auto covered = coveredRange();
    GPULEDGER_TRY(covered);
    return reports::makeStatement({month, view, clock().now(), team, *covered, *after, *before, *workloads});
}

Result<insight::Reconciliation> Workspace::reconcile(const insight::Month &month)
{
    const base::TimeRange range = month.range();
    const base::Day first = base::dayOf(range.start), last = base::dayOf(range.end - base::Seconds{1});
    Reconciler sums(d->setup().settings.currency);
    auto cube = d->cache->cube();
    GPULEDGER_TRY(cube);
    GPULEDGER_TRY((*cube)->ledger(first, last, [&](base::Day, const LedgerKey &key, const LedgerAmounts &amounts) {
        return sums.add(key, amounts);
    }));
    const auto bills = d->cache->billTotals(first, last, store::LedgerStore::BillCheck::Recomputed);
    GPULEDGER_TRY(bills);
    const auto zeros = d->cache->effectiveZero(first, last);
    GPULEDGER_TRY(zeros);
    auto answer = std::move(sums).take(*bills, *zeros);
    GPULEDGER_TRY(answer);
    answer->month = month;
    return answer;
}

} // namespace gpuledger::services
