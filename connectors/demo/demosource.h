// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/model/settings.h"
#include "app/ports/telemetrysource.h"
#include "app/ports/waitingsource.h"
#include "connectors/demo/activity/simulation.h"

#include <filesystem>
#include <memory>
#include <string>

namespace gpuledger::demo {

// A simulated fleet as a source of facts: for a tour without a server, for screenshots, tests and benchmarks. Options:
// `seed`, `gpus` (1 to 20,000; also under the name `scale`), `days` (1 to 400). It has data from the start of the UTC
// day `days` days before the clock's current time until then; the same instant always has the same facts, whatever the
// current time. Owned by the caller; one call at a time.
class DemoSource final : public ports::TelemetrySource, public ports::WaitingSource {
public:
    // Fails with InvalidConfig. The clock must outlive the source.
    [[nodiscard]] static base::Result<std::unique_ptr<ports::TelemetrySource>>
    create(const model::SourceSettings &settings, const base::Clock &clock);

    // `deeds`: the file with the users' actions on the simulated platform; empty: none.
    DemoSource(std::string name, const Options &options, const base::Clock &clock, std::filesystem::path deeds = {});

    const std::string &name() const override { return m_name; }
    [[nodiscard]] base::Result<ports::ProbeReport> probe(std::stop_token stop) override;
    // Passes on one batch for each UTC day that the range touches. Fails with InvalidArgument if the range is not
    // aligned to buckets, with Cancelled, or with the sink's error.
    [[nodiscard]] base::Result<void> fetch(base::TimeRange range, ports::FactSink &sink, std::stop_token stop) override;
    [[nodiscard]] base::Result<ports::ActivityAnswer> newestActivity(const ports::ActivityQuestion &question,
                                                                     std::stop_token stop) override;
    // Made up as everything here, with what people stopped taken into account.
    ports::WaitingSource *waiting() override { return this; }
    [[nodiscard]] base::Result<model::WaitingFacts> waitingAt(base::UtcTime at, std::stop_token stop) override;

private:
    std::string m_name;
    Options m_options;
    std::filesystem::path m_deeds;
    const base::Clock &m_clock;
    Simulation m_simulation;
};

} // namespace gpuledger::demo
