// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/settings.h"
#include "app/ports/secretstore.h"
#include "connectors/gcp/access/googlekey.h"
#include "connectors/gcp/access/tokenwire.h"
#include "connectors/http/retrypolicy.h"

#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace gpuledger::gcp {

// The token for Google's requests: of the service account of this machine (auth: none), or asked for with what the
// settings refer to (auth: bearer): a service account's key, a user's login, an identity of another provider, or the
// token itself. It is kept until shortly before it ends, by steady time: a clock that jumps does no harm. Any thread.
class GoogleToken {
public:
    // `api`: the address of the service, `scope` what the tokens allow. `secrets` and the clock of `wire` must outlive
    // it.
    GoogleToken(const model::SourceSettings &settings, std::string api, std::string scope, ports::SecretStore &secrets,
                std::shared_ptr<http::Pause> pause, TokenWire wire);

    // Fails with Unauthorized (a key that was deleted, a login that has ended, an identity that isn't let in), NotFound
    // (no service account here), Parse, and with the errors of SecretStore::read, readGoogleKey, signedAssertion,
    // readSubjectToken and HttpClient::perform.
    [[nodiscard]] base::Result<std::shared_ptr<const http::Credentials>> get(const std::stop_token &stop);
    // The next get() reads the settings and asks again: the last token was refused.
    void drop();
    // Whose quota the requests count against; empty: the project's that they name.
    std::string quotaProject() const;

private:
    struct Kept {
        std::shared_ptr<const http::Credentials> token;
        std::optional<http::Milliseconds> ends; // steady; std::nullopt: unknown
        std::string quotaProject;
    };
    base::Result<Kept> ask(const std::stop_token &stop);
    base::Result<FreshToken> tokenWith(const GoogleKey &key, const std::stop_token &stop) const;

    model::SourceSettings m_settings;
    std::string m_api, m_scope;
    ports::SecretStore &m_secrets;
    std::shared_ptr<http::Pause> m_pause;
    TokenWire m_wire;
    mutable std::mutex m_mutex;
    Kept m_kept; // guarded by m_mutex
};

} // namespace gpuledger::gcp
