// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/money/pricequote.h"

#include <algorithm>
#include <iterator>

namespace gpuledger::model {

using base::Money;

namespace {

__extension__ using WideAmount = __int128;

// amount x times / by, rounded half away from zero; std::nullopt if there is nothing to divide by or it does not fit.
std::optional<Money> scaled(const Money &amount, std::int64_t times, WideAmount by)
{
    if (by <= 0)
        return std::nullopt;
    const WideAmount product = static_cast<WideAmount>(amount.nanos()) * times;
    const WideAmount half = by / 2;
    const WideAmount result = (product + (product < 0 ? -half : half)) / by;
    constexpr WideAmount kFits = std::int64_t{1} << 62;
    if (result > kFits || result < -kFits)
        return std::nullopt;
    return Money(static_cast<std::int64_t>(result), amount.currency());
}

} // namespace

std::string_view toString(PurchaseOption purchase)
{
    switch (purchase) {
    case PurchaseOption::OnDemand:
        return "on-demand";
    case PurchaseOption::Spot:
        return "spot";
    case PurchaseOption::OneYear:
        return "1-year";
    case PurchaseOption::ThreeYears:
        return "3-years";
    case PurchaseOption::Commitment:
        return "commitment";
    case PurchaseOption::CapacityBlock:
        return "capacity-block";
    case PurchaseOption::GpuCloud:
        return "gpu-cloud";
    }
    return {};
}

std::optional<PurchaseOption> purchaseFrom(std::string_view text)
{
    const auto *const found = std::find_if(kPurchaseOptions.begin(), kPurchaseOptions.end(),
                                           [&](PurchaseOption option) { return toString(option) == text; });
    return found == kPurchaseOptions.end() ? std::nullopt : std::optional(*found);
}

std::string_view toString(UpfrontPayment payment)
{
    return payment == UpfrontPayment::None ? "none" : payment == UpfrontPayment::Partial ? "partial" : "all";
}

std::optional<UpfrontPayment> upfrontPaymentFrom(std::string_view text)
{
    for (const UpfrontPayment payment : {UpfrontPayment::None, UpfrontPayment::Partial, UpfrontPayment::All}) {
        if (toString(payment) == text)
            return payment;
    }
    return std::nullopt;
}

std::optional<Money> perGpuHour(const PriceQuote &quote)
{
    return scaled(quote.perHour, kMicroOfGpu, quote.microGpus);
}

std::optional<Money> perGibHour(const PriceQuote &quote)
{
    if (!quote.gpu.memoryMib || quote.isPartOfGpu())
        return std::nullopt;
    return scaled(quote.perHour, kMicroOfGpu * 1024, static_cast<WideAmount>(quote.microGpus) * *quote.gpu.memoryMib);
}

std::optional<Money> perTflopHour(const PriceQuote &quote)
{
    if (!quote.gpu.milliTflops || quote.isPartOfGpu())
        return std::nullopt;
    return scaled(quote.perHour, kMicroOfGpu * 1000, static_cast<WideAmount>(quote.microGpus) * *quote.gpu.milliTflops);
}

std::string_view keyOf(LeftOut why)
{
    switch (why) {
    case LeftOut::Unreadable:
        return "unreadable";
    case LeftOut::Twice:
        return "twice";
    case LeftOut::NoGpu:
        return "no-gpu";
    case LeftOut::OtherAccelerator:
        return "other-accelerator";
    case LeftOut::WithoutHost:
        return "without-host";
    case LeftOut::NoPrice:
        return "no-price";
    case LeftOut::SpotCeiling:
        return "spot-ceiling";
    case LeftOut::Placeholder:
        return "placeholder";
    case LeftOut::UnknownType:
        return "unknown-type";
    }
    return {};
}

std::string leftOutText(LeftOut why, std::size_t count)
{
    const bool one = count == 1;
    const std::string number = std::to_string(count);
    switch (why) {
    case LeftOut::Unreadable:
        return number + (one ? " row" : " rows") + " can't be read: a price, a count, a name or the number of cells";
    case LeftOut::Twice:
        return number + (one ? " offer is" : " offers are") + " there more than once and counted once";
    case LeftOut::NoGpu:
        return number + (one ? " machine has" : " machines have") + " no GPU in the list";
    case LeftOut::OtherAccelerator:
        return number + (one ? " accelerator is not a GPU" : " accelerators are not GPUs") + " (TPUs and the like)";
    case LeftOut::WithoutHost:
        return number + (one ? " price is" : " prices are")
            + " of GPUs without their machine, whose price would have to be added";
    case LeftOut::NoPrice:
        return number + (one ? " GPU machine" : " GPU machines") + " without a price";
    case LeftOut::SpotCeiling:
        return number + (one ? " spot price equals" : " spot prices equal")
            + " the on-demand price: a ceiling, not an offer";
    case LeftOut::Placeholder:
        return number + (one ? " price is" : " prices are")
            + " exactly 1 per GPU, on demand and spot alike: not a real price";
    case LeftOut::UnknownType:
        return number + (one ? " machine type" : " machine types")
            + " whose number of GPUs the price book does not have (for those on bills, see: gpuledger-cli reconcile)";
    }
    return {};
}

void QuoteList::add(QuoteList more)
{
    quotes.insert(quotes.end(), std::make_move_iterator(more.quotes.begin()),
                  std::make_move_iterator(more.quotes.end()));
    for (const auto &[why, count] : more.leftOut)
        leftOut[why] += count;
}

} // namespace gpuledger::model
