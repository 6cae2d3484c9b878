// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/auth/kubecredentials.h"

#include "app/base/remedy.h"
#include "app/base/text/log.h"
#include "app/base/text/text.h"
#include "connectors/format/json.h"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace gpuledger::auth {

using base::ErrorCode;
using base::Result;
using base::Secret;

namespace {

constexpr base::Seconds kTokenFileAge{60};
constexpr base::UtcTime kForever = base::UtcTime::max();
constexpr std::streamsize kMostTokenBytes = 1 << 20;

Result<void> checkToken(const Secret &token)
{
    const std::string_view text = token.reveal();
    const bool clean = std::all_of(text.begin(), text.end(), [](unsigned char c) { return c >= 0x20 && c != 0x7f; });
    if (clean)
        return {};
    return base::fail(ErrorCode::InvalidConfig, "the token for the cluster contains a control character",
                      base::Remedy::StoreBareValue);
}

tl::unexpected<base::Error> badAnswer(const std::string &what, const KubeExec &exec)
{
    return base::fail(ErrorCode::InvalidConfig,
                      "the login program " + base::printable(exec.command.arguments.front(), 256) + ' ' + what,
                      exec.installHint.empty() ? base::Hint(base::Remedy::RunInTerminal)
                                               : base::printable(exec.installHint, 300));
}

} // namespace

KubeCredentials::KubeCredentials(KubeAccess access, ports::SecretStore &secrets, const base::Clock &clock)
    : m_access(std::move(access))
    , m_secrets(secrets)
    , m_clock(clock)
{
}

Result<KubeCredentials::Shared> KubeCredentials::current()
{
    const std::lock_guard lock(m_mutex);
    if (m_current && m_clock.now() < m_validUntil)
        return m_current;
    return make();
}

Result<KubeCredentials::Shared> KubeCredentials::renewed(const Shared &refused)
{
    const std::lock_guard lock(m_mutex);
    const bool canChange = m_access.exec || !m_access.tokenFile.empty();
    if (m_current != refused || !canChange) // another thread was faster
        return m_current ? Result<Shared>(m_current) : make();
    return make();
}

Result<KubeCredentials::Shared> KubeCredentials::make()
{
    m_current.reset(); // a failure must not leave the old one in use
    auto out = std::make_shared<http::Credentials>();
    m_validUntil = kForever;
    out->user = m_access.user;
    out->password = m_access.password.clone();
    out->bearer = m_access.token.clone();
    out->certificatePem = m_access.certificatePem.clone();
    out->keyPem = m_access.keyPem.clone();
    if (!m_access.tokenFile.empty())
        GPULEDGER_TRY(readTokenFile(*out));
    if (m_access.exec)
        GPULEDGER_TRY(runProgram(*out));
    GPULEDGER_TRY(checkToken(out->bearer));
    if (!out->bearer.empty()) { // only one is sent; the token is the stronger one
        out->user.clear();
        out->password = Secret();
    }
    m_current = std::move(out);
    return m_current;
}

Result<void> KubeCredentials::readTokenFile(http::Credentials &out)
{
    m_validUntil = m_clock.now() + kTokenFileAge;
    std::ifstream file(m_access.tokenFile, std::ios::binary);
    std::string text(kMostTokenBytes, '\0');
    file.read(text.data(), kMostTokenBytes);
    text.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' '))
        text.pop_back();
    if (text.empty() && out.bearer.empty())
        return base::fail(ErrorCode::NotFound,
                          base::printable(m_access.tokenFile.string(), 256)
                              + " does not contain a token for the cluster",
                          base::Remedy::CheckTokenFile);
    if (!text.empty()) {
        out.bearer = Secret(std::move(text));
        base::log::redactValue(out.bearer.reveal());
    }
    return {};
}

Result<void> KubeCredentials::runProgram(http::Credentials &out)
{
    const KubeExec &exec = *m_access.exec;
    const auto printed = m_secrets.run(exec.command);
    GPULEDGER_TRY(printed);
    const auto json = format::parseJson(printed->reveal());
    if (!json || format::textOf(*json, "kind") != "ExecCredential"
        || format::textOf(*json, "apiVersion") != exec.apiVersion || !json->contains("status"))
        return badAnswer("did not print an ExecCredential of " + exec.apiVersion, exec);
    const nlohmann::json &status = (*json)["status"];
    Secret token(format::textOf(status, "token"));
    Secret certificate(format::textOf(status, "clientCertificateData"));
    Secret key(format::textOf(status, "clientKeyData"));
    base::log::redactValue(token.reveal());
    base::log::redactValue(key.reveal());
    if (certificate.empty() != key.empty() || (token.empty() && key.empty()))
        return badAnswer("printed neither a token nor a certificate with its key", exec);
    if (!token.empty())
        out.bearer = std::move(token);
    if (!key.empty()) {
        out.certificatePem = std::move(certificate);
        out.keyPem = std::move(key);
    }
    if (const std::string until = format::textOf(status, "expirationTimestamp"); !until.empty()) {
        const auto time = base::parseTime(until);
        if (!time)
            return badAnswer("printed an expirationTimestamp that is not a time", exec);
        m_validUntil = *time;
    }
    return {};
}

} // namespace gpuledger::auth
