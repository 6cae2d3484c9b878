// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/gcp/googleapi.h"

#include <functional>
#include <memory>
#include <string>

namespace gpuledger::gcp {

inline constexpr char kReadScope[] = "https://www.googleapis.com/auth/compute.readonly";
inline constexpr char kChangeScope[] = "https://www.googleapis.com/auth/compute";

// Asks Compute Engine about one project. Any thread.
class ComputeApi {
public:
    // `secrets` and `realClock` must outlive it.
    ComputeApi(const model::SourceSettings &settings, std::string project, std::string api, const char *scope,
               ports::SecretStore &secrets, std::shared_ptr<http::HttpClient> client, const base::Clock &realClock,
               const Tuning &tuning);

    const std::string &project() const { return m_project; }
    const std::string &address() const { return m_address; }
    // Each page of the instances in all zones; a zone that is down is told in its page. Fails with the errors of
    // GoogleApi::ask, with TooMuch and Parse, and as `take` does.
    using Page = std::function<base::Result<void>(const nlohmann::json &)>;
    [[nodiscard]] base::Result<void> eachPage(const Page &take, const std::stop_token &stop);
    // Whether instances may be listed.
    [[nodiscard]] base::Result<void> askList(const std::stop_token &stop);
    // One instance, or what `more` adds to its address ("/testIamPermissions"), by POST if there is a body.
    [[nodiscard]] base::Result<nlohmann::json> ask(const std::string &zone, const std::string &name,
                                                   const std::string &more, const std::string &body,
                                                   const std::stop_token &stop);
    [[nodiscard]] base::Result<http::Response> change(const std::string &zone, const std::string &name,
                                                      const std::string &more, const std::stop_token &stop);

private:
    std::string listUrl(int most, const std::string &pageToken) const;
    std::string urlOf(const std::string &zone, const std::string &name, const std::string &more) const;

    std::string m_project, m_address, m_url;
    GoogleApi m_api;
};

// Of the settings of the kind `gcp`. Fails with InvalidConfig (no project, a wrong url, no token).
[[nodiscard]] base::Result<std::unique_ptr<ComputeApi>>
makeComputeApi(const model::SourceSettings &settings, const char *scope, ports::SecretStore &secrets,
               const base::Clock &realClock, std::shared_ptr<http::HttpClient> client, const Tuning &tuning = {});

} // namespace gpuledger::gcp
