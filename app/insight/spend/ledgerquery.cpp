// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/spend/ledgerquery.h"

#include "app/store/values/billed.h"

#include <algorithm>
#include <array>
#include <utility>

namespace gpuledger::insight {

using base::Day;
using base::Result;
using model::LedgerAmounts;
using model::LedgerKey;
using model::LedgerOrigin;

namespace {

constexpr std::array<std::pair<LedgerDimension, std::string_view>, 24> kNames{{
    {LedgerDimension::Day, "day"},
    {LedgerDimension::Month, "month"},
    {LedgerDimension::Team, "team"},
    {LedgerDimension::State, "state"},
    {LedgerDimension::Category, "category"},
    {LedgerDimension::Origin, "origin"},
    {LedgerDimension::Match, "match"},
    {LedgerDimension::Account, "account"},
    {LedgerDimension::AccountName, "account-name"},
    {LedgerDimension::Service, "service"},
    {LedgerDimension::Region, "region"},
    {LedgerDimension::Cluster, "cluster"},
    {LedgerDimension::Cloud, "cloud"},
    {LedgerDimension::GpuModel, "gpu-model"},
    {LedgerDimension::WorkloadKind, "workload-type"},
    {LedgerDimension::Environment, "environment"},
    {LedgerDimension::Source, "source"},
    {LedgerDimension::Currency, "currency"},
    {LedgerDimension::NameSpace, "namespace"},
    {LedgerDimension::Workload, "workload"},
    {LedgerDimension::InstanceType, "instance-type"},
    {LedgerDimension::Part, "part"},
    {LedgerDimension::Sharing, "sharing"},
    {LedgerDimension::PriceDate, "price-date"},
}};

std::string valueOf(LedgerDimension dimension, Day day, const LedgerKey &key)
{
    switch (dimension) {
    case LedgerDimension::Day:
        return dayText(day);
    case LedgerDimension::Month:
        return dayText(day).substr(0, 7);
    case LedgerDimension::Team:
        return key.team;
    case LedgerDimension::State:
        return key.state;
    case LedgerDimension::Category:
        return std::string(model::toString(key.category));
    case LedgerDimension::Origin:
        return std::string(model::toString(key.origin));
    case LedgerDimension::Match:
        return std::string(model::toString(key.match));
    case LedgerDimension::Account:
        return key.account;
    case LedgerDimension::AccountName:
        return key.accountName;
    case LedgerDimension::Service:
        return key.service;
    case LedgerDimension::Region:
        return key.region;
    case LedgerDimension::Cluster:
        return key.cluster;
    case LedgerDimension::Cloud:
        return key.cloud;
    case LedgerDimension::GpuModel:
        return key.gpuModel;
    case LedgerDimension::WorkloadKind:
        return key.workloadKind;
    case LedgerDimension::Environment:
        return key.environment;
    case LedgerDimension::Source:
        return key.source;
    case LedgerDimension::Currency:
        return std::string(key.currency.code());
    case LedgerDimension::NameSpace:
        return key.nameSpace;
    case LedgerDimension::Workload:
        return key.workload;
    case LedgerDimension::InstanceType:
        return key.instanceType;
    case LedgerDimension::Part:
        return std::string(model::toString(key.part));
    case LedgerDimension::Sharing:
        return key.sharedEqually ? "equal" : "";
    case LedgerDimension::PriceDate:
        return key.priceDate;
    }
    return {};
}

Result<void> addAllocated(std::vector<base::Money> &sums, const LedgerRow &row)
{
    if (!row.allocated)
        return {};
    auto it = std::find_if(sums.begin(), sums.end(),
                           [&](const base::Money &sum) { return !(sum.currency() < row.currency); });
    if (it == sums.end() || it->currency() != row.currency)
        it = sums.insert(it, base::Money(0, row.currency));
    const auto sum = it->plus(*row.allocated);
    GPULEDGER_TRY(sum);
    *it = *sum;
    return {};
}

} // namespace

std::string_view toString(LedgerDimension dimension)
{
    const auto it =
        std::find_if(kNames.begin(), kNames.end(), [&](const auto &name) { return name.first == dimension; });
    return it == kNames.end() ? std::string_view() : it->second;
}

std::optional<LedgerDimension> ledgerDimensionFromString(std::string_view text)
{
    const auto it = std::find_if(kNames.begin(), kNames.end(), [&](const auto &name) { return name.second == text; });
    return it == kNames.end() ? std::nullopt : std::optional(it->first);
}

const std::vector<LedgerDimension> &ledgerDimensions()
{
    static const std::vector<LedgerDimension> kAll = [] {
        std::vector<LedgerDimension> all;
        for (const auto &[dimension, name] : kNames)
            all.push_back(dimension);
        return all;
    }();
    return kAll;
}

std::string dayText(Day day)
{
    return base::toRfc3339(day.start()).substr(0, 10);
}

model::LineDetail detailOf(const LedgerQuery &query)
{
    const auto asks = [&](LedgerDimension dimension) {
        return std::find(query.by.begin(), query.by.end(), dimension) != query.by.end()
            || query.include.contains(dimension);
    };
    return {asks(LedgerDimension::Workload) || asks(LedgerDimension::NameSpace),
            asks(LedgerDimension::InstanceType) || query.split.has_value(),
            asks(LedgerDimension::Sharing) || asks(LedgerDimension::PriceDate)};
}

LedgerSums::LedgerSums(LedgerQuery query, base::Currency report, Convert convert, Split split)
    : m_query(std::move(query))
    , m_report(report)
    , m_convert(std::move(convert))
    , m_split(std::move(split))
    , m_first(base::dayOf(m_query.range.start))
    , m_last(base::dayOf(m_query.range.end - base::Seconds{1}))
{
}

bool isWanted(const std::map<LedgerDimension, std::vector<std::string>> &include, Day day, const LedgerKey &key)
{
    return std::all_of(include.begin(), include.end(), [&](const auto &filter) {
        const auto &[dimension, values] = filter;
        return values.empty() || std::find(values.begin(), values.end(), valueOf(dimension, day, key)) != values.end();
    });
}

Result<void> LedgerSums::addTotal(const LedgerKey &key, const LedgerAmounts &amounts)
{
    if (key.origin != LedgerOrigin::Billed || key.category == model::LedgerCategory::NotBilled)
        return {};
    Total &total = m_totals[key.currency];
    GPULEDGER_TRY(store::addAmount(total.billed, amounts.billed));
    GPULEDGER_TRY(store::addAmount(total.effective, amounts.effective));
    if (key.category != model::LedgerCategory::Unexplained)
        return {};
    GPULEDGER_TRY(store::addAmount(total.unexplainedBilled, amounts.billed));
    return store::addAmount(total.unexplainedEffective, amounts.effective);
}

Result<void> LedgerSums::add(Day day, const LedgerKey &key, const LedgerAmounts &amounts)
{
    GPULEDGER_TRY(addTotal(key, amounts));
    const bool isMachine =
        key.category == model::LedgerCategory::Gpu || key.category == model::LedgerCategory::NotBilled;
    return m_query.split && m_split && isMachine ? addParts(day, key, amounts) : addRow(day, key, amounts);
}

Result<void> LedgerSums::addParts(Day day, const LedgerKey &key, const LedgerAmounts &amounts)
{
    const auto at = m_weights.try_emplace(key.instanceType);
    std::optional<Weights> &weights = at.first->second;
    if (at.second)
        weights = m_split(*m_query.split, key.instanceType);
    LedgerKey part = key;
    if (!weights) {
        part.part = model::MachinePart::Unsplit;
        return addRow(day, part, amounts);
    }
    const auto parts = [&](std::int64_t amount) { return base::allocateInteger(amount, *weights); };
    const auto billed = parts(amounts.billed), effective = parts(amounts.effective), priced = parts(amounts.priced),
               allocated = parts(amounts.allocated);
    constexpr std::array kParts{model::MachinePart::Gpu, model::MachinePart::Cpu, model::MachinePart::Memory};
    for (std::size_t i = 0; i < kParts.size(); ++i) {
        if (i > 0 && (*weights)[i] == 0)
            continue;
        LedgerAmounts of = i == 0 ? amounts : LedgerAmounts();
        of.billed = billed[i];
        of.effective = effective[i];
        of.priced = priced[i];
        of.allocated = allocated[i];
        part.part = kParts[i];
        GPULEDGER_TRY(addRow(day, part, of));
    }
    return {};
}

Result<void> LedgerSums::addRow(Day day, const LedgerKey &key, const LedgerAmounts &amounts)
{
    if (!isWanted(m_query.include, day, key))
        return {};
    std::vector<std::string> keys;
    for (const LedgerDimension dimension : m_query.by)
        keys.push_back(valueOf(dimension, day, key));
    base::Currency currency = key.currency;
    base::Money billed(amounts.billed, currency), effective(amounts.effective, currency),
        allocated(amounts.allocated, currency);
    if (m_query.showIn && *m_query.showIn != currency) {
        const auto b = m_convert ? m_convert(billed, day.start()) : std::nullopt;
        const auto e = m_convert ? m_convert(effective, day.start()) : std::nullopt;
        const auto a = m_convert ? m_convert(allocated, day.start()) : std::nullopt;
        if (b && e && a) {
            billed = *b;
            effective = *e;
            allocated = *a;
            currency = *m_query.showIn;
        } else if (std::find(m_unconverted.begin(), m_unconverted.end(), currency) == m_unconverted.end()) {
            m_unconverted.push_back(currency);
        }
    }
    Sum &sum = m_sums[{std::move(keys), currency}];
    GPULEDGER_TRY(store::addAmount(sum.amounts.billed, billed.nanos()));
    GPULEDGER_TRY(store::addAmount(sum.amounts.effective, effective.nanos()));
    GPULEDGER_TRY(store::addAmount(sum.amounts.allocated, allocated.nanos()));
    GPULEDGER_TRY(store::addAmount(sum.amounts.ticks, amounts.ticks));
    GPULEDGER_TRY(store::addAmount(sum.amounts.unpricedTicks, amounts.unpricedTicks));
    sum.amounts.unknownTime += amounts.unknownTime;
    if (key.origin == LedgerOrigin::Priced)
        return store::addAmount(sum.priced, amounts.priced);
    sum.allocatedAny = sum.allocatedAny || key.origin == LedgerOrigin::Allocated;
    const bool told = amounts.ticks > 0 && amounts.unpricedTicks < amounts.ticks && !key.cluster.empty();
    sum.replacedAny = sum.replacedAny || told;
    return store::addAmount(sum.replaced, amounts.priced);
}

Result<LedgerAnswer> LedgerSums::take()
{
    LedgerAnswer answer;
    answer.range = {m_first.start(), m_last.end()};
    answer.filtered = !m_query.include.empty();
    answer.priced = base::Money(0, m_report);
    for (auto &[key, sum] : m_sums) {
        LedgerRow &row = answer.rows.emplace_back();
        row.keys = key.first;
        row.currency = key.second;
        row.billed = base::Money(sum.amounts.billed, key.second);
        row.effective = base::Money(sum.amounts.effective, key.second);
        row.gpuTime = {sum.amounts.ticks};
        row.hasGpuTime = sum.amounts.ticks != 0;
        row.gpuTimeComplete = sum.amounts.unknownTime == 0;
        if (sum.allocatedAny)
            row.allocated = base::Money(sum.amounts.allocated, key.second);
        row.priced = base::Money(sum.priced, m_report);
        if (sum.replacedAny)
            row.replaced = base::Money(sum.replaced, m_report);
        row.unpriced = {sum.amounts.unpricedTicks};
        const auto priced = answer.priced.plus(row.priced);
        GPULEDGER_TRY(priced);
        answer.priced = *priced;
        GPULEDGER_TRY(addAllocated(answer.allocated, row));
    }
    for (const auto &[currency, total] : m_totals) {
        LedgerTotal &to = answer.totals.emplace_back();
        to.currency = currency;
        to.billBilled = to.billEffective = base::Money(0, currency);
        to.billed = base::Money(total.billed, currency);
        to.effective = base::Money(total.effective, currency);
        to.unexplainedBilled = base::Money(total.unexplainedBilled, currency);
        to.unexplainedEffective = base::Money(total.unexplainedEffective, currency);
    }
    answer.unconverted = m_unconverted;
    return answer;
}

} // namespace gpuledger::insight
