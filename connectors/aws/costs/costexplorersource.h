// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/model/settings.h"
#include "app/ports/costsource.h"
#include "connectors/aws/awsapi.h"
#include "connectors/aws/awstarget.h"
#include "connectors/aws/costs/costexplorer.h"
#include "connectors/aws/costs/keptcosts.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::aws {

// The settings of a source in its own terms.
struct CostOptions {
    CostQuery query;
    std::string account; // number of the account whose bill it is; empty: that of the credentials
    base::Seconds refresh{86400}; // days that are not final are asked for at most this often
    std::uint64_t mostRequests = 100; // paid ones, in one sync
    bool readsCommitments = true; // Savings Plans and reservations

    // Fails with InvalidConfig.
    [[nodiscard]] static base::Result<CostOptions> of(const model::SourceSettings &settings);
};

// The bill of an AWS account from Cost Explorer, day by day. A delivery is one month; what was answered is kept in the
// sink (BillSink::keep), so that a day that is final is never paid for again. Threads and errors: see
// ports::CostSource; import() also fails with the errors of CostExplorer::days.
class CostExplorerSource final : public ports::CostSource {
public:
    // How far back Cost Explorer has days: this many whole months before the current one.
    static constexpr int kMostMonths = 13;

    // `clock` tells which days are over, `realClock` signs. Both must outlive it.
    CostExplorerSource(const model::SourceSettings &settings, CostOptions options, const base::Clock &clock,
                       const base::Clock &realClock, std::shared_ptr<http::HttpClient> client, Tuning tuning = {});

    const std::string &name() const override { return m_name; }
    [[nodiscard]] base::Result<std::vector<ports::BillDelivery>> deliveries(std::stop_token stop) override;
    [[nodiscard]] base::Result<ports::ProbeReport> probe(std::stop_token stop) override;
    // Also fails with NotFound for a month that deliveries() does not list.
    [[nodiscard]] base::Result<ports::ImportReport> import(const ports::BillDelivery &delivery, ports::BillSink &sink,
                                                           std::stop_token stop) override;
    std::optional<ports::PaidCalls> paid() const override { return paidFor(m_requests); }

private:
    std::vector<base::TimeRange> months() const; // ascending
    std::string fileOf(const base::TimeRange &month) const;
    [[nodiscard]] base::Result<KeptMonth> kept(const base::TimeRange &month, ports::BillSink &sink) const;
    [[nodiscard]] base::Result<void> refresh(KeptMonth &month, ports::BillSink &sink, const std::stop_token &stop);
    [[nodiscard]] base::Result<void> ask(KeptMonth &month, const base::TimeRange &days, ports::BillSink &sink,
                                         const std::stop_token &stop);
    [[nodiscard]] base::Result<void> nameAccounts(KeptMonth &month, ports::BillSink &sink, const std::stop_token &stop);

    std::string m_name;
    CostOptions m_options;
    base::Seconds m_firstSync;
    const base::Clock &m_clock;
    AwsApi m_api;
    std::string m_account; // found so far; empty: not yet
    std::optional<AccountNames> m_organization; // its names; std::nullopt: not looked up since deliveries()
    std::uint64_t m_requests = 0; // paid ones so far
};

// For the catalogue. Fails with InvalidConfig (no sigv4, no region, a wrong url or option).
[[nodiscard]] base::Result<std::unique_ptr<ports::CostSource>>
makeCostExplorerSource(const model::SourceSettings &settings, const base::Clock &clock, const base::Clock &realClock,
                       std::shared_ptr<http::HttpClient> client);

} // namespace gpuledger::aws
