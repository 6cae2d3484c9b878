// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"
#include "app/model/settings.h"
#include "app/ports/pricesource.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gpuledger::demo {

// How likely the demo company's AWS grants spot machines, in each zone of the source's region: the same for a day, and
// the lower the more machines are asked for. It tells no prices. Threads and errors: see ports::PriceSource.
class DemoPlacement final : public ports::PriceSource {
public:
    // Fails with InvalidConfig.
    [[nodiscard]] static base::Result<std::unique_ptr<ports::PriceSource>>
    create(const model::SourceSettings &settings);

    DemoPlacement(std::string name, std::string region, std::uint64_t seed);

    const std::string &name() const override { return m_name; }
    std::string provider() const override { return "aws"; }
    std::vector<std::string> lists() const override { return {}; }
    // Fails with Unsupported.
    [[nodiscard]] base::Result<ports::PricesTold> read(const ports::PricesAsked &asked, std::stop_token stop) override;
    bool ratesPlacement() const override { return true; }
    [[nodiscard]] base::Result<model::PlacementRating> placement(const model::PlacementQuestion &question,
                                                                 base::UtcTime now, std::stop_token stop) override;
    [[nodiscard]] base::Result<std::vector<ports::Finding>> probe(std::stop_token stop) override;

private:
    std::string m_name, m_region;
    std::uint64_t m_seed;
};

} // namespace gpuledger::demo
