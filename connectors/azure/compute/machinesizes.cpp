// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/compute/machinesizes.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "connectors/azure/azurelogin.h"
#include "connectors/format/json.h"

#include <algorithm>

namespace gpuledger::azure {

using Json = nlohmann::json;

namespace {

constexpr std::int64_t kMicro = 1'000'000;
constexpr std::string_view kSizePrefix = "standard_";
constexpr std::size_t kShownSize = 100; // bytes

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

std::string capabilityOf(const Json &sku, std::string_view name)
{
    const Json &all = format::memberOf(sku, "capabilities");
    for (std::size_t i = 0; all.is_array() && i < all.size(); ++i) {
        if (format::textOf(all[i], "name") == name)
            return format::textOf(all[i], "value");
    }
    return {};
}

} // namespace

bool isGpuSeries(std::string_view size)
{
    const std::string lower = lowerCase(std::string(size));
    return lower.size() > kSizePrefix.size() + 2 && lower.starts_with(kSizePrefix) && lower[kSizePrefix.size()] == 'n'
        && std::string_view("cdgv").find(lower[kSizePrefix.size() + 1]) != std::string_view::npos;
}

std::string acceleratorIn(std::string_view size)
{
    if (size.size() > kSizePrefix.size() && lowerCase(std::string(size.substr(0, kSizePrefix.size()))) == kSizePrefix)
        size.remove_prefix(kSizePrefix.size());
    for (std::size_t from = size.find('_'); from != std::string_view::npos;) {
        const std::size_t to = size.find('_', from + 1);
        const std::string_view part = size.substr(from + 1, to == std::string_view::npos ? to : to - from - 1);
        const bool isModel = part.size() > 1 && part.front() >= 'A' && part.front() <= 'Z'
            && std::any_of(part.begin(), part.end(), isDigit); // "v5", "xl" and "NDR" are none
        if (isModel)
            return base::printable(part, kShownSize);
        from = to;
    }
    return base::printable(size, kShownSize);
}

bool MachineSizes::isMissing(const std::string &size) const
{
    const std::string lower = lowerCase(size);
    return !m_known.contains(lower) && !m_told.contains(lower) && isGpuSeries(size);
}

base::Result<void> MachineSizes::learn(const Json &page)
{
    const Json &skus = format::memberOf(page, "value");
    if (!skus.is_array())
        return base::fail(base::ErrorCode::Parse,
                          "the Resource Manager's list of sizes can't be read: it has no values",
                          base::Remedy::NextSyncTriesAgain);
    for (const Json &sku : skus) {
        const std::string name = format::textOf(sku, "name");
        if (format::textOf(sku, "resourceType") != "virtualMachines" || !isGpuSeries(name))
            continue;
        const std::string count = capabilityOf(sku, "GPUs");
        if (!count.empty())
            m_told[lowerCase(name)] = {acceleratorIn(name), base::parseInt(count).value_or(0)};
    }
    return {};
}

SizeGpus MachineSizes::of(const std::string &size) const
{
    const std::string lower = lowerCase(size);
    if (const auto known = m_known.find(lower); known != m_known.end()) {
        const std::int64_t micro = known->second.microGpus;
        return {known->second.gpuName, micro % kMicro == 0 ? micro / kMicro : 0};
    }
    if (const auto told = m_told.find(lower); told != m_told.end())
        return told->second;
    return isGpuSeries(size) ? SizeGpus{acceleratorIn(size), 0, false} : SizeGpus{};
}

} // namespace gpuledger::azure
