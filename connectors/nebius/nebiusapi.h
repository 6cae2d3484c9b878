// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/nebius/nebiustoken.h"

#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace gpuledger::nebius {

// Parameters that tests reduce or replace.
struct Tuning {
    http::RetryLimits failures{.maxTries = 5,
                               .firstDelay = http::Milliseconds{1'000},
                               .maxDelay = http::Milliseconds{60'000},
                               .budget = http::Milliseconds{120'000}};
    http::Timeouts timeouts{};
    std::shared_ptr<http::Pause> pause = std::make_shared<http::SystemPause>();
};

// A method of a service: what is asked. Of static storage.
struct Method {
    const char *host; // of https://HOST.api.nebius.cloud
    const char *service; // "nebius.compute.v1.InstanceService"
    const char *name; // "List"

    std::string right() const; // for people: "InstanceService.List"
};

// Calls Nebius' services, with retries, pauses and the renewal of tokens. Any thread, but answerDate() only if one
// thread alone uses it.
class NebiusApi {
public:
    // `address`: of all services; empty: each has its own. `secrets` and `realClock` must outlive it.
    NebiusApi(const model::SourceSettings &settings, std::string address, ports::SecretStore &secrets,
              std::shared_ptr<http::HttpClient> client, const base::Clock &realClock, const Tuning &tuning);

    // A question, which may be sent again; messages as they are serialized. Fails with the errors of NebiusToken::get,
    // HttpClient::perform, refusalOf and messageIn, and with Cancelled.
    [[nodiscard]] base::Result<std::string> ask(const Method &method, const std::string &message,
                                                const std::stop_token &stop);
    // A change, sent once under this id, and once more only if the token was refused, which did nothing. What the
    // answer says is left to the caller. Fails with the errors of NebiusToken::get and HttpClient::perform.
    [[nodiscard]] base::Result<http::Response> change(const Method &method, const std::string &message,
                                                      const std::string &requestId, const std::stop_token &stop);
    std::string urlOf(const Method &method) const;
    // The "date" header of the last answer to a question, for auth::wrongClock(); empty: it had none.
    const http::Parameters &answerDate() const { return m_answerDate; }

private:
    base::Result<http::Response> send(const http::Request &request, const std::stop_token &stop);
    http::Request requestOf(const Method &method, const std::string &message) const;

    std::string m_address, m_caFile;
    http::Parameters m_headers, m_answerDate;
    std::shared_ptr<http::HttpClient> m_client;
    const base::Clock &m_realClock;
    http::RetryLimits m_failures;
    http::Timeouts m_timeouts;
    std::shared_ptr<http::Pause> m_pause;
    NebiusToken m_token;
};

} // namespace gpuledger::nebius
