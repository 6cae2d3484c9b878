// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/ports/costsource.h"
#include "connectors/demo/clouds/cloudaccounts.h"

#include <memory>
#include <string>
#include <vector>

namespace gpuledger::demo {

// The bills of one account of the demo company, a month each, as DemoBills. Threads and errors: see ports::CostSource.
class CloudBills final : public ports::CostSource {
public:
    // Fails with InvalidConfig. The clock must outlive the source.
    [[nodiscard]] static base::Result<std::unique_ptr<ports::CostSource>> create(const model::SourceSettings &settings,
                                                                                 const base::Clock &clock);

    CloudBills(std::string name, const CloudAccount &account, const Options &options, const base::Clock &clock);

    const std::string &name() const override { return m_name; }
    [[nodiscard]] base::Result<std::vector<ports::BillDelivery>> deliveries(std::stop_token stop) override;
    [[nodiscard]] base::Result<ports::ProbeReport> probe(std::stop_token stop) override;
    // Fails with NotFound for a file that deliveries() does not list.
    [[nodiscard]] base::Result<ports::ImportReport> import(const ports::BillDelivery &delivery, ports::BillSink &sink,
                                                           std::stop_token stop) override;

private:
    std::vector<BillMonth> months() const; // ascending; only those in which something was rented
    std::string fileOf(const BillMonth &bill) const;

    std::string m_name;
    const CloudAccount &m_account; // one of a constant table
    Options m_options;
    const base::Clock &m_clock;
    std::vector<CloudMachine> m_machines;
};

} // namespace gpuledger::demo
