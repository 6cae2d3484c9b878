// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "connectors/azure/azureapi.h"
#include "connectors/azure/resourcemanager.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <functional>
#include <stop_token>
#include <string>

namespace gpuledger::azure {

// Reads lists of the Resource Manager, page by page, for somebody who waits for the answer. Threads: see AzureApi.
class ManagerList {
public:
    static constexpr std::size_t kMostPages = 100; // of one list

    // The list of this name ("budgets") at this path with its api-version.
    struct Question {
        std::string path, name;
    };
    // Takes a page, in which every number is a text (format::parseWithNumbersAsText).
    using TakePage = std::function<base::Result<void>(const nlohmann::json &)>;

    // `judge` says why an answer can't be used. `secrets` must outlive it.
    ManagerList(const model::SourceSettings &settings, const ResourceManager &manager, ports::SecretStore &secrets,
                Judge judge, const std::shared_ptr<http::HttpClient> &client, const Tuning &tuning);

    // 204 is a page without values. Fails with the errors of AzureApi::ask and `take`, with Parse (no JSON, a next page
    // on another server, pages in a circle) and TooMuch.
    [[nodiscard]] base::Result<void> eachPage(const Question &question, const TakePage &take,
                                              const std::stop_token &stop);

private:
    base::Result<nlohmann::json> page(const std::string &url, const std::string &name, const std::stop_token &stop);

    std::string m_address;
    AzureApi m_api;
};

// With limits for an answer that somebody waits for.
[[nodiscard]] Tuning promptTuning(const base::Clock &realClock);

} // namespace gpuledger::azure
