// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/kubernetes/api/discovery.h"

#include "connectors/format/json.h"

namespace gpuledger::kubernetes {

using base::Result;
using format::textOf;

namespace {

constexpr std::size_t kMostVersions = 8; // per group

} // namespace

std::string groupOf(const std::string &apiVersion)
{
    const std::size_t slash = apiVersion.find('/');
    return slash == std::string::npos ? std::string() : apiVersion.substr(0, slash);
}

std::string Resource::listPath(const std::string &nameSpace) const
{
    std::string path = group.empty() ? "/api/" + version : "/apis/" + segment(group) + '/' + segment(version);
    if (isNamespaced && !nameSpace.empty())
        path += "/namespaces/" + segment(nameSpace);
    return path + '/' + segment(plural);
}

std::string Resource::path(const std::string &nameSpace, const std::string &name, const std::string &subresource) const
{
    return listPath(nameSpace) + '/' + segment(name) + (subresource.empty() ? "" : '/' + subresource);
}

Result<std::vector<std::string>> Discovery::versionsOf(const std::string &group, const std::stop_token &stop)
{
    if (group.empty())
        return std::vector<std::string>{"v1"};
    const auto json = m_api.get("/apis/" + segment(group), stop);
    if (!json && json.error().code == base::ErrorCode::NotFound)
        return std::vector<std::string>{};
    GPULEDGER_TRY(json);
    std::vector<std::string> versions;
    if (const auto preferred = json->find("preferredVersion"); preferred != json->end())
        versions.push_back(textOf(*preferred, "version"));
    if (const auto all = json->find("versions"); all != json->end() && all->is_array()) {
        for (const Json &one : *all) {
            const std::string version = textOf(one, "version");
            if (versions.size() < kMostVersions && (versions.empty() || version != versions.front()))
                versions.push_back(version);
        }
    }
    std::erase(versions, std::string());
    return versions;
}

// Kinds already found in an earlier version are kept.
Result<void> Discovery::readVersion(const std::string &group, const std::string &version, Group &out,
                                    const std::stop_token &stop)
{
    const auto json = m_api.get(
        group.empty() ? "/api/" + segment(version) : "/apis/" + segment(group) + '/' + segment(version), stop);
    if (!json && json.error().code == base::ErrorCode::NotFound)
        return {};
    GPULEDGER_TRY(json);
    const auto list = json->find("resources");
    if (list == json->end() || !list->is_array())
        return {};
    std::map<std::string, Resource> byPlural;
    std::map<std::string, std::set<std::string>> subresources;
    for (const Json &one : *list) {
        const std::string name = textOf(one, "name");
        if (const std::size_t slash = name.find('/'); slash != std::string::npos) {
            subresources[name.substr(0, slash)].insert(name.substr(slash + 1));
            continue;
        }
        const auto namespaced = one.find("namespaced");
        const bool isNamespaced = namespaced == one.end() || !namespaced->is_boolean() || namespaced->get<bool>();
        byPlural.emplace(name, Resource{group, version, textOf(one, "kind"), name, isNamespaced, {}});
    }
    for (auto &[plural, resource] : byPlural) {
        resource.subresources = subresources[plural];
        out.kinds.emplace(resource.kind, resource);
    }
    return {};
}

Result<std::optional<Resource>> Discovery::find(const std::string &group, const std::string &kind,
                                                const std::stop_token &stop)
{
    const auto now = std::chrono::steady_clock::now();
    const auto lookUp = [&](const Group &known) {
        const auto found = known.kinds.find(kind);
        return found == known.kinds.end() ? std::nullopt : std::optional(found->second);
    };
    {
        const std::lock_guard lock(m_mutex);
        const auto known = m_groups.find(group);
        if (known != m_groups.end() && now - known->second.readAt < kFreshFor)
            return lookUp(known->second);
    }
    const auto versions = versionsOf(group, stop);
    GPULEDGER_TRY(versions);
    Group read{now, {}};
    for (const std::string &version : *versions)
        GPULEDGER_TRY(readVersion(group, version, read, stop));
    const std::lock_guard lock(m_mutex);
    m_groups[group] = read;
    return lookUp(read);
}

} // namespace gpuledger::kubernetes
