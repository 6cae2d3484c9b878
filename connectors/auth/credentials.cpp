// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/auth/credentials.h"

#include "app/base/remedy.h"
#include "app/base/text/log.h"

#include <unistd.h>

namespace gpuledger::auth {

namespace {

using base::ErrorCode;
using Kind = model::AuthSettings::Kind;

base::Result<base::Secret> readChecked(const model::SecretRef &ref, const char *what, ports::SecretStore &secrets)
{
    if (ref.kind == model::SecretRef::Kind::None)
        return base::fail(ErrorCode::InvalidConfig, std::string("auth lacks ") + what,
                          std::string("add ") + what + ": keychain:NAME, env:NAME or file:PATH");
    base::Result<base::Secret> secret = secrets.read(ref);
    if (!secret)
        return secret;
    for (const char c : secret->reveal()) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
            return base::fail(ErrorCode::InvalidConfig,
                              std::string(what) + " contains a line break or another control character",
                              base::Remedy::StoreBareValue);
    }
    base::log::redactValue(secret->reveal());
    return secret;
}

base::Result<void> checkReadable(const std::string &path, const char *what)
{
    if (!path.empty() && access(path.c_str(), R_OK) == 0)
        return {};
    return base::fail(ErrorCode::InvalidConfig,
                      path.empty() ? std::string("auth lacks ") + what : what + (" " + path) + " can't be read",
                      base::Remedy::SetCertificateAndKey);
}

base::Result<void> fill(http::Credentials &out, const model::AuthSettings &settings, ports::SecretStore &secrets)
{
    switch (settings.kind) {
    case Kind::None:
        return {};
    case Kind::Basic: {
        auto password = readChecked(settings.password, "password", secrets);
        if (!password)
            return base::fail(std::move(password).error());
        if (settings.user.find(':') != std::string::npos)
            return base::fail(ErrorCode::InvalidConfig, "a user name must not contain a colon",
                              base::Remedy::CheckAuthUser);
        out.user = settings.user;
        out.password = std::move(*password);
        return {};
    }
    case Kind::Bearer: {
        auto token = readChecked(settings.token, "token", secrets);
        if (!token)
            return base::fail(std::move(token).error());
        out.bearer = std::move(*token);
        out.bearerHeader = settings.header;
        return {};
    }
    case Kind::Mtls:
        GPULEDGER_TRY(checkReadable(settings.certificate, "certificate"));
        GPULEDGER_TRY(checkReadable(settings.key.value, "key"));
        out.certificateFile = settings.certificate;
        out.keyFile = settings.key.value;
        return {};
    case Kind::SigV4:
        break;
    }
    return base::fail(ErrorCode::Unsupported, "this source kind does not support SigV4 signing yet",
                      base::Remedy::UseSigningProxy);
}

} // namespace

base::Result<std::shared_ptr<const http::Credentials>> resolve(const model::AuthSettings &settings,
                                                               ports::SecretStore &secrets)
{
    auto credentials = std::make_shared<http::Credentials>();
    GPULEDGER_TRY(fill(*credentials, settings, secrets));
    return credentials;
}

} // namespace gpuledger::auth
