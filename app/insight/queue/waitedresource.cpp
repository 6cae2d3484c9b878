// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/queue/waitedresource.h"

#include <algorithm>
#include <charconv>

namespace gpuledger::insight {

std::optional<WaitedResource> waitedResource(std::string_view resource)
{
    constexpr std::string_view kNvidiaPart = "nvidia_com_", kMigPart = "mig_";
    if (resource == "amd_com_gpu")
        return WaitedResource{"amd", {}};
    if (!resource.starts_with(kNvidiaPart) || resource.ends_with("_shared"))
        return std::nullopt;
    resource.remove_prefix(kNvidiaPart.size());
    if (resource == "gpu")
        return WaitedResource{"nvidia", {}};
    if (!resource.starts_with(kMigPart) || resource.size() == kMigPart.size())
        return std::nullopt;
    return WaitedResource{"nvidia", std::string(resource.substr(kMigPart.size()))};
}

std::string resourceProfile(std::string profile)
{
    std::replace_if(
        profile.begin(), profile.end(), [](char c) { return c == '.' || c == '+' || c == '-'; }, '_');
    return profile;
}

std::int64_t profileGigabytes(std::string_view profile)
{
    const std::size_t gap = profile.find('_');
    if (gap == std::string_view::npos)
        return 0;
    const std::string_view memory = profile.substr(gap + 1);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(memory.data(), memory.data() + memory.size(), value);
    const std::string_view unit(end, static_cast<std::size_t>(memory.data() + memory.size() - end));
    return error == std::errc() && value > 0 && unit.starts_with("gb") ? value : 0;
}

} // namespace gpuledger::insight
