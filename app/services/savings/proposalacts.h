// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/insight/idle/idle.h"
#include "app/model/actionrecord.h"
#include "app/savings/proposals/proposal.h"

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

// Which actions of this program (app/actions) do something about a proposal. Pure but for holdersOfStops(); values; any
// thread.
namespace gpuledger::store {
class FactReader;
} // namespace gpuledger::store

namespace gpuledger::services {

// A workload: its cluster, and its name as proposals have it (insight::workloadName()).
using WorkloadOfCluster = std::pair<std::string, std::string>;

// The facts that decide it.
struct ActFacts {
    bool isReport = false; // nothing in a report can be stopped
    bool canStop = false, canMark = false; // a source stops something; the watch may do so later
    base::UtcTime now{};
    insight::IdleList idle; // now; its reach says whether the data are current
    // Verified, not undone, and the last of its object; ascending by id.
    std::vector<model::ActionRecord> stops;
    // The workload of each holder that these stops name (insight::IdleItem::id). One that the facts no longer have, or
    // whose id several workloads had, is missing.
    std::map<std::string, WorkloadOfCluster> holders;
    std::map<std::string, std::string> devices; // by the id that Proposal::resources has: deviceResource()
};

// The workload of each holder that these stops name, by IdleItem::id, as the facts of the day before each stop have it.
// Blocking. Fails with Storage… codes.
[[nodiscard]] base::Result<std::map<std::string, WorkloadOfCluster>>
holdersOfStops(store::FactReader &facts, const std::vector<model::ActionRecord> &stops);
// The ids of holders that a stop names.
std::vector<std::string> holdersIn(const model::ActionRecord &record);

// Why nothing can be stopped for a proposal.
enum class NoAct {
    None, // something can
    NoWorkload, // it is about commitments or cards, not about work that can be stopped
    Report,
    NoPlatform, // no source may stop anything
    Stale, // the idle list does not describe the present
    NotIdle,
    Protected, // what is idle of it can't be stopped
    Stopped, // what is idle of it in the data was stopped since
};

struct ProposalAct {
    std::vector<insight::IdleItem> items; // what a stop takes now, in the order of the idle list
    bool canMark = false; // a mark takes them too
    std::optional<base::Seconds> markAfter; // of a schedule that can be marked: untilOffHours()
    NoAct whyNot = NoAct::None;
    // Verified stops of its workload that were not undone, ascending by id; none from before it ran again, as far as
    // the idle list shows that.
    std::vector<model::ActionRecord> done;
};

// From now until the first full hour of the off-hours of a schedule that leaves the notice that a mark must give;
// holidays don't count. std::nullopt: it is no schedule, or it has no off-hours.
std::optional<base::Seconds> untilOffHours(const savings::Proposal &proposal, base::UtcTime now);

// Finds them for many proposals. Immutable.
class ProposalActs {
public:
    explicit ProposalActs(ActFacts facts);

    // Schedule, right-size and spot: what is idle now of the same workload in the same cluster; of a spot proposal, of
    // all jobs of its series. Capacity: what is idle on its nodes, because a node that is held can't be given back.
    ProposalAct of(const savings::Proposal &proposal) const;

private:
    using Places = std::vector<std::size_t>; // in the idle list, or among the stops
    using Index = std::map<WorkloadOfCluster, Places>;

    Places itemsOf(const savings::Proposal &proposal) const;
    void indexStops();
    bool isLongAgo(const model::ActionRecord &stop) const;

    const ActFacts m_facts;
    Index m_items, m_stops; // by workload, and by series of jobs
    std::map<std::string, Places> m_onDevice; // by deviceResource()
    std::set<std::string> m_stopped; // holders
};

} // namespace gpuledger::services
