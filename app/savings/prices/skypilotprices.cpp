// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/prices/skypilotprices.h"

#include "app/base/text/text.h"
#include "app/savings/prices/pricetable.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace gpuledger::savings {

using base::Money;

namespace {

constexpr double kMostCards = 1024; // of a machine
constexpr std::int64_t kMostMibOfGpu = 16 << 20; // 16 TiB

// 1e-6 accelerators; 0: none; std::nullopt: not a number.
std::optional<std::int64_t> microCount(std::string_view text)
{
    if (text.empty())
        return 0;
    const auto count = base::parseDouble(text);
    if (!count || !(*count >= 0) || *count > kMostCards)
        return std::nullopt;
    return std::llround(*count * kMicroOfGpu);
}

struct CatalogPrice {
    bool readable = true;
    std::optional<Money> perHour; // above zero; empty: not offered
};

CatalogPrice catalogPrice(std::string_view text)
{
    if (text.empty())
        return {};
    const auto price = Money::parse(text, base::Currency::usd());
    if (!price || price->nanos() <= 0)
        return {false, std::nullopt};
    return {true, *price};
}

class SkypilotReader {
public:
    SkypilotReader(const PriceTable &table, const SkypilotFile &file, const ledger::GpuCatalog &catalog,
                   const KnownMachines &known)
        : m_table(table)
        , m_file(file)
        , m_catalog(catalog)
        , m_known(known)
    {
    }

    QuoteList read()
    {
        if (m_table.unreadable() > 0)
            m_list.leftOut[LeftOut::Unreadable] = m_table.unreadable();
        for (std::size_t row = 0; row < m_table.rows(); ++row) {
            if (const auto why = readOne(row))
                ++m_list.leftOut[*why];
        }
        return std::move(m_list);
    }

private:
    std::optional<LeftOut> readOne(std::size_t row)
    {
        PriceQuote quote;
        quote.provider = m_file.provider;
        quote.source = m_file.name;
        quote.seen = m_file.seen;
        quote.machine = m_table.cell(row, "InstanceType");
        quote.gpuName = m_table.cell(row, "AcceleratorName");
        quote.region = m_table.cell(row, "Region");
        quote.zone = m_table.cell(row, "AvailabilityZone");
        const auto count = microCount(m_table.cell(row, "AcceleratorCount"));
        const CatalogPrice onDemand = catalogPrice(m_table.cell(row, "Price")),
                           spot = catalogPrice(m_table.cell(row, "SpotPrice"));
        for (const std::string *name : {&quote.machine, &quote.gpuName, &quote.region, &quote.zone}) {
            if (!isPlausibleName(*name))
                return LeftOut::Unreadable;
        }
        if (!count || !onDemand.readable || !spot.readable)
            return LeftOut::Unreadable;
        if (quote.gpuName.empty() || *count == 0)
            return LeftOut::NoGpu;
        if (isOtherAccelerator(quote.gpuName))
            return LeftOut::OtherAccelerator;
        if (quote.machine.empty())
            return LeftOut::WithoutHost;
        quote.microGpus = *count;
        identifyGpu(quote, m_table.cell(row, "GpuInfo"));
        return addOffers(std::move(quote), onDemand.perHour, spot.perHour);
    }

    void identifyGpu(PriceQuote &quote, std::string_view gpuInfo)
    {
        const auto memory = memoryInGpuInfo(gpuInfo);
        const auto [it, isNew] = m_identities.try_emplace({quote.gpuName, quote.machine, memory});
        if (isNew)
            it->second = identityOf(quote, memory);
        quote.gpu = it->second;
    }

    GpuIdentity identityOf(const PriceQuote &quote, std::optional<std::int64_t> memory) const
    {
        GpuIdentity identity;
        const auto known = m_known.find({loweredName(quote.provider), loweredName(quote.machine)});
        if (known != m_known.end() && isVariantOf(known->second, quote.gpuName))
            identity = identify(m_catalog, {known->second, quote.machine, memory});
        return identity.model.empty() ? identify(m_catalog, {quote.gpuName, quote.machine, memory}) : identity;
    }

    std::optional<LeftOut> addOffers(PriceQuote quote, const std::optional<Money> &onDemand,
                                     const std::optional<Money> &spot)
    {
        if (!onDemand && !spot)
            return LeftOut::NoPrice;
        if (onDemand && onDemand == spot) {
            if (onDemand->nanos() == quote.microGpus * (Money::kNanosPerUnit / kMicroOfGpu))
                return LeftOut::Placeholder;
            ++m_list.leftOut[LeftOut::SpotCeiling];
        } else if (spot) {
            quote.purchase = PurchaseOption::Spot;
            quote.perHour = *spot;
            m_list.quotes.push_back(quote);
        }
        if (onDemand) {
            quote.purchase = PurchaseOption::OnDemand;
            quote.perHour = *onDemand;
            m_list.quotes.push_back(std::move(quote));
        }
        return std::nullopt;
    }

    const PriceTable &m_table;
    const SkypilotFile &m_file;
    const ledger::GpuCatalog &m_catalog;
    const KnownMachines &m_known;
    // A type is in the list once for each zone.
    std::map<std::tuple<std::string, std::string, std::optional<std::int64_t>>, GpuIdentity> m_identities;
    QuoteList m_list;
};

} // namespace

base::Result<QuoteList> readSkypilotPrices(std::string_view csv, const SkypilotFile &file,
                                           const ledger::GpuCatalog &catalog, const KnownMachines &known)
{
    const auto table =
        PriceTable::parse(csv, {"InstanceType", "AcceleratorName", "AcceleratorCount", "Price", "Region"});
    GPULEDGER_TRY(table);
    return SkypilotReader(*table, file, catalog, known).read();
}

std::string skypilotProvider(std::string_view path)
{
    const std::size_t slash = path.rfind('/');
    const std::string_view file = slash == std::string_view::npos ? path : path.substr(slash + 1);
    if (file == "vms.csv") {
        std::string_view folder = path.substr(0, path.size() - file.size());
        while (folder.ends_with('/'))
            folder.remove_suffix(1);
        return loweredName(folder.substr(folder.rfind('/') + 1));
    }
    const std::size_t mark = file.find("_vms");
    return mark != std::string_view::npos && file.ends_with(".csv") ? loweredName(file.substr(0, mark)) : std::string();
}

std::optional<std::int64_t> memoryInGpuInfo(std::string_view gpuInfo)
{
    constexpr std::string_view kKey = "SizeInMiB";
    const std::size_t key = gpuInfo.find(kKey);
    const std::size_t from = key == std::string_view::npos ? key : gpuInfo.find_first_of("0123456789-", key + 9);
    if (from == std::string_view::npos || gpuInfo.substr(key, from - key).find_first_of(",}") != std::string_view::npos)
        return std::nullopt;
    const std::size_t end = std::min(gpuInfo.find_first_not_of("0123456789.eE+-", from), gpuInfo.size());
    const auto size = base::parseDouble(gpuInfo.substr(from, end - from));
    if (!size || !(*size >= 1) || *size > static_cast<double>(kMostMibOfGpu))
        return std::nullopt;
    const std::int64_t whole = std::llround(*size);
    return whole < 1024 ? whole * 1024 : whole;
}

} // namespace gpuledger::savings
