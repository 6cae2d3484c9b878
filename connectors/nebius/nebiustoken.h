// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/model/settings.h"
#include "app/ports/secretstore.h"
#include "connectors/http/httpclient.h"
#include "connectors/http/retrypolicy.h"

#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace gpuledger::nebius {

// The token for requests: exchanged for an assertion of a service account (TokenExchangeService.Exchange), or read
// where the settings refer to. It is kept until shortly before it ends, by steady time: a clock that jumps does no
// harm. Any thread.
class NebiusToken {
public:
    // `exchange`: the address of the service that gives tokens. `secrets` and `realClock`, which dates the assertions,
    // must outlive it.
    NebiusToken(const model::SourceSettings &settings, std::string exchange, ports::SecretStore &secrets,
                std::shared_ptr<http::HttpClient> client, std::shared_ptr<http::Pause> pause, http::Timeouts timeouts,
                const base::Clock &realClock);

    // Fails with Unauthorized (a key that was deleted), Parse, and with the errors of SecretStore::read,
    // readCredential, assertionOf, HttpClient::perform and refusalOf.
    [[nodiscard]] base::Result<std::shared_ptr<const http::Credentials>> get(const std::stop_token &stop);
    // The next get() reads the settings and asks again: this token was refused.
    void drop(const std::shared_ptr<const http::Credentials> &rejected);

private:
    struct Kept {
        std::shared_ptr<const http::Credentials> token;
        std::optional<http::Milliseconds> ends; // steady; std::nullopt: unknown
    };
    base::Result<Kept> ask(const std::stop_token &stop);
    base::Result<Kept> exchanged(const std::string &assertion, const std::stop_token &stop);

    model::SourceSettings m_settings;
    std::string m_exchange;
    ports::SecretStore &m_secrets;
    std::shared_ptr<http::HttpClient> m_client;
    std::shared_ptr<http::Pause> m_pause;
    http::Timeouts m_timeouts;
    const base::Clock &m_realClock;
    std::mutex m_mutex;
    Kept m_kept; // guarded by m_mutex
};

// If the error is Unauthorized and this computer's clock is wrong by the answer's headers, names the difference.
void nameClock(base::Error &error, const http::Parameters &headers, const base::Clock &realClock);

} // namespace gpuledger::nebius
