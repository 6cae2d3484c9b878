// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/workbench/workbenchpage.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "connectors/format/json.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace gpuledger::gcp {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;

namespace {

constexpr std::size_t kLongestAddress = 254; // bytes of an e-mail address (RFC 5321)
constexpr std::size_t kLongestLocation = 100; // bytes
constexpr std::array<std::string_view, 3> kCollections{"projects", "locations", "instances"};

// "us-central1-a/name" of "projects/P/locations/us-central1-a/instances/name"; empty: it is not such a name.
std::string keyOfInstance(const std::string &name)
{
    std::vector<std::string> parts(1);
    for (const char c : name) {
        if (c == '/')
            parts.emplace_back();
        else
            parts.back() += c;
    }
    bool isWhole = parts.size() == 2 * kCollections.size();
    for (std::size_t i = 0; isWhole && i < kCollections.size(); ++i)
        isWhole = parts[2 * i] == kCollections[i] && !parts[2 * i + 1].empty();
    return isWhole ? workbenchKey(parts[3] + '/' + parts[5]) : std::string();
}

// Of a person or a service account.
bool isMailAddress(const std::string &text)
{
    const std::size_t at = text.find('@');
    return text.size() <= kLongestAddress && at != std::string::npos && at > 0 && at + 1 < text.size()
        && text.find('@', at + 1) == std::string::npos && text.find(' ') == std::string::npos
        && base::printable(text) == text;
}

// The only owner, or else the creator. Empty: neither is reported. nullopt: it can't be read.
std::optional<std::string> ownerOfInstance(const Json &instance)
{
    const Json &owners = format::memberOf(instance, "instanceOwners");
    if (!owners.is_null() && !owners.is_array())
        return std::nullopt;
    const bool isOne = owners.is_array() && owners.size() == 1;
    const Json &told = isOne ? owners.front() : format::memberOf(instance, "creator");
    if (told.is_null() && !isOne)
        return std::string();
    std::string owner = told.is_string() ? told.get<std::string>() : std::string();
    const bool isNone = told.is_string() && owner.empty() && !isOne;
    return isNone || isMailAddress(owner) ? std::optional(std::move(owner)) : std::nullopt;
}

void addWorkbenchInstance(const Json &instance, WorkbenchPage &out)
{
    if (workbenchKey(format::textOf(instance, "state")) == "deleted")
        return;
    const std::string key = keyOfInstance(format::textOf(instance, "name"));
    auto owner = ownerOfInstance(instance);
    if (key.empty() || !owner)
        ++out.unreadable;
    else if (!owner->empty())
        out.owners.emplace(key, std::move(*owner));
}

std::string silentLocation(const Json &location)
{
    const std::string name = location.is_string() ? location.get<std::string>() : std::string();
    std::string shown = base::printableLine(name.substr(name.rfind('/') + 1), kLongestLocation);
    return shown.empty() ? "one without a name" : shown;
}

} // namespace

std::string workbenchKey(std::string machine)
{
    std::transform(machine.begin(), machine.end(), machine.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; });
    return machine;
}

Result<void> addWorkbenchPage(const Json &page, WorkbenchPage &out)
{
    const Json &instances = format::memberOf(page, "instances");
    if (!instances.is_null() && !instances.is_array())
        return base::fail(ErrorCode::Parse, "the answer of Vertex AI Workbench has no list of instances",
                          base::Remedy::NextSyncTriesAgain);
    for (std::size_t i = 0; i < instances.size(); ++i)
        addWorkbenchInstance(instances[i], out);
    const Json &silent = format::memberOf(page, "unreachable");
    if (silent.is_array()) {
        for (const Json &one : silent)
            out.silent.insert(silentLocation(one));
    } else if (!silent.is_null()) {
        out.silent.insert(silentLocation(silent));
    }
    const Json &next = format::memberOf(page, "nextPageToken");
    out.next = next.is_null() || next.is_string() ? std::optional(format::textOf(page, "nextPageToken")) : std::nullopt;
    return {};
}

} // namespace gpuledger::gcp
