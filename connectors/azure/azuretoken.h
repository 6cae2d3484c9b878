// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/model/settings.h"
#include "app/ports/secretstore.h"
#include "connectors/azure/azurelogin.h"
#include "connectors/http/httpclient.h"
#include "connectors/http/retrypolicy.h"

#include <memory>
#include <mutex>
#include <optional>

namespace gpuledger::azure {

// What lets a request in. One thread, unless a class says otherwise.
class Access {
public:
    virtual ~Access() = default;
    // Adds the credential to the request.
    [[nodiscard]] virtual base::Result<void> admit(http::Request &request, const std::stop_token &stop) = 0;
    // The next admit() fetches it anew: the last one was refused.
    virtual void drop() = 0;
};

// The token for Azure's requests: asked for with a client credential (auth: basic, the user is the application) or from
// the managed identity of this machine (auth: none), or read where the settings refer to (auth: bearer). It is kept
// until shortly before it ends, by steady time: a wrong clock does no harm. Any thread.
class AzureToken final : public Access {
public:
    // `secrets` and `realClock` must outlive it; without the clock, it is not compared with the service's.
    AzureToken(const model::SourceSettings &settings, Login login, ports::SecretStore &secrets,
               std::shared_ptr<http::HttpClient> client, std::shared_ptr<http::Pause> pause, http::Timeouts timeouts,
               const base::Clock *realClock);

    // Fails with Unauthorized (a wrong or expired secret, an unknown application or tenant), NotFound (no managed
    // identity here), Parse, and with the errors of auth::resolve and HttpClient::perform.
    [[nodiscard]] base::Result<void> admit(http::Request &request, const std::stop_token &stop) override;
    void drop() override;

private:
    struct Kept {
        std::shared_ptr<const http::Credentials> token;
        std::optional<http::Milliseconds> ends; // steady; std::nullopt: unknown
    };
    base::Result<Kept> ask(const std::stop_token &stop);
    std::shared_ptr<const http::Credentials> kept();
    http::Request requestOf(const http::Credentials &client) const;

    model::SourceSettings m_settings;
    Login m_login;
    ports::SecretStore &m_secrets;
    std::shared_ptr<http::HttpClient> m_client;
    std::shared_ptr<http::Pause> m_pause;
    http::Timeouts m_timeouts;
    const base::Clock *m_realClock;
    std::mutex m_mutex;
    Kept m_kept; // guarded by m_mutex
};

// What an answer of the login service that is no token means. `text` is its body.
base::Error loginErrorOf(int status, const std::string &text, const std::string &url);
// If the error is Unauthorized and this computer's clock is wrong by the answer's headers, names the difference.
// Without the clock, nothing is compared.
void nameClock(base::Error &error, const http::Parameters &headers, const base::Clock *realClock);

} // namespace gpuledger::azure
