// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/kubernetes/api/kubeapi.h"

#include <map>
#include <set>

namespace gpuledger::kubernetes {

// A resource kind as a server serves it.
struct Resource {
    std::string group; // "" is the core group
    std::string version;
    std::string kind, plural;
    bool isNamespaced = true;
    std::set<std::string> subresources; // "scale"

    std::string apiVersion() const { return group.empty() ? version : group + '/' + version; }
    // The path of an object; `subresource` may be empty.
    std::string path(const std::string &nameSpace, const std::string &name, const std::string &subresource = {}) const;
    std::string listPath(const std::string &nameSpace) const;
};

// "apps" for "apps/v1", "" for "v1".
std::string groupOf(const std::string &apiVersion);

// Reports which kinds a server has, from the server's own discovery API, never from guesses. Results are cached for
// kFreshFor, because it is rare that an operator is installed meanwhile. Any thread.
class Discovery {
public:
    explicit Discovery(KubeApi &api)
        : m_api(api)
    {
    }

    static constexpr http::Milliseconds kFreshFor{300'000};
    // Finds the kind in its group's preferred version, otherwise in any served version; std::nullopt if it is not
    // installed. Fails as KubeApi::get.
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
