// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/prices/pricerules.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "app/model/money/mangledlabel.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace gpuledger::ledger {

namespace {

using base::Currency;
using base::ErrorCode;
using base::Money;

__extension__ using Int128 = __int128;

constexpr std::int64_t kHoursPerYear = 8760; // 365 days, twelve times the 730 h of a month
constexpr std::int64_t kPico = 1'000'000'000'000;

Int128 divideRounded(Int128 value, Int128 divisor)
{
    return value >= 0 ? (value + divisor / 2) / divisor : -((-value + divisor / 2) / divisor);
}

std::optional<std::int64_t> narrowed(Int128 value)
{
    if (value > std::numeric_limits<std::int64_t>::max() || value < std::numeric_limits<std::int64_t>::min())
        return std::nullopt;
    return static_cast<std::int64_t>(value);
}

std::string listed(const model::Labels &labels)
{
    std::string out;
    for (const auto &[key, value] : labels)
        out += (out.empty() ? "" : ", ") + base::printable(key, 128) + '=' + base::printable(value, 128);
    return out;
}

tl::unexpected<base::Error> invalid(std::string text, base::Hint hint)
{
    return base::fail(ErrorCode::InvalidConfig, std::move(text), std::move(hint));
}

} // namespace

std::string lowerCase(std::string_view ascii)
{
    std::string lower(ascii);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return lower;
}

Money dividedBy(const Money &amount, std::int64_t parts)
{
    return {static_cast<std::int64_t>(divideRounded(amount.nanos(), parts)), amount.currency()};
}

bool hasLabels(const model::Node &node, const model::Labels &wanted)
{
    return std::all_of(wanted.begin(), wanted.end(), [&node](const auto &label) {
        auto it = node.labels.find(label.first);
        if (it == node.labels.end())
            it = node.labels.find(model::mangledLabel(label.first));
        return it != node.labels.end() && it->second == label.second;
    });
}

base::Result<ExchangeRates> ExchangeRates::create(const std::vector<model::ExchangeRate> &rates,
                                                  Currency reportCurrency)
{
    ExchangeRates result;
    result.m_report = reportCurrency;
    for (const model::ExchangeRate &rate : rates) {
        // Three more digits than an amount has, for currencies with small units.
        const bool exponent = rate.rate.find_first_of("eE") != std::string::npos;
        const auto value = Money::parse(exponent ? rate.rate : rate.rate + "e3", rate.to);
        if (!value || value->nanos() <= 0 || rate.from == rate.to)
            return invalid("exchange rate from " + std::string(rate.from.code()) + " to " + std::string(rate.to.code())
                               + ": \"" + base::printable(rate.rate, 64) + "\" is not an exchange rate",
                           base::Remedy::WriteExchangeRate);
        const auto picos = narrowed(static_cast<Int128>(value->nanos()) * (exponent ? 1000 : 1));
        if (!picos)
            return invalid("exchange rate " + base::printable(rate.rate, 64) + " is too large",
                           base::Remedy::CheckRateDirection);
        result.m_entries.push_back({rate.from, rate.to, *picos, rate.rate, rate.date});
    }
    return result;
}

std::vector<base::UtcTime> ExchangeRates::dates() const
{
    std::vector<base::UtcTime> all;
    for (const Entry &entry : m_entries)
        all.push_back(entry.date);
    return all;
}

std::optional<ExchangeRates::Converted> ExchangeRates::convert(const Money &amount, base::UtcTime at) const
{
    if (amount.currency() == m_report)
        return Converted{amount, {}};
    const Entry *best = nullptr;
    bool bestDirect = false;
    for (const Entry &e : m_entries) {
        const bool direct = e.from == amount.currency() && e.to == m_report;
        const bool inverse = e.to == amount.currency() && e.from == m_report;
        if (!(direct || inverse) || e.date > at)
            continue;
        if (best == nullptr || std::tie(e.date, direct) > std::tie(best->date, bestDirect)) {
            best = &e;
            bestDirect = direct;
        }
    }
    if (best == nullptr)
        return std::nullopt;
    const Int128 nanos = bestDirect ? divideRounded(static_cast<Int128>(amount.nanos()) * best->picos, kPico)
                                    : divideRounded(static_cast<Int128>(amount.nanos()) * kPico, best->picos);
    const auto fits = narrowed(nanos);
    if (!fits)
        return std::nullopt;
    return Converted{Money{*fits, m_report},
                     "1 " + std::string(best->from.code()) + " = " + best->text + ' ' + std::string(best->to.code())
                         + " of " + base::toRfc3339(best->date).substr(0, 10)};
}

base::Result<std::vector<OverrideRule>> overrideRules(const std::vector<model::PriceOverride> &overrides)
{
    std::vector<OverrideRule> rules;
    for (const model::PriceOverride &o : overrides) {
        OverrideRule rule{o, {}, {}, !o.perHour.empty(), {}};
        std::string what;
        const auto add = [&what](std::string_view name, const std::string &value) {
            if (!value.empty())
                what += (what.empty() ? "" : ", ") + std::string(name) + ' ' + base::printable(value, 128);
        };
        add("node label", listed(o.nodeLabels));
        add("instance type", o.instanceType);
        add("region", o.region);
        add("GPU model", o.gpuModel);
        add("cluster", o.cluster);
        if (what.empty())
            return invalid("a price override does not select any nodes", base::Remedy::DescribePricedNodes);
        if (o.perGpuHour.empty() == o.perHour.empty())
            return invalid("price override of " + what
                               + ": set either the price per GPU hour or the price per instance hour",
                           base::Remedy::KeepOne);
        const auto amount = Money::parse(rule.wholeInstance ? o.perHour : o.perGpuHour, o.currency);
        if (!amount || amount->nanos() < 0)
            return invalid("price override of " + what + ": the price is not an amount", base::Remedy::WriteQuotedRate);
        (rule.wholeInstance ? rule.perHour : rule.perGpuHour) = *amount;
        rule.source = "override: " + what;
        rules.push_back(std::move(rule));
    }
    const auto rank = [](const OverrideRule &r) {
        return std::make_tuple(r.match.nodeLabels.size(), !r.match.instanceType.empty(), !r.match.region.empty(),
                               !r.match.gpuModel.empty(), !r.match.cluster.empty());
    };
    std::stable_sort(rules.begin(), rules.end(),
                     [&rank](const OverrideRule &a, const OverrideRule &b) { return rank(a) > rank(b); });
    return rules;
}

namespace {

struct OwnedAmounts {
    std::int64_t price = 0, residual = 0, operation = 0, powerW = 0, pue = Money::kNanosPerUnit, kwh = 0;
};

// nanos per hour = (price - residual + operation x years) / (years x 8760) + W x PUE x price of a kWh / 1000, all given
// in 1e-9 units, over one common divisor, so that it is rounded once.
std::optional<std::int64_t> ownedNanosPerHour(const OwnedAmounts &a, int years)
{
    constexpr Int128 kPowerScale = static_cast<Int128>(kPico) * 1'000'000'000; // 1e9 x 1e9 x 1000
    const Int128 hours = static_cast<Int128>(years) * kHoursPerYear;
    const Int128 fixed = static_cast<Int128>(a.price) - a.residual + static_cast<Int128>(a.operation) * years;
    Int128 power = 0, left = 0, right = 0, sum = 0;
    if (__builtin_mul_overflow(static_cast<Int128>(a.powerW) * a.pue, static_cast<Int128>(a.kwh), &power)
        || __builtin_mul_overflow(fixed, kPowerScale, &left) || __builtin_mul_overflow(power, hours, &right)
        || __builtin_add_overflow(left, right, &sum) || __builtin_add_overflow(sum, hours * kPowerScale / 2, &right))
        return std::nullopt;
    return narrowed(divideRounded(sum, hours * kPowerScale));
}

} // namespace

base::Result<std::vector<OwnedRule>> ownedRules(const std::vector<model::OwnedMachine> &machines)
{
    std::vector<OwnedRule> rules;
    for (const model::OwnedMachine &m : machines) {
        const std::string what = "owned machines " + listed(m.nodeLabels);
        if (m.nodeLabels.empty() || m.years < 1 || m.years > 100 || m.price.empty())
            return invalid(what + ": a node label, a price and a lifetime of 1 to 100 years are required",
                           base::Remedy::SeeSampleConfiguration);
        OwnedAmounts a;
        const std::pair<const std::string *, std::int64_t *> fields[] = {
            {&m.price, &a.price},   {&m.residual, &a.residual}, {&m.operationPerYear, &a.operation},
            {&m.powerW, &a.powerW}, {&m.pue, &a.pue},           {&m.usdPerKwh, &a.kwh}};
        for (const auto &[text, value] : fields) {
            if (text->empty())
                continue;
            const auto amount = Money::parse(*text, Currency::usd());
            if (!amount || amount->nanos() < 0)
                return invalid(what + ": \"" + base::printable(*text, 64) + "\" is not an amount",
                               base::Remedy::WriteQuotedAmount);
            *value = amount->nanos();
        }
        const auto nanos = ownedNanosPerHour(a, m.years);
        if (!nanos || a.residual > a.price)
            return invalid(what + ": no hourly price follows from these amounts", base::Remedy::LowerResidualValue);
        rules.push_back({m.nodeLabels, Money{*nanos, Currency::usd()}, "owned: " + listed(m.nodeLabels)});
    }
    return rules;
}

} // namespace gpuledger::ledger
