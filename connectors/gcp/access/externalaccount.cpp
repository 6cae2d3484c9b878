// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/access/externalaccount.h"

#include "app/base/text/log.h"
#include "connectors/format/json.h"
#include "connectors/http/url.h"

namespace gpuledger::gcp {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;

Result<ExternalAccount> externalAccountIn(const Json &file, const std::string &api)
{
    const auto wrong = [](const std::string &what) {
        return base::fail(ErrorCode::InvalidConfig, "the credential file " + what, base::Remedy::CreateCredentialFile);
    };
    ExternalAccount account;
    account.tokenUrl = format::textOf(file, "token_url");
    if (account.tokenUrl.empty())
        return wrong("has no token_url");
    if (!mayGiveTokens(account.tokenUrl, api))
        return wrong("would send its credential to " + http::shownUrl(account.tokenUrl) + ", which is not Google");
    account.audience = format::textOf(file, "audience");
    account.subjectTokenType = format::textOf(file, "subject_token_type");
    if (account.audience.empty() || account.subjectTokenType.empty())
        return wrong("has no audience or no subject_token_type");
    account.userProject = format::textOf(file, "workforce_pool_user_project");
    account.client = format::textOf(file, "client_id");
    account.clientSecret = base::Secret(format::textOf(file, "client_secret"));
    base::log::redactValue(account.clientSecret.reveal());
    auto source = subjectTokenSourceIn(format::memberOf(file, "credential_source"));
    GPULEDGER_TRY(source);
    account.source = std::move(*source);
    return account;
}

Result<FreshToken> exchanged(const ExternalAccount &account, const std::string &scope, const TokenWire &wire,
                             const std::stop_token &stop)
{
    const auto subject = readSubjectToken(account.source, wire, stop);
    GPULEDGER_TRY(subject);
    http::Parameters form{{"grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"},
                          {"audience", account.audience},
                          {"scope", scope},
                          {"requested_token_type", "urn:ietf:params:oauth:token-type:access_token"},
                          {"subject_token_type", account.subjectTokenType},
                          {"subject_token", std::string(subject->reveal())}};
    http::Request request = tokenRequest(wire, account.tokenUrl);
    if (!account.client.empty()) {
        auto client = std::make_shared<http::Credentials>();
        client->user = account.client;
        client->password = account.clientSecret.clone();
        request.credentials = std::move(client);
    } else if (!account.userProject.empty()) {
        const Json options{{"userProject", account.userProject}};
        form.emplace_back("options", options.dump(-1, ' ', false, Json::error_handler_t::replace));
    }
    request.body = http::formEncode(form);
    const auto response = wire.client->perform(std::move(request), stop);
    GPULEDGER_TRY(response);
    return tokenIn(*response, account.tokenUrl, base::Remedy::CheckIdentityPool, wire);
}

} // namespace gpuledger::gcp
