// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/lambda/instancelist.h"

#include "app/base/text/text.h"
#include "connectors/format/json.h"
#include "connectors/format/numbertext.h"

#include <set>
#include <string_view>
#include <utility>

namespace gpuledger::lambda {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;

namespace {

constexpr std::size_t kLongestText = 256; // bytes
constexpr std::size_t kMostTags = 64; // of an instance

struct Status {
    std::string_view word;
    InstanceState state;
};
// Billing ends when somebody terminates an instance, not when it is gone.
constexpr std::array<Status, 6> kStatuses{{{"booting", InstanceState::Booting},
                                           {"active", InstanceState::Active},
                                           {"unhealthy", InstanceState::Unhealthy},
                                           {"terminating", InstanceState::Ended},
                                           {"terminated", InstanceState::Ended},
                                           {"preempted", InstanceState::Ended}}};

tl::unexpected<base::Error> unreadable(const std::string &what)
{
    return base::fail(ErrorCode::Parse, "Lambda's list of instances can't be read: " + what);
}

std::string textIn(const Json &object, const char *member, std::size_t most = kLongestText)
{
    return base::printableLine(format::textOf(object, member), most);
}

std::string wholeBetween(const Json &object, const char *member, std::int64_t least, std::int64_t most)
{
    const auto number = base::parseInt(format::textOf(object, member));
    return number && *number >= least && *number <= most ? std::to_string(*number) : std::string();
}

// Keys repeat only by mistake; the last one counts.
std::string tagsOf(const Json &instance)
{
    const Json &list = format::memberOf(instance, "tags");
    Json tags = Json::object();
    for (const Json &tag : list.is_array() ? list : Json::array()) {
        if (const std::string key = textIn(tag, "key"); !key.empty() && tags.size() < kMostTags)
            tags[key] = textIn(tag, "value");
    }
    return tags.empty() ? std::string() : tags.dump();
}

Result<ListedInstance> instanceOf(const Json &object, std::size_t number)
{
    constexpr std::int64_t kMostGpus = 1'024; // of one machine
    constexpr std::int64_t kMostCents = 1'000'000; // an hour of one machine
    constexpr std::size_t kShown = 40; // bytes of a text that is wrong
    ListedInstance out;
    out.id = textIn(object, "id");
    if (out.id.empty())
        return unreadable("instance number " + std::to_string(number) + " has no id");
    const std::string word = textIn(object, "status", kShown);
    const auto status =
        std::find_if(kStatuses.begin(), kStatuses.end(), [&](const Status &one) { return one.word == word; });
    if (status == kStatuses.end())
        return unreadable("instance " + out.id + " has "
                          + (word.empty() ? "no status" : "the status \"" + word + "\", which is unknown"));
    out.state = status->state;
    const Json &type = format::memberOf(object, "instance_type");
    out.facts = {textIn(object, "name"),
                 textIn(type, "name"),
                 textIn(type, "gpu_description"),
                 wholeBetween(format::memberOf(type, "specs"), "gpus", 0, kMostGpus),
                 textIn(format::memberOf(object, "region"), "name"),
                 tagsOf(object)};
    if (out.facts.type.empty())
        return unreadable("instance " + out.id + " has no type");
    out.isReserved = format::memberOf(object, "is_reserved") == Json(true);
    out.hostName = textIn(object, "hostname");
    out.price = textIn(type, "price_cents_per_hour", kShown);
    if (!out.isReserved)
        out.cents = base::parseInt(wholeBetween(type, "price_cents_per_hour", 1, kMostCents));
    return out;
}

} // namespace

Result<std::vector<ListedInstance>> readInstances(const std::string &body)
{
    const auto tree = format::parseWithNumbersAsText(body);
    if (!tree)
        return unreadable(tree.error().text);
    const Json &data = format::memberOf(*tree, "data");
    if (!data.is_array())
        return unreadable("it has no data");
    if (data.size() > kMostInstances)
        return base::fail(ErrorCode::TooMuch, "Lambda lists more than 20,000 instances");
    std::vector<ListedInstance> instances;
    std::set<std::string> ids;
    for (const Json &one : data) {
        auto instance = instanceOf(one, instances.size() + 1);
        GPULEDGER_TRY(instance);
        if (!ids.insert(instance->id).second)
            return unreadable("it lists instance " + instance->id + " twice");
        instances.push_back(std::move(*instance));
    }
    return instances;
}

} // namespace gpuledger::lambda
