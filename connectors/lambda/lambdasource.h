// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/format/monthlybill.h"
#include "connectors/lambda/instance.h"
#include "connectors/lambda/lambdaapi.h"

#include <memory>
#include <string>
#include <vector>

namespace gpuledger::lambda {

// What the instances of a Lambda account cost, estimated from the times at which syncs saw them. The first delivery is
// a look at the instances, without lines of its own; each other one is a month. Threads and errors: see
// ports::CostSource and format::MonthlyBill; import() also fails with the errors of auth::KeyedApi::get,
// readInstances, wrongClock and keepSighting.
class LambdaSource final : public ports::CostSource {
public:
    // `clock` tells when an answer was given and which days are over, `realClock` whether it can be right. Both and
    // `secrets` must outlive the source.
    LambdaSource(const model::SourceSettings &settings, const auth::KeyedSettings &keyed, ports::SecretStore &secrets,
                 const base::Clock &clock, const base::Clock &realClock, std::shared_ptr<http::HttpClient> client,
                 auth::KeyedTuning tuning = standardTuning());

    const std::string &name() const override { return m_bill.name(); }
    [[nodiscard]] base::Result<std::vector<ports::BillDelivery>> deliveries(std::stop_token stop) override;
    [[nodiscard]] base::Result<ports::ProbeReport> probe(std::stop_token stop) override;
    [[nodiscard]] base::Result<ports::ImportReport> import(const ports::BillDelivery &delivery, ports::BillSink &sink,
                                                           std::stop_token stop) override;

private:
    // Those that exist now.
    [[nodiscard]] base::Result<std::vector<ListedInstance>> instances(const std::stop_token &stop);
    [[nodiscard]] base::Result<ports::ImportReport> look(ports::BillSink &sink, const std::stop_token &stop);
    [[nodiscard]] base::Result<ports::ImportReport> month(const ports::BillDelivery &delivery, ports::BillSink &sink,
                                                          const std::stop_token &stop);

    format::MonthlyBill m_bill;
    const base::Clock &m_clock;
    const base::Clock &m_realClock;
    auth::KeyedApi m_api;
};

// For the catalogue. Fails with InvalidConfig (no key, a wrong url or option).
[[nodiscard]] base::Result<std::unique_ptr<ports::CostSource>>
makeLambdaSource(const model::SourceSettings &settings, ports::SecretStore &secrets, const base::Clock &clock,
                 const base::Clock &realClock, std::shared_ptr<http::HttpClient> client);

} // namespace gpuledger::lambda
