// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/attributor.h"
#include "app/ledger/tagsurvey.h"

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

// What owner rules do with the time of a range, beside what the rules in use do with it.
struct RulePreview {
    struct Rule {
        std::string text; // in plain words; "no rule" for what stays unowned
        Claimed held; // by workloads
        Claimed all; // and what of its nodes nobody held
        std::vector<std::string> teams; // ascending
    };
    struct Team {
        std::string team;
        Claimed before, after;
    };
    struct Workload {
        std::string cluster, nameSpace, name, ownerKind, ownerName; // as the holder's
        model::SubjectKind kind = model::SubjectKind::Pod; // the same
        model::Labels labels, namespaceLabels; // keys as kube-state-metrics writes them
        Claimed claimed;
    };
    struct Label { // that could tell the team
        model::OwnerRule::Kind kind = model::OwnerRule::Kind::Label;
        std::string key;
        Claimed held; // of the workloads that carry it
        Claimed unowned; // of those, what these rules leave unowned
        std::size_t values = 0; // how many different ones
    };
    base::TimeRange range;
    base::Currency currency = base::Currency::usd();
    Claimed all; // = owned + unowned + shared
    Claimed owned; // by a team
    Claimed unowned; // held, and no rule speaks
    Claimed shared; // held by nobody, and no node pool rule speaks
    Claimed ownedBefore; // by the rules in use
    std::vector<Rule> rules; // in their order; the last one is what no rule claims
    std::vector<Team> teams; // descending by the change of cost; those that stay the same by what they have
    std::vector<Workload> examples; // unowned, the most expensive first, at most kExamples
    std::size_t unownedWorkloads = 0;
    std::vector<Label> labels; // the most helpful first
    std::optional<TagPreview> bills; // of the whole UTC days of the range; nothing: there is no bill, or nobody asked
    static constexpr std::size_t kExamples = 50;
};

// Who held how much of a range, before anybody says whose it was: taken once, it answers for any rules at once. It is
// summed up by UTC day and by the `cuts` at which rules begin or end. Immutable; any thread.
class RuleSurvey {
public:
    // Reads the usage of the range, which takes as long as a drill-down does. Fails with Storage… codes or Cancelled.
    [[nodiscard]] static base::Result<std::shared_ptr<const RuleSurvey>>
    take(const LedgerRules &rules, store::FactReader &facts, base::TimeRange range, std::vector<base::UtcTime> cuts,
         std::stop_token stop);

    // Both kinds of rules may only begin and end at midnight (UTC) or at the cuts.
    RulePreview preview(const OwnerRules &rules, const OwnerRules &inUse) const;
    // Whether the rules begin and end only where the survey was cut.
    bool fits(const OwnerRules &rules) const;

private:
    struct Slot {
        base::UtcTime at{}; // no rule begins or ends between this and the claimed time
        Claimed claimed;
    };
    struct Subject { // what holds, or a node that nobody held
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
