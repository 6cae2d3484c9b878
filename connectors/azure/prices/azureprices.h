// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/ports/pricesource.h"
#include "app/ports/secretstore.h"
#include "connectors/azure/compute/computeapi.h"
#include "connectors/azure/prices/pricesettings.h"
#include "connectors/azure/prices/retailprices.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace gpuledger::azure {

Tuning priceTuning();

// The retail prices of Azure for Linux in some regions, as one list: on demand, spot, reservations and savings plans.
// The service is public: no credential and no header of the settings is sent there. Threads and errors: see
// ports::PriceSource; InvalidConfig: no region is known.
class AzurePrices final : public ports::PriceSource {
public:
    // `machines` says where the subscription has machines; null if the settings name the regions. `tuning.realClock` is
    // compared with the server's.
    AzurePrices(const model::SourceSettings &settings, PriceSettings prices, std::unique_ptr<ComputeApi> machines,
                const std::shared_ptr<http::HttpClient> &client, const Tuning &tuning);

    const std::string &name() const override { return m_name; }
    std::string provider() const override { return "azure"; }
    std::vector<std::string> lists() const override;
    [[nodiscard]] base::Result<ports::PricesTold> read(const ports::PricesAsked &asked, std::stop_token stop) override;
    [[nodiscard]] base::Result<std::vector<ports::Finding>> probe(std::stop_token stop) override;

private:
    base::Result<std::set<std::string>> regions(const KnownMachines &known, const std::stop_token &stop);
    base::Result<std::string> ask(const std::string &url, const std::stop_token &stop);
    base::Result<void> readRegion(const std::string &region, RetailPrices &prices, const std::stop_token &stop);

    std::string m_name;
    PriceSettings m_prices;
    std::unique_ptr<ComputeApi> m_machines;
    const base::Clock *m_realClock;
    AzureApi m_service;
};

// For the catalogue. Fails with InvalidConfig.
[[nodiscard]] base::Result<std::unique_ptr<ports::PriceSource>>
makeAzurePrices(const model::SourceSettings &settings, ports::SecretStore &secrets, const base::Clock &realClock,
                const std::shared_ptr<http::HttpClient> &client);

} // namespace gpuledger::azure
