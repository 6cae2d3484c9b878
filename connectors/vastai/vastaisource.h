// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/format/monthlybill.h"
#include "connectors/vastai/charge.h"
#include "connectors/vastai/vastaiapi.h"

#include <memory>
#include <string>
#include <vector>

namespace gpuledger::vastai {

// The bill of a Vast.ai account, day by day. A delivery is one month. Threads and errors: see ports::CostSource and
// format::MonthlyBill; import() also fails with the errors of getPages, readPage, checkWhole and bookedCharges.
class VastaiSource final : public ports::CostSource {
public:
    // `clock` tells which days are over. It and `secrets` must outlive the source.
    VastaiSource(const model::SourceSettings &settings, const auth::KeyedSettings &keyed, ports::SecretStore &secrets,
                 const base::Clock &clock, std::shared_ptr<http::HttpClient> client,
                 auth::KeyedTuning tuning = standardTuning());

    const std::string &name() const override { return m_bill.name(); }
    [[nodiscard]] base::Result<std::vector<ports::BillDelivery>> deliveries(std::stop_token stop) override;
    [[nodiscard]] base::Result<ports::ProbeReport> probe(std::stop_token stop) override;
    [[nodiscard]] base::Result<ports::ImportReport> import(const ports::BillDelivery &delivery, ports::BillSink &sink,
                                                           std::stop_token stop) override;

private:
    // One question; `amounts` counts those of the month.
    [[nodiscard]] base::Result<std::vector<Charge>> charges(const base::TimeRange &days, std::size_t &amounts,
                                                            const std::stop_token &stop);
    // As a whole and day by day.
    [[nodiscard]] base::Result<std::vector<Charge>> ask(const base::TimeRange &days, const std::stop_token &stop);
    // Those that exist now.
    [[nodiscard]] base::Result<InstanceNames> instances(const std::stop_token &stop);
    // Those that exist now and those that did; a key that may not list instances has no names.
    [[nodiscard]] base::Result<InstanceNames> names(ports::BillSink &sink, const std::stop_token &stop);

    format::MonthlyBill m_bill;
    const base::Clock &m_clock;
    auth::KeyedApi m_api;
};

// For the catalogue. Fails with InvalidConfig (no key, a wrong url or option).
[[nodiscard]] base::Result<std::unique_ptr<ports::CostSource>>
makeVastaiSource(const model::SourceSettings &settings, ports::SecretStore &secrets, const base::Clock &clock,
                 std::shared_ptr<http::HttpClient> client);

} // namespace gpuledger::vastai
