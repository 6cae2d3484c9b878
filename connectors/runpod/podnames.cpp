// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/runpod/podnames.h"

#include "app/base/text/text.h"
#include "connectors/format/json.h"

#include <utility>

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

void remember(PodNames &known, PodNames listed)
{
    if (listed.size() + known.size() <= kMostPodNames)
        listed.merge(known); // those that are listed now stay as they are
    known = std::move(listed);
}

std::string toText(const PodNames &names)
{
    Json all = Json::object();
    for (const auto &[id, pod] : names)
        all[id] = Json::array({pod.name, pod.gpu, pod.cloud, pod.dataCenter});
    return all.dump();
}

PodNames podNamesFrom(const std::string &text)
{
    const auto all = format::parseJson(text);
    if (!all || !all->is_object())
        return {};
    PodNames names;
    for (const auto &[id, stored] : all->items()) {
        if (!stored.is_array() || stored.size() != 4)
            return {};
        for (const Json &one : stored) {
            if (!one.is_string())
                return {};
        }
        names[id] = {stored[0].get<std::string>(), stored[1].get<std::string>(), stored[2].get<std::string>(),
                     stored[3].get<std::string>()};
    }
    return names;
}

} // namespace gpuledger::runpod
