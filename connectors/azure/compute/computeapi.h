// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/azure/azureapi.h"
#include "connectors/azure/resourcemanager.h"

#include <nlohmann/json_fwd.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace gpuledger::azure {

inline constexpr char kMachinesRight[] = "Microsoft.Compute/virtualMachines/read";
inline constexpr char kScaleSetsRight[] = "Microsoft.Compute/virtualMachineScaleSets/read";
inline constexpr char kActivityRight[] = "Microsoft.Insights/eventtypes/values/read";
inline constexpr char kComputeVersion[] = "?api-version=2024-07-01";

inline constexpr std::size_t kMostListPages = 1000; // of one list

// Something to ask: its address, and the right that it needs.
struct ComputeQuestion {
    std::string url;
    const char *right;
    std::size_t mostPages = kMostListPages;
    bool isAction = false; // asked by POST, as listNodes is; further pages by GET, as Microsoft's clients do
};

// Asks Microsoft.Compute of one subscription, and what else the Resource Manager lists. Any thread.
class ComputeApi {
public:
    // `secrets` must outlive it.
    ComputeApi(const model::SourceSettings &settings, const std::string &subscription, const ResourceManager &manager,
               ports::SecretStore &secrets, std::shared_ptr<http::HttpClient> client, const Tuning &tuning);

    const std::string &address() const { return m_address; }
    const std::string &subscription() const { return m_subscription; } // "/subscriptions/…"
    std::uint64_t bytes() const { return m_bytes; } // received so far with answers to ask()
    // Below Microsoft.Compute of the subscription, with its version.
    std::string urlOf(const std::string &list, const std::string &version = kComputeVersion) const;

    // One answer. Fails with the errors of AzureApi::ask; Forbidden names the right.
    [[nodiscard]] base::Result<nlohmann::json> ask(const ComputeQuestion &question, const std::stop_token &stop);
    // Each page of a list, from its first one on. Fails also with TooMuch, Parse, and as `take` does.
    using Page = std::function<base::Result<void>(const nlohmann::json &)>;
    [[nodiscard]] base::Result<void> eachPage(const ComputeQuestion &list, const Page &take,
                                              const std::stop_token &stop);
    // POST without a body, sent once (AzureApi::send).
    [[nodiscard]] base::Result<http::Response> change(const std::string &url, const std::stop_token &stop);

private:
    std::string m_address, m_subscription;
    AzureApi m_api;
    std::atomic<std::uint64_t> m_bytes{0};
};

// For the catalogue: of the settings of the kind `azure`. Fails with InvalidConfig.
[[nodiscard]] base::Result<std::unique_ptr<ComputeApi>> makeComputeApi(const model::SourceSettings &settings,
                                                                       ports::SecretStore &secrets,
                                                                       std::shared_ptr<http::HttpClient> client,
                                                                       const Tuning &tuning);

} // namespace gpuledger::azure
