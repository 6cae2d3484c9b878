// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/spot/spotestimate.h"
#include "ui/cli/program/command.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::cli {

struct WorkOffersAnswer;

// estimate: what work would cost on spot machines, and when it would end; without prices, on each machine that price
// lists offer. Reads the files it is given and no cache.
class EstimateCommand final : public Command {
public:
    void addTo(CLI::App &parent) override;
    bool chosen() const override { return parsed(m_verb); }
    [[nodiscard]] base::Result<int> run(Session &session) override;

private:
    bool asksForOffers() const; // no price and no interruptions are given
    base::Result<int> estimate(Session &session) const;
    base::Result<int> listOffers(Session &session) const;
    base::Result<WorkOffersAnswer> offers(Session &session, const savings::SpotWork &work) const;
    base::Result<void> refuseOfferOptions() const;
    base::Result<void> refuseHistoryOptions() const;
    base::Result<savings::SpotQuestion> question(const Session &session) const;
    base::Result<std::uint64_t> seed() const;
    base::Result<std::optional<base::Money>> maxCost(base::Currency currency) const;
    base::Result<void> readWork(savings::SpotWork &work, base::UtcTime now) const;
    // Seconds after the start.
    base::Result<std::int64_t> deadline(base::UtcTime now) const;
    base::Result<void> readPrices(savings::SpotWork &work, base::Currency currency) const;
    base::Result<void> readHistory(savings::SpotQuestion &question) const;
    base::Result<void> readZones(savings::SpotQuestion &question, const std::vector<savings::SpotTrace> &traces) const;
    base::Result<void> readRate(savings::SpotQuestion &question) const;

    CLI::App *m_verb = nullptr;
    // As typed.
    std::string m_model, m_gpus = "1", m_hours, m_every, m_cost = "0", m_restart = "0", m_deadline, m_onDemand, m_spot,
                         m_file, m_rate, m_start, m_horizon, m_seed = "1", m_maxCost;
    bool m_diversify = false;
    std::vector<std::string> m_zones, m_regions, m_priceLists, m_own;
};

} // namespace gpuledger::cli
