// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/ports/budgetsource.h"
#include "app/ports/finding.h"
#include "connectors/azure/managerlist.h"

#include <memory>
#include <string>

namespace gpuledger::azure {

inline constexpr char kBudgetsRight[] = "Microsoft.Consumption/budgets/read";

// The budgets that Azure keeps at one scope. Threads: see ports::BudgetSource.
class AzureBudgets final : public ports::BudgetSource {
public:
    // `scope` is a path: "/subscriptions/…". `clock` tells which period is the current one. It and `secrets` must
    // outlive it.
    AzureBudgets(const model::SourceSettings &settings, std::string scope, const ResourceManager &manager,
                 ports::SecretStore &secrets, const base::Clock &clock, const std::shared_ptr<http::HttpClient> &client,
                 const Tuning &tuning);

    const std::string &name() const override { return m_name; }
    // Also fails with the errors of ManagerList::eachPage. Forbidden names the right; NotFound and Server: Azure may
    // keep no budgets at such a scope.
    [[nodiscard]] base::Result<ports::BudgetList> read(std::stop_token stop) override;
    // What a connection test says of them; a failure is a finding, too. Fails with Cancelled.
    [[nodiscard]] base::Result<ports::Finding> probe(std::stop_token stop);

private:
    std::string m_name, m_scope;
    const base::Clock &m_clock;
    ManagerList m_list;
};

} // namespace gpuledger::azure
