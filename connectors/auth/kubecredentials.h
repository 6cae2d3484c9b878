// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/ports/secretstore.h"
#include "connectors/auth/kubeconfig.h"
#include "connectors/http/httpclient.h"

#include <memory>
#include <mutex>

namespace gpuledger::auth {

// The current credential of one API server: token files are read again each minute, a login program is run when its
// output has expired, and both are refreshed after the server refused the credential. A program's output stays in
// memory. Any thread; one program runs at a time. `secrets` and `clock` must outlive it.
class KubeCredentials {
public:
    KubeCredentials(KubeAccess access, ports::SecretStore &secrets, const base::Clock &clock);

    using Shared = std::shared_ptr<const http::Credentials>;
    // Fails with the errors of SecretStore::run, or with InvalidConfig (an invalid token or program output).
    [[nodiscard]] base::Result<Shared> current();
    // Call after a 401 with `refused`. Returns a new credential, or the same object if there is nothing newer.
    [[nodiscard]] base::Result<Shared> renewed(const Shared &refused);
    const KubeAccess &access() const { return m_access; } // without the credentials currently in use

private:
    base::Result<Shared> make();
    base::Result<void> readTokenFile(http::Credentials &out);
    base::Result<void> runProgram(http::Credentials &out);

    KubeAccess m_access;
    ports::SecretStore &m_secrets;
    const base::Clock &m_clock;
    std::mutex m_mutex;
    Shared m_current;
    base::UtcTime m_validUntil{};
};

} // namespace gpuledger::auth
