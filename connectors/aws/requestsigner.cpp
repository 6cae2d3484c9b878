// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/requestsigner.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"

#include <map>
#include <mutex>
#include <utility>

namespace gpuledger::aws {

namespace {

Place placeOfScope(const auth::SigningScope &scope)
{
    Place place;
    place.region = scope.region;
    place.caFile = scope.caFile;
    return place;
}

bool isSame(const auth::AwsKeys &a, const auth::AwsKeys &b)
{
    return a.accessKeyId == b.accessKeyId && a.secretKey.reveal() == b.secretKey.reveal()
        && a.sessionToken.reveal() == b.sessionToken.reveal();
}

class KeySigner final : public auth::RequestSigner {
public:
    KeySigner(std::shared_ptr<http::HttpClient> client, const base::Clock &clock, const auth::SigningScope &scope,
              ProcessEnvironment surroundings)
        : m_wire(std::move(client), clock, placeOfScope(scope))
        , m_chain(m_wire, scope.profile, std::move(surroundings))
        , m_scope{scope.region, scope.service}
    {
    }
    KeySigner(const KeySigner &) = delete; // the chain refers to the wire

    base::Result<UsedKeys> sign(http::Request &request, base::Redactor &secrets, const std::stop_token &stop) override
    {
        const auto found = m_chain.get(stop);
        GPULEDGER_TRY(found);
        const auth::AwsKeys &keys = (*found)->keys;
        secrets.add(keys.accessKeyId);
        secrets.add(keys.secretKey.reveal());
        secrets.add(keys.sessionToken.reveal());
        GPULEDGER_TRY(auth::signRequest(request, keys, m_scope, m_wire.clock().now()));
        return UsedKeys(*found);
    }

    bool renew(const UsedKeys &rejected, const std::stop_token &stop) override
    {
        const auto before = std::static_pointer_cast<const Credentials>(rejected);
        m_chain.drop(before);
        const auto now = m_chain.get(stop);
        return now && !isSame((*now)->keys, before->keys);
    }

private:
    Wire m_wire;
    CredentialChain m_chain;
    auth::SigV4Scope m_scope;
};

class Signers {
public:
    Signers(std::function<std::shared_ptr<http::HttpClient>()> client, const base::Clock &clock,
            ProcessEnvironment surroundings)
        : m_client(std::move(client))
        , m_clock(clock)
        , m_surroundings(std::move(surroundings))
    {
    }

    base::Result<std::shared_ptr<auth::RequestSigner>> of(const auth::SigningScope &scope)
    {
        if (!isRegion(scope.region))
            return base::fail(base::ErrorCode::InvalidConfig,
                              "\"" + base::printable(scope.region, 64) + "\" is not an AWS region",
                              base::Remedy::AddSigV4Auth);
        const std::lock_guard lock(m_mutex);
        auto &signer = m_made[scope];
        if (!signer)
            signer = std::make_shared<KeySigner>(m_client(), m_clock, scope, m_surroundings);
        return signer;
    }

private:
    const std::function<std::shared_ptr<http::HttpClient>()> m_client;
    const base::Clock &m_clock;
    const ProcessEnvironment m_surroundings;
    std::mutex m_mutex;
    std::map<auth::SigningScope, std::shared_ptr<auth::RequestSigner>> m_made; // guarded by m_mutex
};

} // namespace

auth::SignerSource signers(std::function<std::shared_ptr<http::HttpClient>()> client, const base::Clock &realClock,
                           ProcessEnvironment surroundings)
{
    return [made = std::make_shared<Signers>(std::move(client), realClock, std::move(surroundings))](
               const auth::SigningScope &scope) { return made->of(scope); };
}

} // namespace gpuledger::aws
