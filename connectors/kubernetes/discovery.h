// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/kubernetes/kubeapi.h"

#include <map>
#include <set>

namespace gpuledger::kubernetes {

// One kind as a server serves it.
struct Resource {
    std::string group; // "" is core
    std::string version;
    std::string kind, plural;
    bool isNamespaced = true;
    std::set<std::string> subresources; // "scale"

    std::string apiVersion() const { return group.empty() ? version : group + '/' + version; }
    // Path of an object; `subresource` may be empty.
    std::string path(const std::string &nameSpace, const std::string &name, const std::string &subresource = {}) const;
    std::string listPath(const std::string &nameSpace) const;
};

// "apps" of "apps/v1", "" of "v1".
std::string groupOf(const std::string &apiVersion);

// Which kinds a server has, as it says itself; never guessed. Kept for kFreshFor, because an operator that is installed
// meanwhile is rare. Any thread.
class Discovery {
public:
    explicit Discovery(KubeApi &api)
        : m_api(api)
    {
    }

    static constexpr http::Milliseconds kFreshFor{300'000};
    // The kind in its group's preferred version, else in any that is served; nothing where it is not installed.
    // Fails as KubeApi::get.
    [[nodiscard]] base::Result<std::optional<Resource>> find(const std::string &group, const std::string &kind,
                                                             const std::stop_token &stop);

private:
    struct Group {
        std::chrono::steady_clock::time_point readAt;
        std::map<std::string, Resource> kinds;
    };
    base::Result<std::vector<std::string>> versionsOf(const std::string &group, const std::stop_token &stop);
    base::Result<void> readVersion(const std::string &group, const std::string &version, Group &out,
                                   const std::stop_token &stop);

    KubeApi &m_api;
    std::mutex m_mutex;
    std::map<std::string, Group> m_groups;
};

} // namespace gpuledger::kubernetes
