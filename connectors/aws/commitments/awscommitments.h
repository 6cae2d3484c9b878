// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/ports/commitmentsource.h"
#include "connectors/aws/awstarget.h"
#include "connectors/aws/commitments/commitmentfacts.h"
#include "connectors/aws/commitments/commitmentquestions.h"
#include "connectors/aws/costs/costexplorersource.h"

#include <memory>
#include <string>

namespace gpuledger::aws {

// What Cost Explorer says of Savings Plans and reservations in the last 30 whole UTC days. Each page of an answer costs
// USD 0.01. Threads and errors: see ports::CommitmentSource; read() also fails with the errors of PaidRequests::ask.
class AwsCommitments final : public ports::CommitmentSource {
public:
    // `realClock` signs, and must outlive it.
    AwsCommitments(const model::SourceSettings &settings, CostOptions options, const base::Clock &realClock,
                   std::shared_ptr<http::HttpClient> client, Tuning tuning = {});

    const std::string &name() const override { return m_name; }
    base::Seconds refresh() const override { return m_options.refresh; }
    // Empty, without a request, where the settings say so.
    [[nodiscard]] base::Result<ports::CommitmentReport> read(base::UtcTime now, std::stop_token stop) override;
    // Nothing: no request that would tell something is free.
    [[nodiscard]] base::Result<std::vector<ports::Finding>> probe(std::stop_token stop) override;
    std::optional<ports::PaidCalls> paid() const override { return paidFor(m_requests); }

private:
    std::string m_name;
    CostOptions m_options;
    base::Currency m_currency;
    AwsApi m_api;
    std::uint64_t m_requests = 0; // paid ones so far
};

// For the catalogue. Fails with InvalidConfig (no sigv4, no region, a wrong url or option).
[[nodiscard]] base::Result<std::unique_ptr<ports::CommitmentSource>>
makeAwsCommitments(const model::SourceSettings &settings, const base::Clock &realClock,
                   std::shared_ptr<http::HttpClient> client);

} // namespace gpuledger::aws
