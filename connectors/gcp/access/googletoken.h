// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/model/settings.h"
#include "app/ports/secretstore.h"
#include "connectors/gcp/access/googlekey.h"
#include "connectors/http/httpclient.h"
#include "connectors/http/retrypolicy.h"

#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace gpuledger::gcp {

// The token for Google's requests: asked for with a service account's key or a user's login, or read where the settings
// refer to. It is kept until shortly before it ends, by steady time: a clock that jumps does no harm. Any thread.
class GoogleToken {
public:
    // `api`: the address of the service, `scope` what the tokens allow. `secrets` and `realClock`, which dates the
    // assertions, must outlive it.
    GoogleToken(const model::SourceSettings &settings, std::string api, std::string scope, ports::SecretStore &secrets,
                std::shared_ptr<http::HttpClient> client, std::shared_ptr<http::Pause> pause, http::Timeouts timeouts,
                const base::Clock &realClock);

    // Fails with Unauthorized (a key that was deleted, a login that has ended), Parse, and with the errors of
    // SecretStore::read, readGoogleKey, signedAssertion and HttpClient::perform.
    [[nodiscard]] base::Result<std::shared_ptr<const http::Credentials>> get(const std::stop_token &stop);
    // The next get() reads the settings and asks again: the last token was refused.
    void drop();
    // Whose quota the requests of a user's login count against; empty: the project's that they name.
    std::string quotaProject() const;

private:
    struct Kept {
        std::shared_ptr<const http::Credentials> token;
        std::optional<http::Milliseconds> ends; // steady; std::nullopt: unknown
        std::string quotaProject;
    };
    base::Result<Kept> ask(const std::stop_token &stop);

    model::SourceSettings m_settings;
    std::string m_api, m_scope;
    ports::SecretStore &m_secrets;
    std::shared_ptr<http::HttpClient> m_client;
    std::shared_ptr<http::Pause> m_pause;
    http::Timeouts m_timeouts;
    const base::Clock &m_realClock;
    mutable std::mutex m_mutex;
    Kept m_kept; // guarded by m_mutex
};

// If the error is Unauthorized and this computer's clock is wrong by the answer's headers, names the difference.
void nameClock(base::Error &error, const http::Parameters &headers, const base::Clock &realClock);

} // namespace gpuledger::gcp
