// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/unit/prometheus/testtools.h"

#include <map>
#include <string>
#include <utility>

// Answers of OpenCost and Kubecost, following their API.
namespace gpuledger::tests {

inline const base::Day kAskedDay{20402}; // 2025-11-10
inline constexpr char kWindow[] = "1762732800,1762819200";

// An asset of type Node; `changes` replaces members by the given JSON text, "" removes a member.
inline std::string asset(const std::string &name, const std::map<std::string, std::string> &changes = {})
{
    std::map<std::string, std::string> members{
        {"type", "'Node'"},
        {"properties",
         "{'category':'Compute','provider':'AWS','service':'Kubernetes','cluster':'cluster-one','name':'" + name
             + "','providerID':'i-" + name + "'}"},
        {"window", "{'start':'2025-11-10T00:00:00Z','end':'2025-11-11T00:00:00Z'}"},
        {"start", "'2025-11-10T00:00:00Z'"},
        {"end", "'2025-11-11T00:00:00Z'"},
        {"labels", "{'node_kubernetes_io_instance_type':'p4d.24xlarge'}"},
        {"nodeType", "'p4d.24xlarge'"},
        {"minutes", "1440"},
        {"cpuCores", "96"},
        {"ramBytes", "1236950581248"},
        {"GPUHours", "192"},
        {"gpuCount", "8"},
        {"cpuCost", "100.5"},
        {"ramCost", "50.25"},
        {"gpuCost", "635.73"},
        {"discount", "0"},
        {"preemptible", "0"},
        {"adjustment", "0"},
        {"totalCost", "786.48"}};
    for (const auto &[key, value] : changes) {
        if (value.empty())
            members.erase(key);
        else
            members[key] = value;
    }
    std::string text;
    for (const auto &[key, value] : members)
        text += (text.empty() ? "'" : ",'") + key + "':" + value;
    return "'cluster-one/" + name + "':{" + text + "}";
}

// An allocation named `name` on a node.
inline std::string allocation(const std::string &name, const std::string &node, const std::string &rest)
{
    return "'" + name + "':{'name':'" + name + "','properties':{'cluster':'cluster-one','node':'" + node
        + "','namespace':'ml','pod':'p','labels':{'a':'b'}},"
          "'window':{'start':'2025-11-10T00:00:00Z','end':'2025-11-11T00:00:00Z'},'minutes':1440,"
        + rest + "}";
}

inline std::string envelope(const std::string &data, const std::string &code = "200")
{
    return js("{'code':" + code + ",'status':'success','data':" + data + "}");
}

// A server by path; unknown paths are 404 in plain text.
class ScriptedServer {
public:
    std::map<std::string, http::Response> paths;
    std::vector<std::string> asked; // URLs without the origin

    std::shared_ptr<http::HttpClient> client()
    {
        return std::make_shared<ScriptedClient>([this](const http::Request &request) -> base::Result<http::Response> {
            const std::lock_guard lock(m_mutex);
            const std::string path = request.url.substr(request.url.find('/', 8));
            asked.push_back(path);
            if (onRequest) {
                if (auto answered = onRequest(request, path))
                    return std::move(*answered);
            }
            const auto it = paths.find(path.substr(0, path.find('?')));
            return it == paths.end() ? answer("404 page not found\n", 404, "text/plain") : it->second;
        });
    }
    std::function<std::optional<base::Result<http::Response>>(const http::Request &, const std::string &path)>
        onRequest;

private:
    std::mutex m_mutex;
};

inline void fillOpenCost(ScriptedServer &server, const std::string &assets, const std::string &allocations)
{
    server.paths["/clusterInfo"] = answer(envelope("{'id':'cluster-one'}"));
    server.paths["/assets"] = answer(envelope("{" + assets + "}"));
    server.paths["/allocation"] = answer(envelope("[{" + allocations + "}]"));
}

// Below /model, and assets are a list.
inline void fillKubecost(ScriptedServer &server, const std::string &assets, const std::string &allocations)
{
    server.paths["/model/clusterInfo"] = answer(envelope("{'id':'cluster-one'}"));
    server.paths["/model/assets"] = answer(envelope("[{" + assets + "}]"));
    server.paths["/model/allocation"] = answer(envelope("[{" + allocations + "}]"));
}

} // namespace gpuledger::tests
