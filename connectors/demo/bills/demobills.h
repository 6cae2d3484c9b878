// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/model/settings.h"
#include "app/ports/costsource.h"
#include "connectors/demo/bills/billplan.h"

#include <memory>
#include <string>

namespace gpuledger::demo {

// The bills of the demo fleet (options as for DemoSource): one for every month from the first day of its telemetry, or
// from `months` whole months before the current one if that is earlier. A
// day is billed one day after its end; the bill of the current month is delivered again as it grows. Its file names are
// fictitious. Owned by the caller; one call at a time.
class DemoBills final : public ports::CostSource {
public:
    // Fails with InvalidConfig. The clock must outlive the source.
    [[nodiscard]] static base::Result<std::unique_ptr<ports::CostSource>> create(const model::SourceSettings &settings,
                                                                                 const base::Clock &clock);

    DemoBills(std::string name, const Options &options, const base::Clock &clock);

    const std::string &name() const override { return m_name; }
    [[nodiscard]] base::Result<std::vector<ports::BillDelivery>> deliveries(std::stop_token stop) override;
    [[nodiscard]] base::Result<ports::ProbeReport> probe(std::stop_token stop) override;
    // Fails with NotFound for a file that deliveries() does not list.
    [[nodiscard]] base::Result<ports::ImportReport> import(const ports::BillDelivery &delivery, ports::BillSink &sink,
                                                           std::stop_token stop) override;

private:
    std::vector<BillMonth> months() const; // ascending; only months with a billed day
    std::string fileOf(const BillMonth &bill) const;
    [[nodiscard]] base::Result<ports::ImportReport> importMonth(const BillMonth &bill, ports::BillSink &sink,
                                                                const std::stop_token &stop);

    std::string m_name;
    Options m_options;
    const base::Clock &m_clock;
    FleetPlan m_plan;
};

} // namespace gpuledger::demo
