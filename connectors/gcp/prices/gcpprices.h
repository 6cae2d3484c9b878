// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/ports/pricesource.h"
#include "connectors/gcp/googleapi.h"
#include "connectors/gcp/prices/catalogskus.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::gcp {

// The list prices of Google Cloud in all regions, in US dollars, summed up from those of the parts of machines: on
// demand, spot, and commitments for one and three years, as three lists that share one reading of the catalogue. Only
// types that the program's catalogue has are priced. Threads and errors: see ports::PriceSource; calls also fail with
// the errors of GoogleToken::get.
class GcpPrices final : public ports::PriceSource {
public:
    // `catalog`: address of the Cloud Billing API without a path. `secrets` and `realClock` must outlive it.
    GcpPrices(const model::SourceSettings &settings, std::vector<std::string> lists, std::string catalog,
              ports::SecretStore &secrets, const base::Clock &realClock, std::shared_ptr<http::HttpClient> client,
              const Tuning &tuning = {});

    const std::string &name() const override { return m_name; }
    std::string provider() const override { return "gcp"; }
    std::vector<std::string> lists() const override { return m_lists; }
    [[nodiscard]] base::Result<ports::PricesTold> read(const ports::PricesAsked &asked, std::stop_token stop) override;
    [[nodiscard]] base::Result<std::vector<ports::Finding>> probe(std::stop_token stop) override;

private:
    std::string pageUrl(int most, const std::string &token) const;
    base::Result<CatalogSkus> readCatalog(const ports::PricesAsked &asked, const std::stop_token &stop);

    std::string m_name, m_catalog;
    std::vector<std::string> m_lists;
    GoogleApi m_api;
    struct Reading {
        base::UtcTime at{};
        CatalogSkus skus;
    };
    std::optional<Reading> m_reading; // of the first list, for the others
};

// The setting of the address, and that of the lists.
inline constexpr std::string_view kPricesAddressKey = "prices_url", kGooglePricesKey = "prices";

// For the catalogue. Fails with InvalidConfig (no access, a wrong address, or a word for prices that is none).
[[nodiscard]] base::Result<std::unique_ptr<ports::PriceSource>> makeGcpPrices(const model::SourceSettings &settings,
                                                                              ports::SecretStore &secrets,
                                                                              const base::Clock &realClock,
                                                                              std::shared_ptr<http::HttpClient> client);

} // namespace gpuledger::gcp
