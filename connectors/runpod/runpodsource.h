// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/auth/keyedapi.h"
#include "connectors/format/monthlybill.h"
#include "connectors/runpod/billlines.h"

#include <memory>
#include <string>
#include <vector>

namespace gpuledger::runpod {

// The bill of a RunPod account, day by day. A delivery is one month. Threads and errors: see ports::CostSource and
// format::MonthlyBill; import() also fails with the errors of auth::KeyedApi::get, readRecords and addDifferences.
class RunpodSource final : public ports::CostSource {
public:
    // `clock` tells which days are over. It and `secrets` must outlive the source.
    RunpodSource(const model::SourceSettings &settings, const auth::KeyedSettings &keyed, ports::SecretStore &secrets,
                 const base::Clock &clock, std::shared_ptr<http::HttpClient> client, auth::KeyedTuning tuning = {});

    const std::string &name() const override { return m_bill.name(); }
    [[nodiscard]] base::Result<std::vector<ports::BillDelivery>> deliveries(std::stop_token stop) override;
    [[nodiscard]] base::Result<ports::ProbeReport> probe(std::stop_token stop) override;
    [[nodiscard]] base::Result<ports::ImportReport> import(const ports::BillDelivery &delivery, ports::BillSink &sink,
                                                           std::stop_token stop) override;

private:
    [[nodiscard]] base::Result<std::vector<BillRow>> ask(const base::TimeRange &days, const std::stop_token &stop);
    // Those that are listed now and those that were; a key that may not list pods has no names.
    [[nodiscard]] base::Result<PodNames> names(ports::BillSink &sink, const std::stop_token &stop);

    format::MonthlyBill m_bill;
    const base::Clock &m_clock;
    auth::KeyedApi m_api;
};

// For the catalogue. Fails with InvalidConfig (no key, a wrong url or option).
[[nodiscard]] base::Result<std::unique_ptr<ports::CostSource>>
makeRunpodSource(const model::SourceSettings &settings, ports::SecretStore &secrets, const base::Clock &clock,
                 std::shared_ptr<http::HttpClient> client);

} // namespace gpuledger::runpod
