// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/model/settings.h"
#include "app/ports/allocationsource.h"
#include "app/ports/secretstore.h"
#include "connectors/opencost/dayquestion.h"

#include <memory>
#include <string>

namespace gpuledger::opencost {

// Limits that tests reduce.
struct Tuning {
    // A server computes a whole day from its Prometheus before it sends a byte.
    http::Timeouts timeouts{http::Milliseconds{10'000}, http::Milliseconds{120'000}, http::Milliseconds{120'000}};
    http::RetryLimits retries;
};

// An OpenCost or Kubecost server. Threads: see ports::AllocationSource.
class OpenCostSource final : public ports::AllocationSource {
public:
    OpenCostSource(model::SourceSettings settings, base::Currency currency, ports::SecretStore &secrets,
                   const base::Clock &clock, std::shared_ptr<http::HttpClient> client, Tuning tuning = {},
                   std::shared_ptr<http::Pause> pause = std::make_shared<http::SystemPause>());

    const std::string &name() const override { return m_settings.name; }
    std::string address() const override { return m_settings.url; }
    [[nodiscard]] base::Result<ports::ProbeReport> probe(std::stop_token stop) override;
    [[nodiscard]] base::Result<ports::AllocationAnswer> day(base::Day day, std::stop_token stop) override;

private:
    base::Result<void> connect(base::Day day, const std::stop_token &stop);
    base::Error explained(base::Error error) const;

    model::SourceSettings m_settings;
    base::Currency m_currency;
    ports::SecretStore &m_secrets;
    const base::Clock &m_clock;
    std::shared_ptr<http::HttpClient> m_client;
    Tuning m_tuning;
    std::shared_ptr<http::Pause> m_pause;
    std::unique_ptr<Server> m_server; // set once its API has been found
};

// For the catalogue, whose sources share one `client`. Fails with InvalidConfig (url missing or wrong, or no currency).
[[nodiscard]] base::Result<std::unique_ptr<ports::AllocationSource>>
makeOpenCostSource(const model::SourceSettings &settings, ports::SecretStore &secrets, const base::Clock &clock,
                   std::shared_ptr<http::HttpClient> client);

} // namespace gpuledger::opencost
