// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/ledger.h"
#include "tests/support/fakes/memoryfacts.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::tests {

// A fleet described second by second: instants are seconds since the scenario's start, which is midnight UTC.
class Scenario {
public:
    static constexpr std::uint32_t kNone = ports::FactBatch::kNone;
    static constexpr std::int64_t kDaySeconds = 86400;

    explicit Scenario(int days = 1, std::string_view start = "2026-11-02");

    base::UtcTime at(std::int64_t second) const { return m_start + base::Seconds{second}; }
    base::Day day(int offset = 0) const { return {base::dayOf(m_start).number + offset}; }
    base::TimeRange covered() const { return batch.covered; }

    // With a record for the whole time; pass `recorded` = false for none.
    std::uint32_t node(const std::string &name, const model::Labels &labels = {}, bool recorded = true);
    std::uint32_t device(const std::string &uuid, int index = 0);
    std::uint32_t slice(std::uint32_t deviceIndex, const std::string &instance, model::Fraction fraction);
    std::uint32_t label(const std::string &name, const std::string &uid = {}, bool exporterLike = false);
    std::uint32_t pod(const std::string &name, const std::string &uid, const std::string &nodeName,
                      std::int64_t requested = 1, const std::string &resource = "nvidia_com_gpu");
    void runs(std::uint32_t holder, std::int64_t from, std::int64_t to);
    // A series that reported one activity in [from, to) (percent; negative: no valid sample).
    void reports(std::uint32_t device, std::uint32_t subject, std::uint32_t node, std::int64_t from, std::int64_t to,
                 double percent, const std::string &instance = {}, model::SeriesRole role = model::SeriesRole::Slice);

    ports::FactBatch batch;

private:
    base::UtcTime m_start;
};

// One attributed part, with names in place of indices.
struct PartRow {
    std::int64_t bucket = 0; // since the scenario's start
    std::string device, holder, uid, team, node; // holder and uid empty: none
    model::UsagePart part;
    bool inferred = false;
};

// Every part of the days [first, last] of the scenario. Ends the test on an error.
std::vector<PartRow> attributed(const Scenario &scenario, const model::Settings &settings, int first = 0, int last = 0);
// Seconds (of a whole device) of a holder in a state; without a state, all of them.
double secondsOf(const std::vector<PartRow> &rows, const std::string &holder,
                 std::optional<model::GpuState> state = std::nullopt);
// 3.6 USD an hour for every device: a second costs 1,000,000 nano-units.
model::Settings pricedSettings();

} // namespace gpuledger::tests
