// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/metrics/answermeter.h"

#include "connectors/http/serverclock.h"

#include <utility>

namespace gpuledger::gcp {

AnswerMeter::AnswerMeter(std::shared_ptr<http::HttpClient> client, std::string address)
    : m_client(std::move(client))
    , m_address(std::move(address))
{
}

void AnswerMeter::submit(http::Request request, std::stop_token stop, Completion done)
{
    if (!request.url.starts_with(m_address + "/v3/")) { // a question for a token
        m_client->submit(std::move(request), std::move(stop), std::move(done));
        return;
    }
    m_client->submit(std::move(request), std::move(stop),
                     [seen = m_seen, done = std::move(done)](base::Result<http::Response> response) {
                         if (response) {
                             seen->bytes += response->wireBytes;
                             for (const auto &[name, value] : response->headers) {
                                 if (const auto date = http::timeOf(value); name == "date" && date)
                                     seen->date = base::toUnix(*date);
                             }
                         }
                         done(std::move(response));
                     });
}

std::optional<base::UtcTime> AnswerMeter::answeredAt() const
{
    const std::int64_t date = m_seen->date;
    return date > 0 ? std::optional(base::fromUnix(date)) : std::nullopt;
}

} // namespace gpuledger::gcp
