// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/survey/rulesurvey.h"

#include "app/model/fleet/kindname.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>

namespace gpuledger::ledger {

using base::Result;
using base::UtcTime;

// Sums up what a walk visits.
class RuleSurvey::Taking {
public:
    Taking(RuleSurvey &survey, const FleetIndex &index, std::stop_token stop)
        : m_survey(survey)
        , m_stop(std::move(stop))
    {
        for (std::size_t i = 0; i < index.holders.size(); ++i)
            m_holderById.emplace(index.holders[i].facts.id.value, &index.holders[i]);
        for (std::size_t i = 0; i < index.nodes.size(); ++i)
            m_nodeById.emplace(index.nodes[i].id.value, static_cast<int>(i));
    }

    Result<void> visit(const model::DeviceAttribution &device)
    {
        if (m_stop.stop_requested())
            return base::fail(base::ErrorCode::Cancelled, "cancelled");
        const model::UsagePart *last = nullptr;
        Claimed *sum = nullptr;
        for (const model::UsagePart &part : device.parts) {
            const UtcTime at = device.day.start() + part.bucket * base::kBucket;
            if (at < m_survey.m_range.start || at >= m_survey.m_range.end)
                continue;
            const bool same = last && last->holder == part.holder && at < m_nextCut;
            last = &part;
            if (!same)
                sum = &sumOf(subjectOf(device, part.holder), at);
            sum->time.ticks += part.ticks;
            if (part.priced)
                sum->nanos += part.costNanos;
            else
                sum->unpriced.ticks += part.ticks;
        }
        return {};
    }

private:
    int indexOf(const model::Node *node) const
    {
        const auto known = node ? m_nodeById.find(node->id.value) : m_nodeById.end();
        return known == m_nodeById.end() ? -1 : known->second;
    }
    std::size_t subjectOf(const model::DeviceAttribution &device, std::int32_t holder)
    {
        if (holder == model::kNobody) {
            const int node = indexOf(device.node);
            return add({'n', node}, {}, node, true);
        }
        const model::AttributedHolder &h = (*device.holders)[static_cast<std::size_t>(holder)];
        if (h.holder.value != 0) {
            if (const auto known = m_holderById.find(h.holder.value); known != m_holderById.end())
                return add({'h', h.holder.value}, known->second->facts, known->second->node, false);
        }
        const model::Subject named{h.subject, h.cluster, h.what, h.nameSpace, h.name, h.uid, false};
        if (h.what != model::SubjectKind::Machine)
            return add({'s', h.subject.value}, holderOf(named, nullptr), -1, false);
        const int node = indexOf(device.node);
        const auto key = node < 0 ? std::pair('s', h.subject.value) : std::pair('m', std::int64_t{node});
        return add(key, holderOf(named, device.node), node, false);
    }
    std::size_t add(std::pair<char, std::int64_t> key, const model::Holder &who, int node, bool free)
    {
        const auto [at, isNew] = m_subjects.try_emplace(key, m_survey.m_subjects.size());
        if (isNew)
            m_survey.m_subjects.push_back({who, node, free, {}});
        return at->second;
    }
    Claimed &sumOf(std::size_t subject, UtcTime at)
    {
        UtcTime from = base::dayOf(at).start();
        const auto &cuts = m_survey.m_cuts;
        const auto next = std::upper_bound(cuts.begin(), cuts.end(), at);
        if (next != cuts.begin())
            from = std::max(from, *std::prev(next));
        m_nextCut = base::dayOf(at).end();
        if (next != cuts.end())
            m_nextCut = std::min(m_nextCut, *next);
        auto &slots = m_survey.m_subjects[subject].slots;
        // Days come in ascending order, so the slot is among the last few.
        for (auto slot = slots.rbegin(); slot != slots.rend() && slot->at >= from; ++slot) {
            if (slot->at == from)
                return slot->claimed;
        }
        const auto place =
            std::upper_bound(slots.begin(), slots.end(), from, [](UtcTime t, const Slot &slot) { return t < slot.at; });
        return slots.insert(place, Slot{from, {}})->claimed;
    }

    RuleSurvey &m_survey;
    std::stop_token m_stop;
    UtcTime m_nextCut{};
    std::unordered_map<std::int64_t, const IndexedHolder *> m_holderById;
    std::unordered_map<std::int64_t, int> m_nodeById;
    std::map<std::pair<char, std::int64_t>, std::size_t> m_subjects;
};

Result<std::shared_ptr<const RuleSurvey>> RuleSurvey::take(const LedgerRules &rules, store::FactReader &facts,
                                                           base::TimeRange range, std::vector<UtcTime> cuts,
                                                           std::stop_token stop)
{
    auto survey = std::make_shared<RuleSurvey>();
    std::sort(cuts.begin(), cuts.end());
    survey->m_range = range;
    survey->m_cuts = std::move(cuts);
    if (range.empty())
        return survey;
    auto index = FleetIndex::load(facts, range);
    GPULEDGER_TRY(index);
    Taking taking(*survey, *index, std::move(stop));
    Attributor attributor(rules, facts);
    GPULEDGER_TRY(attributor.walk(base::dayOf(range.start), base::dayOf(range.end - base::Seconds{1}), {},
                                  [&](const model::DeviceAttribution &device) { return taking.visit(device); }));
    survey->m_nodes = std::move(index->nodes);
    return survey;
}

bool RuleSurvey::fits(const OwnerRules &rules) const
{
    const auto &edges = rules.boundaries();
    return std::all_of(edges.begin(), edges.end(), [this](UtcTime edge) {
        return base::dayOf(edge).start() == edge || std::binary_search(m_cuts.begin(), m_cuts.end(), edge);
    });
}

// Builds the preview for one set of rules.
class Preview {
public:
    Preview(const RuleSurvey &survey, const OwnerRules &rules, const OwnerRules &inUse)
        : m_survey(survey)
        , m_rules(rules)
        , m_inUse(inUse)
        , m_teams(rules.rules().size() + 1)
    {
        m_out.range = survey.m_range;
        m_out.rules.resize(rules.rules().size() + 1);
        for (std::size_t i = 0; i < rules.rules().size(); ++i)
            m_out.rules[i].text = OwnerRules::describe(rules.rules()[i]);
        m_out.rules.back().text = "no rule";
    }

    RulePreview make()
    {
        for (const RuleSurvey::Subject &subject : m_survey.m_subjects)
            add(subject);
        finishRules();
        finishTeams();
        finishWorkloads();
        finishLabels();
        return std::move(m_out);
    }

private:
    OwnerRules::Match match(const OwnerRules &rules, const RuleSurvey::Subject &subject, UtcTime at) const
    {
        const model::Node *node =
            subject.node >= 0 ? &m_survey.m_nodes[static_cast<std::size_t>(subject.node)] : nullptr;
        return subject.free ? rules.ownerOfNode(node, at) : rules.ownerOf(subject.who, node, at);
    }

    void add(const RuleSurvey::Subject &subject)
    {
        Claimed total, unowned;
        std::optional<std::size_t> phase, phaseInUse;
        OwnerRules::Match now, before;
        for (const RuleSurvey::Slot &slot : subject.slots) {
            const auto phaseOf = [&](const OwnerRules &rules) {
                const auto &edges = rules.boundaries();
                return static_cast<std::size_t>(std::upper_bound(edges.begin(), edges.end(), slot.at) - edges.begin());
            };
            if (phase != phaseOf(m_rules))
                now = match(m_rules, subject, slot.at);
            if (phaseInUse != phaseOf(m_inUse))
                before = match(m_inUse, subject, slot.at);
            phase = phaseOf(m_rules);
            phaseInUse = phaseOf(m_inUse);
            total += slot.claimed;
            m_sums[now.team].after += slot.claimed;
            m_sums[before.team].before += slot.claimed;
            m_out.all += slot.claimed;
            if (isTeam(before))
                m_out.ownedBefore += slot.claimed;
            if (isTeam(now)) {
                m_out.owned += slot.claimed;
            } else if (subject.free) {
                m_out.shared += slot.claimed;
                continue;
            } else {
                m_out.unowned += slot.claimed;
                unowned += slot.claimed;
            }
            claim(subject, now, slot.claimed);
        }
        if (subject.free)
            return;
        if (unowned.time.ticks > 0)
            addWorkload(subject.who, unowned);
        addLabels(model::OwnerRule::Kind::Label, subject.who.labels, total, unowned);
        addLabels(model::OwnerRule::Kind::NamespaceLabel, subject.who.namespaceLabels, total, unowned);
    }

    static bool isTeam(const OwnerRules::Match &match) { return match.team != kUnowned && match.team != kShared; }

    void claim(const RuleSurvey::Subject &subject, const OwnerRules::Match &match, const Claimed &claimed)
    {
        const std::size_t row = match.rule < 0 ? m_out.rules.size() - 1 : static_cast<std::size_t>(match.rule);
        m_out.rules[row].all += claimed;
        if (!subject.free)
            m_out.rules[row].held += claimed;
        m_teams[row].insert(match.team);
    }

    void addWorkload(const model::Holder &who, const Claimed &unowned)
    {
        const std::string name = model::workloadOf(who.kind, who.ownerName, who.name);
        auto &workload = m_workloads[{who.cluster, who.nameSpace, who.ownerKind, name}];
        workload.cluster = who.cluster;
        workload.nameSpace = who.nameSpace;
        workload.name = who.name;
        workload.kind = who.kind;
        workload.ownerKind = who.ownerKind;
        workload.ownerName = who.ownerName;
        workload.labels = who.labels;
        workload.namespaceLabels = who.namespaceLabels;
        workload.claimed += unowned;
    }

    void addLabels(model::OwnerRule::Kind kind, const model::Labels &labels, const Claimed &total,
                   const Claimed &unowned)
    {
        for (const auto &[key, value] : labels) {
            if (value.empty() || !tellsTeams(key))
                continue;
            LabelSum &sum = m_labels[{kind, key}];
            sum.label.held += total;
            sum.label.unowned += unowned;
            sum.values.insert(value);
        }
    }

    void finishRules()
    {
        for (std::size_t i = 0; i < m_teams.size(); ++i)
            m_out.rules[i].teams.assign(m_teams[i].begin(), m_teams[i].end());
    }
    void finishTeams()
    {
        for (auto &[team, sums] : m_sums)
            m_out.teams.push_back({team, sums.before, sums.after});
        const auto rank = [](const RulePreview::Team &t) {
            const std::int64_t nanos = t.after.nanos - t.before.nanos;
            const std::int64_t ticks = t.after.time.ticks - t.before.time.ticks;
            return std::tuple(nanos < 0 ? -nanos : nanos, ticks < 0 ? -ticks : ticks, t.after.nanos,
                              t.after.time.ticks);
        };
        std::stable_sort(m_out.teams.begin(), m_out.teams.end(),
                         [&](const auto &a, const auto &b) { return rank(a) > rank(b); });
    }
    void finishWorkloads()
    {
        m_out.unownedWorkloads = m_workloads.size();
        for (auto &[key, workload] : m_workloads)
            m_out.examples.push_back(std::move(workload));
        std::stable_sort(m_out.examples.begin(), m_out.examples.end(), [](const auto &a, const auto &b) {
            return std::pair(a.claimed.nanos, a.claimed.time.ticks) > std::pair(b.claimed.nanos, b.claimed.time.ticks);
        });
        if (m_out.examples.size() > RulePreview::kExamples)
            m_out.examples.resize(RulePreview::kExamples);
    }
    void finishLabels()
    {
        for (auto &[key, sum] : m_labels) {
            RulePreview::Label label = sum.label;
            label.kind = key.first;
            label.key = key.second;
            label.values = sum.values.size();
            m_out.labels.push_back(std::move(label));
        }
        std::stable_sort(m_out.labels.begin(), m_out.labels.end(), [](const auto &a, const auto &b) {
            return std::tuple(a.unowned.nanos, a.unowned.time.ticks, a.held.nanos, a.held.time.ticks)
                > std::tuple(b.unowned.nanos, b.unowned.time.ticks, b.held.nanos, b.held.time.ticks);
        });
    }

    struct TeamSums {
        Claimed before, after;
    };
    struct LabelSum {
        RulePreview::Label label;
        std::set<std::string> values;
    };
    const RuleSurvey &m_survey;
    const OwnerRules &m_rules, &m_inUse;
    RulePreview m_out;
    std::vector<std::set<std::string>> m_teams;
    std::map<std::string, TeamSums> m_sums;
    std::map<std::array<std::string, 4>, RulePreview::Workload> m_workloads;
    std::map<std::pair<model::OwnerRule::Kind, std::string>, LabelSum> m_labels;
};

RulePreview RuleSurvey::preview(const OwnerRules &rules, const OwnerRules &inUse) const
{
    return Preview(*this, rules, inUse).make();
}

} // namespace gpuledger::ledger
