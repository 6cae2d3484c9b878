// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/prices/pricelists.h"

#include "app/base/text/text.h"
#include "app/savings/prices/pricetable.h"
#include "app/savings/proposals/proposal.h"

#include <cmath>

namespace gpuledger::savings {

using base::Result;

namespace {

constexpr double kMostOfferedGpus = 1024;
constexpr double kMostGibOfGpu = 16384;
constexpr std::int64_t kMostTermMonths = 120;

std::optional<base::Day> dayIn(std::string_view text)
{
    const auto time = base::parseTime(text);
    return time ? std::optional(base::dayOf(*time)) : std::nullopt;
}

// 1e-6 GPUs; std::nullopt: not a number of at least 0.001.
std::optional<std::int64_t> microGpusIn(std::string_view text)
{
    const auto count = base::parseDouble(text);
    if (!count || !(*count >= 0.001) || *count > kMostOfferedGpus)
        return std::nullopt;
    return std::llround(*count * kMicroOfGpu);
}

// In thousandths; 0: not a number above zero.
std::int64_t thousandthsIn(std::string_view text)
{
    constexpr double kMost = 1'000'000;
    const auto value = base::parseDouble(text);
    return value && *value > 0 && *value < kMost ? std::llround(*value * 1000) : 0;
}

// Reads what is optional in an offer; false if it can't be read.
bool readDetails(const PriceTable &table, std::size_t row, PriceQuote &quote, std::optional<std::int64_t> &memoryMib)
{
    if (const std::string_view memory = table.cell(row, "gpu_memory_gib"); !memory.empty()) {
        const auto gib = base::parseDouble(memory);
        if (!gib || !(*gib >= 0.001) || *gib > kMostGibOfGpu)
            return false;
        memoryMib = std::llround(*gib * 1024);
    }
    if (const std::string_view purchase = table.cell(row, "purchase"); !purchase.empty()) {
        const auto option = purchaseFrom(purchase);
        if (!option)
            return false;
        quote.purchase = *option;
    }
    if (const std::string_view seen = table.cell(row, "seen"); !seen.empty()) {
        quote.seen = dayIn(seen);
        if (!quote.seen)
            return false;
    }
    return true;
}

// The months of a term: those of the column, or those that the name of the purchase says. False if they can't be read,
// contradict each other, or what is offered is no commitment. Without a purchase, a term is one.
bool readTerm(const PriceTable &table, std::size_t row, PriceQuote &quote)
{
    const std::string_view cell = table.cell(row, "term_months");
    const auto months = base::parseInt(cell);
    if (!cell.empty() && (!months || *months < 1 || *months > kMostTermMonths))
        return false;
    if (months && table.cell(row, "purchase").empty())
        quote.purchase = *months == 12 ? PurchaseOption::OneYear
            : *months == 36            ? PurchaseOption::ThreeYears
                                       : PurchaseOption::Commitment;
    if (quote.purchase == PurchaseOption::OneYear)
        quote.termMonths = 12;
    else if (quote.purchase == PurchaseOption::ThreeYears)
        quote.termMonths = 36;
    else if (quote.purchase == PurchaseOption::Commitment && months)
        quote.termMonths = *months;
    return !months || quote.termMonths == *months;
}

// What is paid at the start. Its part of an hour is added to the price, which may be zero before. False if it can't be
// read, or the columns contradict each other: a price from which a payment is missing would be too low.
bool readUpfront(const PriceTable &table, std::size_t row, PriceQuote &quote)
{
    const std::string_view cell = table.cell(row, "upfront"), word = table.cell(row, "payment");
    const auto amount = cell.empty() ? Result<base::Money>(base::Money(0, quote.perHour.currency()))
                                     : base::Money::parse(cell, quote.perHour.currency());
    const auto stated = upfrontPaymentFrom(word);
    if (!amount || amount->nanos() < 0 || (!word.empty() && !stated))
        return false;
    const bool isUpfront = amount->nanos() > 0;
    const UpfrontPayment payment = !isUpfront ? UpfrontPayment::None
        : quote.perHour.isZero()              ? UpfrontPayment::All
                                              : UpfrontPayment::Partial;
    if ((stated && *stated != payment) || (isUpfront && !quote.termMonths))
        return false;
    if (!quote.termMonths || (cell.empty() && !stated))
        return true;
    quote.payment = payment;
    quote.upfront = *amount;
    const auto all = quote.perHour.plus(perHourOfTerm(*amount, *quote.termMonths));
    if (all)
        quote.perHour = *all;
    return all.has_value();
}

std::optional<PriceQuote> offerIn(const PriceTable &table, std::size_t row, const ledger::GpuCatalog &catalog)
{
    PriceQuote quote;
    for (const auto &[to, column] : {std::pair(&quote.provider, "provider"), std::pair(&quote.region, "region"),
                                     std::pair(&quote.zone, "zone"), std::pair(&quote.machine, "machine"),
                                     std::pair(&quote.gpuName, "gpu_model"), std::pair(&quote.source, "source")}) {
        *to = table.cell(row, column);
        if (!isPlausibleName(*to))
            return std::nullopt;
    }
    const auto currency = base::Currency::parse(table.cell(row, "currency"));
    const auto price =
        currency ? base::Money::parse(table.cell(row, "per_hour"), *currency) : Result<base::Money>(base::Money());
    const auto gpus = microGpusIn(table.cell(row, "gpus"));
    std::optional<std::int64_t> memoryMib;
    if (!price || price->nanos() < 0 || !gpus || quote.gpuName.empty() || quote.provider.empty()
        || !readDetails(table, row, quote, memoryMib))
        return std::nullopt;
    quote.perHour = *price;
    if (!readTerm(table, row, quote) || !readUpfront(table, row, quote) || quote.perHour.nanos() <= 0)
        return std::nullopt;
    quote.microGpus = *gpus;
    quote.gpu = identify(catalog, {quote.gpuName, quote.machine, memoryMib});
    return quote;
}

} // namespace

Result<QuoteList> readPriceBook(std::string_view csv, const ledger::GpuCatalog &catalog)
{
    const auto table =
        PriceTable::parse(csv, {"cloud", "instance_type", "gpu_model", "gpu_count", "region", "on_demand_usd_h"});
    GPULEDGER_TRY(table);
    QuoteList list;
    if (table->unreadable() > 0)
        list.leftOut[LeftOut::Unreadable] = table->unreadable();
    for (std::size_t row = 0; row < table->rows(); ++row) {
        const std::string_view price = table->cell(row, "on_demand_usd_h"), asOf = table->cell(row, "as_of");
        if (price.empty())
            continue;
        const auto perHour = base::Money::parse(price, base::Currency::usd());
        const auto gpus = microGpusIn(table->cell(row, "gpu_count"));
        if (!perHour || perHour->nanos() <= 0 || !gpus) {
            ++list.leftOut[LeftOut::Unreadable];
            continue;
        }
        PriceQuote quote;
        quote.provider = table->cell(row, "cloud");
        quote.region = table->cell(row, "region");
        quote.machine = table->cell(row, "instance_type");
        quote.gpuName = table->cell(row, "gpu_model");
        quote.gpu = identify(catalog, {quote.gpuName, {}, std::nullopt});
        quote.microGpus = *gpus;
        quote.perHour = *perHour;
        quote.seen = dayIn(asOf.empty() ? table->cell(row, "checked") : asOf);
        quote.source = asOf.empty() ? "price book (as read)" : "price book";
        list.quotes.push_back(std::move(quote));
    }
    return list;
}

Result<KnownMachines> readKnownMachines(std::string_view csv)
{
    const auto table = PriceTable::parse(csv, {"cloud", "instance_type", "gpu_model"});
    GPULEDGER_TRY(table);
    KnownMachines known;
    for (std::size_t row = 0; row < table->rows(); ++row)
        known.try_emplace({loweredName(table->cell(row, "cloud")), loweredName(table->cell(row, "instance_type"))},
                          table->cell(row, "gpu_model"));
    return known;
}

Result<MachineSizes> readMachineSizes(std::string_view csv)
{
    const auto table = PriceTable::parse(csv, {"cloud", "instance_type", "gpu_model", "gpu_count"});
    GPULEDGER_TRY(table);
    MachineSizes sizes;
    for (std::size_t row = 0; row < table->rows(); ++row) {
        if (const auto gpus = microGpusIn(table->cell(row, "gpu_count")))
            sizes.try_emplace({loweredName(table->cell(row, "cloud")), loweredName(table->cell(row, "instance_type"))},
                              MachineSize{std::string(table->cell(row, "gpu_model")), *gpus,
                                          thousandthsIn(table->cell(row, "vcpus")),
                                          thousandthsIn(table->cell(row, "memory_gib"))});
    }
    return sizes;
}

base::Money perHourOfTerm(const base::Money &amount, std::int64_t months)
{
    const std::int64_t hours = months * kHoursPerMonth;
    const std::int64_t rest = amount.nanos() % hours;
    return {amount.nanos() / hours + (rest >= hours - rest ? 1 : 0), amount.currency()};
}

Result<QuoteList> readOwnOffers(std::string_view csv, const std::string &name, const ledger::GpuCatalog &catalog)
{
    const auto table = PriceTable::parse(csv, {"provider", "gpu_model", "gpus", "currency", "per_hour"});
    GPULEDGER_TRY(table);
    QuoteList list;
    if (table->unreadable() > 0)
        list.leftOut[LeftOut::Unreadable] = table->unreadable();
    for (std::size_t row = 0; row < table->rows(); ++row) {
        auto quote = offerIn(*table, row, catalog);
        if (!quote) {
            ++list.leftOut[LeftOut::Unreadable];
            continue;
        }
        if (quote->source.empty() || quote->source == kOwnBills) // an offer is not what was paid
            quote->source = name;
        quote->contracted = true;
        list.quotes.push_back(std::move(*quote));
    }
    return list;
}

} // namespace gpuledger::savings
