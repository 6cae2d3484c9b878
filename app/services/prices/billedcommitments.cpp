// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/prices/billedcommitments.h"

#include "app/base/text/text.h"
#include "app/base/time/gputime.h"
#include "app/ledger/rates/expectedrates.h"

#include <algorithm>

namespace gpuledger::services {

using base::Day;
using base::Result;

namespace {

constexpr std::int32_t kLongestTermDays = 3 * 366; // of a commitment

bool isOfCommitment(const model::BillLine &line)
{
    return !line.commitment.id.empty();
}

bool saysSpot(const model::BillLine &line)
{
    const std::string text = ledger::lowerCase(line.description + ' ' + line.product.skuMeter);
    return text.find("spot") != std::string::npos || text.find("preemptible") != std::string::npos;
}

bool isSpotLine(const model::BillLine &line)
{
    if (isOfCommitment(line) || line.chargeClass == model::ChargeClass::Correction)
        return false;
    return line.pricing == model::PricingCategory::Dynamic
        || (line.pricing == model::PricingCategory::Unknown && saysSpot(line));
}

// Bills that don't say how usage is priced have on-demand usage, unless a word says spot.
bool isOnDemandLine(const model::BillLine &line)
{
    if (isOfCommitment(line) || line.chargeClass == model::ChargeClass::Correction)
        return false;
    if (line.pricing == model::PricingCategory::Standard)
        return true;
    if (line.pricing != model::PricingCategory::Unknown)
        return false;
    return !saysSpot(line);
}

// Machine time in base::GpuTime ticks; std::nullopt: not given.
std::optional<std::int64_t> machineTicksOf(const store::BilledItem &billed, const ledger::BillItem &item)
{
    if (!billed.quantity || *billed.quantity <= 0 || item.secondsPerUnit == 0)
        return std::nullopt;
    __extension__ using Ticks = __int128;
    const Ticks ticks =
        static_cast<Ticks>(*billed.quantity) * item.secondsPerUnit * base::GpuTime::kTicksPerSecond / 1'000'000;
    constexpr Ticks kFits = std::int64_t{1} << 62;
    return ticks < kFits ? std::optional(static_cast<std::int64_t>(ticks)) : std::nullopt;
}

std::optional<base::Rate> listRateOfLine(const model::BillLine &line)
{
    const auto &price = line.product.contractedUnitPrice && !line.product.contractedUnitPrice->isZero()
        ? line.product.contractedUnitPrice
        : line.product.listUnitPrice;
    const std::int64_t seconds = ledger::secondsOfUnit(line.pricingQuantity.unit);
    const auto money =
        price && seconds > 0 ? price->toMoney(line.billed.currency()) : Result<base::Money>(base::Money());
    std::int64_t perHour = 0;
    if (!money || money->nanos() <= 0 || __builtin_mul_overflow(money->nanos(), std::int64_t{3600}, &perHour))
        return std::nullopt;
    return base::Rate(perHour / seconds, line.billed.currency());
}

// Azure's exports say how many months a purchase is for; 0: unknown.
std::int64_t commitmentMonths(const model::BillLine &line)
{
    const auto found = std::find_if(line.extra.begin(), line.extra.end(),
                                    [](const model::ExtraColumn &column) { return column.name == "x_SkuTerm"; });
    const auto months = found == line.extra.end() ? std::nullopt : base::parseInt(found->value);
    return months ? std::max<std::int64_t>(*months, 0) : 0;
}

Result<void> checkBillStop(const std::stop_token &stop)
{
    return stop.stop_requested() ? Result<void>(base::fail(base::ErrorCode::Cancelled, "stopped")) : Result<void>();
}

} // namespace

const BilledCommitments::Known &BilledCommitments::describe(const store::BilledItem &billed)
{
    const auto [it, isNew] = m_known.try_emplace(billed.id);
    if (isNew) {
        it->second.item = ledger::describe(*billed.line, m_prices);
        if (it->second.item.isGpuMachine())
            it->second.nodes = m_match.byId(it->second.item).nodes;
    }
    return it->second;
}

Result<void> BilledCommitments::findDays(Day first, Day last, store::FactReader &facts, const std::stop_token &stop)
{
    for (Day day = first; day <= last; ++day.number) {
        GPULEDGER_TRY(checkBillStop(stop));
        GPULEDGER_TRY(facts.billedOn(day, [&](const store::BilledItem &billed) -> Result<void> {
            if (billed.covers && billed.line->category == model::ChargeCategory::Usage)
                m_days[{describe(billed).item.cloud, billed.line->billingAccountId}].insert(day);
            return {};
        }));
    }
    for (auto &[account, days] : m_days) {
        for (int i = 0; i < ledger::kOpenBillDays && !days.empty(); ++i)
            days.erase(std::prev(days.end()));
    }
    return {};
}

Result<void> BilledCommitments::read(Day first, Day last, store::FactReader &facts, const std::stop_token &stop)
{
    GPULEDGER_TRY(findDays(first, last, facts, stop));
    for (Day day = first; day <= last; ++day.number) {
        GPULEDGER_TRY(checkBillStop(stop));
        GPULEDGER_TRY(facts.billedOn(day, [&](const store::BilledItem &billed) -> Result<void> {
            return add({day, billed, describe(billed)});
        }));
    }
    return {};
}

Result<void> BilledCommitments::add(const DayItem &one)
{
    const model::BillLine &line = *one.billed.line;
    if (line.category != model::ChargeCategory::Usage || one.billed.whole)
        return {};
    const auto days = m_days.find({one.known.item.cloud, line.billingAccountId});
    if (days == m_days.end() || !days->second.contains(one.day))
        return {};
    if (isOfCommitment(line))
        GPULEDGER_TRY(addCommitment(one));
    return one.known.item.isGpuMachine() && !one.known.item.instanceType.empty() ? addMachine(one) : Result<void>();
}

Result<void> BilledCommitments::addMachine(const DayItem &one)
{
    const model::BillLine &line = *one.billed.line;
    if (isSpotLine(line))
        return addSpot(one);
    const bool onDemand = isOnDemandLine(line);
    if (!onDemand && !isOfCommitment(line))
        return {};
    const ledger::BillItem &item = one.known.item;
    Type &type = m_types[{item.cloud, line.billingAccountId, item.instanceType, item.region, line.billed.currency()}];
    type.instanceType = item.machine ? item.machine->instanceType : item.instanceType;
    const auto ticks = machineTicksOf(one.billed, item);
    if (!ticks) {
        ++type.linesWithoutTime;
        return {};
    }
    if (!onDemand) {
        Covered &covered = type.covered[line.commitment.id];
        if (!covered.listRate)
            covered.listRate = listRateOfLine(line);
        GPULEDGER_TRY(store::addAmount(covered.cost, one.billed.effective));
        return store::addAmount(covered.ticks, *ticks);
    }
    type.nodes.insert(one.known.nodes.begin(), one.known.nodes.end());
    type.unmatched += one.known.nodes.empty() ? 1 : 0;
    GPULEDGER_TRY(store::addAmount(type.billed, one.billed.billed));
    GPULEDGER_TRY(store::addAmount(type.effective, one.billed.effective));
    GPULEDGER_TRY(store::addAmount(type.onDemand[one.day], *ticks));
    return store::addAmount(type.ticks, *ticks);
}

Result<void> BilledCommitments::addSpot(const DayItem &one)
{
    const model::BillLine &line = *one.billed.line;
    const ledger::BillItem &item = one.known.item;
    m_spotNodes.insert(one.known.nodes.begin(), one.known.nodes.end());
    if (item.cloud == "gcp") // allowed: a cloud
        return {}; // processors, memory and GPUs are billed apart, so that no line is the price of a machine
    const auto ticks = machineTicksOf(one.billed, item);
    if (!ticks)
        return {};
    Spot &spot =
        m_spot[{item.cloud, line.billingAccountId, item.instanceType, item.region, line.billed.currency()}][one.day];
    GPULEDGER_TRY(store::addAmount(spot.cost, one.billed.effective));
    return store::addAmount(spot.ticks, *ticks);
}

Result<void> BilledCommitments::addCommitment(const DayItem &one)
{
    const model::BillLine &line = *one.billed.line;
    Commitment &all = m_commitments[{line.commitment.id, line.billed.currency()}];
    for (const auto &[to, from] :
         {std::pair(&all.name, line.commitment.name), std::pair(&all.type, line.commitment.type)}) {
        if (to->empty())
            *to = from;
    }
    if (all.termMonths == 0)
        all.termMonths = commitmentMonths(line);
    all.cloud = one.known.item.cloud;
    all.account = line.billingAccountId;
    all.whole = all.whole || line.commitment.category == model::CommitmentCategory::Usage;
    all.last = std::max(all.last, one.day);
    return store::addAmount(line.commitment.status == model::UseStatus::Unused ? all.unused : all.used,
                            one.billed.effective);
}

// A fee that is paid once is spread over the days that it is for, so its last day is the commitment's.
Result<std::map<std::string, Day>> BilledCommitments::ends(Day after, store::FactReader &facts,
                                                           const std::stop_token &stop) const
{
    std::map<std::string, Day> out;
    bool any = !m_commitments.empty();
    for (Day day = after; any && day.number <= after.number + kLongestTermDays; ++day.number) {
        GPULEDGER_TRY(checkBillStop(stop));
        any = false;
        GPULEDGER_TRY(facts.billedOn(day, [&](const store::BilledItem &billed) -> Result<void> {
            const model::BillLine &line = *billed.line;
            if (line.category != model::ChargeCategory::Purchase || !isOfCommitment(line) || billed.whole
                || line.frequency != model::ChargeFrequency::OneTime)
                return {};
            any = true;
            if (day.start() >= line.billingPeriod.end)
                out[line.commitment.id] = day;
            return {};
        }));
    }
    return out;
}

} // namespace gpuledger::services
