// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/attribution/attributor.h"
#include "app/ledger/survey/tagsurvey.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::ledger {

// Device time with its cost in nano-units; `unpriced` is the part of the time whose cost is unknown.
struct Claimed {
    base::GpuTime time, unpriced;
    std::int64_t nanos = 0;

    Claimed &operator+=(const Claimed &o)
    {
        time += o.time;
        unpriced += o.unpriced;
        nanos += o.nanos;
        return *this;
    }
    friend bool operator==(const Claimed &, const Claimed &) = default;
};

// The effect of a set of owner rules on the time of a range, compared with the rules in use.
struct RulePreview {
    struct Rule {
        std::string text; // human-readable; "no rule" for what stays unowned
        Claimed held; // by workloads
        Claimed all; // including unallocated time of its nodes
        std::vector<std::string> teams; // ascending
    };
    struct Team {
        std::string team;
        Claimed before, after;
    };
    struct Workload {
        std::string cluster, nameSpace, name, ownerKind, ownerName; // those of the holder
        model::SubjectKind kind = model::SubjectKind::Pod; // likewise
        model::Labels labels, namespaceLabels; // keys as kube-state-metrics writes them
        Claimed claimed;
    };
    struct Label { // a candidate for naming the team
        model::OwnerRule::Kind kind = model::OwnerRule::Kind::Label;
        std::string key;
        Claimed held; // by the workloads that carry it
        Claimed unowned; // the part of `held` that these rules leave unowned
        std::size_t values = 0; // number of distinct values
    };
    base::TimeRange range;
    base::Currency currency = base::Currency::usd();
    Claimed all; // = owned + unowned + shared
    Claimed owned; // by a team
    Claimed unowned; // held, but no rule matches
    Claimed shared; // unallocated, and no node pool rule matches
    Claimed ownedBefore; // by the rules in use
    std::vector<Rule> rules; // in order; the last entry is what no rule matches
    std::vector<Team> teams; // descending by change of cost; unchanged ones by their cost
    std::vector<Workload> examples; // unowned, the most expensive first, at most kExamples
    std::size_t unownedWorkloads = 0;
    std::vector<Label> labels; // the most helpful first
    std::optional<TagPreview> bills; // of the whole UTC days of the range; std::nullopt: no bill, or not requested
    static constexpr std::size_t kExamples = 50;
};

// Records who held how much in a range, before owner rules are applied: taken once, it can preview any rules. Summed by
// UTC day and by the `cuts` at which rules become or cease to be valid. Immutable; any thread.
class RuleSurvey {
public:
    // Reads the usage of the range, which takes as long as a drill-down. Fails with Storage… codes or Cancelled.
    [[nodiscard]] static base::Result<std::shared_ptr<const RuleSurvey>>
    take(const LedgerRules &rules, store::FactReader &facts, base::TimeRange range, std::vector<base::UtcTime> cuts,
         std::stop_token stop);

    // Both sets of rules may only change at midnight (UTC) or at the cuts.
    RulePreview preview(const OwnerRules &rules, const OwnerRules &inUse) const;
    // True if the rules only change where the survey was cut.
    bool fits(const OwnerRules &rules) const;

private:
    struct Slot {
        base::UtcTime at{}; // no rule changes between this instant and the claimed time
        Claimed claimed;
    };
    struct Subject { // a holder, or a node's unallocated time
        model::Holder who;
        int node = -1;
        bool free = false;
        std::vector<Slot> slots; // ascending
    };
    class Taking;
    friend class Preview;

    base::TimeRange m_range;
    std::vector<base::UtcTime> m_cuts; // ascending
    std::vector<model::Node> m_nodes;
    std::vector<Subject> m_subjects;
};

} // namespace gpuledger::ledger
