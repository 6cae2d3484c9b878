// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/exports/sharedsignature.h"

#include "app/base/remedy.h"
#include "app/base/text/log.h"
#include "connectors/auth/credentials.h"

#include <algorithm>

namespace gpuledger::azure {

using base::ErrorCode;
using base::Result;

namespace {

constexpr std::string_view kSignatureKey = "sig=";

// A part of a query, as Azure's tools print it.
bool isSignature(std::string_view text)
{
    return ('&' + std::string(text)).find('&' + std::string(kSignatureKey)) != std::string::npos
        && std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7f && c != '#' && c != '?'; });
}

} // namespace

bool isSharedSignature(const model::AuthSettings &auth)
{
    return auth.kind == model::AuthSettings::Kind::Basic && auth.user == kSignatureUser;
}

SharedSignature::SharedSignature(model::AuthSettings auth, ports::SecretStore &secrets)
    : m_auth(std::move(auth))
    , m_secrets(secrets)
{
}

Result<void> SharedSignature::admit(http::Request &request, const std::stop_token &)
{
    if (!m_signature) {
        const auto read = auth::resolve(m_auth, m_secrets);
        GPULEDGER_TRY(read);
        std::string text((*read)->password.reveal());
        if (text.starts_with('?'))
            text.erase(0, 1);
        base::log::redactValue(text);
        if (!isSignature(text))
            return base::fail(ErrorCode::InvalidConfig, "auth.password does not refer to a shared access signature",
                              base::Remedy::CheckAuth);
        const std::size_t at = ('&' + text).find('&' + std::string(kSignatureKey)) + kSignatureKey.size();
        base::log::redactValue(std::string_view(text).substr(at, text.find('&', at) - at));
        m_signature = base::Secret(std::move(text));
    }
    request.url += request.url.find('?') == std::string::npos ? '?' : '&';
    request.url += m_signature->reveal();
    return {};
}

} // namespace gpuledger::azure
