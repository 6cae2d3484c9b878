// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/ports/costsource.h"
#include "connectors/runpod/billlines.h"
#include "connectors/runpod/keptmonth.h"
#include "connectors/runpod/runpodapi.h"

#include <memory>
#include <string>
#include <vector>

namespace gpuledger::runpod {

// The settings of a source in its own terms. Value type.
struct BillSettings {
    std::string api; // address before "/v2"
    base::Seconds refresh{6 * 3600}; // months that are not final are asked for at most this often

    // Fails with InvalidConfig.
    [[nodiscard]] static base::Result<BillSettings> of(const model::SourceSettings &settings);
};

// The bill of a RunPod account, day by day. A delivery is one month. Threads and errors: see ports::CostSource;
// import() also fails with the errors of RunpodApi::get, readRecords and addDifferences.
class RunpodSource final : public ports::CostSource {
public:
    static constexpr int kMostMonths = 36; // before the current one

    // `clock` tells which days are over. It and `secrets` must outlive the source.
    RunpodSource(const model::SourceSettings &settings, BillSettings bill, ports::SecretStore &secrets,
                 const base::Clock &clock, std::shared_ptr<http::HttpClient> client, Tuning tuning = {});

    const std::string &name() const override { return m_name; }
    [[nodiscard]] base::Result<std::vector<ports::BillDelivery>> deliveries(std::stop_token stop) override;
    [[nodiscard]] base::Result<ports::ProbeReport> probe(std::stop_token stop) override;
    // Also fails with NotFound for a month that deliveries() does not list.
    [[nodiscard]] base::Result<ports::ImportReport> import(const ports::BillDelivery &delivery, ports::BillSink &sink,
                                                           std::stop_token stop) override;

private:
    std::vector<base::TimeRange> months() const; // ascending
    [[nodiscard]] base::Result<KeptMonth> kept(const base::TimeRange &month, ports::BillSink &sink) const;
    [[nodiscard]] base::Result<std::vector<BillRow>> ask(const base::TimeRange &days, const std::stop_token &stop);
    // Those that are listed now and those that were; a key that may not list pods has no names.
    [[nodiscard]] base::Result<PodNames> names(ports::BillSink &sink, const std::stop_token &stop);

    std::string m_name;
    BillSettings m_bill;
    base::Seconds m_firstSync;
    const base::Clock &m_clock;
    RunpodApi m_api;
};

// For the catalogue. Fails with InvalidConfig (no key, a wrong url or option).
[[nodiscard]] base::Result<std::unique_ptr<ports::CostSource>>
makeRunpodSource(const model::SourceSettings &settings, ports::SecretStore &secrets, const base::Clock &clock,
                 std::shared_ptr<http::HttpClient> client);

} // namespace gpuledger::runpod
