// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/factbatch.h"
#include "app/store/codecs/usagecodec.h"
#include "app/store/facts/spans.h"
#include "app/store/names/names.h"
#include "app/store/sqlite/database.h"

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace gpuledger::store {

// Writes one batch into the fact tables inside the writer's transaction, and collects the days whose roll-up it
// affects. One object per batch.
class FactWriter {
public:
    FactWriter(Database &database, UsageCodec &codec)
        : m_db(database)
        , m_codec(codec)
        , m_names(database)
    {
    }
    // Fails with InvalidArgument (an index or bucket is out of range) or Storage… codes.
    [[nodiscard]] base::Result<void> write(const std::string &source, const ports::FactBatch &batch);
    // Removes fetched marks of the source that lie beyond the newest existing sample, and requested ranges beyond both
    // that sample and now.
    [[nodiscard]] base::Result<void> mend(const std::string &source, base::UtcTime now);
    // Days whose roll-up no longer matches the facts.
    const std::set<base::Day> &touched() const { return m_touched; }

private:
    struct Upsert {
        std::int64_t id = 0;
        bool changed = false; // an attribute of an existing row changed
    };
    using SpanMap = std::map<std::int64_t, Spans>;

    base::Result<void> check(const ports::FactBatch &batch) const;
    void collectEvidence(const ports::FactBatch &batch);
    base::Result<std::int64_t> clusterId(const std::string &name);
    base::Result<void> putSource(const std::string &name);
    base::Result<void> putNodes(const ports::FactBatch &batch);
    base::Result<Upsert> putNode(const model::Node &node, std::int64_t asOf);
    base::Result<void> putDevices(const ports::FactBatch &batch);
    base::Result<Upsert> putDevice(const model::Device &device, std::int64_t asOf);
    base::Result<bool> putSlices(std::int64_t device, const model::Device &facts, std::int64_t asOf);
    base::Result<void> putSubjects(const ports::FactBatch &batch);
    base::Result<void> putHolders(const ports::FactBatch &batch);
    base::Result<std::int64_t> putPlainSubject(Names::Name &name, bool exporterLike);
    base::Result<std::int64_t> putSubjectOf(const Names::Name &name, const model::Subject &subject);
    base::Result<void> touchSubject(std::int64_t subject);
    struct HolderRow { // maps as text, empty for none
        const std::string &name, &uid;
        model::SubjectKind kind;
        std::int64_t asOf;
        std::string node, ownerKind, ownerName, labels, namespaceLabels, gpuRequests;
        std::optional<base::UtcTime> startedAt, completedAt;
        std::optional<model::EndReason> endReason;
    };
    base::Result<Upsert> putHolder(std::int64_t cluster, const model::Holder &holder, std::int64_t asOf);
    static HolderRow rowOf(const model::Holder &holder, std::int64_t asOf);
    static bool mergeHolder(const Statement &stored, HolderRow &row, bool &attributesChanged);
    base::Result<Upsert> addHolder(std::int64_t name, const HolderRow &row);
    base::Result<void> changeHolder(std::int64_t id, const HolderRow &row);
    base::Result<void> bindHolder(Statement &s, const HolderRow &row);
    struct SpanTable;
    struct DayPart { // buckets [from, to) of a series that belong to one device's day
        std::int64_t rowId = 0;
        std::size_t series = 0, from = 0, to = 0;
    };
    base::Result<void> putAllSpans(const ports::FactBatch &batch);
    base::Result<void> putSpans(const SpanTable &table, const SpanMap &said, const ports::FactBatch &batch);
    base::Result<SpanMap> loadSpans(const SpanTable &table, const base::TimeRange &range);
    base::Result<void> replaceSpans(const SpanTable &table, std::int64_t id, const Spans &before, const Spans &after);
    bool late(const Spans &changed) const;
    bool mayReachBack(const Spans &before, const Spans &after) const;
    base::Result<Spans> lifeOf(std::int64_t holder);
    base::Result<void> touchHolderSpans(std::int64_t holder, const Spans &before, const Spans &after,
                                        const Spans &lived);
    base::Result<void> touchLife(std::int64_t holder, const Spans &before, const Spans &after);
    base::Result<void> touchNodeSpans(std::int64_t node, const Spans &before, const Spans &after);
    base::Result<void> touchNamesNear(std::int64_t holder, base::UtcTime edge, const base::TimeRange &beyond);
    base::Result<void> touchHolder(std::int64_t holder);
    base::Result<void> touchHoldersOn(std::int64_t node, const std::string &name);
    base::Result<void> touchListed();
    base::Result<void> touchKnown(const std::set<std::string, std::less<>> &names);
    base::Result<void> loadSpokenFor();
    Spans silent(std::int64_t cluster, const base::TimeRange &range) const;

    base::Result<void> putUsage(const ports::FactBatch &batch);
    base::Result<void> putDay(std::span<const DayPart> parts, const ports::FactBatch &batch);
    void mergeTrack(const ports::FactBatch::Series &series, const DayPart &part);
    struct PlacementKey {
        std::int64_t device = 0;
        const std::string &gpuInstance;
        std::int64_t subject = 0, node = 0, role = 0, cluster = 0;
        bool newName = false; // of the subject
    };
    // The places where a device was ever seen.
    struct Whereabouts {
        std::vector<std::int64_t> nodes;
        std::vector<std::string> instances;
        bool named = false; // some series named a holder
        base::TimeRange seen; // hull

        void add(std::int64_t node, const std::string &instance, bool isNamed, const base::TimeRange &range);
    };
    base::Result<Whereabouts *> whereaboutsOf(std::int64_t device);
    struct FirstNamed { // a device on which some series names a holder for the first time
        std::int64_t device = 0, node = 0;
        base::UtcTime since{};
    };
    base::Result<void> touchFirstNamed();
    base::Result<void> putPlacement(const ports::FactBatch::Series &series, const ports::FactBatch &batch);
    base::Result<Spans> storedPlacement(const PlacementKey &key);
    base::Result<void> replacePlacement(const PlacementKey &key, const Spans &before, const Spans &after);
    base::Result<void> touchPlacement(const PlacementKey &key, const Spans &before, const Spans &after);
    void touchGrowth(const PlacementKey &key, const Spans &before, const base::TimeRange &grown);
    base::Result<void> touchHoldersReached(std::int64_t subject, const Spans &before, const Spans &after);
    base::Result<void> touchHoles(const PlacementKey &key, const Spans &after);
    base::Result<void> touchForNewStay(const PlacementKey &key, bool first, const Spans &after);
    base::Result<void> touchNeighbours(const PlacementKey &key);
    base::Result<void> touchDevice(std::int64_t device);
    static std::size_t countOf(model::HourSignal signal, const ports::FactBatch &batch);
    static bool isSound(const ports::FactBatch::Signal &signal, const ports::FactBatch &batch);
    base::Result<void> putSignals(const ports::FactBatch &batch);
    using WaitKey = std::pair<std::int64_t, std::string>; // row of the name, and uid
    struct WaitRow;
    using WaitMap = std::map<WaitKey, WaitRow>;
    static bool isSound(const model::PastWait &wait);
    base::Result<void> putWaiting(const ports::FactBatch &batch);
    base::Result<WaitMap> loadWaits(const base::TimeRange &range);
    base::Result<void> replaceWait(const WaitKey &key, const Spans &before, const WaitRow &row);
    base::Result<void> putWaitingKnown(const ports::FactBatch &batch, const base::TimeRange &hull);
    base::Result<void> putCovered(const ports::FactBatch &batch);
    base::Result<Spans> fetched();
    base::Result<void> replaceFetched(const Spans &after);
    base::Result<void> putFetched(const base::TimeRange &range);
    base::Result<std::optional<base::UtcTime>> newestSample();
    base::Result<void> mendHull(base::UtcTime latest);

    base::Result<void> touchQuery(std::string_view sql, std::int64_t id);
    void touch(const base::TimeRange &range);
    base::Result<void> limitTouched();

    Database &m_db;
    UsageCodec &m_codec;
    std::int64_t m_source = 0;
    std::optional<base::UtcTime> m_newest; // end of what was fetched before; all days beyond it are touched anyway
    bool m_resumed = false; // a holder that already had records got another one
    Names m_names;
    std::vector<std::int64_t> m_nodes, m_devices, m_subjects, m_holders; // ids, parallel to the batch
    std::vector<char> m_subjectIsNew; // its name is new in this batch
    std::set<std::string, std::less<>> m_machineNames; // new ones, under which a machine may be known
    std::unordered_set<std::int64_t> m_newHolders; // holders whose names are new in this batch
    std::set<std::pair<std::int64_t, std::int64_t>> m_newStays; // device and subject, for new subjects
    std::vector<FirstNamed> m_firstNamed;
    std::unordered_map<std::int64_t, Whereabouts> m_whereabouts; // by device, over all its placements
    std::vector<std::int64_t> m_nodeAsOf, m_deviceAsOf, m_holderAsOf; // time of the latest evidence in the batch
    std::map<std::int64_t, Spans> m_spokenFor; // by cluster: times in which the scheduler's records are complete
    std::vector<model::UsageTrack> m_tracks;
    Spans m_touchedRanges;
    std::set<base::Day> m_touched;
};

} // namespace gpuledger::store
