// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/http/httpclient.h"

#include "app/base/remedy.h"

#include <future>

namespace gpuledger::http {

base::Result<Response> HttpClient::perform(Request request, std::stop_token stop)
{
    auto promise = std::make_shared<std::promise<base::Result<Response>>>();
    std::future<base::Result<Response>> answer = promise->get_future();
    submit(std::move(request), std::move(stop),
           [promise](base::Result<Response> result) { promise->set_value(std::move(result)); });
    return answer.get();
}

namespace {

using base::ErrorCode;

struct Explanation {
    ErrorCode code;
    const char *what;
    base::Remedy remedy;
    bool retryable;
};

Explanation explain(int status)
{
    switch (status) {
    case 401:
        return {ErrorCode::Unauthorized, "rejected the credential", base::Remedy::CheckAuth, false};
    case 403:
        return {ErrorCode::Forbidden, "denied access", base::Remedy::AllowQueries, false};
    case 404:
        return {ErrorCode::NotFound, "has nothing at this path", base::Remedy::CheckPrometheusPath, false};
    case 407:
        return {ErrorCode::Unauthorized, "can't be reached: the proxy asks for a login", base::Remedy::SetProxyLogin,
                false};
    case 408:
    case 504:
        return {ErrorCode::Timeout, "took too long", base::Remedy::None, true};
    case 413:
    case 431:
        return {ErrorCode::TooMuch, "rejected the request as too large", base::Remedy::None, false};
    case 429:
        return {ErrorCode::RateLimited, "is rate limiting requests", base::Remedy::None, true};
    default:
        break;
    }
    if (status >= 500)
        return {ErrorCode::Server, "failed", base::Remedy::CheckServerLog, true};
    if (status >= 300 && status < 400)
        return {ErrorCode::InvalidConfig, "redirects elsewhere", base::Remedy::SetFinalAddress, false};
    return {ErrorCode::Server, "refused the request", base::Remedy::None, false};
}

} // namespace

std::optional<base::Error> statusError(const Response &response, std::string_view url)
{
    if (response.status >= 200 && response.status < 300)
        return std::nullopt;
    const Explanation e = explain(response.status);
    base::Error error = base::Error::make(
        e.code, shownUrl(url) + ' ' + e.what + " (HTTP " + std::to_string(response.status) + ')', e.remedy);
    error.retryable = e.retryable;
    return error;
}

} // namespace gpuledger::http
