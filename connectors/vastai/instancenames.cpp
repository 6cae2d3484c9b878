// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/vastai/instancenames.h"

#include "app/base/text/text.h"
#include "connectors/format/json.h"
#include "connectors/format/numbertext.h"

namespace gpuledger::vastai {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;

namespace {

constexpr std::size_t kLongestInstanceText = 256; // bytes

std::string instanceText(const Json &object, const char *member)
{
    return base::printableLine(format::textOf(object, member), kLongestInstanceText);
}

std::string gpusOf(const Json &instance)
{
    constexpr std::int64_t kMostGpus = 1'024; // of one machine
    const auto gpus = base::parseInt(format::textOf(instance, "num_gpus"));
    return gpus && *gpus > 0 && *gpus <= kMostGpus ? std::to_string(*gpus) : std::string();
}

} // namespace

Result<std::string> readInstances(const std::string &body, InstanceNames &names)
{
    const std::string failure = "Vast.ai's list of instances can't be read";
    const auto tree = format::parseWithNumbersAsText(body);
    if (!tree || !format::memberOf(*tree, "instances").is_array())
        return base::fail(ErrorCode::Parse, failure);
    for (const Json &instance : format::memberOf(*tree, "instances")) {
        const std::string id = instanceText(instance, "id");
        if (id.empty())
            return base::fail(ErrorCode::Parse, failure + ": an instance has no id");
        names["instance-" + id] = {instanceText(instance, "label"), instanceText(instance, "gpu_name"),
                                   gpusOf(instance), instanceText(instance, "geolocation"),
                                   instanceText(instance, "machine_id")};
        if (names.size() > kMostInstanceNames)
            return base::fail(ErrorCode::TooMuch, "Vast.ai lists more than 20,000 instances");
    }
    return format::textOf(*tree, "next_token");
}

} // namespace gpuledger::vastai
