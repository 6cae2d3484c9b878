// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/spend/reconciler.h"

namespace gpuledger::insight {

using base::Result;
using model::LedgerAmounts;
using model::LedgerCategory;
using model::LedgerKey;

namespace {

std::pair<ReconcileKind, std::string> kindOf(const LedgerKey &key)
{
    if (key.category == LedgerCategory::Unexplained)
        return {ReconcileKind::Unexplained, {}};
    if (key.category != LedgerCategory::Gpu)
        return {ReconcileKind::NotGpu, std::string(model::toString(key.category))};
    if (key.match == model::LedgerMatch::None)
        return {key.gpuModel.empty() ? ReconcileKind::UnknownType : ReconcileKind::Unobserved, key.cloud};
    return {ReconcileKind::Matched, std::string(model::toString(key.match))};
}

Result<void> addTo(LedgerAmounts &to, const LedgerAmounts &amounts)
{
    GPULEDGER_TRY(store::addAmount(to.billed, amounts.billed));
    GPULEDGER_TRY(store::addAmount(to.effective, amounts.effective));
    GPULEDGER_TRY(store::addAmount(to.ticks, amounts.ticks));
    GPULEDGER_TRY(store::addAmount(to.priced, amounts.priced));
    GPULEDGER_TRY(store::addAmount(to.unpricedTicks, amounts.unpricedTicks));
    GPULEDGER_TRY(store::addAmount(to.allocated, amounts.allocated));
    to.unknownTime += amounts.unknownTime;
    return {};
}

Result<base::Money> difference(std::int64_t a, std::int64_t b, base::Currency currency)
{
    return base::Money(a, currency).minus(base::Money(b, currency));
}

} // namespace

std::optional<std::pair<ReconcileKind, std::string>> reconcileLineOf(const LedgerKey &key)
{
    if (key.origin == model::LedgerOrigin::Allocated)
        return std::nullopt;
    if (key.origin == model::LedgerOrigin::Priced)
        return std::pair(ReconcileKind::Priced, key.cloud);
    if (key.category == LedgerCategory::NotBilled)
        return std::pair(ReconcileKind::NotBilled, key.cloud);
    return kindOf(key);
}

Result<void> Reconciler::add(const LedgerKey &key, const LedgerAmounts &amounts)
{
    const auto line = reconcileLineOf(key);
    if (!line)
        return addAllocated(key, amounts);
    if (line->first == ReconcileKind::Priced || line->first == ReconcileKind::NotBilled)
        return addTo(m_telemetry[*line], amounts);
    Currency &currency = m_currencies[key.currency];
    GPULEDGER_TRY(addTo(currency.ledger, amounts));
    if (key.category == LedgerCategory::Unexplained)
        GPULEDGER_TRY(addTo(currency.unexplained, amounts));
    GPULEDGER_TRY(addTo(currency.lines[*line], amounts));
    const bool compared = key.category == LedgerCategory::Gpu && key.match != model::LedgerMatch::None
        && !key.cluster.empty() && key.currency == m_report && amounts.unpricedTicks == 0;
    return compared ? addTo(currency.compared, amounts) : Result<void>();
}

Result<Reconciliation> Reconciler::take(const store::BillTotals &bills, const std::vector<store::EffectiveZero> &zeros)
{
    Reconciliation answer;
    for (const auto &[currency, amounts] : bills)
        m_currencies[currency].bill = amounts;
    for (const auto &[code, sums] : m_currencies) {
        auto total = totalOf(code, sums, zeros);
        GPULEDGER_TRY(total);
        answer.totals.push_back(std::move(*total));
    }
    for (const auto &[kind, amounts] : m_telemetry) {
        ReconcileLine line;
        line.kind = kind.first;
        line.detail = kind.second;
        line.gpuTime = base::GpuTime{amounts.ticks};
        if (amounts.unpricedTicks < amounts.ticks)
            line.priced = base::Money(amounts.priced, m_report);
        answer.telemetry.push_back(std::move(line));
    }
    GPULEDGER_TRY(takeAllocated(answer.telemetry));
    for (auto &[key, one] : m_differences) {
        const model::AllocationFinding &finding = one.finding;
        if (finding.theirs && finding.ours) {
            const auto less = difference(*finding.ours, *finding.theirs, finding.currency);
            GPULEDGER_TRY(less);
            one.difference = *less;
        }
        answer.allocators.push_back(std::move(one));
    }
    return answer;
}

Result<void> UnknownTypes::add(const LedgerKey &key, const LedgerAmounts &amounts)
{
    const auto line = reconcileLineOf(key);
    if (!line || line->first != ReconcileKind::UnknownType)
        return {};
    return addTo(m_sums[{key.currency, key.cloud, key.instanceType}], amounts);
}

std::vector<UnknownGpuType> UnknownTypes::take() const
{
    std::vector<UnknownGpuType> all;
    for (const auto &[of, amounts] : m_sums) {
        const auto &[currency, cloud, type] = of;
        all.push_back({cloud, type, base::Money(amounts.billed, currency), base::Money(amounts.effective, currency)});
    }
    return all;
}

Result<void> Reconciler::addAllocated(const LedgerKey &key, const LedgerAmounts &amounts)
{
    Allocated &sum = m_allocated[{key.currency, key.source}];
    GPULEDGER_TRY(addTo(sum.all, amounts));
    const bool compared = key.currency == m_report && amounts.unpricedTicks == 0;
    return compared ? addTo(sum.compared, amounts) : Result<void>();
}

Result<void> Reconciler::takeAllocated(std::vector<ReconcileLine> &lines) const
{
    for (const auto &[key, sums] : m_allocated) {
        const auto &[currency, source] = key;
        ReconcileLine line;
        line.kind = ReconcileKind::Allocated;
        line.detail = source;
        line.allocated = base::Money(sums.all.allocated, currency);
        if (sums.all.unknownTime == 0)
            line.gpuTime = base::GpuTime{sums.all.ticks};
        lines.push_back(std::move(line));
        if (sums.compared.ticks == 0)
            continue;
        const auto less = difference(sums.compared.allocated, sums.compared.priced, currency);
        GPULEDGER_TRY(less);
        ReconcileLine adjustment;
        adjustment.kind = ReconcileKind::AllocatedAdjustment;
        adjustment.detail = source;
        adjustment.allocated = *less;
        adjustment.priced = base::Money(sums.compared.priced, m_report);
        adjustment.gpuTime = base::GpuTime{sums.compared.ticks};
        lines.push_back(std::move(adjustment));
    }
    return {};
}

void Reconciler::add(const model::AllocationFinding &finding)
{
    const FindingKey key{finding.source, finding.cluster, finding.reason, finding.product, finding.currency};
    const auto [it, isNew] = m_differences.try_emplace(key, AllocationDifference{finding, 1, {}});
    if (isNew)
        return;
    const auto sum = [](std::optional<std::int64_t> &to, const std::optional<std::int64_t> &part) {
        if (!to || !part || __builtin_add_overflow(*to, *part, &*to))
            to.reset();
    };
    AllocationDifference &one = it->second;
    ++one.days;
    one.finding.nodes += finding.nodes;
    sum(one.finding.theirs, finding.theirs);
    sum(one.finding.ours, finding.ours);
}

ReconcileLine Reconciler::lineOf(base::Currency code, const Kind &kind, const LedgerAmounts &amounts) const
{
    ReconcileLine line;
    line.kind = kind.first;
    line.detail = kind.second;
    line.billed = base::Money(amounts.billed, code);
    line.effective = base::Money(amounts.effective, code);
    const bool timed = kind.first == ReconcileKind::Matched || kind.first == ReconcileKind::Unobserved
        || kind.first == ReconcileKind::UnknownType;
    if (timed && amounts.unknownTime == 0)
        line.gpuTime = base::GpuTime{amounts.ticks};
    if (kind.first == ReconcileKind::Matched && amounts.unpricedTicks < amounts.ticks)
        line.priced = base::Money(amounts.priced, m_report);
    return line;
}

Result<ReconcileTotal> Reconciler::totalOf(base::Currency code, const Currency &sums,
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
    for (const auto &[kind, amounts] : sums.lines)
        total.lines.push_back(lineOf(code, kind, amounts));
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
                               {},
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
                                   {},
                                   zero.lines});
    }
    return total;
}

} // namespace gpuledger::insight
