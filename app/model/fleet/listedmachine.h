// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

// What is known of a machine that a cloud's list told, beside its telemetry.
namespace gpuledger::model {

// The label of its node that has its host name. Every node that a list told has it; empty: the cloud did not tell it.
inline constexpr char kHostNameLabel[] = "gpuledger_host_name";

// The label of its node that says that it is a spot machine; absent from others.
inline constexpr char kPurchaseLabel[] = "gpuledger_purchase", kSpotPurchase[] = "spot";

// The label of its node that has what an hour of one of its GPUs costs, as the list says: "2.39 USD"; absent if it does
// not. It is the whole price of the machine, in equal parts.
inline constexpr char kGpuHourPriceLabel[] = "gpuledger_gpu_hour_price";

// The machine's id at its cloud in a provider id: "i-0abc" of "aws:///eu-central-1a/i-0abc". Empty if there is none.
constexpr std::string_view machineIdIn(std::string_view providerId)
{
    const std::size_t slash = providerId.rfind('/');
    return slash == std::string_view::npos ? std::string_view() : providerId.substr(slash + 1);
}

// A provider id in one spelling: Azure changes its case from answer to answer, and Kubernetes writes it in another one.
inline std::string sameCase(std::string providerId)
{
    std::transform(providerId.begin(), providerId.end(), providerId.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; });
    return providerId;
}

} // namespace gpuledger::model
