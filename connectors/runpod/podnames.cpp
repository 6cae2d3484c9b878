// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/runpod/podnames.h"

#include "app/base/text/text.h"
#include "connectors/format/json.h"

namespace gpuledger::runpod {

using base::Result;
using Json = nlohmann::json;

namespace {

constexpr std::size_t kLongestPodText = 256; // bytes

std::string podText(const Json &object, const char *member)
{
    return base::printableLine(format::textOf(object, member), kLongestPodText);
}

} // namespace

Result<PodNames> podsIn(const std::string &body)
{
    const auto tree = format::parseJson(body);
    if (!tree || !format::memberOf(*tree, "pods").is_array())
        return base::fail(base::ErrorCode::Parse, "RunPod's list of pods can't be read");
    PodNames names;
    for (const Json &pod : tree->at("pods")) {
        const std::string id = podText(pod, "id");
        if (id.empty())
            return base::fail(base::ErrorCode::Parse, "RunPod's list of pods can't be read: a pod has no id");
        names[id] = {podText(pod, "name"), podText(format::memberOf(pod, "gpu"), "id"), podText(pod, "cloud"),
                     podText(pod, "dataCenterId")};
    }
    return names;
}

} // namespace gpuledger::runpod
