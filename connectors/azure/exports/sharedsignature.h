// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/crypto/secret.h"
#include "connectors/azure/azuretoken.h"

namespace gpuledger::azure {

// The user name that says that the password of `auth` is a shared access signature.
inline constexpr std::string_view kSignatureUser = "sas";
bool isSharedSignature(const model::AuthSettings &auth);

// A shared access signature, which is a part of the address of each request. One thread.
class SharedSignature final : public Access {
public:
    // `secrets` must outlive it.
    SharedSignature(model::AuthSettings auth, ports::SecretStore &secrets);

    // Fails with InvalidConfig (what is stored is no signature), and with the errors of auth::resolve.
    [[nodiscard]] base::Result<void> admit(http::Request &request, const std::stop_token &stop) override;
    void drop() override { m_signature.reset(); }

private:
    model::AuthSettings m_auth;
    ports::SecretStore &m_secrets;
    std::optional<base::Secret> m_signature; // without a question mark before it
};

} // namespace gpuledger::azure
