// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/opencost/opencostsource.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "connectors/auth/credentials.h"
#include "connectors/opencost/opencostprobe.h"

#include <utility>

namespace gpuledger::opencost {

using base::ErrorCode;
using base::Result;

namespace {

base::Remedy remedyOf(ErrorCode code)
{
    switch (code) {
    case ErrorCode::Timeout:
        return base::Remedy::RaiseOpenCostMemory;
    case ErrorCode::Parse:
        return base::Remedy::CheckOpenCostUrl;
    case ErrorCode::TooMuch:
        return base::Remedy::SplitOpenCostClusters;
    case ErrorCode::RateLimited:
        return base::Remedy::SyncLater;
    case ErrorCode::Server:
        return base::Remedy::CheckServerLog;
    default:
        return base::Remedy::None;
    }
}

} // namespace

OpenCostSource::OpenCostSource(model::SourceSettings settings, base::Currency currency, ports::SecretStore &secrets,
                               const base::Clock &clock, std::shared_ptr<http::HttpClient> client, Tuning tuning,
                               std::shared_ptr<http::Pause> pause)
    : m_settings(std::move(settings))
    , m_currency(currency)
    , m_secrets(secrets)
    , m_clock(clock)
    , m_client(std::move(client))
    , m_tuning(tuning)
    , m_pause(std::move(pause))
{
}

base::Error OpenCostSource::explained(base::Error error) const
{
    if (error.hint.empty())
        error.hint = base::text(remedyOf(error.code));
    return std::move(error).withSource(m_settings.name);
}

Result<void> OpenCostSource::connect(base::Day day, const std::stop_token &stop)
{
    if (m_server)
        return {};
    auto credentials = auth::resolve(m_settings.auth, m_secrets);
    GPULEDGER_TRY(credentials);
    Endpoint endpoint;
    endpoint.base = m_settings.url;
    while (endpoint.base.ends_with('/'))
        endpoint.base.pop_back();
    endpoint.headers.assign(m_settings.headers.begin(), m_settings.headers.end());
    endpoint.caFile = m_settings.caFile;
    endpoint.credentials = std::move(*credentials);
    endpoint.timeouts = m_tuning.timeouts;
    auto server = std::make_unique<Server>(*m_client, std::move(endpoint), m_tuning.retries, *m_pause,
                                           [this] { return auth::resolve(m_settings.auth, m_secrets); });
    GPULEDGER_TRY(findApi(*server, day, stop));
    m_server = std::move(server);
    return {};
}

Result<ports::AllocationAnswer> OpenCostSource::day(base::Day day, std::stop_token stop)
{
    if (auto connected = connect(day, stop); !connected)
        return base::fail(explained(std::move(connected).error()));
    const std::uint64_t before = m_server->bytes();
    auto answer = askDay(*m_server, day, m_currency, stop);
    if (!answer)
        return base::fail(explained(std::move(answer).error()));
    answer->bytes = m_server->bytes() - before;
    if (!m_settings.cluster.empty()) {
        for (model::AllocatedNode &node : answer->day.nodes)
            node.cluster = m_settings.cluster;
        for (model::AllocatedIdle &idle : answer->day.idle)
            idle.cluster = m_settings.cluster;
    }
    return answer;
}

Result<ports::ProbeReport> OpenCostSource::probe(std::stop_token stop)
{
    const auto answer = day({base::dayOf(m_clock.now()).number - 1}, std::move(stop));
    GPULEDGER_TRY(answer);
    return probeReport(*answer);
}

Result<std::unique_ptr<ports::AllocationSource>> makeOpenCostSource(const model::SourceSettings &settings,
                                                                    ports::SecretStore &secrets,
                                                                    const base::Clock &clock,
                                                                    std::shared_ptr<http::HttpClient> client)
{
    if (settings.url.empty())
        return base::fail(ErrorCode::InvalidConfig, "source \"" + settings.name + "\" has no url",
                          base::Remedy::AddOpenCostUrl);
    if (auto url = http::parseUrl(settings.url); !url)
        return base::fail(std::move(url).error().withSource(settings.name));
    base::Currency currency = base::Currency::usd();
    if (const auto option = settings.options.find("currency"); option != settings.options.end()) {
        const auto wanted = base::Currency::parse(option->second);
        if (!wanted)
            return base::fail(base::Error(wanted.error()).withSource(settings.name));
        currency = *wanted;
    }
    Tuning tuning;
    if (const auto option = settings.options.find("timeout"); option != settings.options.end()) {
        const auto wanted = base::parseDuration(option->second);
        GPULEDGER_TRY(wanted);
        tuning.timeouts.silent = tuning.timeouts.total = *wanted;
    }
    return std::make_unique<OpenCostSource>(settings, currency, secrets, clock, std::move(client), tuning);
}

} // namespace gpuledger::opencost
