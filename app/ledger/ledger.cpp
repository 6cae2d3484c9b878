// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/ledger.h"

#include "app/base/remedy.h"
#include "app/ledger/attribution/attributor.h"
#include "app/ledger/attribution/cubebuilder.h"
#include "app/ledger/bills/costterms.h"
#include "resources/resources.h"

#include <cstdint>
#include <cstdio>

namespace gpuledger::ledger {

using base::Result;

struct Ledger::Private {
    LedgerRules rules;
    std::string meaning; // of the rules: the fingerprint of the roll-up without its stored form
    std::unique_ptr<CubeBuilder> cube;
    std::vector<model::ExchangeRate> exchangeRates;
    std::vector<model::OwnedMachine> owned;
};

namespace {

// Increase when the meaning of the roll-up changes: older caches are rebuilt, and what a month was closed with can no
// longer be recomputed by its own rules.
constexpr int kRollupVersion = 7;
// Increase when the roll-up stores more than before and means the same, so that older caches are rebuilt.
constexpr char kStoredForm[] = "-4";

// FNV-1a, 64 bits: distinguishes configurations; not for security.
std::string digest(const std::string &text)
{
    std::uint64_t h = 1469598103934665603u;
    for (const char c : text) {
        h ^= static_cast<unsigned char>(c);
        h *= 1099511628211u;
    }
    char buf[24];
    std::snprintf(buf, sizeof buf, "%016llx", static_cast<unsigned long long>(h));
    return buf;
}

class Serializer {
public:
    Serializer &operator<<(const std::string &text)
    {
        m_text += std::to_string(text.size()) + ':' + text;
        return *this;
    }
    Serializer &operator<<(std::int64_t v) { return *this << std::to_string(v); }
    Serializer &operator<<(const model::Labels &labels)
    {
        *this << static_cast<std::int64_t>(labels.size());
        for (const auto &[k, v] : labels)
            *this << k << v;
        return *this;
    }
    const std::string &text() const { return m_text; }

private:
    std::string m_text;
};

std::string fingerprintOf(const model::Settings &settings, std::uint16_t threshold)
{
    Serializer s;
    s << std::int64_t{kRollupVersion} << std::int64_t{threshold} << std::string(settings.currency.code())
      << settings.environmentLabel;
    for (const model::OwnerRule &r : settings.owners) {
        s << static_cast<std::int64_t>(r.kind) << static_cast<std::int64_t>(r.match) << r.key << r.pattern << r.team;
        s << (r.from ? base::toUnix(*r.from) : -1) << (r.until ? base::toUnix(*r.until) : -1);
    }
    for (const model::WorkloadRule &r : settings.workloads)
        s << r.labels << r.nameSpace << static_cast<std::int64_t>(r.kind);
    for (const model::ExchangeRate &r : settings.prices.exchangeRates)
        s << std::string(r.from.code()) << std::string(r.to.code()) << r.rate << base::toUnix(r.date);
    for (const model::PriceOverride &o : settings.prices.overrides)
        s << o.gpuModel << o.cluster << o.instanceType << o.region << o.nodeLabels << o.perGpuHour << o.perHour
          << std::string(o.currency.code());
    for (const model::OwnedMachine &o : settings.prices.owned)
        s << o.nodeLabels << o.price << o.residual << std::int64_t{o.years} << o.powerW << o.pue << o.usdPerKwh
          << o.operationPerYear;
    for (const char *file : {"prices/gpus.csv", "prices/instances.csv"})
        s << std::string(resources::find(file).value_or(""));
    return digest(s.text());
}

} // namespace

Result<std::unique_ptr<Ledger>> Ledger::create(const model::Settings &settings)
{
    auto owners = OwnerRules::create(settings.owners);
    GPULEDGER_TRY(owners);
    auto catalog = GpuCatalog::load(resources::find("prices/gpus.csv").value_or(""));
    GPULEDGER_TRY(catalog);
    auto prices = PriceBook::create(settings.prices, settings.currency,
                                    resources::find("prices/instances.csv").value_or(""), *catalog);
    GPULEDGER_TRY(prices);
    const std::uint16_t threshold = model::toShare(settings.idle.threshold);
    if (threshold == model::kNoShare)
        return base::fail(base::ErrorCode::InvalidConfig, "idle.threshold is not a number from 0 to 1",
                          base::Remedy::WriteShare);
    const std::string meaning = fingerprintOf(settings, threshold);
    auto d = std::unique_ptr<Private>(new Private{{std::move(*owners), WorkloadRules(settings), std::move(*catalog),
                                                   std::move(*prices), threshold, settings.idle, meaning + kStoredForm},
                                                  meaning,
                                                  nullptr,
                                                  settings.prices.exchangeRates,
                                                  settings.prices.owned});
    d->cube = std::make_unique<CubeBuilder>(d->rules);
    return std::unique_ptr<Ledger>(new Ledger(std::move(d)));
}

Ledger::Ledger(std::unique_ptr<Private> p)
    : d(std::move(p))
{
}
Ledger::~Ledger() = default;

std::string Ledger::fingerprint() const
{
    return d->meaning;
}

RollupBuilder &Ledger::rollup()
{
    return *d->cube;
}

std::unique_ptr<store::AttributionReader> Ledger::attribution(store::FactReader &facts, model::CostView view) const
{
    return std::make_unique<Attributor>(d->rules, facts, view);
}

Result<void> Ledger::linesInDetail(base::Day first, base::Day last, model::LineDetail detail, store::FactReader &facts,
                                   const store::LedgerVisitor &visit) const
{
    return d->cube->ledgerLines(first, last, detail, facts, visit, {});
}

Result<void> Ledger::lines(base::Day first, base::Day last, model::LineDetail detail, store::FactReader &facts,
                           const store::LedgerVisitor &visit, const LedgerPartVisitor &visitPart) const
{
    return d->cube->ledgerLines(first, last, detail, facts, visit, visitPart);
}

std::optional<SplitWeights> Ledger::splitOf(model::SplitPolicy policy, std::string_view instanceType) const
{
    const PriceBook::Machine *machine = d->rules.prices.machine(instanceType);
    return splitWeights(policy, machine ? machine->shape : MachineShape());
}

std::optional<ExchangeRates::Converted> Ledger::converted(const base::Money &amount, base::Currency to,
                                                          base::UtcTime at) const
{
    const auto rates = ExchangeRates::create(d->exchangeRates, to);
    return rates ? rates->convert(amount, at) : std::nullopt;
}

Result<model::CostTerms> Ledger::costTerms(store::FactReader &facts, const std::vector<model::PlacedDevice> &devices,
                                           base::UtcTime at) const
{
    return costTermsOf(facts, d->rules.prices, d->owned, devices, at);
}

const OwnerRules &Ledger::owners() const
{
    return d->rules.owners;
}

Result<std::shared_ptr<const RuleSurvey>> Ledger::survey(store::FactReader &facts, base::TimeRange range,
                                                         std::vector<base::UtcTime> cuts, std::stop_token stop) const
{
    return RuleSurvey::take(d->rules, facts, range, std::move(cuts), std::move(stop));
}

Result<std::shared_ptr<const TagSurvey>> Ledger::surveyBills(store::FactReader &facts, base::TimeRange range,
                                                             const std::stop_token &stop) const
{
    return TagSurvey::take(*d->cube, facts, range, d->rules.prices.currency(), stop);
}

} // namespace gpuledger::ledger
