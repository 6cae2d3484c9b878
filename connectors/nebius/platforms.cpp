// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/nebius/platforms.h"

#include "app/base/text/text.h"

#include <nebius.pb.h>

#include <algorithm>
#include <array>
#include <utility>

namespace gpuledger::nebius {

namespace {

constexpr std::int64_t kMicro = 1'000'000;
constexpr std::size_t kShownPlatform = 100; // bytes
constexpr std::string_view kGpuPrefix = "gpu-", kCpuPrefix = "cpu-";
// docs.nebius.com/compute/virtual-machines/types; the names of the catalogue (resources/prices). "gpu-l40s-a" and
// "gpu-l40s-d" differ in their processors, "gpu-b200-sxm-a" in its region.
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kModels{{{"gpu-h100-sxm", "H100 SXM"},
                                                                                {"gpu-h200-sxm", "H200"},
                                                                                {"gpu-b200-sxm", "B200"},
                                                                                {"gpu-b300-sxm", "B300"},
                                                                                {"gpu-gb200", "GB200"},
                                                                                {"gpu-gb300", "GB300"},
                                                                                {"gpu-l40s", "L40S"},
                                                                                {"gpu-rtx6000", "RTX PRO 6000"}}};

std::string lowerType(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; });
    return text;
}

} // namespace

std::string typeOf(const std::string &platform, const std::string &preset)
{
    return base::printable(platform + (preset.empty() ? "" : "_") + preset, 2 * kShownPlatform);
}

std::string gpuOf(std::string_view platform)
{
    for (const auto &[name, model] : kModels) {
        if (platform == name || (platform.starts_with(name) && platform[name.size()] == '-'))
            return std::string(model);
    }
    return platform.starts_with(kGpuPrefix) ? base::printable(platform.substr(kGpuPrefix.size()), kShownPlatform)
                                            : std::string();
}

bool InstanceTypes::isMissing(const std::string &platform, const std::string &preset) const
{
    const std::string type = lowerType(typeOf(platform, preset));
    return !platform.starts_with(kCpuPrefix) && !m_known.contains(type) && !m_told.contains(type);
}

void InstanceTypes::learn(const wire::Platform &platform)
{
    const std::string &name = platform.metadata().name();
    std::string model = gpuOf(name);
    if (model.empty())
        model = base::printable(name, kShownPlatform); // if it has GPUs all the same
    for (const wire::Preset &preset : platform.spec().presets()) {
        const std::int64_t count = preset.resources().gpu_count();
        m_told[lowerType(typeOf(name, preset.name()))] = count > 0 ? TypeGpus{model, count} : TypeGpus{};
    }
}

TypeGpus InstanceTypes::of(const std::string &platform, const std::string &preset) const
{
    const std::string type = lowerType(typeOf(platform, preset));
    if (const auto known = m_known.find(type); known != m_known.end()) {
        const std::int64_t micro = known->second.microGpus;
        return {known->second.gpuName, micro % kMicro == 0 ? micro / kMicro : 0};
    }
    if (const auto told = m_told.find(type); told != m_told.end())
        return told->second;
    return platform.starts_with(kCpuPrefix) ? TypeGpus{} : TypeGpus{gpuOf(platform), 0, false};
}

} // namespace gpuledger::nebius
