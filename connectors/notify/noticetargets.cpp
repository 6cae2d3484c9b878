// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/notify/noticetargets.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "connectors/auth/credentials.h"
#include "connectors/http/url.h"
#include "connectors/notify/answerwords.h"
#include "connectors/notify/mail/mailtarget.h"
#include "connectors/notify/protocols.h"

#include <unistd.h>

#include <utility>

namespace gpuledger::notify {

namespace {

using base::ErrorCode;
using base::Result;
using model::AlertTarget;
using ports::NoticeTarget;

constexpr char kPagerdutyAddress[] = "https://events.pagerduty.com";
constexpr char kOpsgenieAddress[] = "https://api.opsgenie.com";
constexpr char kAmazonPrometheus[] = "aps"; // the service that signatures are for

std::string nameOf(const AlertTarget &target)
{
    return "target \"" + base::printable(target.name, 64) + '"';
}

// Fails without showing the address, which may be secret.
Result<void> checkAddress(const AlertTarget &target, std::string_view address, bool isConfidential)
{
    const auto url = http::parseUrl(address);
    if (!url)
        return base::fail(ErrorCode::InvalidConfig, nameOf(target) + " has an address that is not http or https",
                          base::Remedy::WriteServerAddress);
    if (isConfidential && url->scheme != "https" && !url->loopback())
        return base::fail(ErrorCode::InvalidConfig,
                          nameOf(target) + " would send a credential to another machine over plain http",
                          base::Remedy::UseHttps);
    return {};
}

// Fails if the file of the authorities can't be read, because every message would fail then.
Result<void> checkAuthority(const AlertTarget &target)
{
    if (target.caFile.empty() || access(target.caFile.c_str(), R_OK) == 0)
        return {};
    const std::string path = base::printable(target.caFile, 200);
    return base::fail(ErrorCode::InvalidConfig, nameOf(target) + " has a tls ca that can't be read: " + path,
                      "check that " + path + " exists, and who may read it");
}

// The base of an API, to which paths are appended.
base::Secret baseAddress(std::string address)
{
    while (address.ends_with('/'))
        address.pop_back();
    return base::Secret(std::move(address));
}

class Targets final : public ports::NoticeTargets {
public:
    Targets(ClientSource client, ports::SecretStore &secrets, const base::Clock &clock, auth::SignerSource signers)
        : m_client(std::move(client))
        , m_secrets(secrets)
        , m_clock(clock)
        , m_signers(std::move(signers))
    {
    }

    Result<std::unique_ptr<NoticeTarget>> create(const AlertTarget &target) override
    {
        GPULEDGER_TRY(checkAuthority(target));
        if (target.kind == "slack")
            return atSecretAddress(target, slackProtocol());
        if (target.kind == "teams")
            return atSecretAddress(target, teamsProtocol());
        if (target.kind == "pagerduty")
            return pagerduty(target);
        if (target.kind == "opsgenie")
            return opsgenie(target);
        if (target.kind == "webhook")
            return webhook(target);
        if (target.kind == "alertmanager")
            return alertmanager(target);
        if (target.kind == "email")
            return email(target);
        if (target.kind == "desktop")
            return base::fail(ErrorCode::Unsupported,
                              nameOf(target) + " is for desktop notices, which only the window shows");
        return base::fail(ErrorCode::InvalidConfig,
                          nameOf(target) + " has an unknown kind: \"" + base::printable(target.kind, 64) + '"');
    }

private:
    // Empty if there is no reference.
    Result<base::Secret> read(const AlertTarget &target, const model::SecretRef &ref)
    {
        if (ref.kind == model::SecretRef::Kind::None)
            return base::Secret();
        auto secret = m_secrets.read(ref);
        if (!secret)
            return base::fail(ErrorCode::InvalidConfig, nameOf(target) + ": " + secret.error().text,
                              secret.error().hint);
        return secret;
    }

    Result<base::Secret> require(const AlertTarget &target, const model::SecretRef &ref)
    {
        auto secret = read(target, ref);
        GPULEDGER_TRY(secret);
        if (secret->empty())
            return base::fail(ErrorCode::InvalidConfig, nameOf(target) + " has an empty credential",
                              base::Remedy::WriteCredential);
        return secret;
    }

    // Empty if there is no reference.
    Result<base::Secret> requireIfNamed(const AlertTarget &target, const model::SecretRef &ref)
    {
        return ref.kind == model::SecretRef::Kind::None ? Result<base::Secret>(base::Secret()) : require(target, ref);
    }

    // How to sign in; what must not be shown of it is added to `secrets`.
    Result<std::shared_ptr<const http::Credentials>> login(const AlertTarget &target, base::Redactor &secrets)
    {
        auto credentials = auth::resolve(target.auth, m_secrets);
        if (!credentials)
            return base::fail(ErrorCode::InvalidConfig, nameOf(target) + ": " + credentials.error().text,
                              credentials.error().hint);
        secrets.add((*credentials)->password.reveal());
        secrets.add((*credentials)->bearer.reveal());
        return credentials;
    }

    Result<std::unique_ptr<NoticeTarget>> at(const AlertTarget &target, Destination destination,
                                             std::unique_ptr<HttpProtocol> protocol, bool isConfidential)
    {
        GPULEDGER_TRY(checkAddress(target, destination.address.reveal(), isConfidential));
        destination.caFile = target.caFile;
        return std::make_unique<HttpTarget>(m_client(), std::move(protocol), std::move(destination), m_clock);
    }

    Result<std::unique_ptr<NoticeTarget>>
    atSecretAddress(const AlertTarget &target, std::unique_ptr<HttpProtocol> protocol, base::Redactor secrets = {},
                    std::shared_ptr<const http::Credentials> credentials = nullptr)
    {
        auto address = require(target, target.secret);
        GPULEDGER_TRY(address);
        addAddress(secrets, address->reveal());
        return at(target, {std::move(*address), std::move(credentials), std::move(secrets), {}}, std::move(protocol),
                  true);
    }

    Result<std::unique_ptr<NoticeTarget>> pagerduty(const AlertTarget &target)
    {
        auto key = require(target, target.secret);
        GPULEDGER_TRY(key);
        base::Redactor secrets;
        secrets.add(key->reveal());
        return at(target,
                  {baseAddress(target.url.empty() ? kPagerdutyAddress : target.url), nullptr, std::move(secrets), {}},
                  pagerdutyProtocol(std::move(*key)), true);
    }

    Result<std::unique_ptr<NoticeTarget>> opsgenie(const AlertTarget &target)
    {
        const auto key = require(target, target.secret);
        GPULEDGER_TRY(key);
        base::Redactor secrets;
        secrets.add(key->reveal());
        auto credentials = std::make_shared<http::Credentials>();
        credentials->bearerHeader = "Authorization";
        credentials->bearer = base::Secret("GenieKey " + std::string(key->reveal()));
        return at(target,
                  {baseAddress(target.url.empty() ? kOpsgenieAddress : target.url),
                   std::move(credentials),
                   std::move(secrets),
                   {}},
                  opsgenieProtocol(), true);
    }

    Result<std::unique_ptr<NoticeTarget>> webhook(const AlertTarget &target)
    {
        auto signing = requireIfNamed(target, target.signing);
        GPULEDGER_TRY(signing);
        auto previous = requireIfNamed(target, target.previousSigning);
        GPULEDGER_TRY(previous);
        base::Redactor secrets;
        secrets.add(signing->reveal());
        secrets.add(previous->reveal());
        auto credentials = login(target, secrets);
        GPULEDGER_TRY(credentials);
        auto protocol = webhookProtocol(std::move(*signing), std::move(*previous));
        if (target.url.empty())
            return atSecretAddress(target, std::move(protocol), std::move(secrets), std::move(*credentials));
        const bool isConfidential = (*credentials)->inHeaders();
        return at(target, {base::Secret(target.url), std::move(*credentials), std::move(secrets), {}},
                  std::move(protocol), isConfidential);
    }

    Result<std::unique_ptr<NoticeTarget>> alertmanager(const AlertTarget &target)
    {
        if (target.auth.kind == model::AuthSettings::Kind::SigV4 && m_signers)
            return amazonAlertmanager(target);
        base::Redactor secrets;
        auto credentials = login(target, secrets);
        GPULEDGER_TRY(credentials);
        const bool isConfidential = (*credentials)->inHeaders();
        return at(target, {baseAddress(target.url), std::move(*credentials), std::move(secrets), {}},
                  alertmanagerProtocol(), isConfidential);
    }

    // That of a workspace of Amazon Managed Service for Prometheus.
    Result<std::unique_ptr<NoticeTarget>> amazonAlertmanager(const AlertTarget &target)
    {
        auto signer = m_signers({target.auth.profile, target.auth.region, kAmazonPrometheus, target.caFile});
        if (!signer)
            return base::fail(ErrorCode::InvalidConfig, nameOf(target) + ": " + signer.error().text,
                              signer.error().hint);
        return at(target, {baseAddress(target.url), nullptr, {}, {}, std::move(*signer)}, alertmanagerProtocol(), true);
    }

    Result<std::unique_ptr<NoticeTarget>> email(const AlertTarget &target)
    {
        auto password = read(target, target.password);
        GPULEDGER_TRY(password);
        return mailTarget(target, std::move(*password), m_waiting, target.caFile);
    }

    ClientSource m_client;
    ports::SecretStore &m_secrets;
    const base::Clock &m_clock;
    const auth::SignerSource m_signers; // may be empty
    const std::shared_ptr<MailWaiting> m_waiting = std::make_shared<MailWaiting>();
};

} // namespace

std::unique_ptr<ports::NoticeTargets> targets(ClientSource client, ports::SecretStore &secrets,
                                              const base::Clock &realClock, auth::SignerSource signers)
{
    return std::make_unique<Targets>(std::move(client), secrets, realClock, std::move(signers));
}

} // namespace gpuledger::notify
