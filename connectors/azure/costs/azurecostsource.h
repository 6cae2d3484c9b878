// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/ports/costsource.h"
#include "connectors/azure/budgets/azurebudgets.h"
#include "connectors/azure/commitments/azurecommitments.h"
#include "connectors/azure/costs/costapi.h"
#include "connectors/azure/costs/costquestion.h"
#include "connectors/azure/costs/keptmonth.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace gpuledger::azure {

// The bill of a scope from Cost Management, day by day, as actual (billed) and amortized (effective) cost. A delivery
// is one month; what was answered is kept in the sink (BillSink::keep), so that a month that is final is never asked
// for again. Threads and errors: see ports::CostSource; import() also fails with the errors of CostApi::post and
// CostAnswer::add.
class AzureCostSource final : public ports::CostSource {
public:
    // How far back Cost Management has days: this many whole months before the current one.
    static constexpr int kMostMonths = 36;
    static constexpr int kMostPages = 500; // of one question

    // `clock` tells which days are over. It and `secrets` must outlive the source. The probe tells of `budgets`
    // and `commitments`; null: it does not.
    AzureCostSource(const model::SourceSettings &settings, CostSettings costs, ports::SecretStore &secrets,
                    const base::Clock &clock, std::shared_ptr<http::HttpClient> client, Tuning tuning = {},
                    std::unique_ptr<AzureBudgets> budgets = nullptr,
                    std::unique_ptr<AzureCommitments> commitments = nullptr);

    const std::string &name() const override { return m_name; }
    [[nodiscard]] base::Result<std::vector<ports::BillDelivery>> deliveries(std::stop_token stop) override;
    [[nodiscard]] base::Result<ports::ProbeReport> probe(std::stop_token stop) override;
    // Also fails with NotFound for a month that deliveries() does not list.
    [[nodiscard]] base::Result<ports::ImportReport> import(const ports::BillDelivery &delivery, ports::BillSink &sink,
                                                           std::stop_token stop) override;

private:
    std::vector<base::TimeRange> months() const; // ascending
    [[nodiscard]] base::Result<KeptMonth> kept(const base::TimeRange &month, ports::BillSink &sink) const;
    [[nodiscard]] base::Result<void> refresh(KeptMonth &month, ports::BillSink &sink, const std::stop_token &stop);
    [[nodiscard]] base::Result<CostAnswers> view(bool isEffective, const base::TimeRange &days,
                                                 const std::stop_token &stop);
    // Asks again in two halves where the answer to a long question has nothing of a day that `total` knows.
    [[nodiscard]] base::Result<CostCells> whole(const CostQuestion &question, const CostCells &total,
                                                const std::stop_token &stop);
    [[nodiscard]] base::Result<CostCells> ask(const CostQuestion &question, const std::stop_token &stop);

    std::string m_name;
    CostSettings m_costs;
    base::Seconds m_firstSync;
    const base::Clock &m_clock;
    CostApi m_api;
    std::unique_ptr<AzureBudgets> m_budgets;
    std::unique_ptr<AzureCommitments> m_commitments;
};

// For the catalogue. Fails with InvalidConfig (no scope or tenant, a wrong url or option).
[[nodiscard]] base::Result<std::unique_ptr<ports::CostSource>>
makeAzureCostSource(const model::SourceSettings &settings, ports::SecretStore &secrets, const base::Clock &clock,
                    const base::Clock &realClock, std::shared_ptr<http::HttpClient> client);
// The budgets of the same scope, with the same login. Fails with InvalidConfig.
[[nodiscard]] base::Result<std::unique_ptr<ports::BudgetSource>>
makeAzureBudgetSource(const model::SourceSettings &settings, ports::SecretStore &secrets, const base::Clock &clock,
                      const base::Clock &realClock, std::shared_ptr<http::HttpClient> client);

} // namespace gpuledger::azure
