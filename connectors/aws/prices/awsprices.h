// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/aws/awstarget.h"
#include "connectors/aws/prices/spothistory.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::aws {

// The prices of one region of an AWS account for Linux: spot prices of each zone with their history, and prices on
// demand, as two lists. Only types that the program's catalogue has are asked for. With spot prices also its placement
// scores. Threads and errors: see
// ports::PriceSource; calls also fail with the errors of CredentialChain::get.
class AwsPrices final : public ports::PriceSource {
public:
    // `settings.auth.region` must be a region. `clock` must return the real time: signatures depend on it.
    AwsPrices(const model::SourceSettings &settings, std::vector<std::string> lists, const base::Clock &clock,
              const std::shared_ptr<http::HttpClient> &client, const Tuning &tuning = {});

    const std::string &name() const override { return m_name; }
    std::string provider() const override { return "aws"; }
    std::vector<std::string> lists() const override { return m_lists; }
    [[nodiscard]] base::Result<ports::PricesTold> read(const ports::PricesAsked &asked, std::stop_token stop) override;
    bool ratesPlacement() const override;
    // Asks again without the types that EC2 does not know in the region; the rating's `asked` lacks them.
    [[nodiscard]] base::Result<model::PlacementRating> placement(const model::PlacementQuestion &asked,
                                                                 base::UtcTime now, std::stop_token stop) override;
    [[nodiscard]] base::Result<std::vector<ports::Finding>> probe(std::stop_token stop) override;

private:
    [[nodiscard]] base::Result<ports::PricesTold> spot(const ports::PricesAsked &asked, const std::stop_token &stop);
    [[nodiscard]] base::Result<ports::PricesTold> onDemand(const ports::PricesAsked &asked,
                                                           const std::stop_token &stop);
    // `refused` are the types that EC2 does not know, if it fails for that reason.
    [[nodiscard]] base::Result<model::PlacementRating> rating(const model::PlacementQuestion &asked, base::UtcTime now,
                                                              std::vector<std::string> &refused,
                                                              const std::stop_token &stop);
    // Empty: EC2 said nothing about the right.
    [[nodiscard]] base::Result<std::optional<ports::Finding>> placementRight(const std::stop_token &stop);

    std::string m_name, m_region;
    std::vector<std::string> m_lists;
    AwsApi m_ec2, m_priceList;
};

// The setting `prices` of the kind.
inline constexpr std::string_view kPricesKey = "prices";

// For the catalogue. Fails with InvalidConfig (no sigv4, no region, a wrong url, or a word for prices that is none).
[[nodiscard]] base::Result<std::unique_ptr<ports::PriceSource>>
makeAwsPrices(const model::SourceSettings &settings, const base::Clock &clock,
              const std::shared_ptr<http::HttpClient> &client);

} // namespace gpuledger::aws
