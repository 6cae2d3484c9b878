// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/money/allocation.h"

#include <array>

namespace gpuledger::model {

std::string_view toString(AllocationProduct product)
{
    return product == AllocationProduct::Kubecost ? "Kubecost" : "OpenCost";
}

std::string_view toString(AllocationReason reason)
{
    static constexpr std::array<std::string_view, kAllocationReasons> kNames{
        "shared-pods",   "mig-pods",      "amd-pods",     "pods-without-cost", "held-time",  "idle-without-hours",
        "negative-idle", "price-too-low", "no-gpu-price", "no-price",          "two-prices", "two-sources",
        "bill",          "unseen",        "rate",         "gpus-without-price"};
    const auto index = static_cast<std::size_t>(reason);
    return index < kNames.size() ? kNames[index] : std::string_view();
}

} // namespace gpuledger::model
