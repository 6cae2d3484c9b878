// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/prices/paidprices.h"

#include "app/base/time/gputime.h"
#include "resources/resources.h"

#include <algorithm>
#include <set>

namespace gpuledger::services {

using base::Result;
using savings::PurchaseOption;
using savings::QuoteList;

namespace {

constexpr const char *kInstanceList = "prices/instances.csv";

struct PaidKey {
    std::string cloud, instanceType, region;
    base::Currency currency;
    PurchaseOption purchase;
    auto operator<=>(const PaidKey &) const = default;
};

struct Paid {
    std::string machine;
    std::int64_t nanos = 0, ticks = 0;
    std::optional<base::Day> last;
};

// Azure's exports name the term; others leave it open.
PurchaseOption termOf(const BilledCommitments &bills, const std::string &id, base::Currency currency)
{
    const auto found = bills.commitments().find({id, currency});
    if (found != bills.commitments().end() && found->second.termMonths == 12)
        return PurchaseOption::OneYear;
    if (found != bills.commitments().end() && found->second.termMonths == 36)
        return PurchaseOption::ThreeYears;
    return PurchaseOption::Commitment;
}

// Sums of the same type over accounts and commitments.
class PaidSums {
public:
    explicit PaidSums(const BilledCommitments &bills, model::CostView view)
        : m_bills(bills)
        , m_view(view)
    {
    }
    Result<std::map<PaidKey, Paid>> take()
    {
        for (const auto &[key, type] : m_bills.types()) {
            const bool billed = m_view == model::CostView::Billed;
            GPULEDGER_TRY(add(key, type, PurchaseOption::OnDemand, billed ? type.billed : type.effective, type.ticks));
            for (const auto &[id, covered] : type.covered) {
                if (!billed)
                    GPULEDGER_TRY(add(key, type, termOf(m_bills, id, key.currency), covered.cost, covered.ticks));
            }
        }
        return std::move(m_sums);
    }

private:
    Result<void> add(const BilledCommitments::TypeKey &key, const BilledCommitments::Type &type,
                     PurchaseOption purchase, std::int64_t nanos, std::int64_t ticks)
    {
        if (ticks <= 0)
            return {};
        Paid &paid = m_sums[{key.cloud, key.instanceType, key.region, key.currency, purchase}];
        paid.machine = type.instanceType;
        const auto days = m_bills.days().find({key.cloud, key.account});
        if (days != m_bills.days().end() && !days->second.empty())
            paid.last = std::max(paid.last, std::optional(*days->second.rbegin()));
        GPULEDGER_TRY(store::addAmount(paid.nanos, nanos));
        return store::addAmount(paid.ticks, ticks);
    }

    const BilledCommitments &m_bills;
    model::CostView m_view;
    std::map<PaidKey, Paid> m_sums;
};

// nano-units of a machine-hour; 0: nothing was paid, or it does not fit.
std::int64_t paidPerHour(const Paid &paid)
{
    __extension__ using WidePaid = __int128;
    const WidePaid rate = static_cast<WidePaid>(paid.nanos) * 3600 * base::GpuTime::kTicksPerSecond / paid.ticks;
    return rate > 0 && rate < std::int64_t{1} << 62 ? static_cast<std::int64_t>(rate) : 0;
}

// The price book keeps thousandths of a GPU. Parts of a GPU are an nth of it: 333 is a third, not 0.333.
std::int64_t microGpusOfPart(std::int64_t thousandths)
{
    for (std::int64_t n = 2; n <= 64; ++n) {
        if ((2000 + n) / (2 * n) == thousandths)
            return (2 * savings::kMicroOfGpu + n) / (2 * n);
    }
    return thousandths * (savings::kMicroOfGpu / 1000);
}

// 1e-6 GPUs; 0: not known.
std::int64_t microGpusOf(const ledger::PriceBook::Machine *machine)
{
    if (machine == nullptr)
        return 0;
    return machine->wholeGpus ? machine->devices * savings::kMicroOfGpu : microGpusOfPart(machine->shape.gpus);
}

} // namespace

Result<PriceLists> priceLists()
{
    auto catalog = ledger::GpuCatalog::load(resources::find("prices/gpus.csv").value_or(""));
    GPULEDGER_TRY(catalog);
    const std::string_view list = resources::find(kInstanceList).value_or("");
    auto known = savings::readKnownMachines(list);
    GPULEDGER_TRY(known);
    auto sizes = savings::readMachineSizes(list);
    GPULEDGER_TRY(sizes);
    auto book = savings::readPriceBook(list, *catalog);
    GPULEDGER_TRY(book);
    return PriceLists{std::move(*catalog), std::move(*known), std::move(*sizes), std::move(*book)};
}

Result<std::vector<savings::PublishedSpot>> publishedSpot()
{
    return savings::readPublishedSpot(resources::find("prices/spot_interruptions.csv").value_or(""));
}

Result<QuoteList> paidPrices(const BilledCommitments &bills, const ledger::PriceBook &prices,
                             const ledger::GpuCatalog &catalog, model::CostView view)
{
    QuoteList list;
    if (view == model::CostView::List)
        return list;
    const auto sums = PaidSums(bills, view).take();
    GPULEDGER_TRY(sums);
    std::set<std::string> unknown;
    for (const auto &[key, paid] : *sums) {
        const auto *machine = prices.machine(key.instanceType);
        savings::PriceQuote quote;
        quote.microGpus = microGpusOf(machine);
        quote.perHour = base::Money(paidPerHour(paid), key.currency);
        if (quote.microGpus <= 0) {
            unknown.insert(key.cloud + ' ' + key.instanceType);
            continue;
        }
        if (quote.perHour.nanos() <= 0) {
            ++list.leftOut[savings::LeftOut::NoPrice];
            continue;
        }
        quote.provider = key.cloud;
        quote.region = key.region;
        quote.machine = paid.machine;
        quote.gpuName = machine->gpuModel;
        quote.gpu = savings::identify(catalog, {quote.gpuName, {}, std::nullopt});
        quote.purchase = key.purchase;
        quote.seen = paid.last;
        quote.source = savings::kOwnBills;
        list.quotes.push_back(std::move(quote));
    }
    if (!unknown.empty())
        list.leftOut[savings::LeftOut::UnknownType] = unknown.size();
    return list;
}

} // namespace gpuledger::services
