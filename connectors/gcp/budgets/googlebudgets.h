// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/ports/budgetsource.h"
#include "app/ports/finding.h"
#include "connectors/gcp/billsettings.h"
#include "connectors/gcp/googleapi.h"

#include <memory>
#include <string>
#include <vector>

namespace gpuledger::gcp {

// The budgets of the billing account whose bill a source of the kind `gcp-billing` reads, from the Cloud Billing Budget
// API. Google does not tell what was spent. Threads and errors: see ports::BudgetSource; read() also fails with
// InvalidConfig (the billing account is not known), NotFound (there is none of this id, or the address has no budgets)
// and the errors of GoogleToken::get.
class GoogleBudgets final : public ports::BudgetSource {
public:
    static constexpr std::size_t kMostPages = 1000; // Google allows 50,000 budgets, in pages of 100

    // `clock` tells which period is the current one. It, `realClock` and `secrets` must outlive the source.
    GoogleBudgets(const model::SourceSettings &settings, const BillSettings &bill, ports::SecretStore &secrets,
                  const base::Clock &clock, const base::Clock &realClock, std::shared_ptr<http::HttpClient> client,
                  const Tuning &tuning = {});

    const std::string &name() const override { return m_name; }
    [[nodiscard]] base::Result<ports::BudgetList> read(std::stop_token stop) override;
    // How many there are, or why they can't be read, which leaves the bill as it is. Fails with Cancelled only.
    [[nodiscard]] base::Result<std::vector<ports::Finding>> probe(const std::stop_token &stop);

private:
    std::string pageUrl(const std::string &token) const;

    std::string m_name, m_account, m_address; // id of the billing account; empty: not known
    const base::Clock &m_clock;
    GoogleApi m_api;
};

// For the catalogue. Fails with the errors of BillSettings::of.
[[nodiscard]] base::Result<std::unique_ptr<ports::BudgetSource>>
makeGoogleBudgets(const model::SourceSettings &settings, ports::SecretStore &secrets, const base::Clock &clock,
                  const base::Clock &realClock, std::shared_ptr<http::HttpClient> client);

} // namespace gpuledger::gcp
