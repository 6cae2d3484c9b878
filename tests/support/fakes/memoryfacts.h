// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/factbatch.h"
#include "app/store/facts/factreader.h"
#include "app/store/values/cube.h"

#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace gpuledger::tests {

// Facts in memory, with the same natural keys as the cache: ids are assigned in order of appearance.
class MemoryFacts : public store::FactReader {
public:
    void add(const ports::FactBatch &batch);

    base::Result<std::vector<model::Node>> nodes() override { return m_nodes; }
    base::Result<std::vector<model::Device>> devices() override { return m_devices; }
    base::Result<std::vector<model::Subject>> subjects() override { return m_subjects; }
    base::Result<std::vector<model::Holder>> holders(base::TimeRange range) override;
    base::Result<std::vector<store::HolderSpan>> holderSpans(base::TimeRange range) override;
    base::Result<std::vector<std::string>> clustersWithHolders() override;
    base::Result<std::vector<store::NodeSpan>> nodeSpans(base::TimeRange range) override;
    base::Result<std::vector<store::Placement>> placements(base::TimeRange range) override;
    base::Result<void> deviceDays(base::Day first, base::Day last, std::span<const base::DeviceId> devices,
                                  const DayVisitor &visit) override;
    base::Result<bool> hasSignals() override { return !m_signals.empty(); }
    base::Result<std::vector<model::SignalHour>> signalHours(model::HourSignal signal, std::int64_t of,
                                                             std::int64_t first, std::int64_t last) override;
    base::Result<base::TimeRange> coveredRange() override { return m_covered; }

private:
    // (device, instance, subject, node, role)
    using TrackKey = std::tuple<std::int64_t, std::string, std::int64_t, std::int64_t, model::SeriesRole>;

    base::TimeRange m_covered;
    std::vector<model::Node> m_nodes;
    std::vector<model::Device> m_devices;
    std::vector<model::Subject> m_subjects;
    std::vector<model::Holder> m_holders;
    std::map<std::int64_t, std::vector<base::TimeRange>> m_nodeSpans, m_holderSpans; // ascending, merged
    std::map<TrackKey, std::map<std::int64_t, model::UsageBucket>> m_usage; // by bucket number
    std::map<std::tuple<model::HourSignal, std::int64_t, std::int64_t>, model::SignalHour> m_signals; // by id and hour
};

// The roll-up in memory.
class MemoryCube final : public store::CubeWriter, public store::CubeReader {
public:
    base::Result<void> replaceDay(base::Day day, const std::map<store::GroupKey, store::GroupDay> &groups) override;
    base::Result<std::vector<std::pair<base::GroupId, store::GroupKey>>> groups() override;
    base::Result<void> rows(base::Day first, base::Day last, const std::vector<store::Measure> &measures,
                            const std::vector<char> &wanted, const RowVisitor &visit) override;

private:
    std::map<store::GroupKey, std::int64_t> m_ids;
    std::map<std::pair<base::Day, std::int64_t>, store::GroupDay> m_days;
};

} // namespace gpuledger::tests
