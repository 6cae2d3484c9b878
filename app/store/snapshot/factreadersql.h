// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/bills/billreader.h"
#include "app/store/codecs/usagecodec.h"
#include "app/store/facts/factreader.h"
#include "app/store/idle/idlestore.h"
#include "app/store/sqlite/database.h"
#include "app/store/sqlite/readerpool.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gpuledger::store {

// FactReader on one connection that is in a transaction: the writer's (then it sees what is not committed yet) or a
// session of its own. The owner keeps the writer's connection and its transaction alive.
class FactReaderSql final : public FactReader {
public:
    // How a day's bills are read: as summed when they were written, or from each line.
    enum class Bills { ByDay, ByLine };

    explicit FactReaderSql(Database &database)
        : m_db(database)
    {
    }
    explicit FactReaderSql(std::unique_ptr<ReadSession> session, Bills from = Bills::ByDay)
        : m_session(std::move(session))
        , m_db(m_session->database())
        , m_from(from)
    {
    }
    std::any *derived() override { return &m_derived; }
    base::Result<std::vector<model::Node>> nodes() override;
    base::Result<std::vector<model::Node>> nodesWithoutLabels() override;
    base::Result<std::vector<model::Device>> devices() override;
    base::Result<std::vector<ClusterSize>> clusterSizes() override;
    base::Result<std::vector<model::Subject>> subjects() override;
    base::Result<void> eachSubject(const SubjectVisitor &visit) override;
    base::Result<std::vector<model::Holder>> holders(base::TimeRange range) override;
    base::Result<void> eachHolder(base::TimeRange range, const HolderVisitor &visit) override;
    base::Result<std::vector<HolderSpan>> holderSpans(base::TimeRange range) override;
    base::Result<void> eachWanted(base::TimeRange range, const HolderFilter &wanted,
                                  const HolderSpansVisitor &visit) override;
    base::Result<std::vector<std::string>> clustersWithHolders() override;
    base::Result<std::vector<NodeSpan>> nodeSpans(base::TimeRange range) override;
    base::Result<std::vector<Placement>> placements(base::TimeRange range) override;
    base::Result<void> eachPlacement(base::TimeRange range, const PlacementVisitor &visit) override;
    base::Result<void> eachPlacementOf(std::span<const base::DeviceId> devices, base::TimeRange range,
                                       const PlacementVisitor &visit) override;
    base::Result<std::vector<DeviceNode>> deviceNodes() override;
    base::Result<void> deviceDays(base::Day first, base::Day last, std::span<const base::DeviceId> devices,
                                  const DayVisitor &visit) override;
    base::Result<bool> hasSignals() override;
    base::Result<std::vector<model::SignalHour>> signalHours(model::HourSignal signal, std::int64_t of,
                                                             std::int64_t first, std::int64_t last) override;
    base::Result<PastWaiting> pastWaiting(base::TimeRange range) override;
    base::Result<base::TimeRange> coveredRange() override;
    base::Result<void> billedOn(base::Day day, const BilledVisitor &visit) override;
    base::Result<void> allocatedOn(base::Day day, const AllocatedVisitor &visit) override;
    // On the same connection.
    BillReader &bills();
    base::Result<IdleReader *> keptIdle(const std::string &fingerprint) override;

private:
    base::Result<void> visitDay(std::int64_t rowId, std::string_view blob, const DayVisitor &visit);

    struct Text { // every form in which a text may be read
        std::string value;
        model::Labels labels;
        std::map<std::string, std::int64_t> counts;
    };
    base::Result<const Text *> textOf(std::optional<std::int64_t> id);
    base::Result<model::Holder> holderAt(const Statement &row);
    base::Result<void> loadNameSpaces();

    std::any m_derived;
    std::unique_ptr<ReadSession> m_session; // may be null
    Database &m_db;
    const Bills m_from = Bills::ByDay;
    UsageCodec m_codec;
    std::unordered_map<std::int64_t, std::pair<std::string, std::string>> m_nameSpaces; // cluster and name
    std::unordered_map<std::int64_t, Text> m_texts;
    std::unique_ptr<IdleReaderSql> m_idle;
    std::unique_ptr<BillReader> m_bills;
};

} // namespace gpuledger::store
