// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/prices/pricestore.h"

#include <array>

// Rows of price_quote. For the sources of this folder. Pure; any thread.
namespace gpuledger::store {

class Statement;

inline constexpr char kOfferColumns[] = "provider, region, zone, machine, gpu, purchase, payment, source, micro_gpus, "
                                        "price, currency, term_months, upfront,"
                                        " gpu_model, gpu_memory_mib, milli_tflops, seen, contracted";
inline constexpr int kOfferColumnCount = 18;

// The texts of an offer, in the order of the first columns.
template <typename Offer> auto offerTexts(Offer &o)
{
    return std::array{&o.provider, &o.region, &o.zone, &o.machine, &o.gpu, &o.purchase, &o.payment, &o.source};
}

// From the first columns of a row. Fails with StorageCorrupt.
[[nodiscard]] base::Result<PriceOffer> offerIn(const Statement &s);

} // namespace gpuledger::store
