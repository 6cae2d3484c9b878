// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/auth/keyedapi.h"
#include "connectors/coreweave/costlines.h"
#include "connectors/format/monthlybill.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace gpuledger::coreweave {

// What the nodes at CoreWeave cost, estimated from how many it counts and the user's rate card. Threads and errors: see
// ports::CostSource and format::MonthlyBill; import() also fails with the errors of RateCard::read,
// auth::KeyedApi::get, readDay, countsOf and estimateOf.
class CoreweaveSource final : public ports::CostSource {
public:
    // `secrets` and `clock` must outlive the source.
    CoreweaveSource(const model::SourceSettings &settings, const auth::KeyedSettings &keyed,
                    ports::SecretStore &secrets, const base::Clock &clock, std::shared_ptr<http::HttpClient> client,
                    auth::KeyedTuning tuning = {});

    const std::string &name() const override { return m_bill.name(); }
    [[nodiscard]] base::Result<std::vector<ports::BillDelivery>> deliveries(std::stop_token stop) override;
    [[nodiscard]] base::Result<ports::ProbeReport> probe(std::stop_token stop) override;
    [[nodiscard]] base::Result<ports::ImportReport> import(const ports::BillDelivery &delivery, ports::BillSink &sink,
                                                           std::stop_token stop) override;

private:
    struct Counted {
        MonthCounts month;
        bool isNew = false; // a day was asked for
    };
    // Asks for the days that are due, and keeps each answer.
    [[nodiscard]] base::Result<Counted> counted(const format::AskedMonth &asked, ports::BillSink &sink,
                                                const std::stop_token &stop);

    format::MonthlyBill m_bill;
    std::filesystem::path m_rates;
    const base::Clock &m_clock;
    auth::KeyedApi m_api;
};

// For the catalogue. Fails with InvalidConfig (no key or a wrong url).
[[nodiscard]] base::Result<std::unique_ptr<ports::CostSource>>
makeCoreweaveSource(const model::SourceSettings &settings, ports::SecretStore &secrets, const base::Clock &clock,
                    std::shared_ptr<http::HttpClient> client);

} // namespace gpuledger::coreweave
