// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/prices/sourceprices.h"

#include "app/base/text/text.h"
#include "app/savings/prices/pricetable.h"
#include "app/services/prices/listedprices.h"
#include "app/services/prices/paidprices.h"

#include <optional>
#include <tuple>
#include <utility>

namespace gpuledger::services {

using savings::LeftOut;
using savings::PriceQuote;

namespace {

constexpr std::string_view kSourceMark = "source:";
constexpr std::int64_t kMostGpusTold = 1024;
constexpr std::int64_t kMostPerGpuHour = 100'000; // units of the currency

bool isCleanName(const std::string &name)
{
    return savings::isPlausibleName(name) && base::isUtf8(name) && base::printable(name, name.size()) == name;
}

// Why a quote is no price; std::nullopt: it is one.
std::optional<LeftOut> flawOf(const PriceQuote &quote)
{
    for (const std::string *name : {&quote.region, &quote.zone, &quote.machine, &quote.gpuName, &quote.source}) {
        if (!isCleanName(*name))
            return LeftOut::Unreadable;
    }
    if (quote.microGpus == 0)
        return LeftOut::NoGpu;
    if (quote.machine.empty() || quote.gpuName.empty() || quote.microGpus < 0
        || quote.microGpus > kMostGpusTold * savings::kMicroOfGpu)
        return LeftOut::Unreadable;
    if (savings::isOtherAccelerator(quote.gpuName))
        return LeftOut::OtherAccelerator;
    if (quote.perHour.isZero())
        return LeftOut::NoPrice;
    const auto perGpu = perGpuHour(quote);
    if (quote.perHour.nanos() < 0 || !perGpu || perGpu->nanos() > kMostPerGpuHour * base::Money::kNanosPerUnit)
        return LeftOut::Unreadable;
    return std::nullopt;
}

class Describer {
public:
    Describer(const std::string &source, const std::string &provider, const PriceLists &known)
        : m_source(source)
        , m_provider(provider)
        , m_known(known)
    {
    }

    void describe(PriceQuote &quote)
    {
        quote.source = quote.source.empty() ? m_source : m_source + ", " + quote.source;
        quote.provider = m_provider;
        const auto [it, isNew] = m_identities.try_emplace({quote.gpuName, quote.machine, quote.gpu.memoryMib});
        if (isNew)
            it->second = identityOf(quote);
        quote.gpu = it->second;
    }

private:
    using Key = std::tuple<std::string, std::string, std::optional<std::int64_t>>;

    savings::GpuIdentity identityOf(const PriceQuote &quote) const
    {
        savings::GpuIdentity identity =
            savings::identify(m_known.catalog, {quote.gpuName, quote.machine, quote.gpu.memoryMib});
        const auto machine =
            m_known.known.find({savings::loweredName(m_provider), savings::loweredName(quote.machine)});
        if (identity.model.empty() && machine != m_known.known.end()
            && savings::isVariantOf(machine->second, quote.gpuName))
            identity = savings::identify(m_known.catalog, {machine->second, quote.machine, quote.gpu.memoryMib});
        return identity;
    }

    const std::string &m_source, &m_provider;
    const PriceLists &m_known;
    std::map<Key, savings::GpuIdentity> m_identities; // the same type is told for each region and zone
};

} // namespace

std::string sourceListName(const std::string &source, const std::string &list)
{
    return std::string(kSourceMark) + source + (list.empty() ? "" : "/" + list);
}

bool isListOfSource(std::string_view list, const std::string &source)
{
    const std::string own = sourceListName(source, "");
    return list == own || list.starts_with(own + '/');
}

SourcePrices sourcePrices(ports::PricesTold told, const std::string &source, const std::string &provider,
                          const PriceLists &known)
{
    SourcePrices out;
    out.quotes.leftOut = std::move(told.now.leftOut);
    Describer describer(source, provider, known);
    for (PriceQuote &quote : told.now.quotes) {
        if (const auto flaw = flawOf(quote)) {
            ++out.quotes.leftOut[*flaw];
            continue;
        }
        describer.describe(quote);
        out.quotes.quotes.push_back(std::move(quote));
    }
    savings::QuoteList begun;
    std::vector<base::UtcTime> times;
    for (ports::PriceBegin &begin : told.begins) {
        if (flawOf(begin.quote))
            continue;
        describer.describe(begin.quote);
        begun.quotes.push_back(std::move(begin.quote));
        times.push_back(begin.from);
    }
    std::vector<store::PriceOffer> offers = offersOf(begun);
    for (std::size_t i = 0; i < offers.size(); ++i)
        out.steps.push_back({std::move(offers[i]), times[i]});
    return out;
}

std::map<std::string, ports::KnownMachine> knownMachines(const PriceLists &known, const std::string &provider)
{
    std::map<std::string, ports::KnownMachine> machines;
    for (const auto &[key, size] : known.sizes) {
        if (key.first == savings::loweredName(provider) && !savings::isOtherAccelerator(size.gpuModel))
            machines[key.second] = {size.gpuModel, size.microGpus, size.milliVcpus, size.milliGib};
    }
    return machines;
}

} // namespace gpuledger::services
