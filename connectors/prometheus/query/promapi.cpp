// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/prometheus/query/promapi.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "connectors/format/json.h"

#include <algorithm>
#include <cctype>

namespace gpuledger::prometheus {

namespace {

using base::ErrorCode;
constexpr std::size_t kMaxErrorBody = 64u << 10;

std::string lower(std::string_view text)
{
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
}

bool contains(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

bool looksLikeWebPage(const http::Response &response)
{
    const std::size_t first = response.body.find_first_not_of(" \t\r\n");
    return lower(response.contentType).starts_with("text/html")
        || (first != std::string::npos && response.body[first] == '<');
}

// Servers word the message that a query exceeded their limits in many ways.
bool saysTooMuch(std::string_view type, std::string_view text)
{
    const std::string t = lower(text);
    return contains(t, "too many samples") || contains(t, "exceeded maximum resolution") || contains(t, "err-mimir-max")
        || contains(t, "the query exceeded") || contains(t, "cannot select more than") || contains(t, "too many points")
        || (type == "execution" && (contains(t, "limit") || contains(t, "memory")));
}

base::Error make(ErrorCode code, std::string text, base::Hint hint, bool retryable)
{
    base::Error error = base::Error::make(code, std::move(text), std::move(hint));
    error.retryable = retryable;
    return error;
}

http::Parameters productParameters(const Endpoint &endpoint, const ApiCall &call)
{
    http::Parameters out;
    if (call.path.starts_with("status"))
        return out;
    const bool unknown = endpoint.product == Product::Unknown;
    // No answer is better than a partial one: a missing name is a metric that is never queried.
    if (endpoint.product == Product::Thanos || unknown)
        out.emplace_back("partial_response", "false");
    if (endpoint.product == Product::VictoriaMetrics || unknown)
        out.emplace_back("deny_partial_response", "1");
    if (!call.path.starts_with("query"))
        return out;
    out.emplace_back("timeout", std::to_string(std::max<long long>(1, endpoint.timeouts.silent.count() / 1000)) + "s");
    if (endpoint.product == Product::VictoriaMetrics || unknown)
        out.emplace_back("nocache", "1"); // it would align start and end to its own grid
    if (endpoint.product == Product::Thanos) {
        out.emplace_back("dedup", endpoint.everyReplica ? "false" : "true");
        if (!endpoint.maxSourceResolution.empty())
            out.emplace_back("max_source_resolution", endpoint.maxSourceResolution);
    }
    return out;
}

} // namespace

ApiCall rangeQuery(std::string query, base::UtcTime first, base::UtcTime last, base::Seconds step)
{
    return {kRangePath,
            {{"query", std::move(query)},
             {"start", std::to_string(base::toUnix(first))},
             {"end", std::to_string(base::toUnix(last))},
             {"step", std::to_string(step.count())}},
            true};
}

ApiCall instantQuery(std::string query, base::UtcTime time, bool justBefore)
{
    const std::int64_t t = base::toUnix(time);
    return {"query",
            {{"query", std::move(query)}, {"time", justBefore ? std::to_string(t - 1) + ".999" : std::to_string(t)}},
            true};
}

http::Request makeRequest(const Endpoint &endpoint, const ApiCall &call)
{
    http::Request request;
    request.url = endpoint.base + "/api/v1/" + call.path;
    request.headers = endpoint.headers;
    request.headers.emplace_back("Accept", "application/json");
    request.credentials = endpoint.credentials;
    request.caFile = endpoint.caFile;
    request.timeouts = endpoint.timeouts;
    http::Parameters parameters = call.parameters;
    for (auto &extra : productParameters(endpoint, call))
        parameters.push_back(std::move(extra));
    if (call.form && endpoint.post) {
        request.method = "POST";
        request.contentType = "application/x-www-form-urlencoded";
        request.body = http::formEncode(parameters);
    } else if (!parameters.empty()) {
        request.url += '?' + http::formEncode(parameters);
    }
    return request;
}

std::optional<base::Error> refusal(const Endpoint &endpoint, const http::Response &response)
{
    const std::string url = http::shownUrl(endpoint.base);
    std::optional<base::Error> error = http::statusError(response, endpoint.base);
    if (!error) {
        if (looksLikeWebPage(response))
            return make(ErrorCode::Unauthorized, url + " returned a web page instead of data",
                        base::Remedy::SetCredentialOrInternalAddress, false);
        if (response.body.empty())
            return make(ErrorCode::Parse, url + " returned an empty response", "", true);
        return std::nullopt;
    }
    if (response.body.size() > kMaxErrorBody || looksLikeWebPage(response))
        return error;
    if (response.status == 401 && contains(lower(response.body), "org id"))
        error->hint = base::text(base::Remedy::SetTenant);
    const auto envelope = format::parseJson(response.body);
    if (!envelope)
        return error;
    const std::string type = format::textOf(*envelope, "errorType");
    const std::string text = base::printableLine(format::textOf(*envelope, "error"), 300);
    if (text.empty())
        return error;
    if (saysTooMuch(type, text))
        return make(ErrorCode::TooMuch, url + " rejected the query as too large: " + text,
                    base::Remedy::RaiseQueryLimits, false);
    if (type == "timeout" || (type == "canceled" && response.status == 503) || response.status == 504)
        return make(ErrorCode::Timeout, url + " took too long: " + text, "", true);
    if (endpoint.userAsks && (response.status == 400 || response.status == 422))
        return make(ErrorCode::InvalidArgument, "the server reports: " + text, base::Remedy::CorrectExpression, false);
    error->text += ": " + text;
    if (response.status == 422 || response.status == 400)
        error->retryable = false;
    return error;
}

bool wantsSmaller(const base::Error &error)
{
    return error.code == ErrorCode::TooMuch || error.code == ErrorCode::Timeout;
}

} // namespace gpuledger::prometheus
