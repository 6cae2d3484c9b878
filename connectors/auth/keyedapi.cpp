// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/auth/keyedapi.h"

#include "app/base/remedy.h"
#include "app/base/text/log.h"
#include "app/base/text/text.h"
#include "connectors/auth/credentials.h"
#include "connectors/format/json.h"
#include "connectors/http/serverclock.h"

#include <algorithm>

namespace gpuledger::auth {

using base::ErrorCode;
using base::Result;

namespace {

constexpr std::size_t kShownWords = 300; // bytes
constexpr std::size_t kMostProblem = 64u << 10; // bytes of an error that are read

bool isWebPage(const http::Response &response)
{
    const std::size_t first = response.body.find_first_not_of(" \t\r\n");
    return response.contentType.starts_with("text/html") || (first != std::string::npos && response.body[first] == '<');
}

} // namespace

Result<KeyedSettings> KeyedSettings::of(const model::SourceSettings &settings, const std::string &standard,
                                        std::string_view version)
{
    if (settings.auth.kind != model::AuthSettings::Kind::Bearer)
        return base::fail(
            base::Error::make(ErrorCode::InvalidConfig, "source \"" + settings.name + "\" has no API key",
                              "set auth of " + settings.name
                                  + " to { type: bearer, token: keychain:NAME }; the token is the API key")
                .withSource(settings.name));
    KeyedSettings out;
    out.api = settings.url.empty() ? standard : settings.url;
    GPULEDGER_TRY(http::parseUrl(out.api));
    while (out.api.ends_with('/'))
        out.api.pop_back();
    if (out.api.ends_with(version))
        out.api.resize(out.api.size() - version.size());
    const auto refresh = settings.options.find("refresh");
    if (refresh != settings.options.end() && !refresh->second.empty()) {
        const auto every = base::parseDuration(refresh->second);
        GPULEDGER_TRY(every);
        out.refresh = *every;
    }
    return out;
}

std::vector<ports::SourceField> keyedFields(const KeyedFields &texts)
{
    using ports::SourceField;
    SourceField access = ports::kAccessField;
    access.isRequired = true;
    access.help = texts.keyHelp;
    access.fallback = {};
    access.logins = "bearer";
    access.example = texts.exampleKey;
    SourceField authority = ports::kAuthorityField;
    authority.isRare = true;
    std::vector<SourceField> fields{{.key = "url",
                                     .type = SourceField::Type::Url,
                                     .title = "Address",
                                     .help = "Only for a private endpoint",
                                     .fallback = texts.api,
                                     .example = texts.exampleApi,
                                     .isRare = true},
                                    access};
    if (texts.hasRefresh)
        fields.push_back({.key = "refresh",
                          .type = SourceField::Type::Duration,
                          .title = "Asked again after",
                          .help = "How long months that are not final are not asked for again",
                          .fallback = "6h",
                          .example = "12h",
                          .low = 3600,
                          .high = 30 * 86400,
                          .isRare = true});
    fields.insert(fields.end(), {ports::kMachinesField, authority, ports::kHeadersField});
    return fields;
}

std::optional<base::Error> refusedAnswer(const http::Response &response, const std::string &url,
                                         std::string (*wordsOf)(const nlohmann::json &))
{
    std::optional<base::Error> error = http::statusError(response, url);
    if (!error) {
        if (isWebPage(response))
            return base::Error::make(ErrorCode::Unauthorized,
                                     http::shownUrl(url) + " returned a web page instead of data",
                                     base::Remedy::SetCredentialOrInternalAddress);
        if (response.status == 200)
            return std::nullopt;
        return base::Error::make(
            ErrorCode::Server, http::shownUrl(url) + " gave no answer (HTTP " + std::to_string(response.status) + ')');
    }
    if (response.status == 404)
        error->hint = base::text(base::Remedy::CheckUrl);
    if (response.body.size() > kMostProblem)
        return error;
    const auto json = format::parseJson(response.body);
    const std::string words =
        json && json->is_object() ? base::printableLine(base::log::redacted(wordsOf(*json)), kShownWords) : "";
    if (!words.empty())
        error->text += ": " + words;
    return error;
}

std::optional<base::Error> wrongClock(const http::Parameters &answerDate, base::UtcTime now, const std::string &what)
{
    constexpr base::Seconds kMostDifference{600};
    const auto date = answerDate.empty() ? std::nullopt : http::timeOf(answerDate.front().second);
    if (!date || (*date <= now + kMostDifference && now <= *date + kMostDifference))
        return std::nullopt;
    return base::Error::make(ErrorCode::Refused, what + http::clockRemark(answerDate, now),
                             base::Remedy::CheckClockOrNow);
}

KeyedApi::KeyedApi(const model::SourceSettings &settings, std::string api, ports::SecretStore &secrets,
                   std::shared_ptr<http::HttpClient> client, KeyedTuning tuning, Refusal refusal)
    : m_auth(settings.auth)
    , m_api(std::move(api))
    , m_caFile(settings.caFile)
    , m_headers(settings.headers.begin(), settings.headers.end())
    , m_secrets(secrets)
    , m_client(std::move(client))
    , m_tuning(std::move(tuning))
    , m_refusal(refusal)
{
}

Result<std::pair<KeyedApi::Key, bool>> KeyedApi::key()
{
    const std::lock_guard lock(m_mutex);
    if (m_key)
        return std::pair(m_key, false);
    auto read = resolve(m_auth, m_secrets);
    GPULEDGER_TRY(read);
    m_key = std::move(*read);
    return std::pair(m_key, true);
}

void KeyedApi::drop(const Key &rejected)
{
    const std::lock_guard lock(m_mutex);
    if (m_key == rejected)
        m_key = nullptr;
}

Result<http::Response> KeyedApi::send(const KeyedCall &call, const std::stop_token &stop)
{
    for (bool isRenewed = false;; isRenewed = true) {
        const auto read = key();
        GPULEDGER_TRY(read);
        http::Request request;
        request.method = call.method;
        request.url = m_api + call.path + (call.parameters.empty() ? "" : '?' + http::formEncode(call.parameters));
        request.headers = m_headers;
        request.headers.emplace_back("Accept", "application/json");
        request.credentials = read->first;
        request.caFile = m_caFile;
        request.followsRedirects = false; // the key does not leave this address
        request.timeouts = m_tuning.timeouts;
        request.keepHeaders = {"date"};
        request.maxBytes = m_tuning.maxBytes;
        request.once = call.method != "GET";
        if (!call.body.empty()) {
            request.body = call.body;
            request.contentType = "application/json";
        }
        auto response = m_client->perform(std::move(request), stop);
        if (!response || response->status != 401)
            return response;
        drop(read->first);
        if (isRenewed || read->second)
            return response;
    }
}

Result<std::string> KeyedApi::get(const std::string &path, const http::Parameters &parameters,
                                  const std::stop_token &stop)
{
    const auto cancelled = [] { return base::fail(ErrorCode::Cancelled, "cancelled"); };
    const KeyedCall call{.path = path, .parameters = parameters};
    if (m_isPaced && !m_tuning.pause->wait(m_tuning.pace, stop))
        return cancelled();
    http::RetryPolicy failing(m_tuning.failures), throttled(m_tuning.throttled);
    const http::Milliseconds begin = m_tuning.pause->steadyNow();
    http::Milliseconds waited{}; // because we were asked to
    for (int failures = 0, refusals = 0;;) {
        auto response = send(call, stop);
        auto error = response ? m_refusal(*response, m_api) : std::optional(response.error());
        if (!error) {
            const std::lock_guard lock(m_mutex);
            m_answerDate = std::move(response->headers);
            return std::move(response->body);
        }
        const auto asked = response ? response->retryAfter : std::nullopt;
        if (response && response->status == 429 && m_tuning.pace.count() > 0)
            m_isPaced = true;
        const bool isThrottled = response && (response->status == 429 || (response->status == 503 && asked));
        const http::Milliseconds passed = m_tuning.pause->steadyNow() - begin;
        const auto delay = isThrottled ? throttled.delay(++refusals, *error, asked, passed)
                                       : failing.delay(++failures, *error, asked, passed - waited);
        if (!delay)
            return base::fail(*error);
        waited += isThrottled ? *delay : http::Milliseconds{};
        if (!m_tuning.pause->wait(std::max(*delay, m_tuning.failures.firstDelay), stop))
            return cancelled();
    }
}

} // namespace gpuledger::auth
