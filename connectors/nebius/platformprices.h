// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/pricesource.h"
#include "connectors/nebius/projectcalls.h"

#include <memory>
#include <string>
#include <vector>

namespace gpuledger::nebius {

// What Nebius' calculator says that each preset with GPUs of a project's platforms costs, on demand and preemptible, as
// one list without a history: two questions for each. Threads and errors: see ports::PriceSource; calls also fail with
// the errors of NebiusToken::get.
class PlatformPrices final : public ports::PriceSource {
public:
    // `realClock` is compared with the service's. It must outlive the source.
    PlatformPrices(std::string name, std::unique_ptr<ProjectCalls> calls, const base::Clock &realClock);

    const std::string &name() const override { return m_name; }
    std::string provider() const override { return "nebius"; }
    std::vector<std::string> lists() const override { return {{}}; }
    [[nodiscard]] base::Result<ports::PricesTold> read(const ports::PricesAsked &asked, std::stop_token stop) override;
    [[nodiscard]] base::Result<std::vector<ports::Finding>> probe(std::stop_token stop) override;

private:
    struct Offer {
        std::string platform, preset;
        std::int64_t gpus = 0;
        bool isPreemptible = false;
    };
    base::Result<std::vector<Offer>> offers(const std::stop_token &stop);

    std::string m_name;
    std::unique_ptr<ProjectCalls> m_calls;
    const base::Clock &m_realClock;
};

// For the catalogue. Fails with InvalidConfig (no project, a wrong url, no token).
[[nodiscard]] base::Result<std::unique_ptr<ports::PriceSource>>
makePlatformPrices(const model::SourceSettings &settings, ports::SecretStore &secrets, const base::Clock &realClock,
                   std::shared_ptr<http::HttpClient> client);

} // namespace gpuledger::nebius
